//! The second check: an approved or recovered invocation is decided about again, from what is true now.

use std::sync::Arc;

use catalog::Action;
use model::{Decision, Digest, Mode, UserId};
use platform::db::{self, Tx};
use policy::{Ballot, Permit, Provenance};
use serde_json::Value;

use super::signature;
use crate::{
    batch, conduct,
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

/// A question compared with what would be performed now.
pub(super) enum Compared {
    /// It is what was asked.
    Same(Box<Decided>),
    /// Something is different.
    Changed(Box<Changed>),
    /// It can no longer be performed; with the reason.
    Gone(String),
}

/// What is different, in words, and the decision of now.
pub(super) struct Changed {
    pub(super) parts: Vec<String>,
    pub(super) decided: Decided,
}

/// An invocation with these parameters as it would be performed now. The inner `Err` says why it no longer can be.
pub(super) async fn as_of_now(
    pipeline: &Pipeline,
    tx: &mut Tx,
    locked: &LockedInvocation,
    params: Value,
) -> Result<Result<Recorded, String>, Error> {
    let reader = &pipeline.reader;
    let invocation = &locked.record.invocation;
    let snapshot = match load::fresh_in(reader, tx, locked.record.org, invocation.session).await {
        Ok(snapshot) if !snapshot.facts.session.is_over(pipeline.parts.world.clock.now()) => snapshot,
        Ok(_) | Err(Error::SessionOver) => return Ok(Err("the session has ended".to_owned())),
        Err(error) => return Err(error),
    };
    let Some(action) = reader.find_action(&snapshot.org.catalog, &invocation.address) else {
        return Ok(Err("the action no longer exists".to_owned()));
    };
    let Ok(action) = batch::expand(reader, &snapshot.org.catalog, action, &params) else {
        return Ok(Err("a part of the batch does not exist".to_owned()));
    };
    Ok(Ok(Recorded { action, params, snapshot, asked_before: locked.asked_before() }))
}

/// Compares the question of an invocation with what would be performed now, part by part.
pub(super) async fn compare(
    pipeline: &Pipeline,
    tx: &mut Tx,
    locked: &LockedInvocation,
) -> Result<Compared, Error> {
    let params = params::open(&pipeline.reader, tx, locked).await?;
    let recorded = match as_of_now(pipeline, tx, locked, params).await? {
        Ok(recorded) => recorded,
        Err(why) => return Ok(Compared::Gone(why)),
    };
    let decided = decide_again_in(pipeline, tx, &locked.record, recorded).await?;
    let parts = changed_parts(locked, &decided)?;
    if parts.is_empty() {
        return Ok(Compared::Same(Box::new(decided)));
    }
    let parts = parts.into_iter().map(str::to_owned).collect();
    Ok(Compared::Changed(Box::new(Changed { parts, decided })))
}

/// The parts of the subject that are not those of the question. A decision that became an allow or a denial is no change
/// of the question: the one needs no approval, and the other refuses it with a reason.
fn changed_parts(locked: &LockedInvocation, decided: &Decided) -> Result<Vec<&'static str>, Error> {
    let asked = &locked.record.invocation;
    let same_decision = decided.subject.decided_as(&asked.decision);
    if same_decision.digest()? == asked.subject_digest {
        let asks = decided.decision.mode == Mode::RequireApproval;
        let is_other = asks && decided.decision.binding() != asked.decision.binding();
        return Ok(if is_other { vec!["the decision"] } else { vec![] });
    }
    let Some(stored) = &locked.subject else {
        return Ok(vec!["what an approval covers (this was asked by an earlier version)"]);
    };
    let parts = same_decision.changed_since(stored);
    Ok(if parts.is_empty() { vec!["the record of the question"] } else { parts })
}

/// A recorded invocation as it would be performed now.
pub(crate) struct Recorded {
    pub(crate) action: Arc<Action>,
    pub(crate) params: Value,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) asked_before: u32,
}

/// The decision of today about an invocation that was recorded earlier. It holds its share of every cap already.
pub(crate) async fn decide_again(
    pipeline: &Pipeline,
    record: &Record,
    recorded: Recorded,
) -> Result<Decided, Error> {
    let mut tx = pipeline.parts.db.begin(record.org).await?;
    decide_again_in(pipeline, &mut tx, record, recorded).await
}

/// The same in the caller's transaction, in turn with the claims that it could miss.
pub(crate) async fn decide_again_in(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    recorded: Recorded,
) -> Result<Decided, Error> {
    let admitted = admit_again(pipeline, record, recorded)?;
    let reader = &pipeline.reader;
    let key = reader.fact_key(record.org, &admitted.0.snapshot.org.statutes).await?;
    let (needs, entries) = reader.fact_needs(&admitted.0, &key);
    db::take_turns(tx, &needs.locks()).await?;
    let past = reader.past(tx, &admitted.0, (&needs, &entries), Some(record.invocation.id)).await?;
    decide(pipeline, admitted, (needs, past))
}

fn admit_again(
    pipeline: &Pipeline,
    record: &Record,
    Recorded { action, params, snapshot, asked_before }: Recorded,
) -> Result<Admitted, Error> {
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
        step: record.step.clone(),
        reason: String::new(),
        released: record.released.clone().map(Box::new),
        budget: None,
        // The request was made of what was known then.
        provenance: Some(Box::new(
            invocation.decision.flow.as_deref().map(Provenance::recorded).unwrap_or_default(),
        )),
    };
    let resolved = Resolved { request, snapshot, action, asked_before };
    conduct::rest(&resolved)?;
    let admitted = Admitted(resolved);
    outbound::redact(&pipeline.reader, admitted)
}

/// The permit that rules and grants give now, for a subject that was recorded earlier.
#[expect(clippy::disallowed_methods, reason = "the second decision is made here")]
pub(crate) fn permit_of_rules(decision: &Decision, subject: Digest) -> Option<Permit> {
    Permit::of(decision, subject)
}

/// The permit that the votes of a record give now, for the subject that they were about: the voters must still be allowed
/// to approve. The inner `Err` says what is missing.
#[expect(clippy::disallowed_methods, reason = "the second decision is made here")]
pub(crate) async fn permit_of_votes(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    decision: &Decision,
) -> Result<Result<Permit, String>, Error> {
    let users: Vec<UserId> = record.votes.iter().map(|vote| vote.user).collect();
    let members = pipeline.parts.tenancy.members_by_id(tx, record.org, &users).await?;
    let ballots = record.votes.iter().map(|vote| Ballot {
        vote: vote.clone(),
        role: members.get(&vote.user).map(|member| member.role),
        signed: signature::is_signed(record.org, vote),
    });
    let ballots: Vec<Ballot> = ballots.collect();
    let needed = pipeline
        .reader
        .approval_settings(tx, record.org)
        .await?
        .needed(record.invocation.risk, decision.approvers);
    Ok(Permit::of_approval(decision, &ballots, needed, record.invocation.subject_digest))
}
