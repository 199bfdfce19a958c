//! The trait of sources: the interface through which the actions of every kind of source are called.

use std::{borrow::Cow, path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use model::{
    ActionDefinition, ActionName, Destination, Digest, ErrorClass, IdempotencyKey, OrgId, Preview, SourceSlug,
};
use platform::egress::Egress;
use secrecy::SecretString;
use serde_json::Value;

use crate::{connector::Harvest, models::Payloads};

/// A source of actions.
///
/// Sources are stateless: they do not read the database, and everything that a call needs (credential, organization,
/// idempotency key, time limit, workspace) is in the context of that call.
#[async_trait]
pub trait ActionSource: Send + Sync {
    /// The first part of every address of this source.
    fn slug(&self) -> &SourceSlug;

    /// Where its calls go. People are shown this, and an approval is bound to it.
    fn destination(&self) -> Destination;

    /// Markdown for agents: what the source is for and how its actions fit together.
    fn guide(&self) -> Option<Cow<'_, str>> {
        None
    }

    /// The actions of this source, if they are known without a request: for sources defined in code.
    fn definitions(&self) -> &[ActionDefinition] {
        &[]
    }

    /// Asks the connected server for its tools: for connectors.
    async fn harvest(&self, _ctx: &CallContext) -> Result<Harvest, SourceError> {
        Err(SourceError::not_sent(ErrorClass::Permanent, "this source is part of the program"))
    }

    /// Performs an action. Only `pipeline::dispatch` may call this.
    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError>;

    /// Describes what `execute` would do, without doing it; `None` if the source cannot tell.
    async fn preview(&self, _call: &Call, _ctx: &CallContext) -> Result<Option<Preview>, SourceError> {
        Ok(None)
    }

    /// Checks whether the effect is as requested.
    async fn verify(
        &self,
        _call: &Call,
        _done: &Outcome,
        _ctx: &CallContext,
    ) -> Result<Verification, SourceError> {
        Ok(Verification::Unchecked)
    }

    /// Undoes an effect. Must be harmless when repeated: recovery may call it again after a crash.
    async fn rollback(
        &self,
        call: &Call,
        _done: &Outcome,
        _ctx: &CallContext,
    ) -> Result<Undone, SourceError> {
        Ok(Undone::NotPossible(format!("`{}` cannot be undone", call.action)))
    }

    /// Finds out whether this call, made earlier with the context's key, had its effect. `None` means that it provably
    /// did not; a source that cannot tell returns an error.
    async fn lookup(&self, call: &Call, _ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
        Err(SourceError::not_sent(
            ErrorClass::Permanent,
            format!("`{}` cannot be looked up afterwards", call.action),
        ))
    }
}

/// One action with its parameters, already validated against the definition's input schema.
#[derive(Debug, Clone)]
pub struct Call {
    /// The action within the source.
    pub action: ActionName,
    pub params: Value,
}

/// The context of one call.
#[derive(Clone)]
pub struct CallContext {
    /// The organization that the call is made for.
    pub org: OrgId,
    /// The invocation's idempotency key for the target. It is the same for every retry and recovery of this invocation.
    pub key: IdempotencyKey,
    /// The organization's credential for this source, resolved for this call only.
    pub credential: Option<Credential>,
    /// The time limit for the whole call.
    pub timeout: Duration,
    /// The guarded HTTP client, through which every outbound request passes.
    pub egress: Egress,
    /// The organization's directory, for sources that work on files.
    pub workspace: Option<PathBuf>,
    /// The stored bytes that the parameters name by digest: prompts of models.
    pub payloads: Arc<Payloads>,
}

/// A decrypted credential. It lives for one call and is printed as `[REDACTED]`.
#[derive(Debug, Clone)]
pub struct Credential {
    pub token: SecretString,
}

/// The outcome of a successful call.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The result for the caller, not yet redacted.
    pub output: Value,
    /// Data that `rollback` needs beyond the call and the output, for example the previous values of the fields.
    pub undo: Option<Value>,
    /// A message for people, published in the transaction that settles the invocation.
    pub announce: Option<Announcement>,
    /// Bytes that are stored encrypted in the same transaction: a reply that was paid for is never asked for again.
    pub payload: Option<Payload>,
}

/// Bytes that are stored encrypted and named by their digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    pub digest: Digest,
    pub bytes: Vec<u8>,
}

impl Outcome {
    /// An outcome with a result and nothing else.
    pub fn new(output: Value) -> Self {
        Self { output, undo: None, announce: None, payload: None }
    }
}

/// An in-app message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// One line.
    pub title: String,
    pub body: String,
    /// `info`, `warning` or `critical`.
    pub level: &'static str,
}

/// The result of checking an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// The source does not check this action.
    Unchecked,
    /// The effect is as requested.
    Confirmed,
    /// The effect is not as requested; with what was found instead.
    Refuted(String),
}

/// The result of an undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    /// The state is as before; with a description of what was done.
    Done(String),
    /// The effect cannot be undone; with the reason.
    NotPossible(String),
}

/// The failure of a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SourceError {
    pub class: ErrorClass,
    /// Whether the request may have reached the target. `false` is a proof that it did not.
    pub sent: bool,
    /// What happened. Agents may see it, so it never contains a credential.
    pub message: String,
    /// The wait that the target asked for.
    pub retry_after: Option<Duration>,
}

impl SourceError {
    /// A failure before anything left this process.
    pub fn not_sent(class: ErrorClass, message: impl Into<String>) -> Self {
        Self { class, sent: false, message: message.into(), retry_after: None }
    }

    /// A failure after the request may have reached the target.
    pub fn sent(class: ErrorClass, message: impl Into<String>) -> Self {
        Self { class, sent: true, message: message.into(), retry_after: None }
    }

    /// Marks a failure that happened during preparation: the effect itself was not requested.
    #[must_use]
    pub fn before_effect(mut self) -> Self {
        self.sent = false;
        self
    }

    /// Whether it is certain that nothing happened: nothing was sent, or the target refused the request. After any
    /// other failure the outcome is unknown until it is looked up.
    pub fn nothing_happened(&self) -> bool {
        !self.sent || self.class.is_refusal()
    }

    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self.class, ErrorClass::Transient | ErrorClass::RateLimited | ErrorClass::Timeout)
    }
}
