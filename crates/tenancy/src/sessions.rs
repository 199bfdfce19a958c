//! Sessions: one agent's working period, and the token with which it calls in.

use std::time::Duration;

use jiff::Timestamp;
use model::{OrgId, RiskBand, SessionId, SessionKind, SpaceId, UserId};
use platform::{
    db,
    token::{Kind, Token},
};
use sqlx::PgConnection;

use crate::{Error, Page, Tenancy, store};

/// A session to open.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Where it works; `None` means the org's first space.
    pub space: Option<SpaceId>,
    pub kind: SessionKind,
    pub agent: String,
    pub title: String,
    pub capabilities: Vec<String>,
    /// After this it is over by itself.
    pub lifetime: Duration,
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
}

/// What a decision needs to know of a session and its space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    pub session: Session,
    pub band: RiskBand,
    pub outbound_redaction: bool,
    /// The org's policy version when these facts were read.
    pub policy_version: i64,
}

impl Session {
    /// Whether it was over at that moment.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.ended_at.is_some() || self.expires_at <= now
    }
}

impl Tenancy {
    /// Opens a session; the token is in the clear, this once.
    pub async fn create_session(
        &self,
        org: OrgId,
        created_by: UserId,
        new: NewSession,
    ) -> Result<(Session, Token), Error> {
        let now = self.world.clock.now();
        let token = Token::generate(Kind::Session, &self.cell, &self.world.dice);
        let mut tx = self.begin(org).await?;
        let space = match new.space {
            Some(space) => space,
            None => store::people::find_first_space(&mut tx, org).await?.ok_or(Error::NotFound("space"))?,
        };
        let session = Session {
            id: SessionId::from_uuid(self.world.uuid()),
            space,
            kind: new.kind,
            agent: new.agent,
            title: new.title,
            capabilities: new.capabilities,
            created_by,
            created_at: now,
            expires_at: now + new.lifetime,
            ended_at: None,
        };
        store::sessions::insert(&mut tx, org, &session, &token.hash()).await?;
        db::commit(tx).await?;
        Ok((session, token))
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

    /// Ends a session: its token opens nothing from now on. Ending twice is no error.
    pub async fn end_session(&self, org: OrgId, id: SessionId) -> Result<Session, Error> {
        let mut tx = self.begin(org).await?;
        let ended = store::sessions::end(&mut tx, org, id, self.world.clock.now()).await?;
        let session = ended.ok_or(Error::NotFound("session"))?;
        db::commit(tx).await?;
        Ok(session)
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

    /// Gives back a place among the waiting invocations.
    pub async fn release_pending_place(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        id: SessionId,
    ) -> Result<(), Error> {
        Ok(store::sessions::release_pending_place(conn, org, id).await?)
    }

    /// Takes one of the session's places for waiting invocations; `false` when all are taken. One row, one statement:
    /// any number of gateways can ask at once.
    pub async fn take_pending_place(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        id: SessionId,
        most: u32,
    ) -> Result<bool, Error> {
        Ok(store::sessions::take_pending_place(conn, org, id, most).await?)
    }
}
