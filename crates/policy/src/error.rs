//! What can go wrong with rules, votes and grants.

use model::Disposition;
use platform::db;

/// A failure in policy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such rule, grant or request in this org.
    #[error("no such rule, grant or request")]
    NotFound,
    /// Who opened the session may not approve what it asks.
    #[error("whoever opened the session may not answer this; another person must")]
    FourEyes,
    /// A person answered already.
    #[error("you have answered this already; another person must")]
    AlreadyVoted,
    /// A standing permission for more than one action is an owner's to give.
    #[error("a grant for more than one action needs an owner")]
    NeedsOwner,
    /// An agent asked too often.
    #[error("ten requests of this session already wait for a person")]
    TooManyRequests,
    /// Somebody was faster.
    #[error("this request was answered already")]
    RequestAnswered,
    /// Nobody answered in time.
    #[error("this request expired unanswered")]
    RequestExpired,
    /// A key breaks its form, or a bound is out of range.
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
            Self::FourEyes => "four_eyes",
            Self::AlreadyVoted | Self::RequestAnswered => "already_answered",
            Self::NeedsOwner => "needs_owner",
            Self::TooManyRequests => "too_many_pending",
            Self::RequestExpired => "expired",
            Self::Invalid(_) => "invalid_request",
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound => Disposition::NotFound,
            Self::FourEyes | Self::NeedsOwner => Disposition::Denied,
            Self::AlreadyVoted | Self::RequestAnswered => Disposition::Conflict,
            Self::TooManyRequests => Disposition::Busy,
            Self::RequestExpired => Disposition::Gone,
            Self::Invalid(_) => Disposition::Invalid,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) => Disposition::Bug,
        }
    }
}
