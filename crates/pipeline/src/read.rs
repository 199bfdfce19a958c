//! Everything that reads and has no effect at a target, for those who only look: `oversight` may name nothing else of this
//! crate but its engine.

use catalog::{Credential, Registry};
use model::{IdempotencyKey, InvocationId, OrgId, SessionId};
use platform::redact::Redactor;
use serde_json::Value;

use crate::redaction;

pub use crate::{
    approvals::{PasskeyAssertion, PasskeyCheck, Site, no_longer_waits, only_once, why},
    credentials::{model_secret_use, oauth_server, secret_use, unreadable},
    error::Error,
    invocation::Invocation,
    models::budgets::{Cap, DaySpent, Spent},
    parts::Reader,
    policy_snapshot::{CatalogKey, OrgPolicy, Requester, Snapshot},
    stages::state::FailedTry,
    store::{
        Activity, ActivityFilter, AgentCount, AskedParam, DecidedCall, Durations, Ended, Group, HeldItem,
        Observed, ObservedFlow, Scan, actions_by_rule, addresses, asked_params, by_action, by_source, count,
        count_by_agent, count_decided, count_pending, decided, find, find_held, list_held, list_pending,
        list_unknown, observed, observed_flows, oldest_scanned, search, tries,
    },
};

impl Reader {
    /// The built-in sources and their actions.
    pub fn registry(&self) -> &Registry {
        &self.parts.registry
    }

    /// One invocation of the org.
    pub async fn invocation(&self, org: OrgId, id: InvocationId) -> Result<Invocation, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))
    }

    /// One invocation of a session.
    pub async fn find(&self, org: OrgId, session: SessionId, id: InvocationId) -> Result<Invocation, Error> {
        let found = self.invocation(org, id).await?;
        if found.session == session { Ok(found) } else { Err(Error::NotFound("invocation")) }
    }

    /// The invocation of a session with this idempotency key, however old.
    pub async fn find_keyed(
        &self,
        org: OrgId,
        session: SessionId,
        key: &IdempotencyKey,
    ) -> Result<Option<Invocation>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(crate::store::find_keyed(&mut tx, org, session, key).await?)
    }

    /// A session's invocations, newest first.
    pub async fn list(
        &self,
        org: OrgId,
        session: SessionId,
        before: Option<InvocationId>,
        limit: i64,
    ) -> Result<Vec<Invocation>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(crate::store::list(&mut tx, org, session, before, limit).await?)
    }

    /// The redactor for the well-known kinds of secrets.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// A redactor that also knows this credential.
    pub fn redactor_with(&self, credential: Option<&Credential>) -> Redactor {
        redaction::redactor(self, credential, &Value::Null)
    }
}
