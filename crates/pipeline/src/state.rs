//! The types of the path. Each stage consumes one and returns the next.

use std::{sync::Arc, time::Duration};

use catalog::{Action, Call, Credential, Outcome};
use jiff::Timestamp;
use model::{Decision, Digest, Failure, IdempotencyKey, OrgId, SessionId, Status};
use policy::{Permit, Vote};
use serde_json::Value;

use crate::{Error, Invocation, standing::Standing};

/// How large a request's body may be.
pub(crate) const MAX_REQUEST_BYTES: usize = 1 << 20;

/// What an agent asks.
#[derive(Debug, Clone)]
pub struct Request {
    pub org: OrgId,
    pub session: SessionId,
    /// `source.action`, as it was written.
    pub action: String,
    pub params: Value,
    pub dry_run: bool,
    pub key: Option<IdempotencyKey>,
    pub trace_id: Option<String>,
    /// How long one call may take, if not as long as the action may.
    pub timeout: Option<Duration>,
}

impl Request {
    /// Reads a request from the bytes of a body, strictly: what is decided about and what is done must be one thing,
    /// so a key that stands twice or a number that readers round differently is refused before anything is hashed.
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
        if let Some(unknown) = fields.keys().next() {
            return Err(wrong(
                &format!("/{unknown}"),
                "no such field; there are `action`, `params` and `dry_run`",
            ));
        }
        Ok(Self { org, session, action, params, dry_run, key: None, trace_id: None, timeout: None })
    }
}

/// The session and the action are known.
pub(crate) struct Resolved {
    pub(crate) request: Request,
    pub(crate) standing: Arc<Standing>,
    pub(crate) action: Arc<Action>,
}

/// The parameters fit the action's schema.
pub(crate) struct Validated(pub(crate) Resolved);

/// The session has not asked too often.
pub(crate) struct Admitted(pub(crate) Resolved);

/// It is decided whether it may happen; nothing is recorded yet.
pub(crate) struct Decided {
    pub(crate) admitted: Admitted,
    pub(crate) decision: Decision,
    /// The proof of a yes.
    pub(crate) permit: Option<Permit>,
    /// What an approver's yes would be bound to, and what is computed again before sending.
    pub(crate) shown_digest: Digest,
    /// Over action and parameters: the same key must come with the same one.
    pub(crate) request_digest: Digest,
    pub(crate) key: Option<IdempotencyKey>,
}

/// What came of the claim.
pub(crate) enum Claim {
    /// It is recorded and this process holds the lease.
    Execute(Box<Claimed>),
    /// There is nothing to execute: refused, waiting, a dry run, or answered before.
    Answered(Box<Invocation>),
    /// The policy changed meanwhile; decide anew.
    Stale(Box<Admitted>),
}

/// What is recorded about an invocation under way, and what its receipt will need.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) invocation: Invocation,
    pub(crate) org: OrgId,
    pub(crate) space: model::SpaceId,
    pub(crate) definition_hash: Digest,
    pub(crate) trace_id: Option<String>,
    pub(crate) lease_epoch: i32,
    /// Until when nobody else takes it up; only of what is executed.
    pub(crate) lease_until: Option<Timestamp>,
    /// What people answered, if it waited for them.
    pub(crate) votes: Vec<Vote>,
}

/// The claim is committed and this process holds the lease.
pub(crate) struct Claimed {
    pub(crate) record: Record,
    pub(crate) action: Arc<Action>,
    pub(crate) call: Call,
    /// `None` when a recovered claim would not be permitted today: it may be looked up, not repeated.
    pub(crate) permit: Option<Permit>,
    /// What it was decided from, if that was moments ago.
    pub(crate) standing: Option<Arc<Standing>>,
    /// Whether an earlier process may have sent it already.
    pub(crate) recovered: bool,
    pub(crate) started_at: Timestamp,
    /// How long one call may take, if not as long as the action may.
    pub(crate) timeout: Option<Duration>,
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
    /// It happened.
    Done(Outcome),
    /// It did not.
    Failed(Failure),
    /// Nobody can tell.
    Unknown(Failure),
}

/// Everything that could be tried was tried.
pub(crate) struct Attempted {
    pub(crate) claimed: Claimed,
    pub(crate) credential: Option<Credential>,
    pub(crate) tries: Vec<FailedTry>,
    pub(crate) ending: Ending,
}

/// It was looked at afterwards, and undone where it was not as wanted.
pub(crate) struct Verified {
    pub(crate) attempted: Attempted,
    pub(crate) verification: Option<receipt::Followup>,
    pub(crate) repair: Option<receipt::Followup>,
    pub(crate) rollback: Option<receipt::Followup>,
    /// Set when verification changed how it ended.
    pub(crate) overruled: Option<(Status, Failure)>,
}

/// What is kept and answered: redacted and pruned.
pub(crate) struct Captured {
    pub(crate) record: Record,
    pub(crate) status: Status,
    pub(crate) failure: Option<Failure>,
    /// For storage and the receipt.
    pub(crate) kept: Option<Value>,
    /// For the caller.
    pub(crate) answered: Option<Value>,
    /// All of it, where it is too large for the receipt.
    pub(crate) artifact: Option<ledger::Artifact>,
    pub(crate) tries: Vec<FailedTry>,
    pub(crate) attempts: i32,
    pub(crate) verification: Option<receipt::Followup>,
    pub(crate) repair: Option<receipt::Followup>,
    pub(crate) rollback: Option<receipt::Followup>,
    pub(crate) announce: Option<catalog::Announcement>,
    pub(crate) started_at: Timestamp,
}
