//! Where an action is found: in this program, or among the tools of the org's connectors.

use std::sync::Arc;

use catalog::{
    Action,
    connector::{self, OrgCatalog},
};
use model::{ActionAddress, IdempotencyKey, InvocationId, OrgId, SessionId};
use platform::db::Tx;

use crate::{Error, Invocation, Pipeline, store};

impl Pipeline {
    /// Every action an org may name.
    pub async fn actions(&self, org: OrgId) -> Result<Vec<Arc<Action>>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let catalog = self.catalog(&mut tx, org).await?;
        Ok(self.parts.registry.actions().chain(catalog.actions()).cloned().collect())
    }

    /// The invocation of a session that was asked for with a key, however long ago.
    pub async fn find_keyed(
        &self,
        org: OrgId,
        session: SessionId,
        key: &IdempotencyKey,
    ) -> Result<Option<Invocation>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(store::find_keyed(&mut tx, (org, session), key).await?)
    }

    /// One invocation of the org.
    pub async fn invocation(&self, org: OrgId, id: InvocationId) -> Result<Invocation, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        store::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))
    }

    /// The action at an address. What is part of this program cannot be shadowed.
    pub(crate) fn find_action(&self, catalog: &OrgCatalog, address: &ActionAddress) -> Option<Arc<Action>> {
        self.parts.registry.resolve(address).or_else(|| catalog.resolve(address))
    }

    /// What the org can call of its connectors, as of now; compiled anew only when that changed.
    pub(crate) async fn catalog(&self, tx: &mut Tx, org: OrgId) -> Result<Arc<OrgCatalog>, Error> {
        // The version is read before what it is the version of: too new for its version is read again, never too old.
        let version = connector::store::version(tx, org).await?;
        let kept = &self.standings.catalogs;
        if let Some(catalog) = kept.get(&(org, version)) {
            return Ok(catalog);
        }
        let catalog = Arc::new(OrgCatalog::load(tx, org, &self.parts.sources).await?);
        kept.insert((org, version), catalog.clone());
        Ok(catalog)
    }
}
