//! The types of the stages. Each stage consumes one and returns the next.

use std::{sync::Arc, time::Duration};

use catalog::{Action, Call, Credential, Outcome, Payload};
use events::Event;
use jiff::Timestamp;
use ledger::{Artifact, Signed};
use model::{
    Decision, Digest, Failure, IdempotencyKey, InvocationId, OrgId, ReceiptId, SessionId, SpaceId, Status,
    StepOrigin,
};
use policy::{Entry, Permit, Place, Provenance, Subject, Vote};
use receipt::Followup;
use serde_json::Value;
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::{
    approvals::Release,
    credentials::references::Filled,
    error::Error,
    facts::NewOutcomes,
    facts::{Needs, Past},
    flow::Given,
    invocation::Invocation,
    models::budgets::Budget,
    policy_snapshot::Snapshot,
};

/// How large a request's body may be.
pub(crate) const MAX_REQUEST_BYTES: usize = 1 << 20;

/// The request of an agent.
#[derive(Debug, Clone)]
pub struct Request {
    pub org: OrgId,
    pub session: SessionId,
    /// `source.action`, as the agent wrote it.
    pub action: String,
    pub params: Value,
    pub dry_run: bool,
    pub key: Option<IdempotencyKey>,
    pub trace_id: Option<String>,
    /// A timeout for one call, shorter than the action's own.
    pub timeout: Option<Duration>,
    /// The step of an automation it comes from.
    pub step: Option<StepOrigin>,
    /// Why the proposer wants it, for the person who decides; empty if they do not say.
    pub reason: String,
    /// The release of parameters that had been quarantined.
    pub released: Option<Box<Release>>,
    /// What a model call counts towards.
    pub budget: Option<Box<Budget>>,
    /// What the parameters were made of, where whoever makes the request knows it. For sessions, it is everything that they
    /// were given before.
    pub provenance: Option<Box<Provenance>>,
}

/// How many characters a reason may have.
pub const MAX_REASON_CHARS: usize = 500;

/// Takes the proposer's reason out of the fields of a request. It is for the person who decides, not for the action.
pub fn take_reason(fields: &mut serde_json::Map<String, Value>, name: &str) -> Result<String, Error> {
    match fields.remove(name) {
        None => Ok(String::new()),
        Some(Value::String(reason)) if reason.chars().count() <= MAX_REASON_CHARS => Ok(reason),
        Some(_) => Err(Error::Malformed {
            pointer: format!("/{name}"),
            message: format!("expected a text of at most {MAX_REASON_CHARS} characters"),
        }),
    }
}

impl Request {
    /// Parses a request strictly. What is decided about and what is done must be the same, so a duplicate key or a
    /// number that readers round differently is refused before anything is hashed.
    pub fn parse(org: OrgId, session: SessionId, body: &[u8]) -> Result<Self, Error> {
        let value = receipt::parse_strict(body, MAX_REQUEST_BYTES).map_err(|error| Error::Malformed {
            pointer: error.pointer.clone(),
            message: error.to_string(),
        })?;
        let wrong = |pointer: &str, message: &str| Error::Malformed {
            pointer: pointer.to_owned(),
            message: message.to_owned(),
        };
        let Value::Object(mut fields) = value else { return Err(wrong("", "expected an object")) };
        let action = match fields.remove("action") {
            Some(Value::String(action)) => action,
            _ => return Err(wrong("/action", "expected a text such as `linear.list_issues`")),
        };
        let params = fields.remove("params").unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        let dry_run = match fields.remove("dry_run") {
            None => false,
            Some(Value::Bool(dry_run)) => dry_run,
            Some(_) => return Err(wrong("/dry_run", "expected true or false")),
        };
        let reason = take_reason(&mut fields, "reason")?;
        if let Some(unknown) = fields.keys().next() {
            return Err(wrong(
                &format!("/{unknown}"),
                "unknown field; the fields are `action`, `params`, `dry_run` and `reason`",
            ));
        }
        Ok(Self {
            org,
            session,
            action,
            params,
            dry_run,
            key: None,
            trace_id: None,
            timeout: None,
            step: None,
            reason,
            released: None,
            budget: None,
            provenance: None,
        })
    }
}

/// The session and the action are known.
pub(crate) struct Resolved {
    pub(crate) request: Request,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) action: Arc<Action>,
    /// How often people were asked about it before, and the target changed after they had approved.
    pub(crate) asked_before: u32,
}

/// The parameters fit the action's schema.
pub(crate) struct Validated(pub(crate) Resolved);

/// The session is within its rate limit.
pub(crate) struct Admitted(pub(crate) Resolved);

/// The decision is made; nothing is recorded yet.
pub(crate) struct Decided {
    pub(crate) admitted: Admitted,
    /// The facts that it was decided by are read again in the claim.
    pub(crate) needs: Needs,
    pub(crate) past: Past,
    pub(crate) decision: Decision,
    /// The proof that it is allowed.
    pub(crate) permit: Option<Permit>,
    /// What a permission is bound to. It is computed again before sending.
    pub(crate) subject: Box<Subject>,
    pub(crate) subject_digest: Digest,
    /// Over action and parameters; a repeated idempotency key must come with the same digest.
    pub(crate) request_digest: Digest,
    pub(crate) key: Option<IdempotencyKey>,
}

/// The result of a claim.
pub(crate) enum Claim {
    /// The invocation is recorded and this process holds the lease.
    Execute(Box<Claimed>),
    /// There is nothing to execute: denied, waiting for approval, a dry run, or a replay.
    Answered(Box<Invocation>),
    /// The policy changed meanwhile; decide again.
    Stale(Box<Admitted>),
}

/// A claim that is about to be written.
pub(crate) struct NewClaim {
    pub(crate) record: Record,
    /// In the clear, to be sealed; `None` for what ends at once.
    pub(crate) params: Option<Zeroizing<Vec<u8>>>,
    /// The subject, for what waits for a person.
    pub(crate) subject: Option<Value>,
    /// The version of the policy it was decided by.
    pub(crate) policy_version: i64,
    /// Its place in the inbox, if it waits for a person; otherwise turn 0.
    pub(crate) place: Place,
    /// What it contributes to facts, and the facts.
    pub(crate) entries: Vec<Entry>,
    pub(crate) snapshot: Arc<Snapshot>,
}

/// What is recorded about an invocation in progress, and what its receipt will need.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) invocation: Invocation,
    pub(crate) org: OrgId,
    pub(crate) space: SpaceId,
    pub(crate) definition_hash: Digest,
    pub(crate) trace_id: Option<String>,
    pub(crate) step: Option<StepOrigin>,
    /// The release it comes from, if it had been quarantined.
    pub(crate) released: Option<Release>,
    pub(crate) lease_epoch: i32,
    /// No other process recovers it before this time; only for executions.
    pub(crate) lease_until: Option<Timestamp>,
    /// The votes of people, if it needed approval.
    pub(crate) votes: Vec<Vote>,
    /// The documents that these votes are about.
    pub(crate) shown: Vec<Value>,
}

/// A permit, with the subject it is for.
pub(crate) struct Permitted {
    pub(crate) permit: Permit,
    pub(crate) subject: Subject,
}

/// The claim is committed and this process holds the lease.
pub(crate) struct Claimed {
    pub(crate) record: Record,
    pub(crate) action: Arc<Action>,
    pub(crate) call: Call,
    /// `None` when a recovered claim would not be permitted today: it may be looked up but not repeated.
    pub(crate) permit: Option<Box<Permitted>>,
    /// The policy it was decided by, if that was moments ago.
    pub(crate) snapshot: Option<Arc<Snapshot>>,
    /// Whether an earlier process may have sent it already.
    pub(crate) recovered: bool,
    pub(crate) started_at: Timestamp,
    /// A timeout for one call, shorter than the action's own.
    pub(crate) timeout: Option<Duration>,
    /// When this process claimed it; `None` if another one did.
    pub(crate) claimed_at: Option<Instant>,
    /// The values of the secrets that the parameters refer to, for the call alone.
    pub(crate) filled: Vec<Filled>,
}

/// One try that failed.
#[derive(Debug, Clone)]
pub struct FailedTry {
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    pub failure: Failure,
    pub retried: bool,
}

/// How the tries ended.
pub(crate) enum Ending {
    /// The effect happened.
    Done(Box<Outcome>),
    /// The effect did not happen.
    Failed(Failure),
    /// Whether the effect happened is unknown.
    Unknown(Failure),
}

/// All attempts are made.
pub(crate) struct Attempted {
    pub(crate) claimed: Claimed,
    pub(crate) credential: Option<Credential>,
    pub(crate) tries: Vec<FailedTry>,
    pub(crate) ending: Ending,
}

/// The effect was checked, and undone where the check failed.
pub(crate) struct Verified {
    pub(crate) attempted: Attempted,
    pub(crate) verification: Option<Followup>,
    pub(crate) repair: Option<Followup>,
    pub(crate) rollback: Option<Followup>,
    /// Set when verification changed how it ended.
    pub(crate) overruled: Option<(Status, Failure)>,
}

/// The result, redacted and pruned.
pub(crate) struct Captured {
    /// What the result contributes to facts.
    pub(crate) outcomes: Option<NewOutcomes>,
    pub(crate) record: Record,
    pub(crate) status: Status,
    pub(crate) failure: Option<Failure>,
    /// The result for storage and the receipt.
    pub(crate) kept: Option<Value>,
    /// The result for the caller.
    pub(crate) answered: Option<Value>,
    /// The whole result, where it is too large for the receipt.
    pub(crate) artifact: Option<Artifact>,
    pub(crate) tries: Vec<FailedTry>,
    pub(crate) attempts: i32,
    pub(crate) verification: Option<Followup>,
    pub(crate) repair: Option<Followup>,
    pub(crate) rollback: Option<Followup>,
    pub(crate) announce: Option<catalog::Announcement>,
    /// Bytes to be stored encrypted.
    pub(crate) payload: Option<Payload>,
    pub(crate) started_at: Timestamp,
    /// What the session was given.
    pub(crate) given: Vec<Given>,
}

/// A receipt that is ready to be stored, with the events that report it.
pub(crate) struct Proof {
    pub(crate) receipt: (ledger::Entry, Signed),
    pub(crate) artifact: Option<Artifact>,
    pub(crate) events: Vec<Event>,
}

/// How an execution ended, as its row says.
pub(crate) struct Settlement {
    pub(crate) invocation: InvocationId,
    pub(crate) lease_epoch: i32,
    pub(crate) status: Status,
    pub(crate) result: Option<Value>,
    pub(crate) failure: Option<Failure>,
    pub(crate) attempts: i32,
    pub(crate) receipt: ReceiptId,
    pub(crate) finished_at: Timestamp,
}

/// All that is written at the end of an execution.
pub(crate) struct NewSettlement {
    /// What the result contributes to facts.
    pub(crate) outcomes: Option<NewOutcomes>,
    pub(crate) started_at: Timestamp,
    pub(crate) end: Settlement,
    pub(crate) tries: Vec<FailedTry>,
    pub(crate) proof: Proof,
    /// Whether it was performed after an approval, so that someone may wait for it.
    pub(crate) deferred: bool,
    /// Bytes to be stored encrypted.
    pub(crate) payload: Option<Payload>,
    /// What the session was given.
    pub(crate) given: Vec<Given>,
}
