//! The catalog as a session sees it: every action with what would be decided about it now.

use std::sync::Arc;

use catalog::Action;
use model::{Decision, OrgId, SessionId};

use crate::{Error, Pipeline, standing};

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
}

/// One action.
pub struct AvailableAction {
    pub action: Arc<Action>,
    /// Without parameters, so without the gates that look at them.
    pub decision: Decision,
}

impl Pipeline {
    /// The catalog for a session, as of now: the standing is read anew, because no claim will check it.
    pub async fn available(&self, org: OrgId, session: SessionId) -> Result<Available, Error> {
        let standing = standing::load(self, org, session).await?;
        let now = self.parts.world.clock.now();
        let actions: Vec<_> = self
            .parts
            .registry
            .actions()
            .map(|action| AvailableAction {
                action: action.clone(),
                decision: standing.decide(&action.definition, None, now),
            })
            .collect();
        let sources = self.parts.registry.sources().map(|source| {
            let slug = source.slug();
            let needs = actions.iter().any(|found| {
                found.action.definition.address.source == *slug && found.action.definition.needs_connection
            });
            let connected = !needs || standing.org.connected.contains_key(slug.as_str());
            AvailableSource { slug: slug.to_string(), connected }
        });
        Ok(Available { sources: sources.collect(), actions })
    }
}
