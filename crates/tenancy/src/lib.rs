//! Tenancy: organizations, members and their roles, spaces, tokens, sessions, secrets and connections.
//!
//! Parts: [`Tenancy`] is the entry point; [`Caller`] is the result of authentication; [`Session`] is one working
//! period of an agent; [`Connections`](store) and secrets are values that are decrypted only at the moment of use.
//!
//! Flow: a request's token → [`Tenancy::authenticate`] → [`Caller`] → everything else takes the caller's org.
//!
//! INVARIANT: a token is shown once, by the call that creates it, and stored as SHA-256.
//! INVARIANT: an encrypted value is returned only by [`Tenancy::credential`], [`Tenancy::open_credential`] and
//! [`Tenancy::open_locked`].
//! Not here: permissions of a caller (`policy` for actions, the gateway's table for routes).

mod audience;
mod auth;
mod error;
mod invitations;
pub mod oidc;
mod passkeys;
mod people;
mod sessions;
mod signin;
mod spaces;
mod store;
mod tokens;
mod vault;

use changes::{Author, Recorder};
use model::{Actor, OrgId};
use platform::{
    World,
    db::{Database, Tx},
    seal::Sealer,
    token::Hash,
};

pub use audience::{AllowedUse, SecretAt, SecretUse, audience_of, secrets_at};
pub use auth::{Browser, Caller, Person};
pub use error::Error;
pub use invitations::{Invitation, Joined, Offer};
pub use passkeys::Passkey;
pub use people::{
    ApprovalSettings, Founded, Founding, Member, MemberChange, ModelBudget, NewMember, OrgChange, OrgInfo,
    Retention, Vouched,
};
pub use sessions::{
    AgentSessions, Capabilities, NewSession, Session, SessionFacts, SessionPlace, SessionRun, places,
};
pub use signin::{Device, Identity, LONGEST as LONGEST_SIGN_IN, OrgChoice, SignedIn};
pub use spaces::{NewSpace, Reach, Space, SpaceChange, SpaceMember};
pub use tokens::{TOKEN_LIFETIME, TokenInfo};
pub use vault::{ConnectionInfo, Credential, SLACK_SIGNING_SECRET, SealedCredential, SecretInfo};

/// A page of a list: at most `limit` items after the cursor.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The last ID of the previous page; `None` for the first page.
    pub after: Option<uuid::Uuid>,
    /// At most this many.
    pub limit: i64,
}

/// Organizations and everything that belongs to them. Cheap to clone.
#[derive(Clone)]
pub struct Tenancy {
    db: Database,
    world: World,
    sealer: Sealer,
    cell: String,
    recorder: Recorder,
    // The session of a token never changes, so entries need no expiry.
    sessions_by_token: moka::sync::Cache<Hash, (OrgId, model::SessionId)>,
}

impl Tenancy {
    /// Over a database, for one cell.
    pub fn new(db: Database, world: World, sealer: Sealer, cell: String, recorder: Recorder) -> Self {
        let sessions_by_token = moka::sync::Cache::new(100_000);
        Self { db, world, sealer, cell, recorder, sessions_by_token }
    }

    async fn begin(&self, org: OrgId) -> Result<Tx, Error> {
        Ok(self.db.begin(org).await?)
    }
}

/// The person who makes a change that only a person can make.
fn person(by: &Author) -> Result<Actor, Error> {
    by.actor().ok_or(Error::Unauthenticated)
}
