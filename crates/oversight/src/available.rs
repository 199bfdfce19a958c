//! The catalog as a session sees it: every action with the decision about it now.

use std::sync::Arc;

use bytes::Bytes;
use catalog::Action;
use jiff::Timestamp;
use model::{Decision, OrgId, SessionId, SourceSlug};
use pipeline::read::Snapshot;
use policy::Asked;

use crate::{error::Error, parts::Oversight};

/// Everything a session can request.
pub struct Available {
    pub sources: Vec<AvailableSource>,
    pub actions: Vec<AvailableAction>,
}

/// A source of actions.
pub struct AvailableSource {
    pub slug: String,
    /// Whether it can be used: it needs no credential, or the org has one.
    pub connected: bool,
    /// Why its last harvest failed; its listed tools are older.
    pub error: Option<String>,
}

/// One action.
pub struct AvailableAction {
    pub action: Arc<Action>,
    /// Without parameters, so without the gates that look at them.
    pub decision: Decision,
}

impl Oversight {
    /// The guide of a source for agents: written by hand, or generated from its reviewed tools.
    pub async fn guide(
        &self,
        org: OrgId,
        session: SessionId,
        slug: &SourceSlug,
    ) -> Result<Option<String>, Error> {
        if let Some(guide) = self.parts.reader.registry().guide(slug) {
            return Ok(Some(guide));
        }
        Ok(self.parts.reader.snapshot(org, session).await?.org.catalog.guide(slug))
    }

    /// The current catalog of a session. The snapshot is read from the database, because no claim will check it.
    pub async fn available(&self, org: OrgId, session: SessionId) -> Result<Available, Error> {
        let snapshot = self.parts.reader.snapshot(org, session).await?;
        self.refresh(org, snapshot.org.catalog.connectors()).await;
        Ok(self.available_to(&snapshot, self.parts.world.clock.now()))
    }

    /// The current catalog of a session, serialized by `write`. The result is cached by everything it follows from, which is
    /// read each time: for a large catalog that is a small part of the work.
    pub async fn available_written(
        &self,
        org: OrgId,
        session: SessionId,
        write: impl FnOnce(Available) -> serde_json::Result<Vec<u8>>,
    ) -> Result<Bytes, Error> {
        let snapshot = self.parts.reader.snapshot(org, session).await?;
        self.refresh(org, snapshot.org.catalog.connectors()).await;
        let now = self.parts.world.clock.now();
        let key = snapshot.catalog_key(org, now);
        if let Some(written) = self.catalogs.get(&key) {
            return Ok(written);
        }
        let written = write(self.available_to(&snapshot, now)).map_err(Error::Unwritable)?;
        let written = Bytes::from(written);
        self.catalogs.insert(key, written.clone());
        Ok(written)
    }

    fn available_to(&self, snapshot: &Snapshot, now: Timestamp) -> Available {
        let catalog = &snapshot.org.catalog;
        let all = self.parts.reader.registry().actions().chain(catalog.actions());
        // Models are asked by steps of automations only.
        let actions: Vec<_> = all
            .filter(|action| !action.definition.address.is_model())
            .map(|action| AvailableAction {
                action: action.clone(),
                decision: snapshot.decide(&action.definition, action.drift, Asked::default(), now),
            })
            .collect();
        let is_connected = |slug: &SourceSlug| snapshot.org.connected.contains_key(slug.as_str());
        let built_in = self.parts.reader.registry().sources().map(|source| {
            let slug = source.slug();
            let needs = source.definitions().iter().any(|definition| definition.needs_connection);
            AvailableSource { slug: slug.to_string(), connected: !needs || is_connected(slug), error: None }
        });
        let connectors = catalog.connectors().map(|connector| AvailableSource {
            slug: connector.slug.to_string(),
            connected: connector.auth.secret().is_none() || is_connected(&connector.slug),
            error: connector.last_error.clone(),
        });
        Available { sources: built_in.chain(connectors).collect(), actions }
    }
}
