//! Errors of events, groups and webhooks.

use model::Disposition;
use platform::{db, seal};

use platform::filter::Complaint;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It does not exist in this organization, or was deleted after its retention time.
    #[error("{0} not found")]
    NotFound(&'static str),
    #[error("the filter is invalid")]
    Filter(Vec<Complaint>),
    /// The request is invalid.
    #[error("{message}")]
    Invalid {
        /// The location as a JSON pointer.
        pointer: String,
        message: String,
    },
    /// An application published a different event with the same source and id.
    #[error("the source already published a different event with this id")]
    Renamed,
    /// Concurrent changes won every time.
    #[error("too many consumers of this group at the same time")]
    Contended,
    #[error(transparent)]
    Database(#[from] db::Error),
    /// The secret of a webhook could not be encrypted or decrypted.
    #[error(transparent)]
    Seal(#[from] seal::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::Filter(_) | Self::Invalid { .. } => "invalid_request",
            Self::Renamed => "event_id_reused",
            Self::Contended => "busy",
            Self::Database(_) => "storage_unavailable",
            Self::Seal(_) => "internal",
        }
    }

    /// How a caller can react.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound(_) => Disposition::NotFound,
            Self::Filter(_) | Self::Invalid { .. } => Disposition::Invalid,
            Self::Renamed => Disposition::Conflict,
            Self::Contended => Disposition::Busy,
            Self::Database(error) | Self::Seal(seal::Error::Database(error)) if error.is_transient() => {
                Disposition::Retry
            }
            Self::Database(_) | Self::Seal(_) => Disposition::Bug,
        }
    }
}
