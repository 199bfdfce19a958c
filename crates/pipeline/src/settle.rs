//! Stage 9: the end. Terminal state, signed receipt and event in one transaction.

use std::time::Duration;

use events::Event;
use jiff::Timestamp;
use ledger::Entry;
use model::{EventId, EventType, Failure, ReceiptId, Status};
use platform::db::{self, Tx};
use receipt::{Followup, Receipt, Timing};
use serde_json::{Value, json};

use crate::{
    Error, Invocation, Pipeline,
    state::{Captured, Record},
    store::{self, Settlement},
};

/// A target that took this long gets no reward for speed.
const SLOW_MS: f64 = 30_000.0;
/// How deep values nest in a receipt; the receipt itself takes a few levels of the 64 a verifier reads.
const RECEIPT_DEPTH: usize = 40;
/// How long settling is tried while the database is away; afterwards recovery will find the claim.
const PATIENCE: [u64; 6] = [50, 200, 1_000, 2_000, 4_000, 8_000];

/// What a receipt tells.
pub(crate) struct Account<'a> {
    pub(crate) record: &'a Record,
    pub(crate) id: ReceiptId,
    pub(crate) status: Status,
    pub(crate) outputs: Option<&'a Value>,
    pub(crate) failure: Option<&'a Failure>,
    pub(crate) followups: [Option<Followup>; 3],
    pub(crate) attempts: i32,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) finished_at: Timestamp,
}

impl<'a> Account<'a> {
    /// The account of what ended when it was decided.
    pub(crate) fn of_refusal(record: &'a Record) -> Self {
        let invocation = &record.invocation;
        Self {
            record,
            id: invocation.receipt.unwrap_or_else(|| ReceiptId::from_uuid(invocation.id.uuid())),
            status: invocation.status,
            outputs: None,
            failure: None,
            followups: [None, None, None],
            attempts: 0,
            started_at: None,
            finished_at: invocation.requested_at,
        }
    }
}

/// Settles an execution. If the database is away, it is tried again for a while: the effect has happened, and the
/// sooner that is recorded the better.
pub(crate) async fn settle(pipeline: &Pipeline, captured: Captured) -> Result<Invocation, Error> {
    let id = ReceiptId::from_uuid(pipeline.parts.world.uuid());
    let mut waits = PATIENCE.into_iter();
    loop {
        match try_settle(pipeline, &captured, id).await {
            Err(Error::Database(error)) if error.is_transient() => match waits.next() {
                None => return Err(Error::Database(error)),
                Some(wait_ms) => tokio::time::sleep(Duration::from_millis(wait_ms)).await,
            },
            settled => return settled,
        }
    }
}

async fn try_settle(pipeline: &Pipeline, captured: &Captured, id: ReceiptId) -> Result<Invocation, Error> {
    let record = &captured.record;
    let finished_at = pipeline.parts.world.clock.now();
    let settlement = Settlement {
        status: captured.status,
        result: captured.kept.as_ref(),
        failure: captured.failure.as_ref(),
        attempts: captured.attempts,
        receipt: id,
        finished_at,
    };
    let mut tx = pipeline.parts.db.begin(record.org).await?;
    if !store::settle(&mut tx, record, &settlement).await? {
        // Somebody else holds the lease, or an earlier try of ours was committed without our learning of it.
        let settled = store::find(&mut tx, record.org, record.invocation.id).await?;
        return settled.ok_or(Error::NotFound("invocation"));
    }
    store::insert_tries(&mut tx, (record.org, record.invocation.id), &captured.tries).await?;
    let account = Account {
        record,
        id,
        status: captured.status,
        outputs: captured.kept.as_ref(),
        failure: captured.failure.as_ref(),
        followups: [captured.verification.clone(), captured.repair.clone(), captured.rollback.clone()],
        attempts: captured.attempts,
        started_at: Some(captured.started_at),
        finished_at,
    };
    append_receipt(pipeline, &mut tx, &account).await?;
    if let Some(announcement) = &captured.announce {
        let data =
            json!({ "title": announcement.title, "body": announcement.body, "level": announcement.level });
        let data = pipeline.redactor.redact_value(&data);
        stage(pipeline, &mut tx, record, (EventType::Notification, data)).await?;
    }
    db::commit(tx).await?;
    metrics::counter!("countersign_settled_total", "status" => captured.status.as_str()).increment(1);
    let mut invocation = record.invocation.clone();
    invocation.status = captured.status;
    invocation.result.clone_from(&captured.answered);
    invocation.failure.clone_from(&captured.failure);
    invocation.attempts = captured.attempts;
    invocation.receipt = Some(id);
    invocation.finished_at = Some(finished_at);
    Ok(invocation)
}

/// Signs and appends a receipt, and stages the event that tells of it.
pub(crate) async fn append_receipt(
    pipeline: &Pipeline,
    tx: &mut Tx,
    account: &Account<'_>,
) -> Result<(), Error> {
    let record = account.record;
    let invocation = &record.invocation;
    let signed = pipeline.parts.ledger.sign(&receipt(pipeline, account))?;
    let entry = Entry {
        id: account.id,
        org: record.org,
        invocation: invocation.id,
        session: invocation.session,
        action: invocation.address.clone(),
        status: account.status,
        finished_at: account.finished_at,
    };
    pipeline.parts.ledger.append(tx, &entry, &signed).await?;
    let event_type = match account.status {
        Status::Denied => EventType::ActionDenied,
        Status::Quarantined => EventType::ActionQuarantined,
        _ => EventType::ActionExecuted,
    };
    let data = json!({
        "invocation": invocation.id,
        "receipt": account.id,
        "action": invocation.address,
        "status": account.status,
        "error": account.failure.map(|failure| failure.class),
    });
    stage(pipeline, tx, record, (event_type, data)).await
}

/// Tells approvers that something waits for them.
pub(crate) async fn announce_pending(pipeline: &Pipeline, tx: &mut Tx, record: &Record) -> Result<(), Error> {
    let invocation = &record.invocation;
    let data = json!({
        "invocation": invocation.id,
        "action": invocation.address,
        "risk": invocation.risk,
        "agent": invocation.agent,
        "expires_at": invocation.expires_at,
    });
    stage(pipeline, tx, record, (EventType::ApprovalRequested, data)).await
}

async fn stage(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    (event_type, data): (EventType, Value),
) -> Result<(), Error> {
    let event = Event {
        id: EventId::from_uuid(pipeline.parts.world.uuid()),
        org: record.org,
        event_type,
        subject: record.invocation.id.to_string(),
        space: Some(record.space),
        session: Some(record.invocation.session),
        data,
        at: pipeline.parts.world.clock.now(),
    };
    Ok(events::stage(tx, &event).await?)
}

fn receipt(pipeline: &Pipeline, account: &Account<'_>) -> Receipt {
    let (record, invocation) = (account.record, &account.record.invocation);
    let duration = account.finished_at.duration_since(account.started_at.unwrap_or(account.finished_at));
    let duration_ms = u64::try_from(duration.as_millis()).unwrap_or_default();
    let [verification, repair, rollback] = account.followups.clone();
    let pseudonyms = pipeline.parts.sealer.pseudonym_key(record.org);
    let hidden = |value: &Value| {
        // An effect must never go without a receipt because a target's answer holds a number no reader keeps exactly.
        receipt::canonical::portable(
            pipeline.redactor.pseudonymise(value, pseudonyms.as_slice()),
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
        artifacts: vec![],
        status: account.status.as_str().to_owned(),
        error: account.failure.map(|failure| receipt::Failure {
            class: failure.class.as_str().to_owned(),
            message: failure.message.clone(),
            sent: failure.sent,
        }),
        decision: decision(invocation),
        approvals: vec![],
        shown_digest: Some(invocation.shown_digest.to_string()),
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
        cost: None,
        reward: reward(account, duration_ms),
        idempotency_key: invocation.idempotency_key.clone(),
        trace_id: record.trace_id.clone(),
        refers_to: vec![],
        dry_run: invocation.dry_run,
    }
}

/// Success is what the end says; quality is whether somebody looked and it was as wanted; cost is not known yet.
#[expect(clippy::cast_precision_loss, reason = "milliseconds of one invocation are far below 2^52")]
fn reward(account: &Account<'_>, duration_ms: u64) -> receipt::Reward {
    let success = match account.status {
        Status::Succeeded => 1.0,
        Status::Failed | Status::Reverted => -1.0,
        _ => 0.0,
    };
    let [verification, repair, _] = &account.followups;
    let quality = match (verification.as_ref().map(|done| done.outcome.as_str()), repair) {
        (Some("passed"), None) => 1.0,
        (Some("passed"), Some(_)) => 0.5,
        _ => 0.0,
    };
    receipt::reward(success, quality, 0.0, duration_ms as f64 / SLOW_MS)
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
    }
}
