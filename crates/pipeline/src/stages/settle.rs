//! Stage 9: settle. Terminal state, signed receipt and event in one transaction, shared with other settlements of the org.

use std::time::Duration;

use futures::future::BoxFuture;
use jiff::Timestamp;
use model::{Disposition, ErrorClass, EventType, OrgId, ReceiptId};
use platform::db;
use policy::NewEntries;
use serde_json::json;

use super::state::{Captured, NewSettlement, Settlement};
use crate::{
    error::Error,
    facts::{self, NewOutcomes},
    invocation::Invocation,
    models::payloads,
    parts::Pipeline,
    receipts::{self, Account, Pseudonyms},
    reconnect::WAITS_MS,
    store,
};

/// Settles an execution. If the database is unavailable, it is tried again while the lease lasts: the effect has happened,
/// only this process knows how it ended, and recovery could only record that the outcome is unknown.
pub(crate) async fn settle(pipeline: &Pipeline, captured: Captured) -> Result<Invocation, Error> {
    let (record, answered) = (&captured.record, captured.answered.clone());
    let (org, mut invocation) = (record.org, record.invocation.clone());
    let lease_until = record.lease_until;
    let mut waits = Waits { lease_until, left_ms: WAITS_MS.into_iter() };
    let pseudonyms = loop {
        match Pseudonyms::find(pipeline, org).await {
            Err(error) => waits.wait(pipeline, error).await?,
            Ok(found) => break found,
        }
    };
    let mut settling = new_settlement(pipeline, &pseudonyms, captured)?;
    let settled = loop {
        let (back, settled) = pipeline.settlements.write(pipeline, org, settling).await?;
        settling = back;
        match settled {
            Err(error) => waits.wait(pipeline, error).await?,
            Ok(settled) => break settled,
        }
    };
    if !settled {
        // Another process holds the lease, or an earlier commit of ours succeeded although it reported an error.
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

/// The waits between attempts, while the lease lasts.
struct Waits {
    lease_until: Option<Timestamp>,
    left_ms: std::array::IntoIter<u64, { WAITS_MS.len() }>,
}

impl Waits {
    /// Waits before the next attempt; returns the error if there is none.
    async fn wait(&mut self, pipeline: &Pipeline, error: Error) -> Result<(), Error> {
        if error.disposition() != Disposition::Retry {
            return Err(error);
        }
        let [.., longest_ms] = WAITS_MS;
        let wait = Duration::from_millis(self.left_ms.next().unwrap_or(longest_ms));
        let again_at = pipeline.parts.world.clock.now() + wait;
        if self.lease_until.is_none_or(|until| until < again_at) {
            return Err(error);
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

/// Writes settlements in one transaction; returns for each whether this process still held its lease.
pub(crate) fn settle_group<'a>(
    pipeline: &'a Pipeline,
    org: OrgId,
    ends: &'a [NewSettlement],
) -> BoxFuture<'a, Result<Vec<bool>, Error>> {
    Box::pin(async move {
        let mut tx = pipeline.parts.db.begin(org).await?;
        let mut given = Vec::new();
        for end in ends {
            given.extend(end.given.iter().map(|given| (end.end.invocation, given)));
        }
        let settled = store::settle(&mut tx, org, ends.iter().map(|end| &end.end), &given).await?;
        let is_settled = |end: &NewSettlement| settled.contains(&end.end.invocation);
        for end in ends.iter().filter(|end| is_settled(end)) {
            store::insert_tries(&mut tx, org, end.end.invocation, &end.tries).await?;
        }
        for end in ends.iter().filter(|end| is_settled(end)) {
            let Some(NewOutcomes { entries, facts }) = &end.outcomes else { continue };
            let (invocation, status) = (end.end.invocation, end.end.status);
            store::set_counted(&mut tx, org, &[invocation]).await?;
            let entries = NewEntries { invocation, at: end.started_at, status, entries };
            facts::write(pipeline, &mut tx, (org, facts), &[entries]).await?;
        }
        for payload in ends.iter().filter(|end| is_settled(end)).filter_map(|end| end.payload.as_ref()) {
            payloads::put(pipeline, &mut tx, org, payload).await?;
        }
        let proofs = ends.iter().filter(|end| is_settled(end)).map(|end| &end.proof);
        receipts::append(pipeline, &mut tx, org, proofs).await?;
        // Someone may wait for a deferred execution; the others are answered by their own request.
        for end in ends.iter().filter(|end| end.deferred && is_settled(end)) {
            store::notify(&mut tx, end.end.invocation).await?;
        }
        db::commit(tx).await?;
        Ok(ends.iter().map(is_settled).collect())
    })
}

/// The settlement of an execution, with its signed receipt.
fn new_settlement(
    pipeline: &Pipeline,
    pseudonyms: &Pseudonyms,
    captured: Captured,
) -> Result<NewSettlement, Error> {
    let receipt = ReceiptId::from_uuid(pipeline.parts.world.uuid());
    let finished_at = pipeline.parts.world.clock.now();
    let mut proof = receipts::prove(
        pipeline,
        pseudonyms,
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
    if let Some(announced) = &captured.announce {
        let data = json!({ "title": announced.title, "body": announced.body, "level": announced.level });
        let data = pipeline.reader.redactor.redact_value(&data);
        proof.events.push(receipts::event(pipeline, &captured.record, EventType::Notification, data));
    }
    if captured.failure.as_ref().is_some_and(|failure| failure.class == ErrorClass::QuotaExhausted) {
        let target = captured.record.invocation.address.target();
        let data = json!({
            "title": format!("`{target}` has no money or quota left"),
            "body": "Steps that ask it fail until its account is topped up.",
            "level": "critical",
        });
        proof.events.push(receipts::event(pipeline, &captured.record, EventType::Notification, data));
    }
    let deferred = !captured.record.votes.is_empty();
    let end = Settlement {
        invocation: captured.record.invocation.id,
        lease_epoch: captured.record.lease_epoch,
        status: captured.status,
        // Later steps of a run use the result.
        result: if captured.record.invocation.run.is_some() { captured.answered } else { captured.kept },
        failure: captured.failure,
        attempts: captured.attempts,
        receipt,
        finished_at,
    };
    Ok(NewSettlement {
        outcomes: captured.outcomes,
        started_at: captured.started_at,
        end,
        tries: captured.tries,
        proof,
        deferred,
        payload: captured.payload,
        given: captured.given,
    })
}
