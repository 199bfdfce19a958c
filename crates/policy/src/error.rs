//! What can go wrong with rules.

use model::Disposition;
use platform::db;

/// A failure in policy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such rule in this org.
    #[error("no such rule")]
    NotFound,
    /// A rule's key breaks its form.
    #[error("{0}")]
    Invalid(&'static str),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Invalid(_) => "invalid_request",
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound => Disposition::NotFound,
            Self::Invalid(_) => Disposition::Invalid,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) => Disposition::Bug,
        }
    }
}
