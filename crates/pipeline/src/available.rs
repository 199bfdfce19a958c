//! The catalog as a session sees it: every action with what would be decided about it now.

use std::sync::Arc;

use bytes::Bytes;
use catalog::Action;
use jiff::Timestamp;
use model::{Decision, OrgId, SessionId, SourceSlug};

use crate::{
    Error, Pipeline,
    standing::{self, Standing},
};

/// Everything a session could ask for.
pub struct Available {
    pub sources: Vec<AvailableSource>,
    pub actions: Vec<AvailableAction>,
}

/// An origin of actions.
pub struct AvailableSource {
    pub slug: String,
    /// Whether it can be used: it needs no credential, or the org has given one.
    pub connected: bool,
    /// Why it could not be asked what it can do; what is listed of it is from before.
    pub error: Option<String>,
}

/// One action.
pub struct AvailableAction {
    pub action: Arc<Action>,
    /// Without parameters, so without the gates that look at them.
    pub decision: Decision,
}

impl Pipeline {
    /// What an agent should read before using a source: written, or made from what was reviewed.
    pub async fn guide(
        &self,
        org: OrgId,
        session: SessionId,
        slug: &SourceSlug,
    ) -> Result<Option<String>, Error> {
        if let Some(guide) = self.parts.registry.guide(slug) {
            return Ok(Some(guide));
        }
        Ok(standing::load(self, org, session).await?.org.catalog.guide(slug))
    }

    /// The catalog for a session, as of now: the standing is read anew, because no claim will check it.
    pub async fn available(&self, org: OrgId, session: SessionId) -> Result<Available, Error> {
        let standing = standing::load(self, org, session).await?;
        self.refresh(org, standing.org.catalog.connectors()).await;
        Ok(self.available_to(&standing, self.parts.world.clock.now()))
    }

    /// The same, as `write` writes it down. What was written is kept by all that it follows from, which is read anew each
    /// time: for a large catalog that is a small part of the work.
    pub async fn available_written(
        &self,
        (org, session): (OrgId, SessionId),
        write: impl FnOnce(Available) -> serde_json::Result<Vec<u8>>,
    ) -> Result<Bytes, Error> {
        let standing = standing::load(self, org, session).await?;
        self.refresh(org, standing.org.catalog.connectors()).await;
        let now = self.parts.world.clock.now();
        let key = standing.catalog_key(org, now);
        if let Some(written) = self.standings.written.get(&key) {
            return Ok(written);
        }
        let written = write(self.available_to(&standing, now)).map_err(Error::Unwritable)?;
        let written = Bytes::from(written);
        self.standings.written.insert(key, written.clone());
        Ok(written)
    }

    fn available_to(&self, standing: &Standing, now: Timestamp) -> Available {
        let catalog = &standing.org.catalog;
        let all = self.parts.registry.actions().chain(catalog.actions());
        let actions: Vec<_> = all
            .map(|action| AvailableAction {
                action: action.clone(),
                decision: standing.decide((&action.definition, action.drift), None, now),
            })
            .collect();
        let is_connected = |slug: &SourceSlug| standing.org.connected.contains_key(slug.as_str());
        let built_in = self.parts.registry.sources().map(|source| {
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
