//! Stage 9: the end. Terminal state, signed receipt and event in one transaction, shared with what else ends at the time.

use std::time::Duration;

use events::{Event, Origin};
use futures::future::BoxFuture;
use jiff::Timestamp;
use ledger::{Artifact, Entry, Signed};
use model::{Disposition, EventType, Failure, OrgId, ReceiptId, Status};
use platform::db::{self, Tx};
use receipt::{Followup, Receipt, Timing};
use serde_json::{Value, json};

use crate::{
    Error, Invocation, Pipeline,
    away::WAITS_MS,
    state::{Captured, FailedTry, Record},
    store::{self, Settlement},
};

/// A target that took this long gets no reward for speed.
const SLOW_MS: f64 = 30_000.0;
/// How deep values nest in a receipt; the receipt itself takes a few levels of the 64 a verifier reads.
const RECEIPT_DEPTH: usize = 40;

/// What a receipt tells.
pub(crate) struct Account<'a> {
    pub(crate) record: &'a Record,
    pub(crate) id: ReceiptId,
    pub(crate) status: Status,
    pub(crate) outputs: Option<&'a Value>,
    /// All of the outputs, where that is more.
    pub(crate) artifact: Option<Artifact>,
    pub(crate) failure: Option<&'a Failure>,
    pub(crate) followups: [Option<Followup>; 3],
    pub(crate) attempts: i32,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) finished_at: Timestamp,
    /// Earlier receipts this one continues, and how.
    pub(crate) refers_to: Vec<receipt::Reference>,
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

/// A receipt, ready to be stored, and the events that tell of it.
pub(crate) struct Proof {
    receipt: (Entry, Signed),
    artifact: Option<Artifact>,
    events: Vec<Event>,
}

/// All that is written at the end of an execution.
pub(crate) struct Settling {
    end: Settlement,
    tries: Vec<FailedTry>,
    proof: Proof,
    deferred: bool,
}

/// Settles an execution. If the database is away, it is tried again while the lease lasts: the effect has happened, nobody
/// else knows how it ended, and afterwards recovery could only say that nobody does.
pub(crate) async fn settle(pipeline: &Pipeline, captured: Captured) -> Result<Invocation, Error> {
    let (record, answered) = (&captured.record, captured.answered.clone());
    let (org, mut invocation) = (record.org, record.invocation.clone());
    let lease_until = record.lease_until;
    let mut settling = settling(pipeline, captured)?;
    let [.., longest_ms] = WAITS_MS;
    let mut waits_ms = WAITS_MS.into_iter();
    let settled = loop {
        let (back, settled) = pipeline.settlements.write(pipeline, org, settling).await?;
        settling = back;
        match settled {
            Err(error) if error.disposition() == Disposition::Retry => {
                let wait = Duration::from_millis(waits_ms.next().unwrap_or(longest_ms));
                let again_at = pipeline.parts.world.clock.now() + wait;
                if lease_until.is_none_or(|until| until < again_at) {
                    return Err(error);
                }
                tokio::time::sleep(wait).await;
            }
            settled => break settled?,
        }
    };
    if !settled {
        // Somebody else holds the lease, or an earlier try of ours was committed without our learning of it.
        let mut tx = pipeline.parts.db.begin(org).await?;
        return store::find(&mut tx, org, invocation.id).await?.ok_or(Error::NotFound("invocation"));
    }
    let end = settling.end;
    metrics::counter!("countersign_settled_total", "status" => end.status.as_str()).increment(1);
    invocation.status = end.status;
    invocation.result = answered;
    invocation.failure = end.failure;
    invocation.attempts = end.attempts;
    invocation.receipt = Some(end.receipt);
    invocation.finished_at = Some(end.finished_at);
    Ok(invocation)
}

/// Writes ends of executions in one transaction; says of each whether it was still there to be written.
pub(crate) fn settle_together<'a>(
    pipeline: &'a Pipeline,
    org: OrgId,
    ends: &'a [Settling],
) -> BoxFuture<'a, Result<Vec<bool>, Error>> {
    Box::pin(async move {
        let mut tx = pipeline.parts.db.begin(org).await?;
        let settled = store::settle(&mut tx, org, ends.iter().map(|end| &end.end)).await?;
        let is_settled = |end: &Settling| settled.contains(&end.end.invocation);
        for end in ends.iter().filter(|end| is_settled(end)) {
            store::insert_tries(&mut tx, (org, end.end.invocation), &end.tries).await?;
        }
        let proofs = ends.iter().filter(|end| is_settled(end)).map(|end| &end.proof);
        append(pipeline, &mut tx, org, proofs).await?;
        // Somebody may wait for what was deferred; what was performed at once is answered by its own request.
        for end in ends.iter().filter(|end| end.deferred && is_settled(end)) {
            store::notify(&mut tx, end.end.invocation).await?;
        }
        db::commit(tx).await?;
        Ok(ends.iter().map(is_settled).collect())
    })
}

/// The end of an execution, signed.
fn settling(pipeline: &Pipeline, captured: Captured) -> Result<Settling, Error> {
    let receipt = ReceiptId::from_uuid(pipeline.parts.world.uuid());
    let finished_at = pipeline.parts.world.clock.now();
    let mut proof = prove(
        pipeline,
        &Account {
            record: &captured.record,
            id: receipt,
            status: captured.status,
            outputs: captured.kept.as_ref(),
            artifact: captured.artifact,
            failure: captured.failure.as_ref(),
            followups: [captured.verification, captured.repair, captured.rollback],
            attempts: captured.attempts,
            started_at: Some(captured.started_at),
            finished_at,
            refers_to: vec![],
        },
    )?;
    if let Some(told) = &captured.announce {
        let data = json!({ "title": told.title, "body": told.body, "level": told.level });
        let data = pipeline.redactor.redact_value(&data);
        proof.events.push(event(pipeline, &captured.record, EventType::Notification, data));
    }
    let deferred = !captured.record.votes.is_empty();
    let end = Settlement {
        invocation: captured.record.invocation.id,
        lease_epoch: captured.record.lease_epoch,
        status: captured.status,
        // The later steps of a run are made from it.
        result: if captured.record.invocation.run.is_some() { captured.answered } else { captured.kept },
        failure: captured.failure,
        attempts: captured.attempts,
        receipt,
        finished_at,
    };
    Ok(Settling { end, tries: captured.tries, proof, deferred })
}

/// Signs a receipt, with the event that tells of it.
pub(crate) fn prove(pipeline: &Pipeline, account: &Account<'_>) -> Result<Proof, Error> {
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

/// Stores receipts with what they name and stages their events, in the transaction that makes them true.
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

/// Tells approvers that something waits for them.
pub(crate) fn pending_event(pipeline: &Pipeline, record: &Record) -> Event {
    let invocation = &record.invocation;
    let data = json!({
        "invocation": invocation.id,
        "action": invocation.address,
        "risk": invocation.risk,
        "agent": invocation.agent,
        "expires_at": invocation.expires_at,
    });
    event(pipeline, record, EventType::ApprovalRequested, data)
}

/// The end of an invocation that nobody executes.
pub(crate) struct Conclusion {
    pub(crate) from: Status,
    pub(crate) status: Status,
    pub(crate) failure: Option<Failure>,
    /// What a person found when they looked.
    pub(crate) found: Option<Followup>,
}

/// Ends an invocation that nobody executes: refused, expired, or found out about. State, receipt, event and the place
/// among the waiting change in the caller's transaction, which holds the row.
pub(crate) async fn conclude(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    end: Conclusion,
) -> Result<Invocation, Error> {
    let mut invocation = record.invocation.clone();
    let receipt = ReceiptId::from_uuid(pipeline.parts.world.uuid());
    let finished_at = pipeline.parts.world.clock.now();
    let earlier = invocation.receipt.map(|earlier| receipt::Reference {
        receipt: earlier.to_string(),
        relation: ledger::RECONCILIATION.to_owned(),
    });
    let failure = end.failure.map(|failure| Failure {
        message: pipeline.redactor.redact_text(&failure.message).into_owned(),
        ..failure
    });
    let proof = prove(
        pipeline,
        &Account {
            record,
            id: receipt,
            status: end.status,
            outputs: invocation.result.as_ref(),
            artifact: None,
            failure: failure.as_ref(),
            followups: [end.found, None, None],
            attempts: invocation.attempts,
            started_at: None,
            finished_at,
            refers_to: earlier.into_iter().collect(),
        },
    )?;
    let settlement = Settlement {
        invocation: invocation.id,
        lease_epoch: record.lease_epoch,
        status: end.status,
        result: None,
        failure: failure.clone(),
        attempts: invocation.attempts,
        receipt,
        finished_at,
    };
    if !store::end(tx, record.org, end.from, &settlement).await? {
        return Err(Error::AlreadyAnswered(invocation.status));
    }
    if end.from == Status::Pending {
        pipeline.parts.tenancy.release_pending_place(tx, record.org, invocation.session).await?;
    }
    append(pipeline, tx, record.org, std::iter::once(&proof)).await?;
    store::notify(tx, invocation.id).await?;
    metrics::counter!("countersign_settled_total", "status" => end.status.as_str()).increment(1);
    invocation.status = end.status;
    invocation.failure = failure;
    invocation.receipt = Some(receipt);
    invocation.finished_at = Some(finished_at);
    Ok(invocation)
}

pub(crate) fn event(pipeline: &Pipeline, record: &Record, event_type: EventType, data: Value) -> Event {
    let told = Event::new(&pipeline.parts.world, event_type, record.invocation.id, data);
    let origin = record.invocation.run.as_ref().map(|run| Origin {
        application: None,
        depth: run.depth,
        chain: run.chain.clone(),
    });
    Event {
        origin: origin.unwrap_or_default(),
        space: Some(record.space),
        session: Some(record.invocation.session),
        ..told
    }
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
        artifacts: account.artifact.iter().map(|artifact| artifact.digest.to_string()).collect(),
        status: account.status.as_str().to_owned(),
        error: account.failure.map(|failure| receipt::Failure {
            class: failure.class.as_str().to_owned(),
            message: failure.message.clone(),
            sent: failure.sent,
        }),
        decision: decision(invocation),
        approvals: record.votes.iter().map(vote).collect(),
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
        refers_to: account.refers_to.clone(),
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

fn vote(vote: &policy::Vote) -> receipt::Approval {
    receipt::Approval {
        user: vote.user.to_string(),
        verdict: vote.answer.as_str().to_owned(),
        channel: vote.channel.clone(),
        shown_digest: vote.shown_digest.to_string(),
        at: vote.at.to_string(),
        assertion: vote.assertion.clone(),
    }
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
