//! Requests of agents for grants, and the answers to them.

use changes::Author;
use events::Event;
use model::{EventType, GrantRequestId, OrgId, SpaceId};
use platform::db;
use policy::{Ask, GrantRequest, RequestAnswer};
use serde_json::{Value, json};

use crate::{error::Error, parts::Oversight};

impl Oversight {
    /// Records an agent's request for a grant, for a person to answer; returns it with the name of the agent.
    pub async fn request_grant(&self, org: OrgId, mut ask: Ask) -> Result<(GrantRequest, String), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let session = self.parts.tenancy.find_session(&mut tx, org, ask.session).await?;
        let session = session.filter(|session| !session.is_over(self.parts.world.clock.now()));
        let session = session.ok_or(Error::SessionOver)?;
        ask.reason = self.parts.reader.redactor().redact_text(&ask.reason).into_owned();
        let place = self.parts.reader.take_place(&mut tx, org, &session).await?;
        let request = self.parts.grants.ask(&mut tx, org, ask, place).await?;
        let data = json!({ "request": request.id, "action": request.key(), "agent": session.agent });
        let event = self.grant_event(EventType::GrantRequested, &request, session.space, data);
        self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        db::commit(tx).await?;
        Ok((request, session.agent))
    }

    /// Answers a request for a grant; returns it with the name of the agent.
    pub async fn answer_grant_request(
        &self,
        by: &Author,
        id: GrantRequestId,
        answer: RequestAnswer,
    ) -> Result<(GrantRequest, String), Error> {
        let org = by.org;
        let mut tx = self.parts.db.begin(org).await?;
        let (request, _) = self.parts.grants.answer(&mut tx, by, id, answer).await?;
        let session = self.parts.tenancy.lock_session(&mut tx, org, request.session).await?;
        let session = session.ok_or(Error::SessionOver)?;
        let data = json!({
            "request": request.id, "action": request.key(), "agent": session.agent, "status": request.status, "by": by.user,
        });
        let event = self.grant_event(EventType::GrantAnswered, &request, session.space, data);
        self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        db::commit(tx).await?;
        Ok((request, session.agent))
    }

    fn grant_event(
        &self,
        event_type: EventType,
        request: &GrantRequest,
        space: SpaceId,
        data: Value,
    ) -> Event {
        let event = Event::new(&self.parts.world, event_type, request.id, data);
        Event { space: Some(space), session: Some(request.session), ..event }
    }
}
