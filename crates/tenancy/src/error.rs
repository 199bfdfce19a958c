//! What can go wrong with orgs, people, tokens and sealed values.

use model::Disposition;
use platform::{db, seal};

/// A failure in tenancy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The token is missing, mistyped, unknown, revoked or past its end. Which of these is not told.
    #[error("the token is not valid")]
    Unauthenticated,
    /// There is no such thing in this org.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// One with that name is already there.
    #[error("{0} already exists")]
    Exists(&'static str),
    /// A value breaks a rule; with the rule.
    #[error("{0}")]
    Invalid(&'static str),
    /// A rule asks for what nobody has.
    #[error("nobody in this org has a passkey yet, so nothing hard to undo could be approved any more")]
    NoPasskeys,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] db::Error),
    /// Sealing failed.
    #[error(transparent)]
    Seal(#[from] seal::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::NotFound(_) => "not_found",
            Self::Exists(_) => "already_exists",
            Self::Invalid(_) => "invalid_request",
            Self::NoPasskeys => "no_passkeys",
            Self::Database(_) => "storage_unavailable",
            Self::Seal(_) => "sealing_failed",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::Unauthenticated => Disposition::Unauthenticated,
            Self::NotFound(_) => Disposition::NotFound,
            Self::Exists(_) | Self::NoPasskeys => Disposition::Conflict,
            Self::Invalid(_) => Disposition::Invalid,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) | Self::Seal(_) => Disposition::Bug,
        }
    }

    /// Names a broken constraint in the words of the domain.
    pub(crate) fn named(error: db::Error, names: &[(&str, Self)]) -> Self {
        let found = error.constraint().and_then(|hit| names.iter().find(|(name, _)| *name == hit));
        match found {
            Some((_, Self::Exists(what))) => Self::Exists(what),
            Some((_, Self::NotFound(what))) => Self::NotFound(what),
            Some((_, Self::Invalid(rule))) => Self::Invalid(rule),
            _ => Self::Database(error),
        }
    }
}
