//! Errors before an invocation is recorded, or with the record itself.
//!
//! A failure at the target is not an error of the pipeline: it is an invocation that ended `failed`.

use std::time::Duration;

use catalog::FieldError;
use jiff::Timestamp;
use model::{CanonicalError, Disposition, InvocationId, Status};
use platform::{db, seal};
use receipt::passkey::AssertionError;

/// Why a request was not accepted, or could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session is over.
    #[error("the session has ended")]
    SessionOver,
    /// The body is not the JSON of an invocation.
    #[error("the request is invalid")]
    Malformed {
        /// Where, as a JSON pointer; empty for the whole.
        pointer: String,
        /// What is wrong there.
        message: String,
    },
    /// The action does not exist.
    #[error("the action `{address}` does not exist")]
    UnknownAction {
        /// The address of the request.
        address: String,
        /// Similar addresses.
        near: Vec<String>,
    },
    /// The org has not connected the source.
    #[error("the source `{0}` is not connected")]
    NotConnected(String),
    /// The parameters do not fit the action's schema.
    #[error("the parameters do not match the schema of the action")]
    InvalidParams(Vec<FieldError>),
    /// The session, its opener, its space or the organization is over its rate limit.
    #[error("{of} exceeded the limit of {most} invocations per minute")]
    RateLimited {
        /// Who exceeded it.
        of: &'static str,
        /// The limit per minute.
        most: u32,
        /// When the next minute begins.
        retry_after: Duration,
    },
    /// Too many requests wait for a person.
    #[error("{0}")]
    TooManyPending(policy::Full),
    /// A budget for models has not enough left.
    #[error("the budget of {0} is used up: the call could cost more than is left")]
    OverBudget(&'static str),
    /// A budget in USD holds, and nobody knows the price of the model.
    #[error(
        "the price of the model is unknown, and {0} has a budget in USD; set a price, or mark the provider as free"
    )]
    Unpriced(&'static str),
    /// People denied the action too often.
    #[error("people denied this action {denials} times; do not ask for it again before {until}")]
    CoolingDown {
        /// How often since it was last approved.
        denials: u32,
        /// To the second.
        until: Timestamp,
        retry_after: Duration,
    },
    /// A person stopped it.
    #[error("{what}: {reason}")]
    Stopped { what: String, reason: String },
    /// The key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The request with this key is in progress.
    #[error("a request with this idempotency key is in progress as {0}")]
    UnderWay(InvocationId),
    /// The policy changed each time a decision was about to be recorded.
    #[error("the policy changed repeatedly while this was decided")]
    PolicyInMotion,
    /// The answer is about something other than what waits.
    #[error("the item has changed since it was shown; read it again before you answer")]
    NotWhatWasShown,
    /// What one person may not say alone.
    #[error(
        "several people or a passkey are needed to answer this, so nobody can endorse alone what was read"
    )]
    NotAlone,
    /// A model read nothing that strangers may have written before it asked this.
    #[error("no untrusted text was read before this was asked, so there is nothing to endorse")]
    NothingToEndorse,
    /// The voter has not seen every hidden value.
    #[error(
        "not every hidden value was revealed to you ({0} left); reveal them in the web or in the terminal, then approve"
    )]
    HiddenValues(usize),
    /// A part of what would happen changed since the question was asked. The question is asked again, as it is now.
    #[error("{} changed since this was asked; read the item again before you answer", .0.join(" and "))]
    SubjectChanged(Vec<String>),
    /// Someone answered already, or it never waited.
    #[error("the invocation is already {}", .0.as_str())]
    AlreadyAnswered(Status),
    /// It is not quarantined.
    #[error("the invocation is not quarantined; it is {}", .0.as_str())]
    NotQuarantined(Status),
    /// Someone discarded or released it already, or it was held long enough.
    #[error("the invocation is no longer held: a person has decided about it, or its time is over")]
    NotHeld,
    /// The session that proposed it is over, so it cannot be proposed again.
    #[error("the session has ended; the agent can propose it again in a new one")]
    ProposerGone,
    /// Nobody answered in time.
    #[error("the invocation expired without an answer")]
    Expired,
    /// Its parameters cannot be corrected; with the reason.
    #[error("the parameters cannot be edited: {0}")]
    CannotEdit(String),
    /// A grant or a rule would have no effect.
    #[error("only a single approval is possible: {0}")]
    OnlyOnce(String),
    /// The org requires an approval that is signed with a passkey.
    #[error("this approval must be signed with one of your passkeys")]
    PasskeyNeeded,
    /// The passkey waits for another approver.
    #[error("this passkey signs nothing until another admin or owner has confirmed it")]
    PasskeyNotConfirmed,
    /// The signature counter of a passkey went backwards.
    #[error("signature counter went backwards; the passkey may have been cloned")]
    PasskeyCopied,
    /// The address of the page where passkeys are used is not known.
    #[error(
        "passkeys are unavailable; set COUNTERSIGN_PUBLIC_URL to an https address or to http://localhost"
    )]
    PasskeysUnavailable,
    /// The passkey signed something else.
    #[error("{} ({})", .0, .0.code())]
    Assertion(#[from] AssertionError),
    /// The outcome is known already.
    #[error("the outcome is already known: it is {}", .0.as_str())]
    NotInDoubt(Status),
    /// It does not exist in this session or org.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The task that executed it ended without a result.
    #[error("the execution was interrupted")]
    Interrupted,
    /// A value has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    #[error(transparent)]
    Connector(#[from] catalog::connector::Error),
    #[error(transparent)]
    Tenancy(#[from] tenancy::Error),
    #[error(transparent)]
    Policy(#[from] policy::Error),
    #[error(transparent)]
    Ledger(#[from] ledger::Error),
    #[error(transparent)]
    Events(#[from] events::Error),
    #[error(transparent)]
    Database(#[from] db::Error),
    #[error(transparent)]
    Seal(#[from] seal::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::SessionOver => "session_over",
            Self::Malformed { .. } => "malformed_request",
            Self::UnknownAction { .. } => "unknown_action",
            Self::NotConnected(_) => "source_not_connected",
            Self::InvalidParams(_) => "invalid_params",
            Self::RateLimited { .. } => "rate_limited",
            Self::TooManyPending(_) => "too_many_pending",
            Self::OverBudget(_) => "over_budget",
            Self::Unpriced(_) => "unpriced",
            Self::CoolingDown { .. } => "cooling_down",
            Self::Stopped { .. } => "stopped",
            Self::KeyReused => "idempotency_key_reused",
            Self::UnderWay(_) => "idempotency_key_under_way",
            Self::PolicyInMotion => "policy_in_motion",
            Self::NotWhatWasShown => "shown_digest_mismatch",
            Self::NothingToEndorse => "nothing_to_endorse",
            Self::NotAlone => "not_alone",
            Self::HiddenValues(_) => "hidden_values",
            Self::SubjectChanged(_) => "subject_changed",
            Self::AlreadyAnswered(_) | Self::NotHeld => "already_answered",
            Self::NotQuarantined(_) => "not_quarantined",
            Self::ProposerGone => "proposer_gone",
            Self::Expired => "expired",
            Self::CannotEdit(_) => "cannot_edit",
            Self::OnlyOnce(_) => "only_once",
            Self::PasskeyNeeded => "passkey_needed",
            Self::PasskeyNotConfirmed => "passkey_not_confirmed",
            Self::PasskeyCopied | Self::Assertion(_) => "assertion_refused",
            Self::PasskeysUnavailable => "passkeys_unavailable",
            Self::NotInDoubt(_) => "not_in_doubt",
            Self::NotFound(_) => "not_found",
            Self::Interrupted | Self::Canonical(_) | Self::Seal(_) => "internal",
            Self::Connector(error) => error.code(),
            Self::Tenancy(error) => error.code(),
            Self::Policy(error) => error.code(),
            Self::Ledger(error) => error.code(),
            Self::Events(error) => error.code(),
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::SessionOver => Disposition::Unauthenticated,
            Self::Malformed { .. } | Self::InvalidParams(_) | Self::KeyReused | Self::OnlyOnce(_) => {
                Disposition::Invalid
            }
            Self::UnknownAction { .. } | Self::NotFound(_) => Disposition::NotFound,
            Self::NotConnected(_)
            | Self::UnderWay(_)
            | Self::NotWhatWasShown
            | Self::HiddenValues(_)
            | Self::NothingToEndorse
            | Self::NotAlone
            | Self::SubjectChanged(_)
            | Self::CannotEdit(_)
            | Self::AlreadyAnswered(_)
            | Self::NotQuarantined(_)
            | Self::NotHeld
            | Self::ProposerGone
            | Self::PasskeysUnavailable
            | Self::Stopped { .. }
            | Self::OverBudget(_)
            | Self::Unpriced(_)
            | Self::NotInDoubt(_) => Disposition::Conflict,
            Self::PasskeyNeeded | Self::PasskeyNotConfirmed | Self::PasskeyCopied | Self::Assertion(_) => {
                Disposition::Denied
            }
            Self::Expired => Disposition::Gone,
            Self::RateLimited { .. } | Self::TooManyPending(_) | Self::CoolingDown { .. } => {
                Disposition::Busy
            }
            Self::PolicyInMotion => Disposition::Retry,
            Self::Database(error) | Self::Seal(seal::Error::Database(error)) if error.is_transient() => {
                Disposition::Retry
            }
            Self::Interrupted | Self::Canonical(_) | Self::Seal(_) | Self::Database(_) => Disposition::Bug,
            Self::Connector(error) => error.disposition(),
            Self::Tenancy(error) => error.disposition(),
            Self::Policy(error) => error.disposition(),
            Self::Ledger(error) => error.disposition(),
            Self::Events(error) => error.disposition(),
        }
    }
}
