//! Harvests: asking the servers of connectors for their tools.

use std::time::Duration;

use catalog::{
    CallContext, Credential,
    connector::{self, Connector, Harvest, Seen, store},
};
use events::Event;
use futures::StreamExt as _;
use model::{ConnectorId, EventType, InvocationId, OrgId, SourceSlug};
use pipeline::read;
use platform::db;
use serde_json::json;

use crate::{connectors::found, error::Error, parts::Oversight};

/// How long a list of tools is fresh; a request for the catalog refreshes an older one.
const FRESH: Duration = Duration::from_secs(5 * 60);
/// How often a connector is harvested at least, whether it is used or not.
pub(crate) const DAILY: Duration = Duration::from_secs(24 * 60 * 60);
/// How many overdue connectors one sweep harvests, and how many of them at the same time.
const SWEEP_LIMIT: i32 = 100;
const AT_ONCE: usize = 8;

impl Oversight {
    /// Harvests a connector: asks its server for its tools and stores them. Returns what is new. If the server cannot be
    /// asked, the error is stored beside the last known tools.
    pub async fn harvest(&self, org: OrgId, slug: &SourceSlug) -> Result<(Connector, Vec<Seen>), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let connector = found(&mut tx, org, slug).await?;
        drop(tx);
        let answer = self.ask_for_tools(org, &connector).await;
        let now = self.parts.world.clock.now();
        let whose = model::InOrg { org, id: connector.id };
        let mut tx = self.parts.db.begin(org).await?;
        let news = match answer {
            Ok(harvest) => harvest.keep(&mut tx, whose, now).await?,
            Err(why) => {
                let why: String = self.parts.reader.redactor().redact_text(&why).chars().take(500).collect();
                connector::failed(&mut tx, whose, &why, now).await?;
                vec![]
            }
        };
        let mut reported: Vec<Event> =
            news.iter().filter(|seen| seen.is_drift()).map(|seen| self.drifted(&connector, seen)).collect();
        let connector = found(&mut tx, org, slug).await?;
        let data = json!({
            "connector": connector.slug, "news": news.len(), "drifted": reported.len(), "failed": connector.last_error.is_some(),
        });
        reported.insert(0, Event::new(&self.parts.world, EventType::ConnectorHarvested, connector.id, data));
        self.parts.events.stage(&mut tx, org, reported.iter()).await?;
        db::commit(tx).await?;
        metrics::counter!("countersign_harvests_total", "failed" => connector.last_error.is_some().to_string())
            .increment(1);
        Ok((connector, news))
    }

    /// The tools of a server, or why they cannot be used.
    async fn ask_for_tools(&self, org: OrgId, connector: &Connector) -> Result<Harvest, String> {
        let credential =
            self.parts.reader.current_credential(org, &connector.slug).await.map_err(|error| {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "reading the credential of a connector failed"
                );
                read::unreadable(&error).to_owned()
            })?;
        let ctx = self.harvest_context(org, credential);
        let source = self.parts.sources.of(org, connector, &[]);
        let harvest = source.harvest(&ctx).await.map_err(|error| error.message)?;
        // Tools are shown to people and, once accepted, to agents, so our credential must not be in them.
        let tools = json!([harvest.server, harvest.offers, harvest.unusable]);
        let knowing = self.parts.reader.redactor_with(ctx.credential.as_ref());
        if knowing.redact_value(&tools) != self.parts.reader.redactor().redact_value(&tools) {
            return Err("the server's response contains the credential; its tools were not stored".to_owned());
        }
        Ok(harvest)
    }

    fn drifted(&self, connector: &Connector, seen: &Seen) -> Event {
        // The name is the server's own text: it is redacted and cut like everything from outside.
        let tool: String = self.parts.reader.redactor().redact_text(&seen.tool).chars().take(200).collect();
        let data = json!({ "connector": connector.slug, "tool": tool, "what": seen.news });
        Event::new(&self.parts.world, EventType::ConnectorToolDrifted, connector.id, data)
    }

    /// Harvests connectors whose tools are not fresh, in the background. One gateway does it for all.
    pub(crate) async fn refresh(&self, org: OrgId, connectors: impl Iterator<Item = &Connector>) {
        let now = self.parts.world.clock.now();
        let stale =
            connectors.filter(|connector| connector.last_harvested_at.is_none_or(|at| at + FRESH < now));
        for connector in stale {
            if self.refreshed.contains_key(&connector.id) {
                continue;
            }
            self.refreshed.insert(connector.id, ());
            let key = format!("harvest:{}", connector.id);
            if self.parts.redis.count(&[(key, 1)], FRESH).await.first().is_some_and(|count| *count > 1) {
                continue;
            }
            let (oversight, slug) = (self.clone(), connector.slug.clone());
            self.parts.shutdown.spawn(async move { oversight.harvest_or_log(org, &slug).await });
        }
    }

    pub(crate) async fn harvest_or_log(&self, org: OrgId, slug: &SourceSlug) {
        if let Err(error) = self.harvest(org, slug).await {
            tracing::warn!(connector = %slug, error = &error as &dyn std::error::Error, "harvesting a connector failed");
        }
    }

    /// Harvests a connector, unless that was done within half a day. Returns whether the connector exists. Called by the
    /// engine's timer.
    pub(crate) async fn harvest_daily(&self, org: OrgId, id: ConnectorId) -> Result<bool, Error> {
        let all = self.connectors(org).await?;
        let Some(connector) = all.into_iter().find(|connector| connector.id == id) else { return Ok(false) };
        let due = self.parts.world.clock.now() - DAILY / 2;
        if connector.enabled && connector.last_harvested_at.is_none_or(|at| at < due) {
            self.harvest(org, &connector.slug).await?;
        }
        Ok(true)
    }

    /// Harvests connectors whose timer was lost. Returns how many.
    pub async fn sweep_connectors(&self) -> Result<usize, Error> {
        let before = self.parts.world.clock.now() - DAILY - DAILY / 24;
        let mut conn = self.parts.db.unscoped().await?;
        let overdue = store::overdue(&mut conn, before, SWEEP_LIMIT).await?;
        drop(conn);
        let asked = futures::stream::iter(overdue).map(|(org, id)| async move {
            if let Err(error) = self.harvest_daily(org, id).await {
                tracing::warn!(connector.id = %id, error = &error as &dyn std::error::Error, "harvesting a connector failed");
            }
            self.harvest_later(org, id, DAILY).await;
        });
        Ok(asked.buffer_unordered(AT_ONCE).count().await)
    }

    /// The context of a harvest: no session and no invocation.
    fn harvest_context(&self, org: OrgId, credential: Option<tenancy::Credential>) -> CallContext {
        CallContext {
            org,
            key: InvocationId::from_uuid(self.parts.world.uuid()).into(),
            credential: credential.map(|found| Credential { token: found.token }),
            timeout: self.parts.limits.action_timeout,
            egress: self.parts.egress.clone(),
            workspace: None,
            payloads: Default::default(),
        }
    }
}
