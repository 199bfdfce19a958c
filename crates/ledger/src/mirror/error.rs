//! Errors of mirrors.

use platform::{db, objects};
use receipt::{CheckpointError, KeyError};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("invalid mirror. Use `file:///directory`, `s3://bucket/prefix` or `git:///path/to/clone`")]
    Address(#[source] objects::Error),
    /// The log does not continue the checkpoint of the mirror.
    #[error("the mirror and the ledger differ")]
    Diverged(#[from] Divergence),
    /// The mirror is unavailable, or refuses the request.
    #[error(transparent)]
    Objects(#[from] objects::Error),
    /// Its output is redacted.
    #[error("git {step} in {clone} failed: {said}")]
    Git { step: &'static str, clone: String, said: String },
    #[error("starting git {step} failed")]
    Run {
        step: &'static str,
        #[source]
        source: std::io::Error,
    },
    /// Concurrent pushes won every time.
    #[error("too many concurrent pushes to the mirror")]
    Contended,
    #[error("reading the keys of the ledger failed")]
    Keys(#[source] KeyError),
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
    /// No key of this ledger signed the checkpoint.
    #[error("the mirror holds a checkpoint of another ledger")]
    NotOurs(#[source] CheckpointError),
    #[error("the mirror holds a checkpoint of the log {0}")]
    AnotherLog(String),
    /// The log has fewer entries.
    #[error("the mirror has a checkpoint with {held} entries, but the log has only {log}")]
    Shorter { held: u64, log: u64 },
    /// Entries of the log changed.
    #[error("the first {size} entries of the log differ from the checkpoint of the mirror")]
    Rewritten { size: u64 },
}

impl Divergence {
    /// Whether it shows that the database lacks something it had: then nothing may happen until that is settled.
    pub const fn shows_restore(&self) -> bool {
        matches!(self, Self::Shorter { .. } | Self::Rewritten { .. })
    }
}
