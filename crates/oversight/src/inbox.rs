//! The inbox: everything that waits for a person, with what they need to answer it.

use std::collections::HashMap;

use catalog::Action;
use model::{ActionAddress, InvocationId, OrgId, ShownDocument, Status, UserId};
use pipeline::read::{self, Invocation, no_longer_waits, only_once};
use platform::db::Tx;
use policy::{GrantRequest, History, Position, Settings, Vote};

use crate::{error::Error, parts::Oversight};

/// An item of the inbox.
#[derive(Debug)]
pub enum Waiting {
    /// An invocation that needs approval.
    Approval(Box<WaitingApproval>),
    /// An agent requests a grant.
    Grant { request: Box<GrantRequest>, agent: String },
    /// The outcome of the invocation is unknown.
    Unknown { invocation: Box<Invocation>, undo: Option<String> },
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
        items.sort_by_key(Waiting::position);
        items.truncate(usize::try_from(limit).unwrap_or_default());
        let names = self.names(&mut tx, org, items.iter().flat_map(voters)).await?;
        Ok(Inbox { items, names })
    }

    /// The names of these people in the org.
    async fn names(
        &self,
        tx: &mut Tx,
        org: OrgId,
        users: impl Iterator<Item = UserId>,
    ) -> Result<HashMap<UserId, String>, Error> {
        let members = self.parts.tenancy.members_by_id(tx, org, &users.collect::<Vec<_>>()).await?;
        Ok(members.into_iter().map(|(user, member)| (user, member.name)).collect())
    }

    /// One item of the inbox, with the document that an answer is about.
    pub async fn inbox_item(&self, org: OrgId, id: InvocationId) -> Result<Inbox, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found = read::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
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
            waiting.shown = self.parts.reader.show(org, id).await?;
        }
        Ok(Inbox { items: vec![item], names })
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
    let needed = settings.needed(invocation.risk);
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
