//! From a token to who it speaks for.

use model::{ApiTokenId, OrgId, Role, SessionId, UserId};
use platform::{db, token};

use crate::{Error, Tenancy, signin::IDLE, store};

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// An agent, within its session.
    Session {
        /// The session's org.
        org: OrgId,
        /// The session.
        session: SessionId,
    },
    /// A person, or a program on a person's behalf.
    Person(Person),
}

/// A person in an org.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Where.
    pub org: OrgId,
    /// Who.
    pub user: UserId,
    /// What they may do there.
    pub role: Role,
    /// The token they came with.
    pub token: ApiTokenId,
    /// How their browser was signed in; `None` for a token that is no browser's.
    pub browser: Option<Browser>,
}

/// How a browser was signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    /// With a token of the org: it speaks for its person in that org alone.
    Token,
    /// By the identity provider: it speaks for the person wherever they belong.
    Identity,
}

impl Caller {
    /// The org the caller belongs to; nothing of any other org is ever shown to it.
    pub const fn org(&self) -> OrgId {
        match self {
            Self::Session { org, .. } => *org,
            Self::Person(person) => person.org,
        }
    }
}

impl Tenancy {
    /// Finds out who a token speaks for. A session's token is known by its hash alone here; whether the session is
    /// still alive is asked where its facts are read, in the same transaction that acts on them.
    pub async fn authenticate(&self, presented: &str) -> Result<Caller, Error> {
        let (kind, hash) = token::parse(presented).ok_or(Error::Unauthenticated)?;
        match kind {
            token::Kind::Session => {
                let (org, session) = self.session_of(hash).await?;
                Ok(Caller::Session { org, session })
            }
            token::Kind::Api => self.person_of(hash).await.map(Caller::Person),
            // What starts one automation speaks for nobody, and what a cookie holds is nothing anywhere else.
            token::Kind::Hook | token::Kind::Browser => Err(Error::Unauthenticated),
        }
    }

    /// Finds out whose browser holds a cookie.
    pub async fn authenticate_browser(&self, presented: &str) -> Result<Caller, Error> {
        match token::parse(presented) {
            Some((token::Kind::Browser, hash)) => self.person_of(hash).await.map(Caller::Person),
            _ => Err(Error::Unauthenticated),
        }
    }

    async fn session_of(&self, hash: token::Hash) -> Result<(OrgId, SessionId), Error> {
        if let Some(known) = self.sessions_by_token.get(&hash) {
            return Ok(known);
        }
        let mut conn = self.db.unscoped().await?;
        let found = store::tokens::find_session(&mut conn, &hash).await?.ok_or(Error::Unauthenticated)?;
        self.sessions_by_token.insert(hash, found);
        Ok(found)
    }

    pub(crate) async fn person_of(&self, hash: token::Hash) -> Result<Person, Error> {
        let mut conn = self.db.unscoped().await?;
        let found = store::tokens::find_api_token(&mut conn, &hash).await?;
        drop(conn);
        let (org, token) = found.ok_or(Error::Unauthenticated)?;
        let now = self.world.clock.now();
        let mut tx = self.begin(org).await?;
        let person = store::tokens::find_person(&mut tx, (org, token), now, now - IDLE)
            .await?
            .ok_or(Error::Unauthenticated)?;
        store::tokens::touch(&mut tx, org, token, now).await?;
        db::commit(tx).await?;
        Ok(person)
    }
}
