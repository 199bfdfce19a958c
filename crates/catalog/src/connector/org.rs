//! The actions of an organization's connectors, compiled once for each version of its catalog.

use std::{collections::BTreeMap, sync::Arc};

use model::{ActionAddress, ActionName, OrgId, SourceSlug};
use platform::db;
use sqlx::PgConnection;

use super::{Connector, Kind, Tool, store};
use crate::{
    Action, ActionSource, guide_of, mcp,
    models::{self, Provider},
    openapi,
};

/// The clients for connectors, shared by all of them.
#[derive(Clone, Default)]
pub struct Sources {
    pub mcp: mcp::Clients,
    pub openapi: openapi::Documents,
}

impl Sources {
    /// The source of a connector, with the expected shape of each of its tools.
    pub fn of(&self, org: OrgId, connector: &Connector, tools: &[Tool]) -> Arc<dyn ActionSource> {
        match &connector.kind {
            Kind::Mcp { .. } | Kind::Stdio { .. } => {
                Arc::new(mcp::McpSource::new(self.mcp.clone(), org, connector, tools))
            }
            Kind::OpenApi { document, base } => {
                let place = openapi::Place { document: document.clone(), base: base.clone() };
                Arc::new(openapi::OpenApiSource::new(self.openapi.clone(), org, place, connector, tools))
            }
        }
    }
}

/// An organization's connectors with all their actions, and its providers of models.
#[derive(Default)]
pub struct OrgCatalog {
    connectors: Vec<Connector>,
    providers: Vec<Provider>,
    actions: BTreeMap<ActionAddress, Arc<Action>>,
}

impl OrgCatalog {
    /// Reads and compiles the catalog of an organization.
    pub async fn load(conn: &mut PgConnection, org: OrgId, sources: &Sources) -> Result<Self, db::Error> {
        let connectors = store::list(conn, org).await?;
        let providers = models::store::list(conn, org).await?;
        let mut tools: BTreeMap<_, Vec<Tool>> = BTreeMap::new();
        if !connectors.is_empty() {
            for (connector, tool) in store::all_tools(conn, org).await? {
                tools.entry(connector).or_default().push(tool);
            }
        }
        let mut actions = BTreeMap::new();
        for provider in providers.iter().filter(|provider| provider.enabled) {
            // The schema is ours, so it compiles.
            let Ok(action) = models::action(provider) else { continue };
            actions.insert(action.definition.address.clone(), Arc::new(action));
        }
        for connector in connectors.iter().filter(|connector| connector.enabled) {
            let tools = tools.remove(&connector.id).unwrap_or_default();
            let source = sources.of(org, connector, &tools);
            for tool in &tools {
                let Some(definition) = tool.definition(connector) else { continue };
                // The schema compiled when it was harvested. If this version of the program cannot compile it, the tool
                // is left out.
                let Ok(action) = Action::new(source.clone(), definition, tool.drift()) else { continue };
                let Ok(action) = action.pinned(&tool.shape_hash) else { continue };
                actions.insert(action.definition.address.clone(), Arc::new(action));
            }
        }
        Ok(Self { connectors, providers, actions })
    }

    /// The action at an address.
    pub fn resolve(&self, address: &ActionAddress) -> Option<Arc<Action>> {
        self.actions.get(address).cloned()
    }

    /// Every action, sorted by address.
    pub fn actions(&self) -> impl Iterator<Item = &Arc<Action>> {
        self.actions.values()
    }

    /// The enabled connectors, sorted by slug.
    pub fn connectors(&self) -> impl Iterator<Item = &Connector> {
        self.connectors.iter().filter(|connector| connector.enabled)
    }

    /// The connector with this slug, if it is enabled.
    pub fn connector(&self, slug: &SourceSlug) -> Option<&Connector> {
        self.connectors().find(|connector| connector.slug == *slug)
    }

    /// The enabled providers of models, sorted by slug.
    pub fn model_providers(&self) -> impl Iterator<Item = &Provider> {
        self.providers.iter().filter(|provider| provider.enabled)
    }

    /// The provider of models with this slug, if it is enabled.
    pub fn model_provider(&self, slug: &ActionName) -> Option<&Provider> {
        self.model_providers().find(|provider| provider.slug == *slug)
    }

    /// The text an agent should read before using a connector, generated from what was reviewed.
    pub fn guide(&self, slug: &SourceSlug) -> Option<String> {
        self.connector(slug)?;
        let definitions = self.actions().map(|action| &action.definition);
        Some(guide_of(slug, definitions.filter(|definition| definition.address.source == *slug)))
    }
}
