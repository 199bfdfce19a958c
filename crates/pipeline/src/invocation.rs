//! An invocation as it is recorded and shown: what was asked, what was decided, what came of it.

use catalog::Preview;
use jiff::Timestamp;
use model::{
    ActionAddress, Decision, Digest, EffectClass, Failure, InvocationId, ReceiptId, Risk, SessionId, Status,
};
use serde_json::Value;
use tenancy::SessionRun;
use uuid::Uuid;

use crate::approvals::Edit;

/// The source whose results come from the gateway itself.
const OWN: &str = "data";

impl Invocation {
    /// Whether the result, or the words of a failure, come from outside: anybody may have written them.
    pub fn is_untrusted(&self) -> bool {
        let told = self.result.is_some() || self.failure.as_ref().is_some_and(|failure| failure.sent);
        told && self.address.source.as_str() != OWN
    }

    /// Who proposes it: the automation of a run, otherwise the session.
    pub(crate) fn proposer(&self) -> Uuid {
        self.run.as_ref().map_or_else(|| self.session.uuid(), |run| run.automation.uuid())
    }
}

/// One invocation. Parameters and result are redacted.
#[derive(Debug, Clone)]
pub struct Invocation {
    pub id: InvocationId,
    pub session: SessionId,
    /// The slug of the space of its session.
    pub space: String,
    /// The run it is a step of, if it is one.
    pub run: Option<SessionRun>,
    pub agent: String,
    pub address: ActionAddress,
    pub risk: Risk,
    pub effect: EffectClass,
    pub status: Status,
    pub decision: Decision,
    pub dry_run: bool,
    pub params: Value,
    /// Why the proposer wants it, in their own words; empty if they did not say.
    pub reason: String,
    /// The digest of everything that an approval is bound to.
    pub subject_digest: Digest,
    /// What changed when it was asked again, in words; empty if it was asked once.
    pub changed: Vec<String>,
    /// Corrections of the parameters by people.
    pub edits: Vec<Edit>,
    pub idempotency_key: Option<String>,
    pub result: Option<Value>,
    pub failure: Option<Failure>,
    pub attempts: i32,
    pub receipt: Option<ReceiptId>,
    pub requested_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
    /// For a dry run: what would happen.
    pub preview: Option<Preview>,
    /// Whether this is the answer to an earlier request with the same key.
    pub replayed: bool,
    /// In the inbox, the turns of all openers come one after the other.
    pub turn: i16,
    /// If it was quarantined and released: the invocation that was made then.
    pub released_as: Option<InvocationId>,
    /// When its parameters and results were erased, at the end of the retention.
    pub erased_at: Option<Timestamp>,
}
