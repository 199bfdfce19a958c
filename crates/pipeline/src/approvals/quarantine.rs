//! Quarantine: what looks like a leak or an attack is set aside. A person discards it, or says that it is only text: then
//! it is proposed again, and people are asked about it whatever the rules say.

use std::time::Duration;

use model::{Digest, EventType, InvocationId, OrgId, Status, UserId};
use platform::{
    db::{self, Tx},
    seal,
};
use policy::Provenance;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    error::Error,
    invocation::Invocation,
    parts::Pipeline,
    receipts,
    stages::{
        self,
        state::{NewClaim, Record, Request},
    },
    store::{self, Held},
};

/// How long what was quarantined is held.
pub(crate) const HELD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A person's statement that quarantined parameters are only text. Only this file makes one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The invocation that was quarantined.
    from: InvocationId,
    by: UserId,
    /// Their name then.
    name: String,
    reason: String,
    /// The parameters that were released, and no others.
    params: Digest,
}

impl Release {
    /// Whether it is for these parameters.
    pub(crate) fn covers(&self, params: &Value) -> bool {
        Digest::of_canonical(params).is_ok_and(|digest| digest == self.params)
    }

    /// Who released what, and why.
    pub(crate) fn words(&self) -> String {
        format!("quarantined as {} and released as text by {}: {}", self.from, self.name, self.reason)
    }
}

/// What a person decides about something that was quarantined.
#[derive(Debug, Clone)]
pub struct GivenRuling {
    pub invocation: InvocationId,
    pub by: UserId,
    pub reason: String,
}

const fn place(row: Uuid) -> seal::Place<'static> {
    seal::Place { table: "quarantined", row, field: "params_sealed" }
}

/// Holds the parameters of a claim that is quarantined, if there is a place for it in the inbox.
pub(crate) async fn hold(
    pipeline: &Pipeline,
    tx: &mut Tx,
    claim: &NewClaim,
    params: &Value,
) -> Result<(), Error> {
    let (org, invocation) = (claim.record.org, &claim.record.invocation);
    let plain = zeroize::Zeroizing::new(serde_json::to_vec(params).unwrap_or_default());
    let sealed = pipeline.parts.sealer.seal(tx, org, place(invocation.id.uuid()), &plain).await?;
    let held = Held {
        invocation: invocation.id,
        session: invocation.session,
        place: claim.place,
        params_sealed: sealed,
        expires_at: invocation.requested_at + HELD,
    };
    Ok(store::hold(tx, org, &held).await?)
}

/// Locks something that is held; returns its sealed parameters too.
async fn take(
    pipeline: &Pipeline,
    tx: &mut Tx,
    org: OrgId,
    id: InvocationId,
) -> Result<(Record, Vec<u8>), Error> {
    let locked = store::lock(tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
    let status = locked.record.invocation.status;
    if status != Status::Quarantined {
        return Err(Error::NotQuarantined(status));
    }
    let held = store::lock_held(tx, org, id, pipeline.parts.world.clock.now()).await?;
    Ok((locked.record, held.ok_or(Error::NotHeld)?))
}

/// Deletes what is held. The receipt of the refusal stays.
pub(super) async fn discard(
    pipeline: &Pipeline,
    org: OrgId,
    given: GivenRuling,
) -> Result<Invocation, Error> {
    let mut tx = pipeline.parts.db.begin(org).await?;
    let (record, _) = take(pipeline, &mut tx, org, given.invocation).await?;
    store::delete_held(&mut tx, org, given.invocation).await?;
    let reason = pipeline.reader.redactor.redact_text(&given.reason).into_owned();
    tell(
        pipeline,
        &mut tx,
        &record,
        (EventType::ActionDiscarded, json!({ "by": given.by, "reason": reason })),
    )
    .await?;
    db::commit(tx).await?;
    Ok(record.invocation)
}

/// Proposes what is held again, as text. Returns the new invocation.
pub(super) async fn release(
    pipeline: &Pipeline,
    org: OrgId,
    given: GivenRuling,
) -> Result<Invocation, Error> {
    let parts = &pipeline.parts;
    let mut tx = parts.db.begin(org).await?;
    let (record, sealed) = take(pipeline, &mut tx, org, given.invocation).await?;
    let from = record.invocation.id;
    let plain = parts.sealer.open(&mut tx, org, place(from.uuid()), &sealed).await?;
    let damaged = db::Error::Inconsistent { column: "quarantined.params_sealed" };
    let params = receipt::parse_strict(&plain, usize::MAX).map_err(|_| damaged)?;
    let members = parts.tenancy.members_by_id(&mut tx, org, &[given.by]).await?;
    let release = Release {
        from,
        by: given.by,
        name: members.get(&given.by).map(|member| member.name.clone()).unwrap_or_default(),
        reason: pipeline.reader.redactor.redact_text(&given.reason).into_owned(),
        params: Digest::of_canonical(&params)?,
    };
    let request = Request {
        org,
        session: record.invocation.session,
        action: record.invocation.address.to_string(),
        params,
        dry_run: false,
        // If this process dies before it records the release, the next attempt finds the same invocation.
        key: format!("release/{from}").parse().ok(),
        trace_id: record.trace_id.clone(),
        timeout: None,
        step: record.step.clone(),
        reason: record.invocation.reason.clone(),
        released: Some(Box::new(release)),
        budget: None,
        // The request was made of what was known then.
        provenance: Some(Box::new(
            record.invocation.decision.flow.as_deref().map(Provenance::recorded).unwrap_or_default(),
        )),
    };
    // The row of what is held stays locked, so nobody discards or releases it meanwhile.
    let proposed = match Box::pin(stages::walk(pipeline, request)).await {
        Err(Error::SessionOver) => return Err(Error::ProposerGone),
        proposed => proposed?,
    };
    store::delete_held(&mut tx, org, from).await?;
    store::set_released_as(&mut tx, org, from, proposed.id).await?;
    let data = json!({ "by": given.by, "released_as": proposed.id });
    tell(pipeline, &mut tx, &record, (EventType::ActionReleased, data)).await?;
    db::commit(tx).await?;
    Ok(proposed)
}

async fn tell(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    (event_type, mut data): (EventType, Value),
) -> Result<(), Error> {
    if let Value::Object(fields) = &mut data {
        fields.insert("invocation".to_owned(), json!(record.invocation.id));
        fields.insert("action".to_owned(), json!(record.invocation.address));
    }
    let event = receipts::event(pipeline, record, event_type, data);
    Ok(pipeline.parts.events.stage(tx, record.org, std::iter::once(&event)).await?)
}

/// Deletes what was held long enough. Returns how many.
pub(super) async fn purge(pipeline: &Pipeline) -> Result<i64, Error> {
    let now = pipeline.parts.world.clock.now();
    Ok(store::purge_held(&mut *pipeline.parts.db.unscoped().await?, now).await?)
}
