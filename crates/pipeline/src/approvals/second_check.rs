//! The second check: an approved or recovered invocation is decided about again, from what is true now.

use std::sync::Arc;

use catalog::Action;
use model::UserId;
use platform::db::Tx;
use policy::{Ballot, Permit};
use serde_json::Value;

use super::signature;
use crate::{
    batch,
    error::Error,
    outbound, params,
    parts::Pipeline,
    policy_snapshot::{Snapshot, load},
    stages::{
        decide::decide,
        state::{Admitted, Decided, Record, Request, Resolved},
    },
    store::LockedInvocation,
};

/// Whether an approved invocation is allowed now and is what would be performed. The inner `Err` says why not.
pub(super) async fn check(
    pipeline: &Pipeline,
    tx: &mut Tx,
    locked: &LockedInvocation,
) -> Result<Result<(Permit, Resolved), String>, Error> {
    let reader = &pipeline.reader;
    let record = &locked.record;
    let invocation = &record.invocation;
    let snapshot = load::fresh_in(reader, tx, record.org, invocation.session).await?;
    if snapshot.facts.session.is_over(pipeline.parts.world.clock.now()) {
        return Err(Error::SessionOver);
    }
    let Some(action) = reader.find_action(&snapshot.org.catalog, &invocation.address) else {
        return Ok(Err("the action no longer exists".to_owned()));
    };
    let params = params::open(reader, tx, locked).await?;
    let Ok(action) = batch::expand(reader, &snapshot.org.catalog, action, &params) else {
        return Ok(Err("a part of the batch no longer exists".to_owned()));
    };
    let decided = decide_again(pipeline, record, Recorded { action, params, snapshot })?;
    let subject = decided.shown_digest;
    if subject != invocation.shown_digest {
        let why = "the action, its credential or its parameters changed after the approval";
        return Ok(Err(why.to_owned()));
    }
    let permit = permit_of_votes(pipeline, tx, record, &decided).await?;
    Ok(permit.map(|permit| (permit, decided.admitted.0)))
}

/// A recorded invocation as it would be performed now.
pub(crate) struct Recorded {
    pub(crate) action: Arc<Action>,
    pub(crate) params: Value,
    pub(crate) snapshot: Arc<Snapshot>,
}

/// The decision of today about an invocation that was recorded earlier.
pub(crate) fn decide_again(
    pipeline: &Pipeline,
    record: &Record,
    Recorded { action, params, snapshot }: Recorded,
) -> Result<Decided, Error> {
    let invocation = &record.invocation;
    let request = Request {
        org: record.org,
        session: invocation.session,
        action: invocation.address.to_string(),
        params,
        dry_run: false,
        key: None,
        trace_id: record.trace_id.clone(),
        timeout: None,
    };
    let admitted = Admitted(Resolved { request, snapshot, action });
    decide(pipeline, outbound::redact(&pipeline.reader, admitted)?)
}

/// The permit that the votes of a record give now: the voters must still be allowed to approve. The inner `Err` says what
/// is missing.
#[expect(clippy::disallowed_methods, reason = "the second decision is made here")]
pub(crate) async fn permit_of_votes(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    decided: &Decided,
) -> Result<Result<Permit, String>, Error> {
    let users: Vec<UserId> = record.votes.iter().map(|vote| vote.user).collect();
    let members = pipeline.parts.tenancy.members_by_id(tx, record.org, &users).await?;
    let ballots = record.votes.iter().map(|vote| Ballot {
        vote: vote.clone(),
        role: members.get(&vote.user).map(|member| member.role),
        signed: signature::is_signed(record.org, vote),
    });
    let ballots: Vec<Ballot> = ballots.collect();
    let needed = pipeline.reader.approval_settings(tx, record.org).await?.needed(record.invocation.risk);
    Ok(Permit::of_approval(&decided.decision, &ballots, needed, decided.shown_digest))
}
