//! What can go wrong with telling.

use model::Disposition;
use platform::{db, seal};

use crate::filter::Complaint;

/// A failure in telling.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing in this org, or it is no longer kept.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// A filter is not one.
    #[error("the filter is not valid")]
    Filter(Vec<Complaint>),
    /// What is published or asked for is not valid.
    #[error("{message}")]
    Invalid {
        /// Where, as a JSON pointer.
        pointer: String,
        message: String,
    },
    /// An application published something else under the same name before.
    #[error("the source published another event under this id")]
    Renamed,
    /// Somebody else changed it at the same time, again and again.
    #[error("other consumers of this group were faster")]
    Contended,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] db::Error),
    /// A secret of a webhook could not be sealed or opened.
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

    /// What may be done about it.
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
