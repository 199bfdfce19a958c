//! The client's commands: what agents and people type to speak with a gateway, and to verify receipts without one.
//!
//! Cast: [`Command`] is everything that can be typed (the binary flattens it beside its own verbs); [`Global`] says
//! which gateway and with which token; [`run`] does it; [`Exit`] is how it ended; [`Console`] is where it reads and
//! writes; [`completions`] writes a shell's completions for whatever root the binary has.
//!
//! Flow: `commands/*` put a request together from `api`'s types, `client` sends it, the answer is printed as a table
//! or, with `--json`, as it came. `inbox` on a terminal is a `screen` instead. `automations` keeps definitions in files; a run is drawn by `timeline` and
//! followed by `watch`. `receipts verify` asks nobody: it needs a file, keys and `receipt`.
//!
//! INVARIANT: data goes to stdout, everything else to stderr. What came from outside passes [`visible`] before a
//! person sees it. No secret is ever an argument: process lists show arguments to everybody on the machine.
//! Not here: the server and its verbs (`app`), any crate the server is made of.

mod client;
mod commands;
mod completions;
mod console;
mod context;
mod definitions;
mod error;
mod exit;
mod feed;
mod inbox;
mod input;
mod list;
mod review;
mod screen;
mod table;
mod timeline;
mod wait;
mod watch;

use std::{path::PathBuf, process::ExitCode};

use api::Plain;
use model::visible;

pub use commands::Command;
pub use completions::{Completions, completions};
pub use console::Console;
pub(crate) use context::Context;
pub use exit::{EXIT_CODES, Exit};
pub use visible::{inline, visible};

/// Which gateway, with which token, and how to print. To be flattened into the root command.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Gateway")]
pub struct Global {
    /// Where the gateway is
    #[arg(
        long,
        global = true,
        env = "COUNTERSIGN_URL",
        value_name = "URL",
        default_value = "http://127.0.0.1:7878"
    )]
    pub url: String,
    /// File that holds the token; without it the token is read from `COUNTERSIGN_TOKEN`
    #[arg(long, global = true, env = "COUNTERSIGN_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Print one JSON document, exactly as the gateway answered
    #[arg(long, global = true)]
    pub json: bool,
    /// The token from the environment. There is no argument for it: it would stand in every process list.
    #[arg(skip = input::token_from_environment())]
    pub token: Option<Plain>,
}

/// Runs a command on the streams of this process.
pub async fn run(command: Command, global: &Global) -> ExitCode {
    run_on(command, global, &mut Console::of_process()).await.into()
}

/// Runs a command on any streams.
pub async fn run_on(command: Command, global: &Global, console: &mut Console) -> Exit {
    let mut cx = Context::new(global, console);
    match commands::run(command, &mut cx).await {
        Ok(exit) => exit,
        Err(error) => {
            if let Some(answer) = error.answer().filter(|_| global.json) {
                let _ = cx.console.json_text(answer);
            }
            let _ = cx.console.note(&error.explain());
            error.exit()
        }
    }
}
