//! What can go wrong with a mirror.

use platform::{db, objects};
use receipt::{CheckpointError, KeyError};

/// A mirror could not be given a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such place can be.
    #[error("a mirror is `file:///directory`, `s3://bucket/prefix` or `git:///path/to/clone`")]
    Address(#[source] objects::Error),
    /// It holds something that the log does not continue.
    #[error("the mirror and the ledger do not fit")]
    Diverged(#[from] Divergence),
    /// It is away, or refuses.
    #[error(transparent)]
    Objects(#[from] objects::Error),
    /// Git failed; what it said is redacted.
    #[error("git {step} in {clone}: {said}")]
    Git { step: &'static str, clone: String, said: String },
    /// Git could not be run.
    #[error("running git {step}")]
    Run {
        step: &'static str,
        #[source]
        source: std::io::Error,
    },
    /// Others were faster, again and again.
    #[error("others push to the mirror all the time")]
    Contended,
    /// Our own keys cannot be read.
    #[error("reading the keys of the ledger")]
    Keys(#[source] KeyError),
    /// The log could not be read.
    #[error(transparent)]
    Ledger(#[from] crate::Error),
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        Self::Ledger(error.into())
    }
}

/// Why the log does not continue what a mirror holds.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Divergence {
    /// No key of this ledger signed it.
    #[error("what the mirror holds is not a checkpoint of this ledger")]
    NotOurs(#[source] CheckpointError),
    /// It is of a log with another name.
    #[error("the mirror holds a checkpoint of the log {0}")]
    AnotherLog(String),
    /// The log has fewer entries.
    #[error("the mirror has seen {held} entries, and the log has {log}")]
    Shorter { held: u64, log: u64 },
    /// The first entries are others.
    #[error("the first {size} entries of the log are not those that the mirror has seen")]
    Rewritten { size: u64 },
}
