//! The source trait: how every origin of actions is called, whatever it is.

use std::{borrow::Cow, path::PathBuf, time::Duration};

use async_trait::async_trait;
use model::{ActionDefinition, ActionName, ErrorClass, IdempotencyKey, OrgId, SourceSlug};
use platform::egress::Egress;
use secrecy::SecretString;
use serde_json::Value;

use crate::connector::Harvest;

/// An origin of actions.
///
/// Sources are stateless: they read no database, and what they need for a call (credential, org, session,
/// idempotency key, time limit) arrives in the context of that call.
#[async_trait]
pub trait ActionSource: Send + Sync {
    /// The first half of every address of this source.
    fn slug(&self) -> &SourceSlug;

    /// Markdown for agents: what the source is for and how its actions fit together.
    fn guide(&self) -> Option<Cow<'_, str>> {
        None
    }

    /// What this source can do, where that is known without asking anybody: sources written in code.
    fn definitions(&self) -> &[ActionDefinition] {
        &[]
    }

    /// What this source can do, asked of the far side: connectors.
    async fn harvest(&self, _ctx: &CallContext) -> Result<Harvest, SourceError> {
        Err(SourceError::not_sent(ErrorClass::Permanent, "this source is part of the program"))
    }

    /// Performs an action. Only `pipeline::dispatch` may call this.
    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError>;

    /// What `execute` would do, without doing it; `None` where the source cannot tell.
    async fn preview(&self, _call: &Call, _ctx: &CallContext) -> Result<Option<Preview>, SourceError> {
        Ok(None)
    }

    /// Looks whether the effect took hold as wanted.
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

    /// Whether the effect of this call, made earlier under the context's key, happened. `None` means that it
    /// provably did not; a source that cannot tell answers with an error.
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
    /// Its parameters.
    pub params: Value,
}

/// What a source is given for one call.
#[derive(Clone)]
pub struct CallContext {
    /// On whose behalf.
    pub org: OrgId,
    /// The invocation's own key towards the target; the same over every retry and recovery of this invocation.
    pub key: IdempotencyKey,
    /// The org's credential for this source, resolved for this call only.
    pub credential: Option<Credential>,
    /// How long the call may take in all.
    pub timeout: Duration,
    /// The only way out.
    pub egress: Egress,
    /// The org's own directory, for sources that work on files.
    pub workspace: Option<PathBuf>,
}

/// A credential in the clear. It lives for one call and prints as `[REDACTED]`.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The secret itself.
    pub token: SecretString,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The result for the caller, not yet redacted.
    pub output: Value,
    /// What `rollback` needs beyond the call and the output, for example the fields as they were before.
    pub undo: Option<Value>,
    /// Something to tell people, published in the transaction that settles the invocation.
    pub announce: Option<Announcement>,
}

impl Outcome {
    /// An outcome with a result and nothing else.
    pub fn new(output: Value) -> Self {
        Self { output, undo: None, announce: None }
    }
}

/// An in-app message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// One line.
    pub title: String,
    /// The rest.
    pub body: String,
    /// `info`, `warning` or `critical`.
    pub level: &'static str,
}

/// What would happen, for an approver.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Preview {
    /// One sentence.
    pub summary: String,
    /// Field by field, where there is a before and an after.
    pub changes: Vec<Change>,
}

/// One field's change.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Change {
    /// Which field.
    pub field: String,
    /// Its value now; `null` when there is none.
    pub before: Value,
    /// Its value afterwards.
    pub after: Value,
}

/// Whether an effect took hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// The source does not check this action.
    Unchecked,
    /// It is as wanted.
    Confirmed,
    /// It is not; with what was found instead.
    Refuted(String),
}

/// What became of an undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    /// It is as before; with what was done, in words.
    Done(String),
    /// It cannot be undone; with the reason.
    NotPossible(String),
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SourceError {
    /// What kind of failure.
    pub class: ErrorClass,
    /// Whether the request may have reached the target. `false` is a proof that it did not.
    pub sent: bool,
    /// What happened, fit for an agent; never holds a credential.
    pub message: String,
    /// How long the target asked to wait.
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

    /// The same failure, met while preparing: the effect itself was not requested.
    #[must_use]
    pub fn before_effect(mut self) -> Self {
        self.sent = false;
        self
    }

    /// Whether it is certain that nothing happened: nothing was sent, or the target answered with a refusal.
    /// Anything else leaves the outcome open until somebody looks.
    pub fn nothing_happened(&self) -> bool {
        let refused = matches!(
            self.class,
            ErrorClass::Invalid
                | ErrorClass::Auth
                | ErrorClass::NotFound
                | ErrorClass::Conflict
                | ErrorClass::RateLimited
        );
        !self.sent || refused
    }

    /// Whether the same request may go through later.
    pub fn is_transient(&self) -> bool {
        matches!(self.class, ErrorClass::Transient | ErrorClass::RateLimited | ErrorClass::Timeout)
    }
}
