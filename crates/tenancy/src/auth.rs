//! Authentication: from a token to the caller.

use std::net::IpAddr;

use changes::{Author, Method, Second};
use jiff::Timestamp;
use model::{Actor, ApiTokenId, InOrg, MemberKind, OrgId, Role, SessionId, UserId};
use platform::{db, token};

use crate::{Error, Tenancy, signin::IDLE, store};

/// The caller of a request.
#[derive(Debug, Clone)]
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

/// A member of an organization.
#[derive(Debug, Clone)]
pub struct Person {
    /// The organization.
    pub org: OrgId,
    /// The person.
    pub user: UserId,
    /// The role of the person in the organization.
    pub role: Role,
    /// A person, or a service account.
    pub kind: MemberKind,
    /// The token of the request.
    pub token: ApiTokenId,
    /// How the browser was signed in; `None` for an API token.
    pub browser: Option<Browser>,
    /// When the token was made, or the one with which the browser was signed in.
    pub signed_in_at: Timestamp,
    /// Whether the person joined with it.
    pub joined: bool,
    /// When a passkey last confirmed who is signed in.
    pub confirmed_at: Option<Timestamp>,
    /// The network address of the request.
    pub address: Option<IpAddr>,
    /// The reason that was given with the request, for the record of a change.
    pub reason: Option<String>,
    /// The second person that a change may need.
    pub second: Second,
}

impl Person {
    /// The actor, and the organization.
    pub const fn actor(&self) -> Actor {
        Actor { org: self.org, user: self.user }
    }

    /// The person as the author of a change.
    pub fn author(&self) -> Author {
        let method = if self.browser.is_some() { Method::Browser } else { Method::ApiToken };
        let author = Author::person(self.actor(), method, Some(self.token));
        let (reason, second) = (self.reason.clone(), self.second.clone());
        Author { address: self.address, reason, second, ..author }
    }
}

/// How a browser was signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    /// With an API token: valid only in the organization of the token.
    Token,
    /// By the identity provider: valid in every organization of the person.
    Identity,
}

impl Caller {
    /// The organization of the caller. Data of other organizations is never shown to it.
    pub const fn org(&self) -> OrgId {
        match self {
            Self::Session { org, .. } => *org,
            Self::Person(person) => person.org,
        }
    }
}

impl Tenancy {
    /// Authenticates a token. For a session's token only the hash is checked here; whether the session has ended is
    /// checked where its facts are read, in the same transaction that acts on them.
    pub async fn authenticate(&self, presented: &str) -> Result<Caller, Error> {
        let (kind, hash) = token::parse(presented).ok_or(Error::Unauthenticated)?;
        match kind {
            token::Kind::Session => {
                let (org, session) = self.session_of(hash).await?;
                Ok(Caller::Session { org, session })
            }
            token::Kind::Api => self.person_of(hash).await.map(Caller::Person),
            // A webhook trigger's token and an invitation authenticate no caller, and a browser's token is accepted only in its
            // cookie.
            token::Kind::Hook | token::Kind::Browser | token::Kind::Invitation => Err(Error::Unauthenticated),
        }
    }

    /// Authenticates a browser by its cookie.
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
        let person = store::tokens::find_person(&mut tx, InOrg { org, id: token }, now, now - IDLE)
            .await?
            .ok_or(Error::Unauthenticated)?;
        store::tokens::touch(&mut tx, org, token, now).await?;
        db::commit(tx).await?;
        Ok(person)
    }
}
