//! Errors of receipts, artifacts and signing keys.

use model::Disposition;
use platform::{db, objects, seal};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The receipt does not exist in this organization.
    #[error("receipt not found")]
    NotFound,
    /// The log does not contain the entry yet, or is empty.
    #[error("not in the ledger yet; a receipt is added about a second after it was written")]
    NotLogged,
    #[error("creating the canonical form of a receipt failed")]
    Canonical(#[source] receipt::canonical::CanonicalError),
    #[error("decrypting a signing key failed")]
    Key(#[source] seal::Error),
    #[error("no signing key is valid now")]
    NoKey,
    #[error("signing a checkpoint failed")]
    MlDsa(#[source] receipt::MlDsaError),
    /// The artifact does not exist in this organization, or the body of its receipt was erased.
    #[error("artifact not found")]
    NoArtifact,
    /// The stored content does not match the digest.
    #[error("the stored artifact does not match its digest")]
    ArtifactChanged,
    /// The artifact storage is unavailable, is not configured, or has lost the artifact.
    #[error("the artifact storage is unavailable")]
    ArtifactAway(#[source] Option<objects::Error>),
    #[error("encrypting or decrypting an artifact failed")]
    Seal(#[source] seal::Error),
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
            Self::Canonical(_) | Self::Key(_) | Self::NoKey | Self::MlDsa(_) => "signing_failed",
            Self::Seal(_) | Self::Database(_) => "storage_unavailable",
        }
    }

    /// How a caller can react.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound | Self::NoArtifact => Disposition::NotFound,
            Self::ArtifactChanged => Disposition::Terminal,
            Self::ArtifactAway(_) => Disposition::Retry,
            Self::NotLogged => Disposition::Conflict,
            Self::Canonical(_) | Self::Key(_) | Self::NoKey | Self::MlDsa(_) | Self::Seal(_) => {
                Disposition::Bug
            }
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
