//! Shell completions of the binary's root command.

use clap_complete::Shell;

use crate::{Console, Exit};

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  countersign completions bash > ~/.local/share/bash-completion/completions/countersign
  countersign completions zsh > ~/.zfunc/_countersign
  countersign completions fish > ~/.config/fish/completions/countersign.fish")]
pub struct Completions {
    /// Shell
    pub shell: Shell,
}

/// Writes the completions of `root` to stdout.
pub fn completions(arguments: &Completions, mut root: clap::Command, console: &mut Console) -> Exit {
    let name = root.get_name().to_owned();
    let mut script = Vec::new();
    // Into memory first, because the generator panics if a pipe is closed early.
    clap_complete::generate(arguments.shell, &mut root, name, &mut script);
    match console.bytes(&script) {
        Ok(()) => Exit::Done,
        Err(_) => Exit::Failed,
    }
}
