//! What can go wrong with receipts and their keys.

use model::Disposition;
use platform::{db, objects, seal};

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
    /// There is no such artifact in this org, or its receipt's body was erased.
    #[error("no such artifact")]
    NoArtifact,
    /// What is kept under a digest is not what has that digest.
    #[error("the artifact was changed where it is kept")]
    ArtifactChanged,
    /// The place where artifacts are kept is away, is not set up, or has lost it.
    #[error("the artifact cannot be read where it is kept")]
    ArtifactAway(#[source] Option<objects::Error>),
    /// An artifact could not be sealed or opened.
    #[error("sealing or opening an artifact")]
    Seal(#[source] seal::Error),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound | Self::NoArtifact => "not_found",
            Self::ArtifactChanged => "artifact_changed",
            Self::ArtifactAway(_) => "artifact_away",
            Self::NotLogged => "not_logged_yet",
            Self::Canonical(_) | Self::Key(_) => "signing_failed",
            Self::Seal(_) | Self::Database(_) => "storage_unavailable",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound | Self::NoArtifact => Disposition::NotFound,
            Self::ArtifactChanged => Disposition::Terminal,
            Self::ArtifactAway(_) => Disposition::Retry,
            Self::NotLogged => Disposition::Conflict,
            Self::Canonical(_) | Self::Key(_) | Self::Seal(_) => Disposition::Bug,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) => Disposition::Bug,
        }
    }
}

impl From<objects::Error> for Error {
    fn from(error: objects::Error) -> Self {
        Self::ArtifactAway(Some(error))
    }
}
