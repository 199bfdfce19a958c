//! The binary `countersign`: the server commands and the client commands.

mod commands;
mod deployment;
mod dev;
mod doctor;
mod internal_http;
mod master_key;
mod prepare;
mod programs;
mod restored;
mod serve;
mod stdio;
mod wire;
mod worker;

use std::process::ExitCode;

use clap::Parser as _;

use commands::Arguments;

/// Allocating and copying in libc took a tenth of all samples under load; the gain of this allocator alone was not
/// measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(ended) = sandbox::launch_if_asked() {
        return ended;
    }
    // Master key, tokens and credentials are in its environment and its memory.
    if let Err(error) = sandbox::hide_this_process() {
        return commands::report(
            &anyhow::Error::new(error).context("hiding this process from others failed"),
        );
    }
    // One TLS provider for everything, installed before anything needs one.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return commands::report(&anyhow::Error::new(error).context("starting the async runtime failed"));
        }
    };
    runtime.block_on(commands::run(arguments))
}
