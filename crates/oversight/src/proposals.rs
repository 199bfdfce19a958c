//! Changes that wait for a second owner: kept with the request that made them, answered once.

use std::time::Duration;

use changes::{Answer, Draft, Kind, NewProposed, Proposal, Proposed, Status};
use events::Event;
use jiff::SignedDuration;
use model::{Digest, EventType, OrgId, ProposedChangeId, UserId};
use platform::{db, seal::Place};
use serde_json::json;
use tenancy::Person;

use crate::{error::Error, parts::Oversight};

/// How long a proposed change waits.
const PATIENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How many may wait in an organization.
const MOST_WAITING: usize = 100;
/// How far back proposed changes are listed.
const LISTED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The request that would make a change.
#[derive(Debug, Clone)]
pub struct Asked {
    pub method: String,
    /// With its query.
    pub path: String,
    pub body: Vec<u8>,
}

const fn place(id: ProposedChangeId) -> Place<'static> {
    Place { table: "proposed_changes", row: id.uuid(), field: "body_sealed" }
}

impl Oversight {
    /// Keeps a change of a person until a second owner answers.
    pub async fn propose(
        &self,
        person: &Person,
        asked: Asked,
        proposal: Proposal,
    ) -> Result<Proposed, Error> {
        let (org, now) = (person.org, self.parts.world.clock.now());
        let id = ProposedChangeId::from_uuid(self.parts.world.uuid());
        let mut tx = self.parts.db.begin(org).await?;
        if changes::list_proposed(&mut tx, org, (true, now - LISTED), now).await?.len() >= MOST_WAITING {
            return Err(Error::TooManyProposed(MOST_WAITING));
        }
        let body_sealed = self.parts.sealer.seal(&mut tx, org, place(id), &asked.body).await?;
        let new = NewProposed {
            org,
            id,
            proposal,
            method: asked.method,
            path: asked.path,
            body_sealed,
            reason: person.reason.clone(),
            address: person.address.map(|address| address.to_string()),
            proposed_by: person.user,
            token: person.token,
            proposed_at: now,
            expires_at: now + PATIENCE,
        };
        let NewProposed { proposal, .. } = &new;
        let draft = Draft {
            kind: Kind::Proposed,
            subject: proposal.subject.clone(),
            name: proposal.name.clone(),
            before: None,
            after: Some(json!({
                "proposed_change": id, "change": proposal.change, "before": proposal.before, "after": proposal.after,
                "loosens": proposal.loosens,
            })),
        };
        let mut recorded = self.parts.recorder.record(&mut tx, &person.author(), draft).await?;
        changes::insert_proposed(&mut recorded, &new).await?;
        let data = json!({
            "id": id, "change": proposal.change, "subject": proposal.subject, "by": person.user,
            "loosens": proposal.loosens,
        });
        let event = Event::new(&self.parts.world, EventType::ChangeProposed, id, data);
        self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        let kept = changes::find_proposed(&mut tx, org, id, now).await?;
        db::commit(tx).await?;
        kept.ok_or(Error::NotFound("proposed change"))
    }

    /// The proposed changes that wait, or all of the last 30 days; newest first.
    pub async fn proposed_changes(&self, org: OrgId, waiting: bool) -> Result<Vec<Proposed>, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        Ok(changes::list_proposed(&mut tx, org, (waiting, now - LISTED), now).await?)
    }

    /// One proposed change.
    pub async fn proposed_change(&self, org: OrgId, id: ProposedChangeId) -> Result<Proposed, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        changes::find_proposed(&mut tx, org, id, now).await?.ok_or(Error::NotFound("proposed change"))
    }

    /// A second owner agrees: from now on the change counts as approved, and the caller makes the request again. An
    /// answer is given once, so the request is made at most once.
    pub async fn agree(
        &self,
        person: &Person,
        id: ProposedChangeId,
        (digest, note): (Digest, Option<String>),
    ) -> Result<(Proposed, Vec<u8>), Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(person.org).await?;
        let found = self.waiting(&mut tx, person.org, id).await?;
        if found.proposed_by == person.user {
            return Err(Error::OwnProposal);
        }
        self.parts.tenancy.check_not_one(&mut tx, person.actor(), &[found.proposed_by]).await?;
        if found.proposal.digest != digest {
            return Err(Error::ProposalChanged);
        }
        let body = self.parts.sealer.open(&mut tx, person.org, place(id), &found.body_sealed).await?;
        let answer = Answer { status: Status::Approved, by: person.user, at: now, note };
        self.answer(&mut tx, person.org, id, &answer).await?;
        db::commit(tx).await?;
        Ok((found, body.to_vec()))
    }

    /// A second owner denies it, or the proposer withdraws it.
    pub async fn refuse_proposed(
        &self,
        person: &Person,
        id: ProposedChangeId,
        (status, note): (Status, Option<String>),
    ) -> Result<Proposed, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(person.org).await?;
        let found = self.waiting(&mut tx, person.org, id).await?;
        let is_own = found.proposed_by == person.user;
        match status {
            Status::Withdrawn if !is_own => return Err(Error::NotOwnProposal),
            Status::Denied if is_own => return Err(Error::OwnProposal),
            _ => {}
        }
        let answer = Answer { status, by: person.user, at: now, note };
        self.answer(&mut tx, person.org, id, &answer).await?;
        let answered = changes::find_proposed(&mut tx, person.org, id, now).await?;
        db::commit(tx).await?;
        answered.ok_or(Error::NotFound("proposed change"))
    }

    /// Notes that a change that a second owner agreed to could not be made.
    pub async fn fail_proposed(
        &self,
        org: OrgId,
        id: ProposedChangeId,
        (by, why): (UserId, String),
    ) -> Result<(), Error> {
        let at = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let answer = Answer { status: Status::Failed, by, at, note: Some(why) };
        self.answer(&mut tx, org, id, &answer).await?;
        Ok(db::commit(tx).await?)
    }

    async fn waiting(&self, tx: &mut db::Tx, org: OrgId, id: ProposedChangeId) -> Result<Proposed, Error> {
        let now = self.parts.world.clock.now();
        let found = changes::find_proposed(tx, org, id, now).await?;
        let found = found.ok_or(Error::NotFound("proposed change"))?;
        match found.status {
            Status::Waiting => Ok(found),
            status => Err(Error::ProposalAnswered(status.as_str())),
        }
    }

    async fn answer(
        &self,
        tx: &mut db::Tx,
        org: OrgId,
        id: ProposedChangeId,
        answer: &Answer,
    ) -> Result<(), Error> {
        changes::answer_proposed(tx, org, id, answer).await?;
        let data = json!({ "id": id, "status": answer.status.as_str(), "by": answer.by });
        let event = Event::new(&self.parts.world, EventType::ChangeAnswered, id, data);
        Ok(self.parts.events.stage(tx, org, std::iter::once(&event)).await?)
    }
}
