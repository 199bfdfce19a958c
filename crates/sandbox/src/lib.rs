//! Running programs that nobody trusts: with a file system, a network, processes and a user of their own.
//!
//! [`Policy`] says what a program may use. [`Sandbox`] starts it: a [`launcher`], which is this very binary started
//! again, makes the namespaces, builds the file system and starts the first process, which starts the program; they are
//! single-threaded, so that they can do what a server with threads cannot. [`offers`] says what this machine lacks.
//!
//! Flow: `start` writes the policy into a socket and starts the launcher; `launcher` enters the namespaces, `root` builds
//! the new root, `init` becomes its first process, and between fork and exec `walls` gives up every right: limits, Landlock, seccomp. The launcher
//! answers on the socket, waits, and ends when the program ends or the socket closes.
//!
//! INVARIANT: a piece that this machine lacks is an error, never a weaker sandbox. When the gateway, the launcher or the
//! program ends, so does every process that the program started.
//! Not here: what may run, and for whom (`catalog`, `app`).

mod init;
mod launcher;
mod offers;
mod policy;
mod root;
mod start;
mod syscalls;
mod walls;

pub use launcher::{ARGUMENT, launch_if_asked};
pub use offers::{Offer, offers};
pub use policy::{Layer, Limits, Network, Policy};
pub use start::{Error, Sandbox, Started};

/// Gives this process's memory, environment and descriptors to nobody: other processes of the same user cannot read
/// them, and it leaves no core dump.
pub fn hide_this_process() -> std::io::Result<()> {
    Ok(rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?)
}
