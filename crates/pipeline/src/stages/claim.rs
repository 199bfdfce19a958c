//! Stage 5: claim. The write-ahead record by which recovery finds whatever happens afterwards.
//!
//! One transaction: the idempotency key, the place among what waits for people, and the invocation, which is inserted only if
//! the policy is still the one it was decided by. A denied request ends here, with its receipt in the same transaction.
//! A claim that needs nothing but its record shares a transaction with other claims of the org.

use std::{collections::HashSet, time::Duration};

use catalog::Call;
use futures::future::BoxFuture;
use jiff::Timestamp;
use model::{InvocationId, Mode, OrgId, Preview, ReceiptId, SessionKind, Status};
use platform::db;
use policy::{NewEntries, Place};
use tokio::time::Instant;

use super::{
    decide,
    state::{Claim, Claimed, Decided, NewClaim, Permitted, Record, Resolved},
};
use crate::{
    approvals::{places, quarantine, shown::check_can_be_shown},
    context,
    credentials::references,
    engine,
    error::Error,
    facts, flow,
    invocation::Invocation,
    models::budgets,
    params,
    parts::Pipeline,
    preview::{self, Previewed},
    receipts::{self, Account, Pseudonyms},
    reconnect,
    store::{self, KeyClaim, NewKey},
};

/// How long an idempotency key returns its first result.
const KEY_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Records the invocation, or finds the one that its idempotency key belongs to.
pub(crate) async fn claim(pipeline: &Pipeline, decided: Decided) -> Result<Claim, Error> {
    let now = pipeline.parts.world.clock.now();
    let id = InvocationId::from_uuid(pipeline.parts.world.uuid());
    let status = first_status(&decided);
    let claiming = new_claim(pipeline, &decided, id, now);
    let is_model = decided.admitted.0.action.definition.address.is_model();
    let is_alone =
        decided.key.is_some() || decided.decision.grant.is_some() || !decided.needs.is_empty() || is_model;
    if status == Status::Executing && !is_alone {
        let org = claiming.record.org;
        let (claiming, written) = pipeline.claims.write(pipeline, org, claiming).await?;
        return if written? { Ok(begin(decided, claiming.record)) } else { Ok(stale(decided)) };
    }
    Box::pin(claim_alone(pipeline, decided, claiming)).await
}

/// What is written if the decision stays as it is.
fn new_claim(pipeline: &Pipeline, decided: &Decided, id: InvocationId, now: Timestamp) -> NewClaim {
    let status = first_status(decided);
    let Resolved { request, snapshot, .. } = &decided.admitted.0;
    NewClaim {
        record: record(pipeline, decided, id, status, now),
        params: (!status.is_terminal())
            .then(|| serde_json::to_vec(&request.params).unwrap_or_default().into()),
        subject: (status == Status::Pending).then(|| decided.subject.to_value()),
        policy_version: snapshot.facts.policy_version,
        place: Place { opener: snapshot.facts.session.opener(), turn: 0 },
        // Of what has no effect, only a denial is something that happened.
        entries: match status {
            Status::Skipped | Status::Quarantined => vec![],
            _ if request.dry_run => vec![],
            _ => decided.past.entries.clone(),
        },
        snapshot: snapshot.clone(),
    }
}

/// Records claims that need nothing but their record, in one transaction; returns for each whether it was recorded.
pub(crate) fn claim_group<'a>(
    pipeline: &'a Pipeline,
    org: OrgId,
    claims: &'a [NewClaim],
) -> BoxFuture<'a, Result<Vec<bool>, Error>> {
    Box::pin(async move {
        let mut tx = pipeline.parts.db.begin_claim(org).await?;
        let inserted = insert(pipeline, &mut tx, org, claims).await?;
        // All are committed or none, so looking for one of them is enough.
        match inserted.iter().next() {
            Some(one) => commit(pipeline, tx, org, *one).await?,
            None => db::commit(tx).await?,
        }
        Ok(claims.iter().map(|claim| inserted.contains(&claim.record.invocation.id)).collect())
    })
}

/// Commits a record. If the connection breaks meanwhile, it is unknown whether the record exists. Only this process knows
/// that nothing was sent, so it looks once the database is back and continues if the record is there. Otherwise the record
/// would wait for its lease to expire, and a once-only action would end as `unknown`.
async fn commit(pipeline: &Pipeline, tx: db::Tx, org: OrgId, id: InvocationId) -> Result<(), Error> {
    let Err(lost) = db::commit(tx).await else { return Ok(()) };
    if !lost.is_transient() {
        return Err(lost.into());
    }
    // The id was made for this record, so no other process can have written it.
    match reconnect::find(pipeline, org, id).await {
        Ok(Some(_)) => Ok(()),
        _ => Err(lost.into()),
    }
}

async fn insert(
    pipeline: &Pipeline,
    tx: &mut db::Tx,
    org: OrgId,
    claims: &[NewClaim],
) -> Result<HashSet<InvocationId>, Error> {
    let mut sealed = Vec::with_capacity(claims.len());
    for claim in claims {
        sealed.push(match &claim.params {
            Some(plain) => {
                Some(params::seal(&pipeline.reader, tx, org, claim.record.invocation.id, plain).await?)
            }
            None => None,
        });
    }
    let inserted = store::insert(tx, org, claims, &sealed).await?;
    write_entries(pipeline, tx, (org, claims), &inserted).await?;
    Ok(inserted)
}

/// What the recorded claims contribute to facts.
async fn write_entries(
    pipeline: &Pipeline,
    tx: &mut db::Tx,
    (org, claims): (OrgId, &[NewClaim]),
    inserted: &HashSet<InvocationId>,
) -> Result<(), Error> {
    let counted = claims.iter().filter(|claim| !claim.entries.is_empty());
    let counted: Vec<&NewClaim> =
        counted.filter(|claim| inserted.contains(&claim.record.invocation.id)).collect();
    // All were decided under the version that is in force, so the facts of one are those of all.
    let Some(one) = counted.first() else { return Ok(()) };
    let entries = counted.iter().map(|claim| {
        let invocation = &claim.record.invocation;
        let (at, status) = (invocation.requested_at, invocation.status);
        NewEntries { invocation: invocation.id, at, status, entries: &claim.entries }
    });
    let entries: Vec<NewEntries<'_>> = entries.collect();
    facts::write(pipeline, tx, (org, &one.snapshot.org.statutes.facts), &entries).await
}

/// Records a claim with everything that belongs to it: its key, its place among the pending, its receipt or its event.
async fn claim_alone(
    pipeline: &Pipeline,
    mut decided: Decided,
    mut claiming: NewClaim,
) -> Result<Claim, Error> {
    let parts = &pipeline.parts;
    let invocation = &claiming.record.invocation;
    let (id, org, now) = (invocation.id, claiming.record.org, invocation.requested_at);
    let mut tx = parts.db.begin_claim_in_turn(org, &decided.needs.locks()).await?;
    if let Some(key) = &decided.key {
        let new = NewKey {
            key,
            invocation: id,
            request_digest: &decided.request_digest,
            expires_at: now + KEY_LIFETIME,
        };
        match store::claim_key(&mut tx, org, &new, now).await? {
            KeyClaim::Taken => {}
            KeyClaim::Gone => return Ok(stale(decided)),
            KeyClaim::Held { request_digest, .. } if request_digest != decided.request_digest => {
                return Err(Error::KeyReused);
            }
            KeyClaim::Held { invocation, .. } => return replay(&mut tx, decided, invocation, now).await,
        }
    }
    if !decided.needs.is_empty() {
        decided = decide_by_facts_of_now(pipeline, &mut tx, decided).await?;
        claiming = new_claim(pipeline, &decided, id, now);
    }
    let status = claiming.record.invocation.status;
    let is_held = take_place(pipeline, &mut tx, &decided, &mut claiming).await?;
    if insert(pipeline, &mut tx, org, std::slice::from_ref(&claiming)).await?.is_empty() {
        return Ok(stale(decided));
    }
    if claiming.record.invocation.address.is_model() {
        Box::pin(budgets::reserve(pipeline, &mut tx, &decided, &claiming)).await?;
    }
    if status == Status::Executing
        && let Some(grant) = decided.decision.grant
        && !parts.grants.consume(&mut tx, org, grant).await?
    {
        return Ok(stale(decided));
    }
    if is_held {
        quarantine::hold(pipeline, &mut tx, &claiming, &decided.admitted.0.request.params).await?;
    }
    let record = claiming.record;
    if status.is_terminal() {
        let pseudonyms = Pseudonyms::read(pipeline, &mut tx, org).await?;
        let proof = receipts::prove(pipeline, &pseudonyms, &Account::of_refusal(&record))?;
        receipts::append(pipeline, &mut tx, org, std::iter::once(&proof)).await?;
    } else if status == Status::Pending {
        let event = receipts::pending_event(pipeline, &record);
        pipeline.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
    }
    commit(pipeline, tx, org, record.invocation.id).await?;
    if status == Status::Executing {
        return Ok(begin(decided, record));
    }
    count(status);
    let mut invocation = record.invocation;
    if let Some(expires_at) = invocation.expires_at {
        let delay = Duration::try_from(expires_at.duration_since(now)).unwrap_or_default();
        engine::expire_later(&pipeline.parts, org, invocation.id, delay).await;
    }
    if status == Status::Skipped {
        invocation.preview = show_preview(pipeline, &invocation, decided.admitted.0).await?;
    }
    Ok(Claim::Answered(Box::new(invocation)))
}

/// What a dry run would do. The agent learns it, so it counts as read.
async fn show_preview(
    pipeline: &Pipeline,
    invocation: &Invocation,
    Resolved { request, snapshot, action, .. }: Resolved,
) -> Result<Option<Preview>, Error> {
    let org = request.org;
    let previewed = Previewed { org, id: invocation.id, action: &action, params: request.params };
    let found = preview::preview(&pipeline.reader, previewed, Some(&snapshot)).await;
    if found.is_some() {
        flow::shown_preview(pipeline, (org, invocation), &action).await?;
    }
    Ok(found.map(|found| found.shown))
}

/// The facts may be others by now. Those that are caps stay as they are until this transaction ends.
async fn decide_by_facts_of_now(
    pipeline: &Pipeline,
    tx: &mut db::Tx,
    decided: Decided,
) -> Result<Decided, Error> {
    let Decided { admitted, needs, past, .. } = &decided;
    let now = pipeline.reader.past(tx, &admitted.0, (needs, &past.entries), None).await?;
    if now == *past {
        return Ok(decided);
    }
    decide::decide(pipeline, decided.admitted, (decided.needs, now))
}

/// Takes a place in the inbox for what waits for a person, or was quarantined. Returns whether the latter is held: without
/// a place it is refused all the same.
async fn take_place(
    pipeline: &Pipeline,
    tx: &mut db::Tx,
    decided: &Decided,
    claiming: &mut NewClaim,
) -> Result<bool, Error> {
    let Resolved { request, snapshot, .. } = &decided.admitted.0;
    let (org, session) = (claiming.record.org, &snapshot.facts.session);
    match claiming.record.invocation.status {
        Status::Pending => {
            check_can_be_shown(&request.params)?;
            // What a person releases had its place while it was held.
            if request.released.is_none() {
                claiming.place = pipeline.reader.take_place(tx, org, session).await?;
                let now = claiming.record.invocation.requested_at;
                places::check_cool_down(tx, &claiming.record, now).await?;
            }
            Ok(false)
        }
        Status::Quarantined if !request.dry_run => {
            match pipeline.reader.take_place(tx, org, session).await {
                Ok(place) => claiming.place = place,
                Err(Error::TooManyPending(_)) => return Ok(false),
                Err(error) => return Err(error),
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn count(status: Status) {
    metrics::counter!("countersign_claims_total", "status" => status.as_str()).increment(1);
}

fn stale(decided: Decided) -> Claim {
    Claim::Stale(Box::new(decided.admitted))
}

/// The claim is committed; this process holds the lease.
fn begin(decided: Decided, record: Record) -> Claim {
    count(Status::Executing);
    let resolved = decided.admitted.0;
    let call =
        Call { action: resolved.action.definition.address.action.clone(), params: resolved.request.params };
    let started_at = record.invocation.requested_at;
    Claim::Execute(Box::new(Claimed {
        record,
        action: resolved.action,
        call,
        permit: decided.permit.map(|permit| Box::new(Permitted { permit, subject: *decided.subject })),
        snapshot: Some(resolved.snapshot),
        recovered: false,
        started_at,
        timeout: resolved.request.timeout,
        claimed_at: Some(Instant::now()),
        filled: vec![],
    }))
}

/// How long people have to answer.
pub(crate) const fn patience(kind: SessionKind) -> Duration {
    match kind {
        SessionKind::Interactive => Duration::from_secs(5 * 60),
        SessionKind::Unattended => Duration::from_secs(24 * 60 * 60),
    }
}

fn first_status(decided: &Decided) -> Status {
    match decided.decision.mode {
        _ if decided.decision.quarantined => Status::Quarantined,
        Mode::Deny => Status::Denied,
        _ if decided.admitted.0.request.dry_run => Status::Skipped,
        Mode::RequireApproval => Status::Pending,
        Mode::Allow => Status::Executing,
    }
}

fn record(
    pipeline: &Pipeline,
    decided: &Decided,
    id: InvocationId,
    status: Status,
    now: Timestamp,
) -> Record {
    let resolved = &decided.admitted.0;
    let (facts, definition) = (&resolved.snapshot.facts, &resolved.action.definition);
    let receipt = status.is_terminal().then(|| ReceiptId::from_uuid(pipeline.parts.world.uuid()));
    let patience = patience(facts.session.kind);
    let invocation = Invocation {
        id,
        session: facts.session.id,
        space: facts.space.clone(),
        run: facts.session.run.clone(),
        agent: facts.session.agent.clone(),
        address: definition.address.clone(),
        risk: definition.risk,
        effect: definition.effect,
        status,
        decision: decided.decision.clone(),
        dry_run: resolved.request.dry_run,
        params: references::redact(&pipeline.reader.redactor, &resolved.action, &resolved.request.params),
        reason: pipeline.reader.redactor.redact_text(&resolved.request.reason).into_owned(),
        subject_digest: decided.subject_digest,
        changed: vec![],
        edits: vec![],
        idempotency_key: decided.key.as_ref().map(ToString::to_string),
        result: None,
        failure: None,
        attempts: 0,
        receipt,
        requested_at: now,
        finished_at: receipt.map(|_| now),
        expires_at: (status == Status::Pending).then(|| now + patience),
        preview: None,
        replayed: false,
        turn: 0,
        released_as: None,
        erased_at: None,
    };
    Record {
        invocation,
        org: resolved.request.org,
        space: facts.session.space,
        definition_hash: resolved.action.hash,
        trace_id: resolved.request.trace_id.clone(),
        step: resolved.request.step.clone(),
        released: resolved.request.released.as_deref().cloned(),
        lease_epoch: 0,
        lease_until: (status == Status::Executing)
            .then(|| now + context::lease_of(&pipeline.reader, &resolved.action)),
        votes: vec![],
        shown: vec![],
    }
}

/// The answer to a key that was used before: its invocation, or an error while that is in progress. Only the session that
/// used the key gets it: to any other one it would show what that session did, past every rule.
async fn replay(tx: &mut db::Tx, decided: Decided, id: InvocationId, now: Timestamp) -> Result<Claim, Error> {
    let Resolved { request, snapshot, .. } = &decided.admitted.0;
    let version = snapshot.facts.policy_version;
    if !store::snapshot_is_current(tx, request.org, request.session, version, now).await? {
        return Ok(Claim::Stale(Box::new(decided.admitted)));
    }
    let found = store::find(tx, request.org, id).await?.ok_or(Error::NotFound("invocation"))?;
    match found.status {
        _ if found.session != request.session => Err(Error::KeyReused),
        Status::Executing | Status::Approved => Err(Error::UnderWay(id)),
        _ => Ok(Claim::Answered(Box::new(Invocation { replayed: true, ..found }))),
    }
}
