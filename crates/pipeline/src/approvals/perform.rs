//! Performing an approved invocation: a second check, then the same stages as everything else.
//!
//! This may be called any number of times: an invocation begins once, is recovered when its lease expired, and is left
//! alone while another process performs it.

use catalog::Call;
use model::{Digest, ErrorClass, Failure, InvocationId, OrgId, Status};
use platform::{
    db::{self, Tx},
    fault::{self, Point},
};
use tokio::time::Instant;

use super::{
    ask_again::{ask_again, can_ask},
    conclude::{Conclusion, conclude},
    second_check::{self, Compared},
    shown::read_votes,
    target::{self, Target},
};
use crate::{
    context,
    error::Error,
    invocation::Invocation,
    parts::Pipeline,
    reconnect, recover, stages,
    stages::state::{Claimed, Decided, Permitted, Record},
    store::{self, LockedInvocation},
};

/// The result of performing an approved invocation.
#[derive(Debug)]
pub enum Performed {
    /// The invocation is over; this is how it ended.
    Ended(Box<Invocation>),
    /// Another process performs it, or it is not approved yet; ask again later.
    NotYet,
}

/// The next step of an approved invocation.
enum Next {
    Execute(Box<Claimed>),
    Ended(Box<Invocation>),
    NotYet,
    /// Its process died and the lease expired.
    Orphaned,
    /// What the approval relies on must be read again first, without the row locked.
    ReadTarget(Digest, Box<Decided>),
    /// The policy changed between deciding and recording.
    Stale,
}

/// How often the invocation is read again because something changed meanwhile.
const MAX_READS: usize = 5;

/// Performs an approved invocation, or says that there is nothing to do for now.
pub(crate) async fn perform(pipeline: &Pipeline, org: OrgId, id: InvocationId) -> Result<Performed, Error> {
    let mut target = None;
    for _ in 0..MAX_READS {
        let next = match take_up(pipeline, org, id, target.as_ref()).await {
            Err(Error::Stopped { .. }) => return rest(pipeline, org, id).await,
            next => next?,
        };
        match next {
            Next::Execute(claimed) => {
                return match stages::execute(pipeline, *claimed).await {
                    Err(Error::Stopped { .. }) => Ok(Performed::NotYet),
                    ended => Ok(Performed::Ended(Box::new(ended?))),
                };
            }
            Next::Ended(invocation) => return Ok(Performed::Ended(invocation)),
            Next::NotYet => return Ok(Performed::NotYet),
            Next::Orphaned => drop(Box::pin(recover::recover_one(pipeline, org, id)).await?),
            Next::ReadTarget(subject, decided) => {
                target = Some(target::read(pipeline, id, subject, &decided).await?);
            }
            Next::Stale => {}
        }
    }
    Ok(Performed::NotYet)
}

/// An approved invocation that is stopped rests, keeps its expiry, and is taken up again when it is no longer stopped.
async fn rest(pipeline: &Pipeline, org: OrgId, id: InvocationId) -> Result<Performed, Error> {
    let mut tx = pipeline.parts.db.begin(org).await?;
    let locked = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
    let invocation = &locked.record.invocation;
    let now = pipeline.parts.world.clock.now();
    if invocation.status != Status::Approved || invocation.expires_at.is_none_or(|until| now < until) {
        return Ok(Performed::NotYet);
    }
    let message = "it was approved, and stopped until it expired".to_owned();
    let failure = Failure { class: ErrorClass::Expired, message, sent: false, retry_after_ms: None };
    let end =
        Conclusion { from: Status::Approved, status: Status::Expired, failure: Some(failure), found: None };
    let ended = conclude(pipeline, &mut tx, &locked.record, end).await?;
    db::commit(tx).await?;
    Ok(Performed::Ended(Box::new(ended)))
}

async fn take_up(
    pipeline: &Pipeline,
    org: OrgId,
    id: InvocationId,
    target: Option<&Target>,
) -> Result<Next, Error> {
    let mut tx = pipeline.parts.db.begin_claim(org).await?;
    let locked = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
    let now = pipeline.parts.world.clock.now();
    match locked.record.invocation.status {
        Status::Approved => begin_approved(pipeline, tx, locked, target).await,
        Status::Executing if locked.record.lease_until.is_some_and(|until| until < now) => Ok(Next::Orphaned),
        Status::Executing | Status::Pending => Ok(Next::NotYet),
        _ => Ok(Next::Ended(Box::new(locked.record.invocation))),
    }
}

async fn begin_approved(
    pipeline: &Pipeline,
    mut tx: Tx,
    mut locked: LockedInvocation,
    target: Option<&Target>,
) -> Result<Next, Error> {
    let relied = read_votes(&mut tx, &mut locked.record).await?;
    let compared = match (second_check::compare(pipeline, &mut tx, &locked).await?, target) {
        (Compared::Same(decided), Some(target)) if target.is_of(&locked.record) => {
            target::compare(&relied, target, decided)?
        }
        (Compared::Same(decided), _) if !relied.is_empty() => {
            return Ok(Next::ReadTarget(locked.record.invocation.subject_digest, decided));
        }
        (compared, _) => compared,
    };
    let checked = match compared {
        Compared::Gone(why) => Err(why),
        Compared::Changed(changed) if can_ask(&changed) => {
            let asked = ask_again(pipeline, &mut tx, &locked.record, &changed, None).await?;
            db::commit(tx).await?;
            asked.expire_later(pipeline).await;
            return Ok(Next::NotYet);
        }
        Compared::Changed(changed) => {
            Err(format!("changed after the approval: {}", changed.parts.join(" and ")))
        }
        Compared::Same(decided) => {
            let votes = second_check::permit_of_votes(pipeline, &mut tx, &locked.record, &decided.decision);
            votes.await?.map(|permit| (permit, decided))
        }
    };
    let (permit, decided) = match checked {
        Ok(checked) => checked,
        Err(why) => return refuse(pipeline, tx, &locked.record, why).await,
    };
    let subject = decided.subject.decided_as(&locked.record.invocation.decision);
    let resolved = decided.admitted.0;
    let now = pipeline.parts.world.clock.now();
    let lease = context::lease_of(&pipeline.reader, &resolved.action);
    let version = resolved.snapshot.facts.policy_version;
    let lease_until = now + lease;
    if !store::begin(&mut tx, &locked.record, now, lease_until, version).await? {
        return Ok(Next::Stale);
    }
    let mut record = locked.record;
    record.invocation.status = Status::Executing;
    record.lease_until = Some(lease_until);
    fault::point(Point::BeforeClaim);
    if let Err(lost) = db::commit(tx).await
        && !(lost.is_transient() && is_begun(pipeline, &record).await)
    {
        return Err(lost.into());
    }
    Ok(Next::Execute(Box::new(Claimed {
        record,
        call: Call {
            action: resolved.action.definition.address.action.clone(),
            params: resolved.request.params,
        },
        action: resolved.action,
        permit: Some(Box::new(Permitted { permit, subject })),
        snapshot: Some(resolved.snapshot),
        recovered: false,
        started_at: now,
        timeout: None,
        claimed_at: Some(Instant::now()),
        filled: vec![],
    })))
}

/// Ends an approved invocation that can no longer be performed.
async fn refuse(pipeline: &Pipeline, mut tx: Tx, record: &Record, why: String) -> Result<Next, Error> {
    let failure = Failure { class: ErrorClass::Denied, message: why, sent: false, retry_after_ms: None };
    let end =
        Conclusion { from: Status::Approved, status: Status::Denied, failure: Some(failure), found: None };
    let ended = conclude(pipeline, &mut tx, record, end).await?;
    db::commit(tx).await?;
    Ok(Next::Ended(Box::new(ended)))
}

/// Whether an interrupted commit succeeded after all, asked once the database is back. The execution is ours if its lease
/// ends when ours does, to the microsecond: another process can begin it only after our commit failed.
async fn is_begun(pipeline: &Pipeline, record: &Record) -> bool {
    let until = |record: &Record| record.lease_until.map(|until| until.as_microsecond());
    let found = reconnect::find(pipeline, record.org, record.invocation.id).await;
    found.ok().flatten().is_some_and(|found| {
        found.invocation.status == Status::Executing
            && found.lease_epoch == record.lease_epoch
            && until(&found) == until(record)
    })
}
