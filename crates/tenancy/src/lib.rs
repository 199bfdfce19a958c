//! Who is there: orgs, people and their roles, spaces, tokens, sessions, and what an org keeps sealed with us.
//!
//! Cast: [`Tenancy`] is the whole of it; [`Caller`] is who a token turned out to be; [`Session`] is one agent's working
//! period; [`Connections`](store) and secrets are values that only leave at the moment of use.
//!
//! Flow: a request's token → [`Tenancy::authenticate`] → [`Caller`] → everything else takes the caller's org.
//!
//! INVARIANT: a token is shown once, by the call that makes it, and kept as SHA-256.
//! INVARIANT: a sealed value is returned by [`Tenancy::credential`], [`Tenancy::open_credential`] and [`Tenancy::open_locked`] only.
//! Not here: what a caller may do (`policy` for actions, the gateway's table for routes).

mod auth;
mod error;
pub mod oidc;
mod passkeys;
mod people;
mod sessions;
mod signin;
mod store;
mod vault;

use model::OrgId;
use platform::{
    World,
    db::{Database, Tx},
    seal::Sealer,
    token::Hash,
};

pub use auth::{Browser, Caller, Person};
pub use error::Error;
pub use passkeys::Passkey;
pub use people::{
    ApprovalSettings, Founded, Founding, Member, MemberChange, NewMember, OrgChange, OrgInfo, Space,
    SpaceChange, TokenInfo,
};
pub use sessions::{NewSession, Session, SessionFacts, SessionPlace, SessionRun, places};
pub use signin::{Identity, LONGEST as LONGEST_SIGN_IN, OrgChoice, SignedIn};
pub use vault::{ConnectionInfo, Credential, SealedCredential, SecretInfo};

/// A page of a list: at most `limit`, after the id a cursor named.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The last id of the page before; `None` for the first page.
    pub after: Option<uuid::Uuid>,
    /// At most this many.
    pub limit: i64,
}

/// Orgs and everything that belongs to one. Cheap to clone.
#[derive(Clone)]
pub struct Tenancy {
    db: Database,
    world: World,
    sealer: Sealer,
    cell: String,
    // Which session a token belongs to never changes, so this needs no end but its size.
    sessions_by_token: moka::sync::Cache<Hash, (OrgId, model::SessionId)>,
}

impl Tenancy {
    /// Over a database, for one cell.
    pub fn new(db: Database, world: World, sealer: Sealer, cell: String) -> Self {
        Self { db, world, sealer, cell, sessions_by_token: moka::sync::Cache::new(100_000) }
    }

    async fn begin(&self, org: OrgId) -> Result<Tx, Error> {
        Ok(self.db.begin(org).await?)
    }
}
