//! What waits for a person, with all they need to answer it.

use std::{collections::HashMap, sync::Arc};

use catalog::Action;
use events::Event;
use model::{ActionAddress, EventType, GrantRequestId, InvocationId, OrgId, SpaceId, Status, UserId};
use platform::db::{self, Tx};
use policy::{Ask, GrantRequest, History, RequestAnswer, Settings, Vote};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    Error, Invocation, Pipeline,
    answer::{no_longer_waits, only_once},
    claim, store,
};

/// One thing that waits.
#[derive(Debug)]
pub enum Waiting {
    /// An invocation that needs a yes.
    Approval(Box<WaitingApproval>),
    /// An agent asks for a standing permission.
    Grant { request: Box<GrantRequest>, agent: String },
    /// Nobody knows whether it happened.
    Unknown { invocation: Box<Invocation>, undo: Option<String> },
}

/// An invocation that needs a yes, with what a person should know.
#[derive(Debug)]
pub struct WaitingApproval {
    pub invocation: Invocation,
    pub votes: Vec<Vote>,
    pub votes_needed: u32,
    /// Whether a yes must be signed with a passkey.
    pub passkey_needed: bool,
    pub history: History,
    pub undo: Option<String>,
    pub description: String,
    /// Why a standing permission would not answer the like of it.
    pub only_once: Option<String>,
}

/// A page of what waits, and what those whose votes are in it are called.
#[derive(Debug)]
pub struct Inbox {
    pub items: Vec<Waiting>,
    pub names: HashMap<UserId, String>,
}

impl Waiting {
    /// Where it stands in the inbox.
    pub fn id(&self) -> Uuid {
        match self {
            Self::Approval(waiting) => waiting.invocation.id.uuid(),
            Self::Grant { request, .. } => request.id.uuid(),
            Self::Unknown { invocation, .. } => invocation.id.uuid(),
        }
    }
}

impl Pipeline {
    /// What waits for a person in an org, newest first.
    pub async fn inbox(&self, org: OrgId, before: Option<Uuid>, limit: i64) -> Result<Inbox, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let mut invocations = store::list_pending(&mut tx, org, now, (before, limit)).await?;
        invocations.extend(store::list_unknown(&mut tx, org, (before, limit)).await?);
        let requests = self.parts.grants.waiting(&mut tx, org, before, limit).await?;
        let ids: Vec<_> = invocations.iter().map(|invocation| invocation.id).collect();
        let mut votes: HashMap<InvocationId, Vec<Vote>> = HashMap::new();
        for vote in policy::votes(&mut tx, org, &ids).await? {
            votes.entry(vote.invocation).or_default().push(vote);
        }
        // An inbox holds few different actions, so each history is read once.
        let mut addresses: Vec<ActionAddress> = invocations
            .iter()
            .filter(|found| found.status == Status::Pending)
            .map(|found| found.address.clone())
            .collect();
        addresses.sort_by_key(ToString::to_string);
        addresses.dedup();
        let histories = policy::history(&mut tx, org, &addresses).await?;
        let histories: HashMap<_, _> = addresses.iter().map(ToString::to_string).zip(histories).collect();
        let settings = self.approval_settings(&mut tx, org).await?;
        let catalog = self.catalog(&mut tx, org).await?;
        let mut items: Vec<Waiting> = Vec::with_capacity(invocations.len() + requests.len());
        for invocation in invocations {
            let votes = votes.remove(&invocation.id).unwrap_or_default();
            let history = histories.get(&invocation.address.to_string()).cloned().unwrap_or_default();
            let action = self.find_action(&catalog, &invocation.address);
            items.push(waiting(invocation, action.as_deref(), votes, (history, settings)));
        }
        for request in requests {
            let session = self.parts.tenancy.find_session(&mut tx, org, request.session).await?;
            items.push(Waiting::Grant {
                request: Box::new(request),
                agent: session.map(|found| found.agent).unwrap_or_default(),
            });
        }
        items.sort_by_key(|item| std::cmp::Reverse(item.id()));
        items.truncate(usize::try_from(limit).unwrap_or_default());
        let names = self.names(&mut tx, org, items.iter().flat_map(voters)).await?;
        Ok(Inbox { items, names })
    }

    /// What the org calls these people.
    async fn names(
        &self,
        tx: &mut Tx,
        org: OrgId,
        users: impl Iterator<Item = UserId>,
    ) -> Result<HashMap<UserId, String>, Error> {
        let members = self.parts.tenancy.members_by_id(tx, org, &users.collect::<Vec<_>>()).await?;
        Ok(members.into_iter().map(|(user, member)| (user, member.name)).collect())
    }

    /// One thing that waits, with a preview where the source can give one.
    pub async fn inbox_item(&self, org: OrgId, id: InvocationId) -> Result<Inbox, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found = store::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        if !matches!(found.status, Status::Pending | Status::Unknown) {
            return Err(no_longer_waits(found.status));
        }
        let votes = policy::votes(&mut tx, org, &[id]).await?;
        let histories = policy::history(&mut tx, org, std::slice::from_ref(&found.address)).await?;
        let settings = self.approval_settings(&mut tx, org).await?;
        let catalog = self.catalog(&mut tx, org).await?;
        let action = self.find_action(&catalog, &found.address);
        let history = histories.into_iter().next().unwrap_or_default();
        let mut item = waiting(found, action.as_deref(), votes, (history, settings));
        let names = self.names(&mut tx, org, voters(&item).into_iter()).await?;
        if let Waiting::Approval(waiting) = &mut item {
            waiting.invocation.preview = self.preview_waiting(tx, (org, id), action).await?;
        }
        Ok(Inbox { items: vec![item], names })
    }

    async fn preview_waiting(
        &self,
        mut tx: Tx,
        (org, id): (OrgId, InvocationId),
        action: Option<Arc<Action>>,
    ) -> Result<Option<catalog::Preview>, Error> {
        let Some(held) = store::lock(&mut tx, org, id).await? else { return Ok(None) };
        let Some(action) = action else { return Ok(None) };
        if held.params_sealed.is_none() || !action.definition.previews {
            return Ok(None);
        }
        let params = self.unseal(&mut tx, &held).await?;
        // The source is asked without the row held: it may take its time.
        drop(tx);
        Ok(claim::preview(self, org, (&action, params), &held.record.invocation, None).await)
    }

    /// Notes what an agent asks to be granted, for a person to answer; with what the session calls it.
    pub async fn ask(&self, org: OrgId, mut ask: Ask) -> Result<(GrantRequest, String), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let session = self.parts.tenancy.lock_session(&mut tx, org, ask.session).await?;
        let session = session.filter(|session| !session.is_over(self.parts.world.clock.now()));
        let session = session.ok_or(Error::SessionOver)?;
        ask.reason = self.redactor.redact_text(&ask.reason).into_owned();
        let request = self.parts.grants.ask(&mut tx, org, ask).await?;
        let data = json!({ "request": request.id, "action": request.key(), "agent": session.agent });
        let event = self.grant_event(EventType::GrantRequested, &request, session.space, data);
        self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        db::commit(tx).await?;
        Ok((request, session.agent))
    }

    /// Answers what an agent asked to be granted; gives back the request and the agent's name.
    pub async fn answer_grant_request(
        &self,
        org: OrgId,
        id: GrantRequestId,
        answer: RequestAnswer,
    ) -> Result<(GrantRequest, String), Error> {
        let by = answer.by;
        let mut tx = self.parts.db.begin(org).await?;
        let (request, _) = self.parts.grants.answer(&mut tx, org, id, answer).await?;
        let session = self.parts.tenancy.lock_session(&mut tx, org, request.session).await?;
        let session = session.ok_or(Error::SessionOver)?;
        let data = json!({
            "request": request.id, "action": request.key(), "agent": session.agent, "status": request.status, "by": by,
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
        let told = Event::new(&self.parts.world, event_type, request.id, data);
        Event { space: Some(space), session: Some(request.session), ..told }
    }

    /// One invocation of the org, with its votes and what those who gave them are called.
    pub async fn explain(
        &self,
        org: OrgId,
        id: InvocationId,
    ) -> Result<(Invocation, Vec<Vote>, HashMap<UserId, String>), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found = store::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        let votes = policy::votes(&mut tx, org, &[id]).await?;
        let names = self.names(&mut tx, org, votes.iter().map(|vote| vote.user)).await?;
        Ok((found, votes, names))
    }
}

fn voters(item: &Waiting) -> Vec<UserId> {
    match item {
        Waiting::Approval(waiting) => {
            let last = waiting.history.last.iter();
            waiting.votes.iter().chain(last).map(|vote| vote.user).collect()
        }
        _ => vec![],
    }
}

fn waiting(
    invocation: Invocation,
    action: Option<&Action>,
    votes: Vec<Vote>,
    (history, settings): (History, Settings),
) -> Waiting {
    let undo = action.and_then(|action| action.definition.undo.clone());
    if invocation.status != Status::Pending {
        return Waiting::Unknown { invocation: Box::new(invocation), undo };
    }
    let needed = settings.needed(invocation.risk);
    Waiting::Approval(Box::new(WaitingApproval {
        votes,
        votes_needed: needed.votes,
        passkey_needed: needed.signed,
        history,
        undo,
        description: action.map(|action| action.definition.description.clone()).unwrap_or_default(),
        only_once: only_once(&invocation.decision, invocation.risk),
        invocation,
    }))
}
