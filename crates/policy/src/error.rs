//! Errors of rules, votes and grants.

use model::Disposition;
use platform::db;

/// A failure in policy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rule, grant or request does not exist in this organization.
    #[error("rule, grant or request not found")]
    NotFound,
    /// The person who opened the session may not approve its invocations.
    #[error("the person who opened the session may not answer; another person must")]
    FourEyes,
    /// The same person has already answered.
    #[error("you have already answered; another person must answer too")]
    AlreadyVoted,
    /// Only an owner may create a grant for more than one action.
    #[error("a grant for more than one action needs an owner")]
    NeedsOwner,
    /// Another person has already answered.
    #[error("the grant request was already answered")]
    RequestAnswered,
    /// Nobody answered in time.
    #[error("the grant request expired without an answer")]
    RequestExpired,
    /// A key is malformed, or a bound is out of range.
    #[error("{0}")]
    Invalid(&'static str),
    /// A condition on parameters is malformed.
    #[error("the condition is not valid: {0}")]
    Condition(String),
    /// A policy has problems.
    #[error("the policy is not valid: {0}")]
    Policy(String),
    /// A fact is malformed.
    #[error("the fact is not valid: {0}")]
    Fact(String),
    /// A policy still reads the fact.
    #[error("the policy `{0}` reads this fact; change or delete the policy first")]
    FactInUse(String),
    /// The gate settings are malformed.
    #[error("the gate settings are not valid: {0}")]
    Gates(String),
    /// A consent is malformed.
    #[error("the consent is not valid: {0}")]
    Consent(String),
    /// Another version was saved meanwhile.
    #[error("version {0} was saved meanwhile; read it and try again")]
    Changed(i32),
    /// A case does not come out as expected.
    #[error("the case {0}")]
    CaseFailed(String),
    /// The same rule was set twice at the same moment.
    #[error("someone else set this rule at the same moment; look at it and try again")]
    SetByOthers,
    /// Only a person can do this.
    #[error("only a person can set a rule or give a grant")]
    NotAPerson,
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
            Self::SetByOthers => "already_exists",
            Self::NeedsOwner => "needs_owner",
            Self::RequestExpired => "expired",
            Self::Invalid(_)
            | Self::Condition(_)
            | Self::Policy(_)
            | Self::Fact(_)
            | Self::Gates(_)
            | Self::Consent(_)
            | Self::NotAPerson => "invalid_request",
            Self::Changed(_) => "version_changed",
            Self::FactInUse(_) => "in_use",
            Self::CaseFailed(_) => "case_failed",
            Self::Database(db::Error::SecondPerson) => "second_person_needed",
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// How a caller can react.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound => Disposition::NotFound,
            Self::FourEyes | Self::NeedsOwner => Disposition::Denied,
            Self::AlreadyVoted
            | Self::RequestAnswered
            | Self::SetByOthers
            | Self::Changed(_)
            | Self::FactInUse(_) => Disposition::Conflict,
            Self::RequestExpired => Disposition::Gone,
            Self::Invalid(_)
            | Self::Condition(_)
            | Self::Policy(_)
            | Self::Fact(_)
            | Self::Gates(_)
            | Self::Consent(_)
            | Self::CaseFailed(_)
            | Self::NotAPerson => Disposition::Invalid,
            Self::Database(db::Error::SecondPerson) => Disposition::Conflict,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) => Disposition::Bug,
        }
    }
}
