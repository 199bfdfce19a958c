//! The inbox: everything that waits for a person, with what they need to answer it.

use std::{collections::HashMap, time::Duration};

use catalog::Action;
use model::{ActionAddress, InvocationId, OrgId, ShownDocument, Status, UserId};
use pipeline::read::{self, HeldItem, Invocation, no_longer_waits, only_once};
use platform::db::Tx;
use policy::{GrantRequest, History, Pace, Position, Settings, Vote};

use crate::{error::Error, parts::Oversight};

/// The pace of a person is that of the last week.
pub const PACE_OF: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// An item of the inbox.
#[derive(Debug)]
pub enum Waiting {
    /// An invocation that needs approval.
    Approval(Box<WaitingApproval>),
    /// An agent requests a grant.
    Grant { request: Box<GrantRequest>, agent: String },
    /// The outcome of the invocation is unknown.
    Unknown { invocation: Box<Invocation>, undo: Option<String> },
    /// The invocation was quarantined, and is held.
    Quarantined { invocation: Box<Invocation>, held: HeldItem, session_over: bool },
}

/// An invocation that needs approval, with what a person should know.
#[derive(Debug)]
pub struct WaitingApproval {
    pub invocation: Invocation,
    pub votes: Vec<Vote>,
    pub votes_needed: u32,
    /// Whether an approval must be signed with a passkey.
    pub passkey_needed: bool,
    pub history: History,
    pub undo: Option<String>,
    pub description: String,
    /// Why a grant or a rule would not allow the action next time.
    pub only_once: Option<String>,
    /// What the person is shown, for a single item.
    pub shown: Option<ShownDocument>,
}

/// A page of the inbox, with the names of those whose votes are in it.
#[derive(Debug)]
pub struct Inbox {
    pub items: Vec<Waiting>,
    pub names: HashMap<UserId, String>,
}

/// An invocation with its votes.
#[derive(Debug)]
pub struct Explained {
    pub invocation: Invocation,
    pub votes: Vec<Vote>,
    pub names: HashMap<UserId, String>,
}

impl Waiting {
    /// Where it stands in the inbox.
    pub fn position(&self) -> Position {
        match self {
            Self::Approval(waiting) => {
                Position { turn: waiting.invocation.turn, id: waiting.invocation.id.uuid() }
            }
            Self::Grant { request, .. } => Position { turn: request.turn, id: request.id.uuid() },
            Self::Unknown { invocation, .. } => Position { turn: 0, id: invocation.id.uuid() },
            Self::Quarantined { held, .. } => held.position,
        }
    }
}

impl Oversight {
    /// What waits for a person in an org: by turn, so that whoever asks for much does not hide what others ask for, then
    /// newest first.
    pub async fn inbox(&self, org: OrgId, before: Option<Position>, limit: i64) -> Result<Inbox, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let mut invocations = read::list_pending(&mut tx, org, now, before, limit).await?;
        invocations.extend(read::list_unknown(&mut tx, org, before, limit).await?);
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
        let settings = self.parts.reader.approval_settings(&mut tx, org).await?;
        let catalog = self.parts.reader.catalog(&mut tx, org).await?;
        let mut items: Vec<Waiting> = Vec::with_capacity(invocations.len() + requests.len());
        for invocation in invocations {
            let votes = votes.remove(&invocation.id).unwrap_or_default();
            let history = histories.get(&invocation.address.to_string()).cloned().unwrap_or_default();
            let action = self.parts.reader.find_action(&catalog, &invocation.address);
            let known = Known { action: action.as_deref(), votes, history, settings };
            items.push(waiting(invocation, known));
        }
        for request in requests {
            let session = self.parts.tenancy.find_session(&mut tx, org, request.session).await?;
            items.push(Waiting::Grant {
                request: Box::new(request),
                agent: session.map(|found| found.agent).unwrap_or_default(),
            });
        }
        for held in read::list_held(&mut tx, org, now, before, limit).await? {
            let found = read::find(&mut tx, org, InvocationId::from_uuid(held.position.id)).await?;
            if let Some(found) = found {
                items.push(self.quarantined(&mut tx, org, found, held).await?);
            }
        }
        items.sort_by_key(Waiting::position);
        items.truncate(usize::try_from(limit).unwrap_or_default());
        let names = self.names(&mut tx, org, items.iter().flat_map(voters)).await?;
        Ok(Inbox { items, names })
    }

    async fn quarantined(
        &self,
        tx: &mut Tx,
        org: OrgId,
        invocation: Invocation,
        held: HeldItem,
    ) -> Result<Waiting, Error> {
        let now = self.parts.world.clock.now();
        let session = self.parts.tenancy.find_session(tx, org, invocation.session).await?;
        let session_over = session.is_none_or(|session| session.is_over(now));
        Ok(Waiting::Quarantined { invocation: Box::new(invocation), held, session_over })
    }

    /// The names of these people in the org.
    pub(crate) async fn names(
        &self,
        tx: &mut Tx,
        org: OrgId,
        users: impl Iterator<Item = UserId>,
    ) -> Result<HashMap<UserId, String>, Error> {
        let members = self.parts.tenancy.members_by_id(tx, org, &users.collect::<Vec<_>>()).await?;
        Ok(members.into_iter().map(|(user, member)| (user, member.name)).collect())
    }

    /// One item of the inbox, opened by a person, with the document that an answer is about.
    pub async fn inbox_item(&self, org: OrgId, id: InvocationId, user: UserId) -> Result<Inbox, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let found = read::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        if found.status == Status::Quarantined
            && let Some(held) = read::find_held(&mut tx, org, id, now).await?
        {
            let item = self.quarantined(&mut tx, org, found, held).await?;
            return Ok(Inbox { items: vec![item], names: HashMap::new() });
        }
        if !matches!(found.status, Status::Pending | Status::Unknown) {
            return Err(no_longer_waits(found.status).into());
        }
        let votes = policy::votes(&mut tx, org, &[id]).await?;
        let histories = policy::history(&mut tx, org, std::slice::from_ref(&found.address)).await?;
        let settings = self.parts.reader.approval_settings(&mut tx, org).await?;
        let catalog = self.parts.reader.catalog(&mut tx, org).await?;
        let action = self.parts.reader.find_action(&catalog, &found.address);
        let history = histories.into_iter().next().unwrap_or_default();
        let known = Known { action: action.as_deref(), votes, history, settings };
        let mut item = waiting(found, known);
        let names = self.names(&mut tx, org, voters(&item).into_iter()).await?;
        drop(tx);
        if let Waiting::Approval(waiting) = &mut item {
            waiting.shown = self.parts.reader.show(org, id, Some(user)).await?;
        }
        Ok(Inbox { items: vec![item], names })
    }

    /// How long a person has looked at what they approved lately, by its length.
    pub async fn pace(&self, org: OrgId, user: UserId) -> Result<Vec<Pace>, Error> {
        let since = self.parts.world.clock.now() - PACE_OF;
        let mut tx = self.parts.db.begin(org).await?;
        Ok(policy::pace(&mut tx, org, user, since).await?)
    }

    /// One invocation of the org, with its votes and the names of the voters.
    pub async fn explain(&self, org: OrgId, id: InvocationId) -> Result<Explained, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found = read::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        let votes = policy::votes(&mut tx, org, &[id]).await?;
        let names = self.names(&mut tx, org, votes.iter().map(|vote| vote.user)).await?;
        Ok(Explained { invocation: found, votes, names })
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

/// What is known about an invocation besides itself.
struct Known<'a> {
    action: Option<&'a Action>,
    votes: Vec<Vote>,
    history: History,
    settings: Settings,
}

fn waiting(invocation: Invocation, known: Known<'_>) -> Waiting {
    let Known { action, votes, history, settings } = known;
    let undo = action.and_then(|action| action.definition.undo.clone());
    if invocation.status != Status::Pending {
        return Waiting::Unknown { invocation: Box::new(invocation), undo };
    }
    let needed = settings.needed(invocation.risk, invocation.decision.approvers);
    // Those of an earlier question no longer count.
    let votes = votes.into_iter().filter(|vote| vote.subject == invocation.subject_digest).collect();
    Waiting::Approval(Box::new(WaitingApproval {
        votes,
        votes_needed: needed.votes,
        passkey_needed: needed.signed,
        history,
        undo,
        description: action.map(|action| action.definition.description.clone()).unwrap_or_default(),
        only_once: only_once(&invocation.address, &invocation.decision, invocation.risk),
        shown: None,
        invocation,
    }))
}
