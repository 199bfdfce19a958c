//! Sessions: working periods of agents, and their tokens.

use std::{collections::HashMap, time::Duration};

use changes::{Author, Draft, Kind as Change};
use jiff::Timestamp;
use model::{Actor, AutomationId, OrgId, RiskBand, RunId, SessionId, SessionKind, SpaceId, UserId};
use platform::{
    db,
    token::{Kind, Token},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Error, Page, Tenancy, person, store};

/// A session to open.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The space; `None` means the first space of the organization.
    pub space: Option<SpaceId>,
    pub kind: SessionKind,
    pub agent: String,
    pub title: String,
    pub capabilities: Capabilities,
    /// When the session expires.
    pub lifetime: Duration,
}

/// What a session shall be able to use.
#[derive(Debug, Clone)]
pub enum Capabilities {
    /// Exactly these; refused if the opener may not use one of them.
    Exactly(Vec<String>),
    /// As much of these as the opener may use.
    AtMost(Vec<String>),
}

/// The run of an automation that a session belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRun {
    pub automation: AutomationId,
    pub run: RunId,
    /// The person who started it, if a person did.
    pub started_by: Option<UserId>,
    /// The person behind what started it: who made the token of its webhook, or published its event.
    pub caused_by: Option<UserId>,
    /// Number of events in the chain that led to the run.
    pub depth: u8,
    /// The automations in that chain, in order; this one is the last.
    pub chain: Vec<String>,
}

/// The sessions that people opened for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSessions {
    pub agent: String,
    /// How many are open.
    pub open: i64,
    pub last_opened: Timestamp,
}

/// One agent's working period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub space: SpaceId,
    pub kind: SessionKind,
    pub agent: String,
    pub title: String,
    pub capabilities: Vec<String>,
    pub created_by: UserId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    /// The run that opened the session; `None` if a person did.
    pub run: Option<SessionRun>,
}

/// What a decision needs to know about a session and its space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    pub session: Session,
    /// The slug of its space.
    pub space: String,
    pub band: RiskBand,
    pub outbound_redaction: bool,
    /// The org's policy version when these facts were read.
    pub policy_version: i64,
}

/// The space and the run of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionPlace {
    /// The slug of its space.
    pub space: String,
    pub run: Option<SessionRun>,
}

/// The spaces and runs of these sessions, read in the caller's transaction.
pub async fn places(
    conn: &mut PgConnection,
    org: OrgId,
    sessions: &[SessionId],
) -> Result<HashMap<SessionId, SessionPlace>, db::Error> {
    store::sessions::places(conn, org, sessions).await
}

impl Session {
    /// Whether the session had ended at that time.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.ended_at.is_some() || self.expires_at <= now
    }

    /// The change that opens or ends it.
    fn draft(&self, kind: Change) -> Draft {
        let state: Value = json!({
            "agent": self.agent,
            "title": self.title,
            "space": self.space,
            "kind": self.kind,
            "capabilities": self.capabilities,
            "opened_by": self.created_by,
            "expires_at": self.expires_at,
        });
        let is_opened = kind == Change::SessionOpened;
        Draft {
            kind,
            subject: self.id.to_string(),
            name: self.agent.clone(),
            before: (!is_opened).then(|| state.clone()),
            after: is_opened.then_some(state),
        }
    }

    /// Whoever is behind the session: the automation of its run, otherwise the person who opened it.
    pub fn opener(&self) -> Uuid {
        self.run.as_ref().map_or_else(|| self.created_by.uuid(), |run| run.automation.uuid())
    }
}

impl Tenancy {
    /// A new token of this cell.
    pub fn make_token(&self, kind: Kind) -> Token {
        Token::generate(kind, &self.cell, &self.world.dice)
    }

    /// Opens a session. The token is returned in plain text, only here.
    pub async fn create_session(&self, by: &Author, new: NewSession) -> Result<(Session, Token), Error> {
        let mut tx = self.begin(by.org).await?;
        let session = self.new_session(&mut tx, person(by)?, new, None).await?;
        let token = self.make_token(Kind::Session);
        let draft = session.draft(Change::SessionOpened);
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::sessions::open(&mut recorded, by.org, &session, (&token.hash(), by.token)).await?;
        db::commit(tx).await?;
        Ok((session, token))
    }

    /// Opens the session of a run in the caller's transaction. It has the authority of the automation, whose changes are
    /// recorded, and no token that anyone knows.
    pub async fn open_run_session(
        &self,
        conn: &mut PgConnection,
        opener: Actor,
        new: NewSession,
        run: SessionRun,
    ) -> Result<Session, Error> {
        let session = self.new_session(conn, opener, new, Some(run)).await?;
        let token = self.make_token(Kind::Session);
        store::sessions::open_for_run(conn, opener.org, &session, &token.hash()).await?;
        Ok(session)
    }

    async fn new_session(
        &self,
        conn: &mut PgConnection,
        Actor { org, user: created_by }: Actor,
        new: NewSession,
        run: Option<SessionRun>,
    ) -> Result<Session, Error> {
        let now = self.world.clock.now();
        let space = match new.space {
            Some(space) => space,
            None => self.first_space(conn, org).await?,
        };
        let reach = self.reach(conn, Actor { org, user: created_by }, space).await?;
        let capabilities = match new.capabilities {
            Capabilities::AtMost(wanted) => reach.bound(&wanted),
            Capabilities::Exactly(wanted) => match wanted.iter().find(|wanted| !reach.allows(wanted)) {
                Some(beyond) => return Err(Error::BeyondReach(beyond.clone())),
                None => wanted,
            },
        };
        Ok(Session {
            id: SessionId::from_uuid(self.world.uuid()),
            space,
            kind: new.kind,
            agent: new.agent,
            title: new.title,
            capabilities,
            created_by,
            created_at: now,
            expires_at: now + new.lifetime,
            ended_at: None,
            run,
        })
    }

    /// One session of the org.
    pub async fn session(&self, org: OrgId, id: SessionId) -> Result<Session, Error> {
        let mut tx = self.begin(org).await?;
        store::sessions::find(&mut tx, org, id).await?.ok_or(Error::NotFound("session"))
    }

    /// The org's sessions, newest first.
    pub async fn sessions(&self, org: OrgId, page: Page) -> Result<Vec<Session>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::sessions::list(&mut tx, org, page).await?)
    }

    /// The agents that people opened sessions for since a moment.
    pub async fn agents(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        since: Timestamp,
    ) -> Result<Vec<AgentSessions>, Error> {
        Ok(store::sessions::agents(conn, org, since, self.world.clock.now()).await?)
    }

    /// The open sessions of an agent, newest first.
    pub async fn open_sessions(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        agent: &str,
        since: Timestamp,
    ) -> Result<Vec<Session>, Error> {
        Ok(store::sessions::open_of(conn, org, agent, (since, self.world.clock.now())).await?)
    }

    /// Ends a session. Its token becomes invalid immediately. Ending it twice is not an error.
    pub async fn end_session(&self, by: &Author, id: SessionId) -> Result<Session, Error> {
        let mut tx = self.begin(by.org).await?;
        let found = self.lock_session(&mut tx, by.org, id).await?.ok_or(Error::NotFound("session"))?;
        if found.ended_at.is_some() {
            return Ok(found);
        }
        let mut recorded = self.recorder.record(&mut tx, by, found.draft(Change::SessionEnded)).await?;
        let session = self.close_session(&mut recorded, by.org, id).await?;
        db::commit(tx).await?;
        Ok(session)
    }

    /// Ends a session in the caller's transaction. Nothing is recorded here: a run's session ends with the run.
    pub async fn close_session(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        id: SessionId,
    ) -> Result<Session, Error> {
        let ended = store::sessions::end(conn, org, id, self.world.clock.now()).await?;
        ended.ok_or(Error::NotFound("session"))
    }

    /// What a decision needs to know, read in the caller's transaction.
    pub async fn session_facts(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        id: SessionId,
    ) -> Result<Option<SessionFacts>, Error> {
        Ok(store::sessions::find_facts(conn, org, id).await?)
    }

    /// One session, read in the caller's transaction.
    pub async fn find_session(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        id: SessionId,
    ) -> Result<Option<Session>, Error> {
        Ok(store::sessions::find(conn, org, id).await?)
    }

    /// Several sessions, in no order.
    pub async fn find_sessions(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        ids: &[SessionId],
    ) -> Result<Vec<Session>, Error> {
        Ok(store::sessions::find_many(conn, org, ids).await?)
    }

    /// One session, locked until the caller's transaction ends.
    pub async fn lock_session(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        id: SessionId,
    ) -> Result<Option<Session>, Error> {
        store::sessions::lock(conn, org, id).await?;
        self.find_session(conn, org, id).await
    }
}
