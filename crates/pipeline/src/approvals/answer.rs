//! Answers: an approval, with how far it reaches, or a denial, with a reason.

use std::time::Duration;

use changes::Author;
use jiff::Timestamp;
use model::{
    Actor, ApprovalId, Digest, ErrorClass, EventType, Failure, InvocationId, Mode, OrgId, Role, Status,
    UserId,
};
use platform::{
    db::{self, Tx},
    fault::{self, Point},
};
use policy::{Answered, Condition, GrantScope, KnownBy, NewGrant, Rule, RuleScope, Settings, Vote};
use serde_json::{Value, json};

use super::{
    ask_again::{ask_again, can_ask},
    conclude::{Conclusion, conclude},
    expire::{expiry, has_expired},
    hidden,
    rules::only_once,
    second_check::{self, Compared},
    shown::read_votes,
    signature::{self, PasskeyAssertion, VoteStatement},
};
use crate::{
    engine,
    error::Error,
    invocation::Invocation,
    parts::Pipeline,
    receipts,
    stages::state::Record,
    store::{self, LockedInvocation},
};

/// How far an approval reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// This invocation.
    Once,
    /// This invocation, and a grant for the same action.
    Grant {
        /// For every session of the org instead of this one.
        whole_org: bool,
        max_calls: u32,
        lifetime: Duration,
    },
    /// This invocation, and a rule that allows the action.
    Always,
}

impl Extent {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Grant { .. } => "grant",
            Self::Always => "always",
        }
    }
}

/// The person who answers, and the channel they use.
#[derive(Debug, Clone)]
pub struct Voter {
    pub user: UserId,
    /// The same person, as the author of the grant or the rule that an approval may add.
    pub author: Author,
    pub role: Role,
    /// `api`, `cli`, `web`, `slack`.
    pub channel: &'static str,
    /// Since when they are signed in, where that is known.
    pub since: Option<Timestamp>,
    /// The assertion of their passkey; where it is given, it is checked and stored.
    pub signed: Option<PasskeyAssertion>,
}

/// A person's answer.
#[derive(Debug, Clone)]
pub enum Answer {
    Approve {
        extent: Extent,
        /// Where the grant or the rule applies: a filter over the parameters.
        condition: Option<Value>,
        note: String,
    },
    Deny {
        reason: String,
    },
}

/// An answer to one invocation, as the person saw it.
#[derive(Debug, Clone)]
pub struct GivenAnswer {
    pub invocation: InvocationId,
    pub voter: Voter,
    /// The digest of the document that the person was shown.
    pub shown: Digest,
    pub answer: Answer,
}

pub(super) async fn answer(pipeline: &Pipeline, org: OrgId, given: GivenAnswer) -> Result<Invocation, Error> {
    let GivenAnswer { invocation: id, voter, shown, answer } = given;
    let (parts, reader) = (&pipeline.parts, &pipeline.reader);
    let (mut tx, mut locked, settings) = take(pipeline, org, id, (&voter, shown)).await?;
    let invocation = &locked.record.invocation;
    // Whoever corrected the parameters proposed them.
    let editors: Vec<UserId> = invocation.edits.iter().map(|edit| edit.user).collect();
    let actor = Actor { org, user: voter.user };
    reader.check_voter(&mut tx, (&settings, invocation.risk), actor, &editors).await?;
    check_quorum(pipeline, &mut tx, (&settings, invocation), actor).await?;
    if matches!(answer, Answer::Approve { .. })
        && let Compared::Changed(changed) = second_check::compare(pipeline, &mut tx, &locked).await?
        && can_ask(&changed)
    {
        let asked = ask_again(pipeline, &mut tx, &locked.record, &changed, None).await?;
        db::commit(tx).await?;
        asked.expire_later(pipeline).await;
        return Err(Error::SubjectChanged(changed.parts));
    }
    if matches!(answer, Answer::Approve { .. }) {
        hidden::check_revealed(reader, &mut tx, &locked, &voter).await?;
    }
    let mut vote = vote(pipeline, invocation, &voter, shown, &answer);
    if let Some(signed) = &voter.signed {
        let statement = VoteStatement { org, invocation: id, user: voter.user, answer: vote.answer, shown };
        vote.assertion = Some(signature::check_vote(reader, &mut tx, &statement, signed).await?);
    } else if vote.answer == policy::Answer::Approved
        && settings.needed(invocation.risk, invocation.decision.approvers).signed
    {
        return Err(Error::PasskeyNeeded);
    }
    let reading = store::reading(&mut tx, org, id, (voter.user, &shown), vote.at).await?;
    let about = Answered { address: &invocation.address, proposer: invocation.proposer() };
    policy::add_vote(&mut tx, org, &vote, &about, reading).await?;
    read_votes(&mut tx, &mut locked.record).await?;
    let answered = match answer {
        Answer::Deny { reason } => conclude(pipeline, &mut tx, &locked.record, denial(&reason)).await?,
        Answer::Approve { extent, condition, .. } => {
            let extension = Extension { voter: &voter, extent, condition, reason: vote.note.clone() };
            extend(pipeline, &mut tx, &locked.record, extension).await?;
            accept(pipeline, &mut tx, locked.record, settings).await?
        }
    };
    db::commit(tx).await?;
    metrics::counter!("countersign_answers_total", "answer" => vote.answer.as_str()).increment(1);
    if answered.status == Status::Approved {
        fault::point(Point::BeforeSubmit);
        engine::submit(parts, org, id).await;
    }
    Ok(answered)
}

/// Locks a question that a person answers: it waits, they were shown this document about it, and they may answer.
pub(super) async fn take(
    pipeline: &Pipeline,
    org: OrgId,
    id: InvocationId,
    (voter, shown): (&Voter, Digest),
) -> Result<(Tx, LockedInvocation, Settings), Error> {
    let parts = &pipeline.parts;
    let mut tx = parts.db.begin(org).await?;
    let locked = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
    if has_expired(&locked, parts.world.clock.now())? {
        conclude(pipeline, &mut tx, &locked.record, expiry()).await?;
        db::commit(tx).await?;
        return Err(Error::Expired);
    }
    let invocation = &locked.record.invocation;
    let subject = store::shown_subject(&mut tx, org, id, &shown).await?;
    if subject != Some(invocation.subject_digest) {
        return Err(Error::NotWhatWasShown);
    }
    let settings = pipeline.reader.approval_settings(&mut tx, org).await?;
    let session = parts.tenancy.find_session(&mut tx, org, invocation.session).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    let behind = session.run.map_or([None, None], |run| [run.started_by, run.caused_by]);
    let proposers: Vec<UserId> =
        std::iter::once(session.created_by).chain(behind.into_iter().flatten()).collect();
    let actor = Actor { org, user: voter.user };
    pipeline.reader.check_voter(&mut tx, (&settings, invocation.risk), actor, &proposers).await?;
    Ok((tx, locked, settings))
}

/// Where more than one person has to agree, the voter and those who agreed already must not count as one.
async fn check_quorum(
    pipeline: &Pipeline,
    tx: &mut Tx,
    (settings, invocation): (&Settings, &Invocation),
    voter: Actor,
) -> Result<(), Error> {
    if settings.needed(invocation.risk, invocation.decision.approvers).votes < 2 {
        return Ok(());
    }
    let votes = policy::votes(tx, voter.org, &[invocation.id]).await?;
    let yes = votes.iter().filter(|vote| vote.answer == policy::Answer::Approved);
    let others: Vec<UserId> = yes.map(|vote| vote.user).filter(|user| *user != voter.user).collect();
    Ok(pipeline.parts.tenancy.check_not_one(tx, voter, &others).await?)
}

fn vote(
    pipeline: &Pipeline,
    invocation: &Invocation,
    voter: &Voter,
    shown_digest: Digest,
    answer: &Answer,
) -> Vote {
    let (answer, extent, note) = match answer {
        Answer::Approve { extent, note, .. } => (policy::Answer::Approved, *extent, note),
        Answer::Deny { reason } => (policy::Answer::Denied, Extent::Once, reason),
    };
    Vote {
        id: ApprovalId::from_uuid(pipeline.parts.world.uuid()),
        invocation: invocation.id,
        user: voter.user,
        answer,
        extent: extent.as_str().to_owned(),
        channel: voter.channel.to_owned(),
        shown_digest,
        subject: invocation.subject_digest,
        // The note goes into rows and receipts, where no credential may be, whoever wrote it.
        note: pipeline.reader.redactor.redact_text(note).into_owned(),
        at: pipeline.parts.world.clock.now(),
        assertion: None,
        known_by: Some(KnownBy {
            method: voter.author.method.as_str().to_owned(),
            token: voter.author.token,
            since: voter.since,
        }),
    }
}

/// Approves the invocation if enough people did; otherwise it continues to wait.
async fn accept(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: Record,
    settings: Settings,
) -> Result<Invocation, Error> {
    let mut invocation = record.invocation.clone();
    let needed = settings.needed(invocation.risk, invocation.decision.approvers);
    let counts = |vote: &&Vote| {
        vote.answer == policy::Answer::Approved
            && vote.subject == invocation.subject_digest
            && (vote.assertion.is_some() || !needed.signed)
    };
    let yes = record.votes.iter().filter(counts).count();
    if u32::try_from(yes).unwrap_or(u32::MAX) < needed.votes {
        return Ok(invocation);
    }
    let (org, id) = (record.org, invocation.id);
    if !store::approve(tx, org, id, pipeline.parts.world.clock.now()).await? {
        return Err(Error::AlreadyAnswered(invocation.status));
    }
    let data = json!({ "invocation": id, "action": invocation.address, "votes": yes });
    let event = receipts::event(pipeline, &record, EventType::ApprovalGiven, data);
    pipeline.parts.events.stage(tx, org, std::iter::once(&event)).await?;
    store::notify(tx, id).await?;
    invocation.status = Status::Approved;
    Ok(invocation)
}

/// What an approval adds besides itself.
struct Extension<'a> {
    voter: &'a Voter,
    extent: Extent,
    condition: Option<Value>,
    reason: String,
}

/// Writes the grant or the rule of an approval, unless it would have no effect.
async fn extend(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    Extension { voter, extent, condition, reason }: Extension<'_>,
) -> Result<(), Error> {
    if extent == Extent::Once {
        return Ok(());
    }
    let invocation = &record.invocation;
    // The session of a run ends with the run, so the grant or rule is for the automation.
    let automation = record.invocation.run.as_ref().map(|run| run.automation);
    if let Some(why) = only_once(&invocation.address, &invocation.decision, invocation.risk) {
        return Err(Error::OnlyOnce(why));
    }
    let condition = match condition {
        Some(condition) => Some(limited(pipeline, record, &condition)?),
        None => None,
    };
    // What is given for a run is for the step that was seen.
    let step = automation.and(record.step.as_ref()).map(|step| step.hash);
    let address = &invocation.address;
    match extent {
        Extent::Once => {}
        Extent::Grant { whole_org, max_calls, lifetime } => {
            let narrow = automation.map_or(GrantScope::Session(invocation.session), GrantScope::Automation);
            let scope = if whole_org { GrantScope::Org } else { narrow };
            let new = NewGrant {
                scope,
                key: address.to_string(),
                max_calls,
                lifetime,
                role: voter.role,
                from_invocation: Some(invocation.id),
                from_request: None,
                reason,
                condition,
                step: step.filter(|_| !whole_org),
            };
            pipeline.parts.grants.give_in(tx, &voter.author, new).await?;
        }
        Extent::Always => {
            let (source, action) = (address.source.as_str(), address.action.as_str());
            let scope = automation.map_or(RuleScope::Org, RuleScope::Automation);
            let rule = Rule::new(scope, source, action, Mode::Allow)?.limited_to(condition)?;
            let rule = Rule { reason, step, ..rule };
            pipeline.parts.rules.put_in(tx, &voter.author, rule).await?;
        }
    }
    Ok(())
}

/// The condition of a grant or a rule. It must hold for what is approved, so that it says something the person saw.
fn limited(pipeline: &Pipeline, record: &Record, condition: &Value) -> Result<Condition, Error> {
    let condition = pipeline.reader.condition(condition)?;
    if !condition.holds(Some(&record.invocation.params)) {
        let message = "it does not hold for the parameters that you approve".to_owned();
        return Err(policy::Error::Condition(message).into());
    }
    Ok(condition)
}

fn denial(reason: &str) -> Conclusion {
    let separator = if reason.is_empty() { "" } else { ": " };
    let message = format!("denied by a person{separator}{reason}");
    let failure = Failure { class: ErrorClass::Denied, message, sent: false, retry_after_ms: None };
    Conclusion { from: Status::Pending, status: Status::Denied, failure: Some(failure), found: None }
}
