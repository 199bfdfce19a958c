//! Expiry: invocations that nobody answered in time, and those whose requester no longer wants them.

use std::time::Duration;

use jiff::Timestamp;
use model::{ErrorClass, Failure, InvocationId, OrgId, Status};
use platform::db;

use super::{
    conclude::{Conclusion, conclude},
    rules::no_longer_waits,
};
use crate::{
    engine,
    error::Error,
    parts::Pipeline,
    store::{self, LockedInvocation},
};

/// How long after its approval an invocation that is not begun is submitted to the engine again.
const RESUBMIT_AFTER: Duration = Duration::from_secs(10);
/// How many overdue invocations one sweep handles; the next sweep finds the others.
const SWEEP_LIMIT: i32 = 200;

pub(super) async fn withdraw(
    pipeline: &Pipeline,
    org: OrgId,
    id: InvocationId,
    why: &str,
) -> Result<bool, Error> {
    let mut tx = pipeline.parts.db.begin(org).await?;
    let Some(locked) = store::lock(&mut tx, org, id).await? else { return Ok(false) };
    if locked.record.invocation.status != Status::Pending {
        return Ok(false);
    }
    let failure =
        Failure { class: ErrorClass::Denied, message: why.to_owned(), sent: false, retry_after_ms: None };
    let end =
        Conclusion { from: Status::Pending, status: Status::Denied, failure: Some(failure), found: None };
    conclude(pipeline, &mut tx, &locked.record, end).await?;
    db::commit(tx).await?;
    Ok(true)
}

pub(super) async fn expire(pipeline: &Pipeline, org: OrgId, id: InvocationId) -> Result<bool, Error> {
    let mut tx = pipeline.parts.db.begin(org).await?;
    let Some(locked) = store::lock(&mut tx, org, id).await? else { return Ok(false) };
    if !has_expired(&locked, pipeline.parts.world.clock.now()).unwrap_or(false) {
        return Ok(false);
    }
    conclude(pipeline, &mut tx, &locked.record, expiry()).await?;
    db::commit(tx).await?;
    Ok(true)
}

pub(super) async fn sweep(pipeline: &Pipeline) -> Result<usize, Error> {
    let now = pipeline.parts.world.clock.now();
    let mut conn = pipeline.parts.db.unscoped().await?;
    let overdue = store::overdue(&mut conn, now, now - RESUBMIT_AFTER, SWEEP_LIMIT).await?;
    drop(conn);
    for late in &overdue {
        match late.status {
            Status::Pending => {
                if let Err(error) = expire(pipeline, late.org, late.id).await {
                    tracing::error!(invocation.id = %late.id, error = &error as &dyn std::error::Error, "expiring an invocation failed");
                }
            }
            _ => engine::submit(&pipeline.parts, late.org, late.id).await,
        }
    }
    Ok(overdue.len())
}

/// Whether its time is over although it still waits. For an invocation that no longer waits, the error that says so.
pub(super) fn has_expired(locked: &LockedInvocation, now: Timestamp) -> Result<bool, Error> {
    let invocation = &locked.record.invocation;
    match invocation.status {
        Status::Pending => Ok(invocation.expires_at.is_some_and(|at| at <= now)),
        status => Err(no_longer_waits(status)),
    }
}

/// The end of an invocation that nobody answered.
pub(super) fn expiry() -> Conclusion {
    let message = "nobody answered in time".to_owned();
    let failure = Failure { class: ErrorClass::Expired, message, sent: false, retry_after_ms: None };
    Conclusion { from: Status::Pending, status: Status::Expired, failure: Some(failure), found: None }
}
