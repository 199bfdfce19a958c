//! What a person answers to an invocation that waits: yes, with how far it goes, or no, with a reason.
//!
//! INVARIANT: of any number of answers, an expiry and a crash at once, exactly one ends the waiting: the row is locked
//! first, and every change of state names the state it changes.

use std::time::Duration;

use jiff::Timestamp;
use model::{
    ApprovalId, Decision, Digest, ErrorClass, EventType, Failure, InvocationId, Mode, OrgId, Risk, Role,
    Status, UserId,
};
use platform::{
    db::{self, Tx},
    fault::{self, Point},
};
use policy::{Answer, GrantScope, NewGrant, NewRule, Rule, RuleScope, Settings, Vote};
use serde_json::json;

use crate::{
    Error, Invocation, Pipeline, Signed,
    settle::{self, Conclusion},
    state::Record,
    store::{self, Held},
};

/// How far a yes goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// This one.
    Once,
    /// This one, and a grant for the like.
    Grant {
        /// For every session of the org instead of this one.
        whole_org: bool,
        max_calls: u32,
        lifetime: Duration,
    },
    /// This one, and a rule for the like.
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

/// Who answers, and through what.
#[derive(Debug, Clone)]
pub struct Voter {
    pub user: UserId,
    pub role: Role,
    /// `api`, `cli`, `web`, `slack`.
    pub channel: &'static str,
    /// What their passkey signed; where it is given, it is checked and kept.
    pub signed: Option<Signed>,
}

/// A person's word.
#[derive(Debug, Clone)]
pub enum Word {
    Yes { extent: Extent, note: String },
    No { reason: String },
}

impl Pipeline {
    /// Takes a person's answer. A yes that completes the quorum makes the invocation `approved`, to be performed by the
    /// engine; a no ends it.
    pub async fn answer(
        &self,
        (org, id): (OrgId, InvocationId),
        voter: Voter,
        shown: Digest,
        word: Word,
    ) -> Result<Invocation, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let mut held = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        if has_expired(&held, self.parts.world.clock.now())? {
            settle::conclude(self, &mut tx, &held.record, expiry()).await?;
            db::commit(tx).await?;
            return Err(Error::Expired);
        }
        let invocation = &held.record.invocation;
        if shown != invocation.shown_digest {
            return Err(Error::NotWhatWasShown);
        }
        let settings = self.approval_settings(&mut tx, org).await?;
        let session = self.parts.tenancy.find_session(&mut tx, org, invocation.session).await?;
        let opened_by = session.ok_or(Error::NotFound("session"))?.created_by;
        settings.check_voter(invocation.risk, voter.user, opened_by)?;
        let mut vote = self.vote(id, &voter, shown, &word);
        if let Some(signed) = &voter.signed {
            let whose = (org, id, voter.user);
            vote.assertion = Some(self.check_vote(&mut tx, whose, (vote.answer, shown), signed).await?);
        } else if vote.answer == Answer::Approved && settings.needed(invocation.risk).signed {
            return Err(Error::PasskeyNeeded);
        }
        policy::add_vote(&mut tx, org, &vote, &invocation.address).await?;
        held.record.votes = policy::votes(&mut tx, org, &[id]).await?;
        let answered = match word {
            Word::No { reason } => settle::conclude(self, &mut tx, &held.record, refusal(&reason)).await?,
            Word::Yes { extent, note } => {
                self.extend(&mut tx, &held.record, (&voter, extent, &note)).await?;
                self.accept(&mut tx, held.record, settings).await?
            }
        };
        db::commit(tx).await?;
        metrics::counter!("countersign_answers_total", "answer" => vote.answer.as_str()).increment(1);
        if answered.status == Status::Approved {
            fault::point(Point::BeforeSubmit);
            self.submit(org, id).await;
        }
        Ok(answered)
    }

    /// What the org demands of answers.
    pub(crate) async fn approval_settings(&self, tx: &mut Tx, org: OrgId) -> Result<Settings, Error> {
        let settings = self.parts.tenancy.approval_settings(tx, org).await?;
        Ok(Settings { quorum: settings.quorum, four_eyes: settings.four_eyes, passkey: settings.passkey })
    }

    fn vote(&self, invocation: InvocationId, voter: &Voter, shown_digest: Digest, word: &Word) -> Vote {
        let (answer, extent, said) = match word {
            Word::Yes { extent, note } => (Answer::Approved, *extent, note),
            Word::No { reason } => (Answer::Denied, Extent::Once, reason),
        };
        Vote {
            id: ApprovalId::from_uuid(self.parts.world.uuid()),
            invocation,
            user: voter.user,
            answer,
            extent: extent.as_str().to_owned(),
            channel: voter.channel.to_owned(),
            shown_digest,
            // What a person writes goes into rows and receipts, and a credential must not, whoever wrote it.
            note: self.redactor.redact_text(said).into_owned(),
            at: self.parts.world.clock.now(),
            assertion: None,
        }
    }

    /// Approves what enough people said yes to; with fewer it goes on waiting.
    async fn accept(&self, tx: &mut Tx, record: Record, settings: Settings) -> Result<Invocation, Error> {
        let mut invocation = record.invocation.clone();
        let needed = settings.needed(invocation.risk);
        let counts =
            |vote: &&Vote| vote.answer == Answer::Approved && (vote.assertion.is_some() || !needed.signed);
        let yes = record.votes.iter().filter(counts).count();
        if u32::try_from(yes).unwrap_or(u32::MAX) < needed.votes {
            return Ok(invocation);
        }
        let (org, id) = (record.org, invocation.id);
        if !store::approve(tx, org, id, self.parts.world.clock.now()).await? {
            return Err(Error::AlreadyAnswered(invocation.status));
        }
        self.parts.tenancy.release_pending_place(tx, org, invocation.session).await?;
        let data = json!({ "invocation": id, "action": invocation.address, "votes": yes });
        let event = settle::event(self, &record, EventType::ApprovalGiven, data);
        self.parts.events.stage(tx, org, std::iter::once(&event)).await?;
        store::notify(tx, id).await?;
        invocation.status = Status::Approved;
        Ok(invocation)
    }

    /// Writes the grant or the rule that goes with a yes, unless it could not do what the person expects of it.
    async fn extend(
        &self,
        tx: &mut Tx,
        record: &Record,
        (voter, extent, note): (&Voter, Extent, &str),
    ) -> Result<(), Error> {
        if extent == Extent::Once {
            return Ok(());
        }
        let (org, invocation) = (record.org, &record.invocation);
        // The session of a run ends with it; what is meant is the automation.
        let automation = record.invocation.run.as_ref().map(|run| run.automation);
        if let Some(why) = only_once(&invocation.decision, invocation.risk) {
            return Err(Error::OnlyOnce(why));
        }
        let address = &invocation.address;
        let reason = self.redactor.redact_text(note).into_owned();
        match extent {
            Extent::Once => {}
            Extent::Grant { whole_org, max_calls, lifetime } => {
                let narrow =
                    automation.map_or(GrantScope::Session(invocation.session), GrantScope::Automation);
                let scope = if whole_org { GrantScope::Org } else { narrow };
                let new = NewGrant {
                    scope,
                    key: address.to_string(),
                    max_calls,
                    lifetime,
                    created_by: voter.user,
                    role: voter.role,
                    from_invocation: Some(invocation.id),
                    from_request: None,
                    reason,
                };
                self.parts.grants.give_in(tx, org, new).await?;
            }
            Extent::Always => {
                let (source, action) = (address.source.as_str(), address.action.as_str());
                let scope = automation.map_or(RuleScope::Org, RuleScope::Automation);
                let mut rule = Rule::new(scope, source, action, Mode::Allow)?;
                rule.reason = reason;
                self.parts.rules.put_in(tx, org, NewRule { rule, set_by: voter.user }).await?;
            }
        }
        Ok(())
    }

    /// Ends an invocation that waits, because whoever asked no longer wants it; says whether it did.
    pub async fn withdraw(&self, org: OrgId, id: InvocationId, why: &str) -> Result<bool, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let Some(held) = store::lock(&mut tx, org, id).await? else { return Ok(false) };
        if held.record.invocation.status != Status::Pending {
            return Ok(false);
        }
        settle::conclude(self, &mut tx, &held.record, withdrawal(why)).await?;
        db::commit(tx).await?;
        Ok(true)
    }

    /// Ends an invocation that nobody answered in time; says whether it did.
    pub async fn expire(&self, org: OrgId, id: InvocationId) -> Result<bool, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let Some(held) = store::lock(&mut tx, org, id).await? else { return Ok(false) };
        if !has_expired(&held, self.parts.world.clock.now()).unwrap_or(false) {
            return Ok(false);
        }
        settle::conclude(self, &mut tx, &held.record, expiry()).await?;
        db::commit(tx).await?;
        Ok(true)
    }
}

/// Whether its time is over although nobody ended it yet. What no longer waits is an error that says so.
fn has_expired(held: &Held, now: Timestamp) -> Result<bool, Error> {
    let invocation = &held.record.invocation;
    match invocation.status {
        Status::Pending => Ok(invocation.expires_at.is_some_and(|at| at <= now)),
        status => Err(no_longer_waits(status)),
    }
}

/// Why there is nothing left to answer.
pub(crate) fn no_longer_waits(status: Status) -> Error {
    if status == Status::Expired { Error::Expired } else { Error::AlreadyAnswered(status) }
}

/// Why a standing permission would not answer the like of it; `None` where it would.
pub(crate) fn only_once(decision: &Decision, risk: Risk) -> Option<String> {
    if risk >= Risk::R3 {
        return Some(format!("{} never executes without a person's yes", risk.as_str()));
    }
    decision.guardrails.last().map(|change| change.reason.clone())
}

fn expiry() -> Conclusion {
    let message = "nobody answered in time".to_owned();
    let failure = Failure { class: ErrorClass::Expired, message, sent: false };
    Conclusion { from: Status::Pending, status: Status::Expired, failure: Some(failure), found: None }
}

fn withdrawal(why: &str) -> Conclusion {
    let failure = Failure { class: ErrorClass::Denied, message: why.to_owned(), sent: false };
    Conclusion { from: Status::Pending, status: Status::Denied, failure: Some(failure), found: None }
}

fn refusal(reason: &str) -> Conclusion {
    let said = if reason.is_empty() { "" } else { ": " };
    let message = format!("a person said no{said}{reason}");
    let failure = Failure { class: ErrorClass::Denied, message, sent: false };
    Conclusion { from: Status::Pending, status: Status::Denied, failure: Some(failure), found: None }
}
