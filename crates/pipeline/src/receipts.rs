//! Receipts: the signed account of how an invocation ended, with the events that report it.

use events::{Event, Origin};
use jiff::Timestamp;
use ledger::{Artifact, Entry};
use model::{EventType, Failure, OrgId, ReceiptId, Status};
use platform::db::{self, Tx};
use receipt::{Followup, Receipt, Timing};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::{
    error::Error,
    invocation::Invocation,
    parts::Pipeline,
    stages::state::{Proof, Record},
};

/// A call that took this long gets no reward for speed.
const SLOW_MS: f64 = 30_000.0;
/// How deep values nest in a receipt; the receipt itself uses a few of the 64 levels that a verifier reads.
const RECEIPT_DEPTH: usize = 40;

/// The content of a receipt.
pub(crate) struct Account<'a> {
    pub(crate) record: &'a Record,
    pub(crate) id: ReceiptId,
    pub(crate) status: Status,
    pub(crate) outputs: Option<&'a Value>,
    /// The whole outputs, where they are larger.
    pub(crate) artifact: Option<Artifact>,
    pub(crate) failure: Option<&'a Failure>,
    pub(crate) followups: [Option<Followup>; 3],
    pub(crate) attempts: i32,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) finished_at: Timestamp,
    /// Earlier receipts that this one continues, and how.
    pub(crate) refers_to: Vec<receipt::Reference>,
}

impl<'a> Account<'a> {
    /// The account of an invocation that ended when it was decided.
    pub(crate) fn of_refusal(record: &'a Record) -> Self {
        let invocation = &record.invocation;
        Self {
            record,
            id: invocation.receipt.unwrap_or_else(|| ReceiptId::from_uuid(invocation.id.uuid())),
            status: invocation.status,
            outputs: None,
            artifact: None,
            failure: None,
            followups: [None, None, None],
            attempts: 0,
            started_at: None,
            finished_at: invocation.requested_at,
            refers_to: vec![],
        }
    }
}

/// The key of the organization's pseudonyms, which a receipt has instead of what names people.
#[derive(Clone)]
pub(crate) struct Pseudonyms(Zeroizing<[u8; 32]>);

impl Pseudonyms {
    /// From the caller's transaction, or from memory.
    pub(crate) async fn read(pipeline: &Pipeline, tx: &mut Tx, org: OrgId) -> Result<Self, Error> {
        Ok(Self(pipeline.parts.sealer.pseudonym_key(tx, org).await?))
    }

    /// From memory, or from a transaction of its own.
    pub(crate) async fn find(pipeline: &Pipeline, org: OrgId) -> Result<Self, Error> {
        if let Some(key) = pipeline.parts.sealer.pseudonym_key_from_memory(org) {
            return Ok(Self(key));
        }
        let mut tx = pipeline.parts.db.begin(org).await?;
        let found = Self::read(pipeline, &mut tx, org).await?;
        db::commit(tx).await?;
        Ok(found)
    }
}

/// Signs a receipt and makes the event that reports it.
pub(crate) fn prove(
    pipeline: &Pipeline,
    pseudonyms: &Pseudonyms,
    account: &Account<'_>,
) -> Result<Proof, Error> {
    let record = account.record;
    let invocation = &record.invocation;
    let signed = pipeline.parts.ledger.sign(&receipt(pipeline, pseudonyms, account))?;
    let entry = Entry {
        id: account.id,
        org: record.org,
        invocation: invocation.id,
        session: invocation.session,
        action: invocation.address.clone(),
        status: account.status,
        finished_at: account.finished_at,
    };
    let event_type = match account.status {
        Status::Denied => EventType::ActionDenied,
        Status::Quarantined => EventType::ActionQuarantined,
        Status::Expired => EventType::ActionExpired,
        _ if !account.refers_to.is_empty() => EventType::ActionReconciled,
        _ => EventType::ActionExecuted,
    };
    let data = json!({
        "invocation": invocation.id,
        "receipt": account.id,
        "action": invocation.address,
        "status": account.status,
        "error": account.failure.map(|failure| failure.class),
    });
    let events = vec![event(pipeline, record, event_type, data)];
    Ok(Proof { receipt: (entry, signed), artifact: account.artifact, events })
}

/// Stores receipts with their artifacts and stages their events, in the transaction that makes them true.
pub(crate) async fn append(
    pipeline: &Pipeline,
    tx: &mut Tx,
    org: OrgId,
    proofs: impl Iterator<Item = &Proof> + Clone,
) -> Result<(), Error> {
    let ledger = &pipeline.parts.ledger;
    ledger.append(tx, org, proofs.clone().map(|proof| &proof.receipt)).await?;
    let artifacts = proofs.clone().filter_map(|proof| Some((&proof.receipt.0, proof.artifact.as_ref()?)));
    ledger.note_artifacts(tx, org, artifacts).await?;
    Ok(pipeline.parts.events.stage(tx, org, proofs.flat_map(|proof| &proof.events)).await?)
}

/// The event that asks for approval, for the first time or again.
pub(crate) fn pending_event(pipeline: &Pipeline, record: &Record) -> Event {
    let invocation = &record.invocation;
    let mut data = json!({
        "invocation": invocation.id,
        "action": invocation.address,
        "risk": invocation.risk,
        "agent": invocation.agent,
        "expires_at": invocation.expires_at,
    });
    if let (false, Some(fields)) = (invocation.changed.is_empty(), data.as_object_mut()) {
        fields.insert("changed".to_owned(), json!(invocation.changed));
    }
    event(pipeline, record, EventType::ApprovalRequested, data)
}

/// An event about an invocation.
pub(crate) fn event(pipeline: &Pipeline, record: &Record, event_type: EventType, data: Value) -> Event {
    let event = Event::new(&pipeline.parts.world, event_type, record.invocation.id, data);
    let origin = record.invocation.run.as_ref().map(|run| Origin {
        application: None,
        depth: run.depth,
        chain: run.chain.clone(),
    });
    Event {
        origin: origin.unwrap_or_default(),
        space: Some(record.space),
        session: Some(record.invocation.session),
        ..event
    }
}

fn receipt(pipeline: &Pipeline, pseudonyms: &Pseudonyms, account: &Account<'_>) -> Receipt {
    let (record, invocation) = (account.record, &account.record.invocation);
    let duration = account.finished_at.duration_since(account.started_at.unwrap_or(account.finished_at));
    let duration_ms = u64::try_from(duration.as_millis()).unwrap_or_default();
    let [verification, repair, rollback] = account.followups.clone();
    let hidden = |value: &Value| {
        // An effect must never go without a receipt because the result holds a number that no reader keeps exactly.
        receipt::canonical::portable(
            pipeline.reader.redactor.pseudonymise(value, pseudonyms.0.as_slice()),
            RECEIPT_DEPTH,
        )
    };
    Receipt {
        version: receipt::VERSION.to_owned(),
        id: account.id.to_string(),
        invocation: invocation.id.to_string(),
        org: record.org.to_string(),
        space: record.space.to_string(),
        session: invocation.session.to_string(),
        agent: invocation.agent.clone(),
        action: invocation.address.to_string(),
        definition_hash: record.definition_hash.to_string(),
        effect: invocation.effect.as_str().to_owned(),
        risk: invocation.risk.as_str().to_owned(),
        inputs: hidden(&invocation.params),
        outputs: account.outputs.map(hidden),
        artifacts: account.artifact.iter().map(|artifact| artifact.digest.to_string()).collect(),
        status: account.status.as_str().to_owned(),
        error: account.failure.map(|failure| receipt::Failure {
            class: failure.class.as_str().to_owned(),
            message: failure.message.clone(),
            sent: failure.sent,
        }),
        decision: decision(invocation),
        approvals: record.votes.iter().map(vote).collect(),
        shown: record.shown.clone(),
        shown_digest: Some(invocation.subject_digest.to_string()),
        verification,
        repair,
        rollback,
        attempts: u32::try_from(account.attempts).unwrap_or_default(),
        timing: Timing {
            requested_at: invocation.requested_at.to_string(),
            started_at: account.started_at.map(|at| at.to_string()),
            finished_at: account.finished_at.to_string(),
            duration_ms,
        },
        cost: cost(account),
        reward: reward(account, duration_ms),
        idempotency_key: invocation.idempotency_key.clone(),
        trace_id: record.trace_id.clone(),
        refers_to: account.refers_to.clone(),
        dry_run: invocation.dry_run,
    }
}

/// What a model call cost, rounded up; `None` if nobody knows, and for everything else.
fn cost(account: &Account<'_>) -> Option<receipt::Cost> {
    if !account.record.invocation.address.is_model() {
        return None;
    }
    let nano_usd = account.outputs?.pointer("/cost/nano_usd")?.as_u64()?;
    Some(receipt::Cost { micros: nano_usd.div_ceil(1_000), unit: "USD".to_owned() })
}

/// Success follows from the status, quality from the verification. The cost is told beside it.
#[expect(clippy::cast_precision_loss, reason = "milliseconds of one invocation are far below 2^52")]
fn reward(account: &Account<'_>, duration_ms: u64) -> receipt::Reward {
    let success = match account.status {
        Status::Succeeded => 1.0,
        Status::Failed | Status::Reverted => -1.0,
        _ => 0.0,
    };
    let [verification, ..] = &account.followups;
    let quality = match verification.as_ref().map(|done| done.outcome.as_str()) {
        Some("passed") => 1.0,
        Some("passed_on_second_check") => 0.5,
        _ => 0.0,
    };
    receipt::reward(success, quality, 0.0, duration_ms as f64 / SLOW_MS)
}

fn vote(vote: &policy::Vote) -> receipt::Approval {
    receipt::Approval {
        user: vote.user.to_string(),
        verdict: vote.answer.as_str().to_owned(),
        channel: vote.channel.clone(),
        shown_digest: vote.shown_digest.to_string(),
        at: vote.at.to_string(),
        assertion: vote.assertion.clone(),
        known_by: vote.known_by.as_ref().map(|known| receipt::KnownBy {
            method: known.method.clone(),
            token: known.token.map(|token| token.to_string()),
            since: known.since.map(|since| since.to_string()),
        }),
    }
}

fn policy_verdict(policy: &model::PolicyVerdict) -> receipt::PolicyVerdict {
    receipt::PolicyVerdict {
        name: policy.name.clone(),
        version: policy.version,
        mode: policy.mode.as_str().to_owned(),
        observing: policy.observing,
        error: policy.error.clone(),
    }
}

fn fact_used(fact: &model::FactUsed) -> receipt::FactUsed {
    let model::FactUsed { name, value, adds, limit, .. } = fact.clone();
    receipt::FactUsed { name, value, adds, limit }
}

fn decision(invocation: &Invocation) -> receipt::Decision {
    let decision = &invocation.decision;
    receipt::Decision {
        mode: decision.mode.as_str().to_owned(),
        mode_source: decision.mode_source.as_str().to_owned(),
        reason: decision.reason.clone(),
        guardrails: decision
            .guardrails
            .iter()
            .map(|change| receipt::GuardrailChange {
                guardrail: change.guardrail.as_str().to_owned(),
                from: change.from.as_str().to_owned(),
                to: change.to.as_str().to_owned(),
                reason: change.reason.clone(),
            })
            .collect(),
        gates: decision
            .gates
            .iter()
            .map(|gate| receipt::GateVerdict {
                gate: gate.gate.clone(),
                verdict: gate.verdict.as_str().to_owned(),
                reason: gate.reason.clone(),
            })
            .collect(),
        policies: decision.policies.iter().map(policy_verdict).collect(),
        facts: decision.facts.iter().map(fact_used).collect(),
        flow: decision.flow.as_deref().map(flow),
    }
}

fn flow(flow: &model::Flow) -> receipt::Flow {
    receipt::Flow {
        mode: flow.mode.as_str().to_owned(),
        why: flow.why.clone(),
        observing: flow.observing,
        consented: flow.consented,
        audience: flow.audience.as_str().to_owned(),
        chosen_by: flow.chosen_by.as_str().to_owned(),
        untrusted: flow.untrusted.clone(),
        private: flow.private.clone(),
    }
}
