//! Connectors: added, asked for their tools, and reviewed.

use std::{collections::HashMap, time::Duration};

use catalog::connector::{
    self, Auth, Connector, Error as ConnectorError, Harvest, Kind, Review, Seen, Tool, store,
};
use events::Event;
use futures::StreamExt as _;
use model::{ConnectorId, EventType, Mode, OrgId, SourceSlug, UserId};
use platform::db::{self, Tx};
use policy::{NewRule, Rule, RuleScope};
use serde_json::{Value, json};

use crate::{Error, Pipeline, SIGNING_SECRET, capture, context};

/// How long a list of tools counts as fresh; asking for the catalog has an older one looked at again.
const FRESH: Duration = Duration::from_secs(5 * 60);
/// How often a connector is asked at least, whoever uses it.
pub(crate) const DAILY: Duration = Duration::from_secs(24 * 60 * 60);
/// How many overdue connectors are asked in one sweep, and how many of them at once.
const SWEEP: i32 = 100;
const AT_ONCE: usize = 8;
/// A name that stands for this program itself.
const OURSELVES: &str = "countersign";

/// A server to connect.
#[derive(Debug, Clone)]
pub struct NewConnector {
    pub slug: SourceSlug,
    pub kind: Kind,
    pub auth: Auth,
}

/// What to change about one; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct ConnectorChange {
    pub place: Option<String>,
    pub base_url: Option<String>,
    pub auth: Option<Auth>,
    pub enabled: Option<bool>,
}

impl Pipeline {
    /// Connects a server, and asks it for its tools. If it does not answer it is connected all the same, with the reason.
    pub async fn add_connector(
        &self,
        (org, user): (OrgId, UserId),
        new: NewConnector,
    ) -> Result<Connector, Error> {
        self.check_kind(&new.kind, &new.auth)?;
        let connector = Connector {
            id: ConnectorId::from_uuid(self.parts.world.uuid()),
            slug: new.slug,
            kind: new.kind,
            auth: new.auth,
            enabled: true,
            server: None,
            last_harvested_at: None,
            last_error: None,
            created_by: user,
            created_at: self.parts.world.clock.now(),
        };
        let mut tx = self.parts.db.begin(org).await?;
        self.check_slug(&store::list(&mut tx, org).await?, &connector.slug)?;
        store::insert(&mut tx, org, &connector).await?;
        db::commit(tx).await?;
        self.harvest_later(org, connector.id, DAILY).await;
        let (connector, _) = self.harvest(org, &connector.slug).await?;
        Ok(connector)
    }

    fn check_kind(&self, kind: &Kind, auth: &Auth) -> Result<(), Error> {
        let invalid = |rule: String| Err(ConnectorError::Invalid(rule).into());
        // A server that is sent it, or that sets it as its token, could click in Slack as anybody.
        if auth.secret() == Some(SIGNING_SECRET) {
            return invalid(format!("`{SIGNING_SECRET}` is for clicks in Slack alone"));
        }
        match kind {
            Kind::Stdio { command } if !self.parts.sources.mcp.has_command(command) => {
                invalid(format!("the operator declared no command `{command}`"))
            }
            Kind::Stdio { .. } if *auth != Auth::None => {
                invalid("a command gets its credentials from the operator, so `auth` is `none`".to_owned())
            }
            Kind::OpenApi { .. } if matches!(auth, Auth::OAuth { .. }) => invalid(
                "only an MCP server names its authorization server, so `oauth` is for `mcp`".to_owned(),
            ),
            _ => Ok(()),
        }
    }

    /// A slug is nobody else's, and cannot be taken for anybody else's.
    fn check_slug(&self, connectors: &[Connector], slug: &SourceSlug) -> Result<(), Error> {
        if slug.as_str().contains("__") {
            let rule = "two underscores separate a source from its action in MCP, so a slug has none";
            return Err(ConnectorError::Invalid(rule.to_owned()).into());
        }
        let built_in = self.parts.registry.sources().map(|source| source.slug().as_str());
        let others = connectors.iter().map(|connector| connector.slug.as_str());
        let skeleton = connector::skeleton(slug.as_str());
        let alike =
            built_in.chain([OURSELVES]).chain(others).find(|other| connector::skeleton(other) == skeleton);
        match alike {
            None => Ok(()),
            Some(other) => {
                let message = format!("`{slug}` is, or can be taken for, the source `{other}`");
                Err(ConnectorError::Exists(message).into())
            }
        }
    }

    /// The org's connectors.
    pub async fn connectors(&self, org: OrgId) -> Result<Vec<Connector>, Error> {
        Ok(store::list(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// How many tools each connector lists, and how many of them wait for a review.
    pub async fn tool_counts(&self, org: OrgId) -> Result<HashMap<ConnectorId, (i64, i64)>, Error> {
        Ok(store::counts(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// A connector with its tools.
    pub async fn connector(&self, org: OrgId, slug: &SourceSlug) -> Result<(Connector, Vec<Tool>), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let connector = found(&mut tx, org, slug).await?;
        let tools = store::tools(&mut tx, org, connector.id).await?;
        Ok((connector, tools))
    }

    /// Changes a connector. Where it is asked another server or with another credential, it is asked at once.
    pub async fn change_connector(
        &self,
        org: OrgId,
        slug: &SourceSlug,
        change: ConnectorChange,
    ) -> Result<Connector, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let mut connector = found(&mut tx, org, slug).await?;
        let place = change.place.as_deref().unwrap_or_else(|| connector.kind.place());
        let base = change.base_url.as_deref().or_else(|| connector.kind.base());
        connector.kind = Kind::parse(connector.kind.as_str(), place, base)?;
        connector.auth = change.auth.unwrap_or(connector.auth);
        connector.enabled = change.enabled.unwrap_or(connector.enabled);
        self.check_kind(&connector.kind, &connector.auth)?;
        store::update(&mut tx, org, &connector).await?;
        db::commit(tx).await?;
        Ok(if connector.enabled { self.harvest(org, slug).await?.0 } else { connector })
    }

    /// Removes a connector with its tools; rules for it stay, and hold should it come back.
    pub async fn remove_connector(&self, org: OrgId, slug: &SourceSlug) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        if !store::delete(&mut tx, org, slug).await? {
            return Err(ConnectorError::NotFound("connector").into());
        }
        Ok(db::commit(tx).await?)
    }

    /// Asks a server for its tools and keeps what it says; says what is new. If it cannot be asked, the reason is kept
    /// beside its last known tools.
    pub async fn harvest(&self, org: OrgId, slug: &SourceSlug) -> Result<(Connector, Vec<Seen>), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let connector = found(&mut tx, org, slug).await?;
        drop(tx);
        let answered = self.ask_for_tools(org, &connector).await;
        let now = self.parts.world.clock.now();
        let whose = (org, connector.id);
        let mut tx = self.parts.db.begin(org).await?;
        let news = match answered {
            Ok(harvest) => harvest.keep(&mut tx, whose, now).await?,
            Err(why) => {
                let why: String = self.redactor.redact_text(&why).chars().take(500).collect();
                connector::failed(&mut tx, whose, &why, now).await?;
                vec![]
            }
        };
        let mut told: Vec<Event> =
            news.iter().filter(|seen| seen.is_drift()).map(|seen| self.drifted(&connector, seen)).collect();
        let connector = found(&mut tx, org, slug).await?;
        let data = json!({
            "connector": connector.slug, "news": news.len(), "drifted": told.len(), "failed": connector.last_error.is_some(),
        });
        told.insert(0, Event::new(&self.parts.world, EventType::ConnectorHarvested, connector.id, data));
        self.parts.events.stage(&mut tx, org, told.iter()).await?;
        db::commit(tx).await?;
        metrics::counter!("countersign_harvests_total", "failed" => connector.last_error.is_some().to_string())
            .increment(1);
        Ok((connector, news))
    }

    /// What the server says of its tools, or why it cannot be used.
    async fn ask_for_tools(&self, org: OrgId, connector: &Connector) -> Result<Harvest, String> {
        let credential = context::current_credential(self, org, &connector.slug).await.map_err(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "reading the credential of a connector"
            );
            context::unreadable(&error).to_owned()
        })?;
        let ctx = context::for_harvest(self, org, credential);
        let source = self.parts.sources.of(org, connector, &[]);
        let harvest = source.harvest(&ctx).await.map_err(|error| error.message)?;
        // What is kept of a tool is shown to people and, once accepted, to agents: no place for our credential.
        let said = json!([harvest.server, harvest.offers, harvest.unusable]);
        let knowing = capture::redactor(self, ctx.credential.as_ref(), &Value::Null);
        if knowing.redact_value(&said) != self.redactor.redact_value(&said) {
            return Err(
                "the server repeats the credential it was asked with; its tools are not kept".to_owned()
            );
        }
        Ok(harvest)
    }

    fn drifted(&self, connector: &Connector, seen: &Seen) -> Event {
        // The name is the server's own word: it is redacted and cut like everything a stranger says.
        let tool: String = self.redactor.redact_text(&seen.tool).chars().take(200).collect();
        let data = json!({ "connector": connector.slug, "tool": tool, "what": seen.news });
        Event::new(&self.parts.world, EventType::ConnectorToolDrifted, connector.id, data)
    }

    /// Takes a person's word about a tool: accepted as they saw it, or denied for good, whatever it becomes.
    pub async fn review_tool(
        &self,
        org: OrgId,
        (slug, name): (&SourceSlug, &str),
        review: Review,
        deny: bool,
    ) -> Result<Tool, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let connector = found(&mut tx, org, slug).await?;
        let now = self.parts.world.clock.now();
        let tool = connector::review(&mut tx, (org, connector.id, name), &review, now).await?;
        if deny && let Ok(action) = &tool.action {
            let mut rule = Rule::new(RuleScope::Org, slug.as_str(), action.as_str(), Mode::Deny)?;
            rule.reason = review.note;
            self.parts.rules.put_in(&mut tx, org, NewRule { rule, set_by: review.by }).await?;
        }
        db::commit(tx).await?;
        Ok(tool)
    }

    /// Has connectors whose tools were not looked at lately asked again, behind the back of whoever asks. One gateway
    /// does it for all.
    pub(crate) async fn refresh(&self, org: OrgId, connectors: impl Iterator<Item = &Connector>) {
        let now = self.parts.world.clock.now();
        let stale =
            connectors.filter(|connector| connector.last_harvested_at.is_none_or(|at| at + FRESH < now));
        for connector in stale {
            if self.standings.refreshed.contains_key(&connector.id) {
                continue;
            }
            self.standings.refreshed.insert(connector.id, ());
            let key = format!("harvest:{}", connector.id);
            if self.parts.redis.count(&key, FRESH).await.is_some_and(|count| count > 1) {
                continue;
            }
            let (pipeline, slug) = (self.clone(), connector.slug.clone());
            self.parts.shutdown.spawn(async move { pipeline.harvest_or_log(org, &slug).await });
        }
    }

    pub(crate) async fn harvest_or_log(&self, org: OrgId, slug: &SourceSlug) {
        if let Err(error) = self.harvest(org, slug).await {
            tracing::warn!(connector = %slug, error = &error as &dyn std::error::Error, "harvesting a connector");
        }
    }

    /// Asks a connector, if nobody did for most of a day. Called by the engine's timer.
    pub(crate) async fn harvest_daily(&self, org: OrgId, id: ConnectorId) -> Result<bool, Error> {
        let all = self.connectors(org).await?;
        let Some(connector) = all.into_iter().find(|connector| connector.id == id) else { return Ok(false) };
        let due = self.parts.world.clock.now() - DAILY / 2;
        if connector.enabled && connector.last_harvested_at.is_none_or(|at| at < due) {
            self.harvest(org, &connector.slug).await?;
        }
        Ok(true)
    }

    /// Asks the connectors whose timer was lost. Says how many.
    pub async fn sweep_connectors(&self) -> Result<usize, Error> {
        let before = self.parts.world.clock.now() - DAILY - DAILY / 24;
        let mut conn = self.parts.db.unscoped().await?;
        let overdue = store::overdue(&mut conn, before, SWEEP).await?;
        drop(conn);
        let asked = futures::stream::iter(overdue).map(|(org, id)| async move {
            if let Err(error) = self.harvest_daily(org, id).await {
                tracing::warn!(connector.id = %id, error = &error as &dyn std::error::Error, "harvesting a connector");
            }
            self.harvest_later(org, id, DAILY).await;
        });
        Ok(asked.buffer_unordered(AT_ONCE).count().await)
    }
}

pub(crate) async fn found(tx: &mut Tx, org: OrgId, slug: &SourceSlug) -> Result<Connector, Error> {
    let found = store::find(tx, org, slug).await?;
    Ok(found.ok_or(ConnectorError::NotFound("connector"))?)
}
