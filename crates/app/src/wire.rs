//! Puts every part together, once.

use anyhow::Context as _;
use automation::Automations;
use catalog::{
    Registry, SourceUrls,
    connector::Sources,
    mcp::{Changes, Clients},
};
use events::{Groups, Log};
use gateway::{App, Web};
use ledger::Ledger;
use pipeline::{Engine, Mail, Outlets, Parts, Pipeline};
use platform::{
    World,
    config::{Config, Urls},
    db::Database,
    egress::{Egress, EgressPolicy},
    objects::Objects,
    redis::Redis,
    seal::{Keyring, Sealer},
    shutdown::Shutdown,
    telemetry,
};
use policy::{Grants, Rules};
use secrecy::ExposeSecret as _;
use tenancy::{Tenancy, oidc};
use tokio::sync::mpsc;

use crate::stdio;

/// What every command needs that works on the database.
pub(crate) struct Wiring {
    pub(crate) config: Config,
    pub(crate) world: World,
    pub(crate) db: Database,
    pub(crate) sealer: Sealer,
    pub(crate) tenancy: Tenancy,
}

impl Wiring {
    /// From a checked configuration. Nothing is connected yet.
    pub(crate) fn new(config: Config) -> anyhow::Result<Self> {
        let world = World::system();
        let db = Database::open(config.database_url.expose_secret(), config.database_connections)?;
        let sealer = Sealer::new(world.clone(), Keyring::parse(&config.master_keys)?);
        let tenancy = Tenancy::new(db.clone(), world.clone(), sealer.clone(), config.cell.clone());
        Ok(Self { config, world, db, sealer, tenancy })
    }

    /// The ledger, with its signing key.
    pub(crate) async fn ledger(&self) -> anyhow::Result<Ledger> {
        let ledger = Ledger::open(self.db.clone(), self.world.clone(), self.sealer.clone()).await;
        let ledger = ledger.context("reading the signing key; was the database migrated?")?;
        Ok(match &self.config.artifacts {
            Some(place) => ledger.with_artifacts(Objects::parse(place).context("COUNTERSIGN_ARTIFACTS")?),
            None => ledger,
        })
    }

    /// The whole application.
    pub(crate) async fn app(self, shutdown: Shutdown) -> anyhow::Result<App> {
        let ledger = self.ledger().await?;
        let redis = Redis::open(self.config.redis_url.expose_secret(), self.world.clock.clone())?;
        let egress = Egress::new(EgressPolicy { allow: self.config.egress_allow.clone() })?;
        let urls = source_urls(&self.config.urls)?;
        let outlets = outlets(&self.config, &urls)?;
        let web = web(&self.config)?;
        let registry = Registry::builtin(&urls)?;
        let rules = Rules::new(self.db.clone(), self.world.clone());
        let grants = Grants::new(self.db.clone(), self.world.clone());
        let engine = Engine::new(&self.config.engine_url).context("COUNTERSIGN_RESTATE_INGRESS_URL")?;
        let commands = self.config.stdio_servers.as_deref().map(stdio::declared).transpose()?;
        let (tell, told) = mpsc::unbounded_channel();
        let changes = Changes { tell, shutdown: shutdown.clone() };
        let mcp = Clients::new(commands.unwrap_or_default(), Some(changes));
        let sources = Sources { mcp, ..Sources::default() };
        let events = Log::new(self.db.clone(), redis.clone(), self.world.clone(), shutdown.clone());
        let pipeline = Pipeline::new(Parts {
            db: self.db.clone(),
            world: self.world.clone(),
            registry,
            sources,
            tenancy: self.tenancy.clone(),
            rules: rules.clone(),
            grants: grants.clone(),
            ledger: ledger.clone(),
            events: events.clone(),
            sealer: self.sealer.clone(),
            redis: redis.clone(),
            egress,
            limits: self.config.limits,
            workspace_root: self.config.workspace_root,
            shutdown: shutdown.clone(),
            engine: Some(engine.clone()),
            public_url: self.config.public_url,
            outlets,
        });
        pipeline.hear_changes(told);
        let automations = Automations::new(automation::Parts {
            db: self.db.clone(),
            world: self.world.clone(),
            sealer: self.sealer,
            tenancy: self.tenancy.clone(),
            events: events.clone(),
            pipeline: pipeline.clone(),
            engine: Some(engine),
        });
        Ok(App {
            pipeline,
            automations,
            tenancy: self.tenancy,
            rules,
            grants,
            ledger,
            groups: Groups::new(events.clone()),
            events,
            db: self.db,
            redis,
            world: self.world,
            shutdown,
            web,
            metrics: Some(telemetry::start_metrics()?),
        })
    }
}

fn outlets(config: &Config, urls: &SourceUrls) -> anyhow::Result<Outlets> {
    let mail = match (&config.smtp_url, &config.mail_from) {
        (None, _) => None,
        (Some(_), None) => anyhow::bail!("COUNTERSIGN_MAIL_FROM is not set: mails come from somebody"),
        (Some(url), Some(from)) => {
            let problem =
                "COUNTERSIGN_SMTP_URL is smtps://user:password@host:465 and COUNTERSIGN_MAIL_FROM an address";
            Some(Mail::new(url, from).context(problem)?)
        }
    };
    Ok(Outlets { slack: urls.slack.clone(), mail, inbox: config.public_url.clone() })
}

fn web(config: &Config) -> anyhow::Result<Web> {
    let Some(known) = &config.oidc else {
        return Ok(Web { public_url: config.public_url.clone(), provider: None });
    };
    let public = config.public_url.as_ref().context(
        "COUNTERSIGN_PUBLIC_URL is not set: the identity provider sends browsers back there, to /v1/signin/oidc/callback",
    )?;
    let issuer = known.issuer.parse().context("COUNTERSIGN_OIDC_ISSUER is not an address")?;
    anyhow::ensure!(oidc::is_safe(&issuer), "COUNTERSIGN_OIDC_ISSUER is not https");
    let settings = oidc::Settings {
        name: known.name.clone(),
        issuer: known.issuer.clone(),
        client_id: known.client_id.clone(),
        client_secret: known.client_secret.clone(),
        redirect: public.join("/v1/signin/oidc/callback")?,
        trust_email: known.trust_email,
    };
    // The operator named it, so it may be inside.
    let provider = oidc::Provider::new(settings, Egress::new(EgressPolicy::open())?);
    Ok(Web { public_url: Some(public.clone()), provider: Some(provider) })
}

fn source_urls(urls: &Urls) -> anyhow::Result<SourceUrls> {
    let mut all = SourceUrls::default();
    for (name, given, slot) in [
        ("COUNTERSIGN_LINEAR_URL", &urls.linear, &mut all.linear),
        ("COUNTERSIGN_SENTRY_URL", &urls.sentry, &mut all.sentry),
        ("COUNTERSIGN_SLACK_URL", &urls.slack, &mut all.slack),
        ("COUNTERSIGN_GITHUB_URL", &urls.github, &mut all.github),
    ] {
        if let Some(given) = given {
            *slot = given.parse().with_context(|| format!("{name} is not an address"))?;
        }
    }
    Ok(all)
}
