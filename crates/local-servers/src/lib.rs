//! Starting PostgreSQL, Redis and Restate on loopback.
//!
//! [`Program`] is an installed server, found by [`programs`]. [`Postgres`], [`Redis`] and [`Restate`] are settings of one
//! server each. Every [`Server`] creates its data directory, builds its exact command, and tells whether it is ready.
//! Processes belong to the caller: `countersign dev` supervises them, trials kill them, and the program `services`
//! lets them outlive it.
//!
//! INVARIANT: a server listens on 127.0.0.1 only, and gets no setting from the environment of whoever starts it.

mod command;
mod postgres;
mod probe;
pub mod programs;
mod redis;
mod restate;
mod secret;
mod user;

use std::{fmt, process::Command};

pub use postgres::{Postgres, ROLES, made_by};
pub use programs::Program;
pub use redis::Redis;
pub use restate::{ADMIN_HEALTH, INGRESS_HEALTH, Restate};
pub use secret::write_secret;
pub use user::is_root;

/// Settings of one server that can be started.
pub trait Server: Send + Sync {
    /// As people and log files call it.
    fn name(&self) -> &'static str;

    /// The ports it will listen on.
    fn ports(&self) -> Vec<u16>;

    /// Creates its data directory and its configuration file where they are missing. Blocks, for PostgreSQL up to
    /// some seconds.
    fn prepare(&self) -> anyhow::Result<()>;

    /// The command that runs it in the foreground, to be used after [`Server::prepare`].
    fn command(&self) -> anyhow::Result<Command>;

    /// Whether it accepts work. Blocks, for at most some seconds.
    fn is_ready(&self) -> bool;
}

/// Who may connect to PostgreSQL or Redis.
#[derive(Clone, PartialEq, Eq)]
pub enum Authentication {
    /// Everybody who reaches loopback: for scratch data only.
    Trust,
    /// Whoever knows the password of the superuser.
    Password(String),
}

impl Authentication {
    fn password(&self) -> Option<&str> {
        match self {
            Self::Trust => None,
            Self::Password(password) => Some(password),
        }
    }
}

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Trust => "Trust",
            Self::Password(_) => "Password(hidden)",
        })
    }
}
