//! Assembles all parts of the program, once.

use anyhow::Context as _;
use catalog::{
    Registry, SourceUrls,
    connector::Sources,
    integrations,
    mcp::{Changes, Clients, Commands},
};
use changes::Recorder;
use events::Log;
use gateway::{App, Public, Surroundings, Web};
use ledger::Ledger;
use notify::{Mail, Outlets};
use pipeline::{Engine, Parts};
use platform::{
    World,
    config::{self, Config},
    db::Database,
    egress::{Egress, EgressPolicy},
    objects::Objects,
    redis::Redis,
    seal::{Keyring, Sealer, rotation::label},
    shutdown::Shutdown,
    telemetry,
};
use policy::{Conducts, Grants, Policies, Rules};
use secrecy::ExposeSecret as _;
use tenancy::{Tenancy, oidc};
use tokio::sync::mpsc;

use crate::stdio;

/// The parts that every command with access to the database needs.
pub(crate) struct Wiring {
    pub(crate) config: Config,
    pub(crate) world: World,
    pub(crate) db: Database,
    pub(crate) sealer: Sealer,
}

impl Wiring {
    /// From a checked configuration. Nothing is connected yet.
    pub(crate) fn new(config: Config) -> anyhow::Result<Self> {
        let keyring = Keyring::parse(&config.master_keys)?;
        let (url, most) = (config.database_url.expose_secret(), config.database_connections);
        let db = Database::guarded(url, most, &config.deployment, &label(&keyring.fingerprints()))?;
        Ok(Self::with(config, keyring, db))
    }

    /// The same for a database that is held, for the operator who settles it.
    pub(crate) fn unguarded(config: Config) -> anyhow::Result<Self> {
        let keyring = Keyring::parse(&config.master_keys)?;
        let (url, most) = (config.database_url.expose_secret(), config.database_connections);
        let db = Database::labelled(url, most, &label(&keyring.fingerprints()))?;
        Ok(Self::with(config, keyring, db))
    }

    fn with(config: Config, keyring: Keyring, db: Database) -> Self {
        let world = World::system();
        let sealer = Sealer::new(world.clone(), keyring);
        Self { config, world, db, sealer }
    }

    /// Organizations, with changes that the ledger's key signs.
    pub(crate) fn tenancy(&self, recorder: Recorder) -> Tenancy {
        let (db, world, sealer) = (self.db.clone(), self.world.clone(), self.sealer.clone());
        Tenancy::new(db, world, sealer, self.config.cell.clone(), recorder)
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
        let urls = source_urls()?;
        let outlets = outlets(&self.config, &urls)?;
        let web = web(&self.config)?;
        let proxies = self.config.trusted_proxies.clone();
        let public = Public::new(self.world.clock.clone(), self.config.public_per_minute, proxies);
        let registry = Registry::builtin(&urls)?;
        let engine = Engine::new(&self.config.engine_url).context("COUNTERSIGN_RESTATE_INGRESS_URL")?;
        let commands = self.config.stdio_servers.as_deref().map(stdio::declared).transpose()?;
        let commands = Commands::new(commands.unwrap_or_default(), None);
        let (tell, changed_connectors) = mpsc::unbounded_channel();
        let changes = Changes { tell, shutdown: shutdown.clone() };
        let mcp = Clients::new(commands, Some(changes));
        let sources = Sources { mcp, ..Sources::default() };
        let events = Log::new(self.db.clone(), redis.clone(), self.world.clone(), shutdown.clone());
        let recorder = Recorder::new(self.world.clone(), ledger.key(), Some(events.clone()));
        let rules = Rules::new(self.db.clone(), self.world.clone(), recorder.clone());
        let policies = Policies::new(self.db.clone(), self.world.clone(), recorder.clone());
        let policies = policies.with_solver(&self.config.solver);
        let conducts = Conducts::new(self.db.clone(), self.world.clone(), recorder.clone());
        let grants = Grants::new(self.db.clone(), self.world.clone(), recorder.clone());
        let tenancy = self.tenancy(recorder.clone());
        let parts = Parts {
            db: self.db,
            world: self.world,
            registry,
            sources,
            tenancy,
            rules,
            policies,
            grants,
            conducts,
            ledger,
            events,
            sealer: self.sealer,
            redis,
            egress,
            limits: self.config.limits,
            workspace_root: self.config.workspace_root,
            shutdown,
            engine: Some(engine),
            public_url: self.config.public_url,
        };
        let metrics = Some(telemetry::start_metrics()?);
        Ok(App::assemble(parts, Surroundings { changed_connectors, outlets, recorder, web, public, metrics }))
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
    Ok(Outlets { slack: urls.of(&integrations::SLACK), mail, inbox: config.public_url.clone() })
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
    // The operator configures the provider, so it may be in a private network.
    let provider = oidc::Provider::new(settings, Egress::new(EgressPolicy::open())?);
    Ok(Web { public_url: Some(public.clone()), provider: Some(provider) })
}

/// The URLs of the services of the integrations: the public ones, and those set in the environment.
fn source_urls() -> anyhow::Result<SourceUrls> {
    let mut urls = SourceUrls::default();
    for integration in integrations::ALL {
        if let Some(given) = config::variable(integration.url_variable) {
            let problem = || format!("{} is not a URL", integration.url_variable);
            urls = urls.with(integration, given.parse().with_context(problem)?);
        }
    }
    Ok(urls)
}
