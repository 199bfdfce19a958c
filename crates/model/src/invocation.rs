//! Where an invocation stands, and what can be said of one that went wrong.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::InvocationId;

/// The state of an invocation. Every change is one compare-and-set in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waits for a person.
    Pending,
    /// A person said yes; waits to be executed.
    Approved,
    /// An attempt holds the lease.
    Executing,
    /// Refused by policy or by a person.
    Denied,
    /// Set aside by the safety gate.
    Quarantined,
    /// Nobody answered in time.
    Expired,
    /// It happened.
    Succeeded,
    /// Nothing happened, or it is known what did.
    Failed,
    /// It happened, did not verify, and was undone.
    Reverted,
    /// It may have happened; a person reconciles it.
    Unknown,
    /// A dry run: nothing was to happen.
    Skipped,
}

impl Status {
    /// Every state.
    pub const ALL: [Self; 11] = [
        Self::Pending,
        Self::Approved,
        Self::Executing,
        Self::Denied,
        Self::Quarantined,
        Self::Expired,
        Self::Succeeded,
        Self::Failed,
        Self::Reverted,
        Self::Unknown,
        Self::Skipped,
    ];

    /// The state as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Executing => "executing",
            Self::Denied => "denied",
            Self::Quarantined => "quarantined",
            Self::Expired => "expired",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Reverted => "reverted",
            Self::Unknown => "unknown",
            Self::Skipped => "skipped",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether machines have nothing left to do; a receipt exists exactly for these.
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Pending | Self::Approved | Self::Executing)
    }
}

/// What kind of failure, as far as the source could tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The target refused the parameters.
    Invalid,
    /// The credential is missing, wrong or lacks a scope.
    Auth,
    /// What the parameters name does not exist.
    NotFound,
    /// The target's state forbids it.
    Conflict,
    /// The target asks to slow down.
    RateLimited,
    /// A passing fault.
    Transient,
    /// A lasting fault.
    Permanent,
    /// No answer in time.
    Timeout,
    /// The account at the target has no money or no quota left.
    QuotaExhausted,
    /// More than a model can read at once.
    ContextExceeded,
    /// It happened but was not as wanted.
    Unverified,
    /// Nobody can tell whether it happened.
    OutcomeUnknown,
    /// A person said no, or what they said yes to is no longer permitted.
    Denied,
    /// Nobody answered in time.
    Expired,
    /// Nobody could tell at first; a person found out.
    Reconciled,
}

impl ErrorClass {
    /// Every class.
    pub const ALL: [Self; 15] = [
        Self::Invalid,
        Self::Auth,
        Self::NotFound,
        Self::Conflict,
        Self::RateLimited,
        Self::Transient,
        Self::Permanent,
        Self::Timeout,
        Self::QuotaExhausted,
        Self::ContextExceeded,
        Self::Unverified,
        Self::OutcomeUnknown,
        Self::Denied,
        Self::Expired,
        Self::Reconciled,
    ];

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == text)
    }

    /// Whether the target refused the request, so that nothing came of it.
    pub const fn is_refusal(self) -> bool {
        matches!(
            self,
            Self::Invalid
                | Self::Auth
                | Self::NotFound
                | Self::Conflict
                | Self::RateLimited
                | Self::QuotaExhausted
        )
    }

    /// The class as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Auth => "auth",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::RateLimited => "rate_limited",
            Self::Transient => "transient",
            Self::Permanent => "permanent",
            Self::Timeout => "timeout",
            Self::QuotaExhausted => "quota_exhausted",
            Self::ContextExceeded => "context_exceeded",
            Self::Unverified => "unverified",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Reconciled => "reconciled",
        }
    }
}

/// Why an invocation did not succeed, fit for an agent to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind.
    pub class: ErrorClass,
    /// What happened, redacted.
    pub message: String,
    /// Whether the request may have reached the target.
    pub sent: bool,
    /// The wait that the target asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// Why a text is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an idempotency key must have 1 to 255 visible ASCII characters")]
pub struct IdempotencyKeyError;

/// A caller's promise that two requests with this key are the same request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An invocation's id is a key of its own: short, visible ASCII, and used for nothing else.
impl From<InvocationId> for IdempotencyKey {
    fn from(id: InvocationId) -> Self {
        Self(id.to_string())
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for IdempotencyKey {
    type Err = IdempotencyKeyError;

    fn from_str(text: &str) -> Result<Self, IdempotencyKeyError> {
        let fits = (1..=255).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(IdempotencyKeyError) }
    }
}
