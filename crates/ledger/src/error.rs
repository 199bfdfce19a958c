//! What can go wrong with receipts and their keys.

use model::Disposition;
use platform::{db, seal};

/// A failure in the ledger.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such receipt in this org.
    #[error("no such receipt")]
    NotFound,
    /// The log does not hold it, or holds nothing at all yet.
    #[error("the ledger does not hold it yet; a receipt is there about a second after it was written")]
    NotLogged,
    /// A receipt has no canonical form.
    #[error("bringing a receipt into canonical form")]
    Canonical(#[source] receipt::canonical::CanonicalError),
    /// A signing key could not be unwrapped.
    #[error("opening a signing key")]
    Key(#[source] seal::Error),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::NotLogged => "not_logged_yet",
            Self::Canonical(_) | Self::Key(_) => "signing_failed",
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound => Disposition::NotFound,
            Self::NotLogged => Disposition::Conflict,
            Self::Canonical(_) | Self::Key(_) => Disposition::Bug,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) => Disposition::Bug,
        }
    }
}
