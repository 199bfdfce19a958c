//! Recovery: an execution that a dead process left is finished by another one, through the same stages.

use std::sync::Arc;

use catalog::{Action, Call};
use futures::StreamExt as _;
use jiff::Timestamp;
use model::{ErrorClass, Failure, InvocationId, OrgId, Status};
use serde_json::Value;

use crate::{
    approvals::{
        second_check::{self, Recorded},
        shown::read_votes,
    },
    batch, context,
    error::Error,
    params,
    parts::Pipeline,
    policy_snapshot::{Snapshot, load},
    stages::{
        self, settle,
        state::{Captured, Claimed, Permitted, Record},
    },
    store::{self, LockedInvocation},
};

/// How many executions one call recovers; the next call finds the others.
const SWEEP_LIMIT: i32 = 50;
/// How many of them at the same time: a target that does not answer must not delay the executions of others.
const AT_ONCE: usize = 8;

/// Finds executions whose lease expired, in every org, and brings each to its end. Returns how many it finished.
pub(crate) async fn recover(pipeline: &Pipeline) -> Result<usize, Error> {
    let mut conn = pipeline.parts.db.unscoped().await?;
    let expired = store::expired_leases(&mut conn, pipeline.parts.world.clock.now(), SWEEP_LIMIT).await?;
    drop(conn);
    let finished = futures::stream::iter(expired)
        .map(|(org, id)| Box::pin(recover_or_log(pipeline, org, id)))
        .buffer_unordered(AT_ONCE)
        .filter(|finished| std::future::ready(*finished));
    Ok(finished.count().await)
}

/// One that cannot be finished must not delay the others; its new lease expires as well.
async fn recover_or_log(pipeline: &Pipeline, org: OrgId, id: InvocationId) -> bool {
    Box::pin(recover_one(pipeline, org, id)).await.unwrap_or_else(|error| {
        if matches!(error, Error::Stopped { .. }) {
            tracing::info!(invocation.id = %id, "an execution is not recovered while it is stopped");
            return false;
        }
        tracing::error!(invocation.id = %id, error = &error as &dyn std::error::Error, "recovering an execution failed");
        false
    })
}

pub(crate) async fn recover_one(pipeline: &Pipeline, org: OrgId, id: InvocationId) -> Result<bool, Error> {
    let reader = &pipeline.reader;
    let now = pipeline.parts.world.clock.now();
    // The action, and so its timeout, is known only after the take-over, so this is the longest lease there is. Twice,
    // because a recovery looks up the effect before it tries again.
    let lease = context::lease(reader, pipeline.parts.limits.action_timeout, context::MAX_ATTEMPTS) * 2;
    let mut tx = pipeline.parts.db.begin(org).await?;
    let Some(mut orphan) = store::take_over(&mut tx, org, id, now, now + lease).await? else {
        return Ok(false);
    };
    let params = params::open(reader, &mut tx, &orphan).await?;
    read_votes(&mut tx, &mut orphan.record).await?;
    let catalog = reader.catalog(&mut tx, org).await?;
    platform::db::commit(tx).await?;
    let action = reader.find_action(&catalog, &orphan.record.invocation.address);
    let action = action.and_then(|action| batch::expand(reader, &catalog, action, &params).ok());
    let settled = match action {
        Some(action) => stages::execute(pipeline, reclaim(pipeline, orphan, action, params).await?).await?,
        None => settle::settle(pipeline, given_up(orphan)).await?,
    };
    metrics::counter!("countersign_recovered_total", "status" => settled.status.as_str()).increment(1);
    tracing::warn!(invocation.id = %id, status = settled.status.as_str(), "recovered an execution");
    Ok(true)
}

/// The claim of a dead process, continued by this one. Whether it may be repeated is decided again: rules may have
/// changed, the session may be over, the action may have changed.
async fn reclaim(
    pipeline: &Pipeline,
    orphan: LockedInvocation,
    action: Arc<Action>,
    params: Value,
) -> Result<Claimed, Error> {
    let permit = permit_again(pipeline, &orphan, action.clone(), &params).await?;
    let started_at = began(&orphan);
    Ok(Claimed {
        call: Call { action: action.definition.address.action.clone(), params },
        action,
        permit,
        snapshot: None,
        recovered: true,
        started_at,
        timeout: None,
        claimed_at: None,
        filled: vec![],
        record: orphan.record,
    })
}

/// The snapshot with the grant that this execution used, because that may have been its last call; unless the grant was
/// revoked since.
async fn with_its_grant(
    pipeline: &Pipeline,
    record: &Record,
    snapshot: Arc<Snapshot>,
) -> Result<Arc<Snapshot>, Error> {
    let Some(used) = record.invocation.decision.grant else { return Ok(snapshot) };
    let mut tx = pipeline.parts.db.begin(record.org).await?;
    let grant = pipeline.parts.grants.find(&mut tx, record.org, used).await?;
    Ok(match grant {
        Some(grant) => Arc::new(snapshot.with_grant(grant)),
        None => snapshot,
    })
}

/// `None` when it would not be allowed today. An unavailable database is no denial: it is an error, and the execution is
/// recovered later.
async fn permit_again(
    pipeline: &Pipeline,
    orphan: &LockedInvocation,
    action: Arc<Action>,
    params: &Value,
) -> Result<Option<Box<Permitted>>, Error> {
    let record = &orphan.record;
    let invocation = &record.invocation;
    let snapshot = match load::fresh(&pipeline.reader, record.org, invocation.session).await {
        Err(Error::SessionOver) => return Ok(None),
        snapshot => snapshot?,
    };
    if snapshot.facts.session.is_over(pipeline.parts.world.clock.now()) {
        return Ok(None);
    }
    let snapshot = with_its_grant(pipeline, record, snapshot).await?;
    let asked_before = orphan.asked_before();
    let recorded = Recorded { action, params: params.clone(), snapshot, asked_before };
    let decided = second_check::decide_again(pipeline, record, recorded).await?;
    // Only what was recorded may be repeated: the same subject, under the decision of then.
    let subject = decided.subject.decided_as(&invocation.decision);
    if subject.digest()? != invocation.subject_digest {
        return Ok(None);
    }
    let permit = if record.votes.is_empty() {
        second_check::permit_of_rules(&decided.decision, invocation.subject_digest)
    } else {
        let mut tx = pipeline.parts.db.begin(record.org).await?;
        second_check::permit_of_votes(pipeline, &mut tx, record, &decided.decision).await?.ok()
    };
    Ok(permit.map(|permit| Box::new(Permitted { permit, subject })))
}

/// When the execution began.
fn began(orphan: &LockedInvocation) -> Timestamp {
    orphan.started_at.unwrap_or(orphan.record.invocation.requested_at)
}

/// The end of an execution whose action no longer exists: its outcome cannot be looked up.
fn given_up(orphan: LockedInvocation) -> Captured {
    let message = "the executing process died, and the action no longer exists; it may have happened";
    let failure = Failure {
        class: ErrorClass::OutcomeUnknown,
        message: message.to_owned(),
        sent: true,
        retry_after_ms: None,
    };
    let started_at = began(&orphan);
    Captured {
        outcomes: None,
        record: orphan.record,
        status: Status::Unknown,
        failure: Some(failure),
        kept: None,
        answered: None,
        artifact: None,
        tries: vec![],
        attempts: 0,
        verification: None,
        repair: None,
        rollback: None,
        announce: None,
        payload: None,
        started_at,
        given: vec![],
    }
}
