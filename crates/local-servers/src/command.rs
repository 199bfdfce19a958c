//! Commands that take nothing from the environment of whoever starts them.

use std::{env, path::Path, process::Command};

/// A command with an empty environment, except for what is needed to find programs and libraries. A `PGPORT` or a
/// `RESTATE_…` of a person's shell would change what a server does.
#[expect(clippy::disallowed_methods, reason = "passed on to another program, not read as configuration")]
pub(crate) fn isolated(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder);
    for name in ["PATH", "LD_LIBRARY_PATH"] {
        if let Some(value) = env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

#[cfg(test)]
/// The arguments of a command as text.
pub(crate) fn arguments(command: &Command) -> Vec<String> {
    command.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect()
}
