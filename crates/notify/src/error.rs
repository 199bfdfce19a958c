//! Errors of notifications.

use model::Disposition;
use platform::db;

/// Why a notifier, a Slack user or a click was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is invalid.
    #[error("the request is invalid")]
    Malformed {
        /// Where, as a JSON pointer; empty for the whole.
        pointer: String,
        /// What is wrong there.
        message: String,
    },
    /// The click is not signed by Slack, or the org accepts none.
    #[error("the click is not signed with the Slack signing secret of this org")]
    Unsigned,
    /// The same click was received before.
    #[error("this click was already received")]
    ClickReplayed,
    /// A notifier for this target exists already.
    #[error("a notifier for this target already exists")]
    NotifierExists,
    /// It does not exist in this org.
    #[error("{0} not found")]
    NotFound(&'static str),
    #[error(transparent)]
    Pipeline(#[from] pipeline::Error),
    #[error(transparent)]
    Tenancy(#[from] tenancy::Error),
    #[error(transparent)]
    Policy(#[from] policy::Error),
    #[error(transparent)]
    Events(#[from] events::Error),
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "malformed_request",
            Self::Unsigned => "unauthenticated",
            Self::ClickReplayed => "click_replayed",
            Self::NotifierExists => "already_exists",
            Self::NotFound(_) => "not_found",
            Self::Pipeline(error) => error.code(),
            Self::Tenancy(error) => error.code(),
            Self::Policy(error) => error.code(),
            Self::Events(error) => error.code(),
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::Malformed { .. } => Disposition::Invalid,
            Self::Unsigned => Disposition::Unauthenticated,
            Self::ClickReplayed | Self::NotifierExists => Disposition::Conflict,
            Self::NotFound(_) => Disposition::NotFound,
            Self::Pipeline(error) => error.disposition(),
            Self::Tenancy(error) => error.disposition(),
            Self::Policy(error) => error.disposition(),
            Self::Events(error) => error.disposition(),
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) => Disposition::Bug,
        }
    }
}
