//! Reading policy snapshots and catalogs, from the cache or from the database.

use std::{collections::HashMap, sync::Arc};

use catalog::{
    Action,
    connector::{self, OrgCatalog},
};
use model::{ActionAddress, OrgId, SessionId};
use platform::db::Tx;
use tenancy::{SealedCredential, SecretUse};

use super::{OrgPolicy, Snapshot};
use crate::{
    batch::is_batch,
    credentials::{self, references},
    error::Error,
    parts::Reader,
};

/// The snapshot of a session, from the cache or from the database.
pub(crate) async fn cached(reader: &Reader, org: OrgId, session: SessionId) -> Result<Arc<Snapshot>, Error> {
    match reader.snapshots.sessions.get(&(org, session)) {
        Some(snapshot) => Ok(snapshot),
        None => fresh(reader, org, session).await,
    }
}

/// The snapshot of a session, from the database. The version is read before the policy it is the version of: after a
/// change in between, the decision is too new for its version and made again, but never too old.
pub(crate) async fn fresh(reader: &Reader, org: OrgId, session: SessionId) -> Result<Arc<Snapshot>, Error> {
    let mut tx = reader.parts.db.begin(org).await?;
    fresh_in(reader, &mut tx, org, session).await
}

/// The same in the caller's transaction: one that holds a connection and waits for a second one can deadlock with itself.
pub(crate) async fn fresh_in(
    reader: &Reader,
    tx: &mut Tx,
    org: OrgId,
    session: SessionId,
) -> Result<Arc<Snapshot>, Error> {
    let facts = reader.parts.tenancy.session_facts(tx, org, session).await?.ok_or(Error::SessionOver)?;
    let policy = reader.org_policy(tx, org, facts.policy_version).await?;
    let snapshot = Arc::new(Snapshot { facts, org: policy });
    reader.snapshots.sessions.insert((org, session), snapshot.clone());
    Ok(snapshot)
}

impl Reader {
    /// The snapshot of a session, from the database.
    pub async fn snapshot(&self, org: OrgId, session: SessionId) -> Result<Arc<Snapshot>, Error> {
        fresh(self, org, session).await
    }

    /// The policy of an org, by a version that was read before it.
    pub async fn org_policy(&self, tx: &mut Tx, org: OrgId, version: i64) -> Result<Arc<OrgPolicy>, Error> {
        if let Some(policy) = self.snapshots.orgs.get(&(org, version)) {
            return Ok(policy);
        }
        let rules = self.parts.rules.all(tx, org).await?;
        let catalog = self.catalog(tx, org).await?;
        let connected = connected(self, tx, org, &catalog).await?;
        let references = references::load(tx, org, catalog.connectors()).await?;
        let grants = self.parts.grants.usable(tx, org).await?;
        let conducts = self.parts.conducts.all(tx, org).await?;
        let statutes = self.parts.policies.statutes(tx, org).await?;
        let policy = OrgPolicy { rules, statutes, connected, references, grants, catalog, conducts };
        let policy = Arc::new(policy);
        self.snapshots.orgs.insert((org, version), policy.clone());
        Ok(policy)
    }

    /// The tools of an org's connectors, compiled again only when they changed.
    pub async fn catalog(&self, tx: &mut Tx, org: OrgId) -> Result<Arc<OrgCatalog>, Error> {
        // The version is read before the tools: tools that are too new for it are read again, never too old.
        let version = connector::store::version(tx, org).await?;
        if let Some(catalog) = self.snapshots.catalogs.get(&(org, version)) {
            return Ok(catalog);
        }
        let catalog = Arc::new(OrgCatalog::load(tx, org, &self.parts.sources).await?);
        self.snapshots.catalogs.insert((org, version), catalog.clone());
        Ok(catalog)
    }

    /// The action at an address. A connector cannot shadow a built-in source.
    pub fn find_action(&self, catalog: &OrgCatalog, address: &ActionAddress) -> Option<Arc<Action>> {
        self.parts.registry.resolve(address).or_else(|| catalog.resolve(address))
    }

    /// Whether an action may send data out: false for those of the program that do not.
    pub fn may_send_out(&self, address: &str) -> bool {
        let known = address.parse().ok().and_then(|address| self.parts.registry.resolve(&address));
        known.is_none_or(|action| action.definition.labels.sends_out || is_batch(&action))
    }

    /// Every action of an org.
    pub async fn actions(&self, org: OrgId) -> Result<Vec<Arc<Action>>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let catalog = self.catalog(&mut tx, org).await?;
        Ok(self.parts.registry.actions().chain(catalog.actions()).cloned().collect())
    }
}

/// The sealed credentials of an org, by source.
async fn connected(
    reader: &Reader,
    tx: &mut Tx,
    org: OrgId,
    catalog: &OrgCatalog,
) -> Result<HashMap<String, SealedCredential>, Error> {
    let tenancy = &reader.parts.tenancy;
    let mut connected: HashMap<_, _> = tenancy.connected(tx, org).await?.into_iter().collect();
    let models = catalog.model_providers().filter_map(credentials::model_secret_use);
    let uses: Vec<SecretUse> =
        catalog.connectors().filter_map(credentials::secret_use).chain(models).collect();
    connected.extend(tenancy.secrets_for(tx, org, &uses).await?);
    Ok(connected)
}
