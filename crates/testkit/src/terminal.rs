//! A person at a terminal: the client commands of the program, run in this process with streams of their own.

use std::{
    io::{self, Cursor, Write},
    sync::{Arc, Mutex, PoisonError},
};

use api::Plain;
use clap::Parser;
use cli::{Command, Console, Global};

/// The root that the program has, without its server commands.
#[derive(Parser)]
#[command(name = "countersign")]
struct Root {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// A terminal at which a person holds a token for a gateway.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// The gateway.
    pub url: String,
    pub token: String,
}

/// What a command did.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The exit code.
    pub code: u8,
    pub out: String,
    pub err: String,
}

impl Terminal {
    /// Runs `countersign <arguments>` with this text on stdin. An error means that there is no such command.
    pub async fn run(&self, arguments: &[&str], input: &str) -> anyhow::Result<Ran> {
        let mut root = Root::try_parse_from([&["countersign", "--url", &self.url], arguments].concat())?;
        root.global.token = Some(Plain(self.token.clone()));
        let (out, err) = (Sink::default(), Sink::default());
        let mut console = Console::new(Cursor::new(input.to_owned()), out.clone(), err.clone());
        let exit = Box::pin(cli::run_on(root.command, &root.global, &mut console)).await;
        Ok(Ran { code: exit as u8, out: out.text(), err: err.text() })
    }
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
