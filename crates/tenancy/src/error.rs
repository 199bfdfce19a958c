//! Errors of organizations, members, tokens and encrypted values.

use model::Disposition;
use platform::{db, seal};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The token is missing, malformed, unknown, revoked or expired. The message does not say which.
    #[error("the token is invalid or expired")]
    Unauthenticated,
    /// It does not exist in this organization.
    #[error("{0} not found")]
    NotFound(&'static str),
    #[error("{0} already exists")]
    Exists(&'static str),
    /// A value violates this rule.
    #[error("{0}")]
    Invalid(&'static str),
    /// The secret may not be used there, and this person may not change that.
    #[error(
        "this secret may not be sent to that address; the person who set it, or an owner, has to allow that"
    )]
    NotItsAudience,
    /// A token authenticates the person who made it.
    #[error("only they can make a token for themselves; programs have service accounts")]
    NotOwnToken,
    /// The link of an invitation is for whoever made it to pass on.
    #[error("only the person who invited can make a new link; invite again instead")]
    NotInviter,
    /// Nobody confirms their own passkey.
    #[error("another approver has to confirm your passkey")]
    OwnPasskey,
    /// One let the other in within the last day.
    #[error(
        "one of you let the other in within the last day, so you count as one person: someone else has to"
    )]
    CountsAsOne,
    /// The sign-in is too old to make something that lasts.
    #[error(
        "you signed in more than ten minutes ago; sign in again, or confirm it with a passkey, and repeat this"
    )]
    NotFresh,
    /// A service account has no vote.
    #[error("a service account cannot do this; a person has to")]
    ServiceAccount,
    /// The space is open to its members only.
    #[error("you are not a member of this space; ask an admin to add you")]
    NotInSpace,
    /// A session gets at most what its opener may use in the space.
    #[error("you may not use `{0}` in this space; name sources that you may use, or ask an admin")]
    BeyondReach(String),
    /// The requirement would block all approvals.
    #[error("no member has a passkey yet, so R3 and R4 actions could no longer be approved")]
    NoPasskeys,
    #[error(transparent)]
    Database(#[from] db::Error),
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
            Self::NotItsAudience => "secret_not_allowed",
            Self::NotOwnToken => "not_own_token",
            Self::NotInviter => "not_inviter",
            Self::OwnPasskey => "own_passkey",
            Self::CountsAsOne => "counts_as_one",
            Self::NotFresh => "fresh_sign_in_needed",
            Self::ServiceAccount => "service_account",
            Self::NotInSpace => "not_in_space",
            Self::BeyondReach(_) => "beyond_reach",
            Self::NoPasskeys => "no_passkeys",
            Self::Database(db::Error::SecondPerson) => "second_person_needed",
            Self::Database(_) => "storage_unavailable",
            Self::Seal(_) => "sealing_failed",
        }
    }

    /// How a caller can react.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::Unauthenticated => Disposition::Unauthenticated,
            Self::NotFound(_) => Disposition::NotFound,
            Self::Exists(_) | Self::NoPasskeys => Disposition::Conflict,
            Self::Invalid(_) => Disposition::Invalid,
            Self::NotItsAudience
            | Self::NotOwnToken
            | Self::NotInviter
            | Self::OwnPasskey
            | Self::CountsAsOne
            | Self::NotFresh
            | Self::NotInSpace
            | Self::BeyondReach(_)
            | Self::ServiceAccount => Disposition::Denied,
            Self::Database(db::Error::SecondPerson) => Disposition::Conflict,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) | Self::Seal(_) => Disposition::Bug,
        }
    }

    /// Maps a violated constraint to an error of the domain.
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
