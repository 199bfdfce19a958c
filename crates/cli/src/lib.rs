//! The client commands, for agents and people: requests to a gateway, and offline verification of receipts.
//!
//! [`Command`] holds all client commands (the binary adds its own); [`Global`] names the gateway and the token; [`run`]
//! executes a command; [`Exit`] is its exit code; [`Console`] is its input and output; [`completions`] writes shell
//! completions.
//!
//! Flow: `commands/*` build a request from the types of `api`, `client` sends it, and the response is printed as a table
//! or, with `--json`, unchanged. `inbox` on a terminal is a full-screen program (`screen`). `definitions` handles
//! automations in files; `eval` measures models; `timeline` prints a run and `watch` follows it. `receipts verify` needs only a file, keys and the
//! crate `receipt`.
//!
//! INVARIANT: data goes to stdout, everything else to stderr. Text from outside passes [`visible`] before it is printed.
//! No secret is an argument, because process lists show arguments to all users of a machine.
//! Not here: the server commands (`app`) and any crate of the server.

mod client;
mod commands;
mod completions;
mod console;
mod context;
mod definitions;
mod error;
mod eval;
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
pub use input::role;
pub use visible::{inline, visible};

/// Arguments of all commands. To be flattened into the root command.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Gateway")]
pub struct Global {
    /// URL of the gateway
    #[arg(
        long,
        global = true,
        env = "COUNTERSIGN_URL",
        value_name = "URL",
        default_value = "http://127.0.0.1:7878"
    )]
    pub url: String,
    /// File that holds the token [default: the variable `COUNTERSIGN_TOKEN`]
    #[arg(long, global = true, env = "COUNTERSIGN_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Print the response of the gateway as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Reason for a change, for its record
    #[arg(long, global = true, value_name = "TEXT")]
    pub why: Option<String>,
    /// The token from the environment. It is no argument, because process lists show arguments.
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
