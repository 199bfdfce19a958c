//! What can go wrong before an invocation is recorded, or with the record itself.
//!
//! What goes wrong at the target is not an error of the pipeline: it is an invocation that ended `failed`.

use std::time::Duration;

use catalog::FieldError;
use model::{CanonicalError, Disposition, InvocationId, Status};
use platform::{db, seal};
use receipt::passkey::AssertionError;

/// Why a request was not taken, or could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session is over.
    #[error("the session has ended")]
    SessionOver,
    /// The body is not the JSON of an invocation.
    #[error("the request is not valid")]
    Malformed {
        /// Where, as a JSON pointer; empty for the whole.
        pointer: String,
        /// What is wrong there.
        message: String,
    },
    /// There is no such action.
    #[error("no action `{address}`")]
    UnknownAction {
        /// What was asked for.
        address: String,
        /// Addresses that look like it.
        near: Vec<String>,
    },
    /// The org has not connected the source.
    #[error("the source `{0}` is not connected")]
    NotConnected(String),
    /// The parameters do not fit the action's schema.
    #[error("the parameters do not fit the schema of the action")]
    InvalidParams(Vec<FieldError>),
    /// The session asks too often.
    #[error("more than {most} invocations in a minute")]
    RateLimited {
        /// How many a minute may hold.
        most: u32,
        /// When the next one begins.
        retry_after: Duration,
    },
    /// Too many of the session's invocations wait for a person.
    #[error("{0} invocations of this session already wait for a person")]
    TooManyPending(u32),
    /// The key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The key's request is under way.
    #[error("a request with this idempotency key is under way as {0}")]
    UnderWay(InvocationId),
    /// The policy changed each time a decision was about to be recorded.
    #[error("the policy kept changing while this was decided")]
    PolicyInMotion,
    /// What a person answered to is not what waits.
    #[error("what you were shown is not what waits now; look at it again")]
    NotWhatWasShown,
    /// Somebody was faster, or it never waited.
    #[error("it no longer waits: it is {}", .0.as_str())]
    AlreadyAnswered(Status),
    /// Nobody answered in time.
    #[error("it expired unanswered")]
    Expired,
    /// A standing permission would not do what is expected of it.
    #[error("only this once: {0}")]
    OnlyOnce(String),
    /// The org asks for a yes that a passkey signed.
    #[error("a yes to this must be signed with a passkey of yours")]
    PasskeyNeeded,
    /// Whoever has a passkey must sign a further one with it.
    #[error("you have a passkey already: a further one is signed with it")]
    PasskeyUnconfirmed,
    /// A device that counts what it signs has counted backwards.
    #[error("the passkey has signed less often than before: there are two of it")]
    PasskeyCopied,
    /// Nobody knows on which page a passkey may be used.
    #[error("passkeys need a page with https, or on http://localhost, whose address the gateway knows")]
    PasskeysUnavailable,
    /// What a passkey signed is not this.
    #[error("{} ({})", .0, .0.code())]
    Assertion(#[from] AssertionError),
    /// There is no doubt to end.
    #[error("its outcome is known: it is {}", .0.as_str())]
    NotInDoubt(Status),
    /// Whoever sent a click cannot show that it is Slack's, or the org takes none.
    #[error("not signed, or not with the secret of this org")]
    Unsigned,
    /// This very click was taken before.
    #[error("this click was taken before")]
    ClickReplayed,
    /// There is a notifier for this already.
    #[error("there is a notifier for this already")]
    NotifierExists,
    /// There is no such thing in this session.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The task that executed it ended without a word.
    #[error("the execution was interrupted")]
    Interrupted,
    /// A value has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    /// A catalog could not be written down.
    #[error("writing a catalog")]
    Unwritable(#[source] serde_json::Error),
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
            Self::KeyReused => "idempotency_key_reused",
            Self::UnderWay(_) => "idempotency_key_under_way",
            Self::PolicyInMotion => "policy_in_motion",
            Self::NotWhatWasShown => "shown_digest_mismatch",
            Self::AlreadyAnswered(_) => "already_answered",
            Self::Expired => "expired",
            Self::OnlyOnce(_) => "only_once",
            Self::PasskeyNeeded => "passkey_needed",
            Self::PasskeyUnconfirmed => "passkey_confirm",
            Self::PasskeyCopied | Self::Assertion(_) => "assertion_refused",
            Self::PasskeysUnavailable => "passkeys_unavailable",
            Self::NotInDoubt(_) => "not_in_doubt",
            Self::Unsigned => "unauthenticated",
            Self::ClickReplayed => "click_replayed",
            Self::NotifierExists => "already_exists",
            Self::NotFound(_) => "not_found",
            Self::Interrupted | Self::Canonical(_) | Self::Unwritable(_) | Self::Seal(_) => "internal",
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
            Self::SessionOver | Self::Unsigned => Disposition::Unauthenticated,
            Self::Malformed { .. } | Self::InvalidParams(_) | Self::KeyReused | Self::OnlyOnce(_) => {
                Disposition::Invalid
            }
            Self::UnknownAction { .. } | Self::NotFound(_) => Disposition::NotFound,
            Self::NotConnected(_)
            | Self::UnderWay(_)
            | Self::NotWhatWasShown
            | Self::AlreadyAnswered(_)
            | Self::ClickReplayed
            | Self::NotifierExists
            | Self::PasskeysUnavailable
            | Self::NotInDoubt(_) => Disposition::Conflict,
            Self::PasskeyNeeded | Self::PasskeyUnconfirmed | Self::PasskeyCopied | Self::Assertion(_) => {
                Disposition::Denied
            }
            Self::Expired => Disposition::Gone,
            Self::RateLimited { .. } | Self::TooManyPending(_) => Disposition::Busy,
            Self::PolicyInMotion => Disposition::Retry,
            Self::Database(error) | Self::Seal(seal::Error::Database(error)) if error.is_transient() => {
                Disposition::Retry
            }
            Self::Interrupted
            | Self::Canonical(_)
            | Self::Unwritable(_)
            | Self::Seal(_)
            | Self::Database(_) => Disposition::Bug,
            Self::Connector(error) => error.disposition(),
            Self::Tenancy(error) => error.disposition(),
            Self::Policy(error) => error.disposition(),
            Self::Ledger(error) => error.disposition(),
            Self::Events(error) => error.disposition(),
        }
    }
}
