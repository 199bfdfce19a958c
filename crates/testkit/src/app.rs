//! The whole application in this process: the real router over a database of its own, with a clock that a test sets.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use catalog::{
    Registry, SourceUrls,
    connector::Sources,
    mcp::{Changes, Clients, Commands},
};
use changes::{Author, Recorder};
use events::Log;
use gateway::{App, Public, Surroundings};
use ledger::{Ledger, Sequenced};
use model::{OrgId, Role, UserId};
use notify::{Mail, Outlets};
use pipeline::Parts;
use platform::{
    World,
    config::{Limits, PUBLIC_PER_MINUTE},
    db::Database,
    egress::{Egress, EgressPolicy},
    objects::Objects,
    redis::Redis,
    seal::{Keyring, Sealer},
    shutdown::Shutdown,
};
use policy::{Conducts, Grants, Policies, Rules};
use serde_json::{Value, json};
use tenancy::{Founded, Founding, NewMember, Tenancy};
use tokio::sync::mpsc;
use tower::ServiceExt as _;

use crate::{Agent, Counters, Relay, Servers, TestDb, db::random};

/// The application, with one organization.
pub struct TestApp {
    pub app: App,
    pub db: TestDb,
    pub sealer: Sealer,
    pub org: OrgId,
    pub owner: UserId,
    pub owner_token: String,
    pub workspace: PathBuf,
    outlets: Outlets,
    router: axum::Router,
}

/// Outside services, and which addresses may be reached.
struct Outside {
    registry: Registry,
    /// Commands that connectors may run.
    commands: Option<Commands>,
    /// Where notifications are sent.
    outlets: Outlets,
    policy: EgressPolicy,
    /// Where artifacts are stored; a directory beside the workspaces when not given.
    artifacts: Option<Objects>,
    /// The engine to which approved work and runs are submitted. Without one, tests perform them themselves.
    engine: Option<pipeline::Engine>,
}

impl Outside {
    /// These sources, with access to loopback only, where the fakes are.
    fn of(registry: Registry, urls: &SourceUrls) -> anyhow::Result<Self> {
        let inbox = Some("https://gateway.test/".parse()?);
        let outlets = Outlets { slack: urls.of(&catalog::integrations::SLACK), mail: None, inbox };
        let policy = EgressPolicy { allow: vec!["127.0.0.0/8".parse()?] };
        Ok(Self { registry, commands: None, outlets, policy, artifacts: None, engine: None })
    }
}

/// A database that an earlier version left.
#[derive(Debug, Clone, Copy)]
pub struct Dump<'a> {
    /// As `pg_dump --inserts` writes it.
    pub sql: &'a str,
    /// The master key it was written with.
    pub master_key: &'a str,
    pub owner_token: &'a str,
    /// The time at which the clock of the test starts.
    pub at: jiff::Timestamp,
}

/// The response to a request.
#[derive(Debug, Clone)]
pub struct Answered {
    pub status: StatusCode,
    pub headers: axum::http::HeaderMap,
    /// The body as JSON; `null` if it is not JSON.
    pub body: Value,
    /// The body as text.
    pub text: String,
    /// The body as bytes.
    pub bytes: Vec<u8>,
}

impl TestApp {
    /// With the public addresses of the integrations, for tests that call none of them.
    pub async fn start() -> anyhow::Result<Self> {
        Self::with(SourceUrls::default(), Limits::default()).await
    }

    /// With these addresses and limits.
    pub async fn with(urls: SourceUrls, limits: Limits) -> anyhow::Result<Self> {
        Self::telling(urls, limits, None).await
    }

    /// With a mail server.
    pub async fn telling(urls: SourceUrls, limits: Limits, mail: Option<Mail>) -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let url = test_db.service_url();
        let mut outside = Outside::of(Registry::builtin(&urls)?, &urls)?;
        outside.outlets.mail = mail;
        Self::assemble(outside, limits, (test_db, &url)).await
    }

    /// With this catalog, for tests that bring a source.
    pub async fn over(registry: Registry, limits: Limits) -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let url = test_db.service_url();
        Self::assemble(Outside::of(registry, &SourceUrls::default())?, limits, (test_db, &url)).await
    }

    /// With another egress policy than loopback alone.
    pub async fn reaching(policy: EgressPolicy) -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let url = test_db.service_url();
        let urls = SourceUrls::default();
        let outside = Outside { policy, ..Outside::of(Registry::builtin(&urls)?, &urls)? };
        Self::assemble(outside, Limits::default(), (test_db, &url)).await
    }

    /// With a Redis of its own.
    pub async fn with_redis(redis_url: &str, limits: Limits) -> anyhow::Result<Self> {
        let mut servers = Servers::find();
        redis_url.clone_into(&mut servers.redis_url);
        let test_db = TestDb::create_on(servers).await?;
        let (url, urls) = (test_db.service_url(), SourceUrls::default());
        Self::assemble(Outside::of(Registry::builtin(&urls)?, &urls)?, limits, (test_db, &url)).await
    }

    /// With a Redis that is never available: nothing listens on this port.
    pub async fn without_redis(limits: Limits) -> anyhow::Result<Self> {
        Self::with_redis("redis://127.0.0.1:1", limits).await
    }

    /// With this artifact store.
    pub async fn keeping(artifacts: Objects) -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let (url, urls) = (test_db.service_url(), SourceUrls::default());
        let outside =
            Outside { artifacts: Some(artifacts), ..Outside::of(Registry::builtin(&urls)?, &urls)? };
        Self::assemble(outside, Limits::default(), (test_db, &url)).await
    }

    /// With commands that connectors may run. Changes of tools that a server announces are read.
    pub async fn commanding(commands: Commands) -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let url = test_db.service_url();
        let registry = Registry::builtin(&SourceUrls::default())?;
        let outside = Outside { commands: Some(commands), ..Outside::of(registry, &SourceUrls::default())? };
        Self::assemble(outside, Limits::default(), (test_db, &url)).await
    }

    /// With a relay in front of its database, which can cut connections.
    pub async fn behind(relay: &Relay, registry: Registry, limits: Limits) -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let url = relay.before(&test_db.service_url())?;
        Self::assemble(Outside::of(registry, &SourceUrls::default())?, limits, (test_db, &url)).await
    }

    /// With every message to its servers counted. Work that is submitted to the engine is not performed.
    pub async fn counted(counters: &Counters, urls: SourceUrls) -> anyhow::Result<Self> {
        let test_db = TestDb::create_on(counters.servers.clone()).await?;
        let url = test_db.service_url();
        let mut outside = Outside::of(Registry::builtin(&urls)?, &urls)?;
        outside.engine = Some(pipeline::Engine::new(&counters.servers.ingress_url)?);
        Self::assemble(outside, Limits::default(), (test_db, &url)).await
    }

    /// Over a database that an earlier version left.
    pub async fn upgraded(dump: &Dump<'_>, urls: SourceUrls) -> anyhow::Result<Self> {
        let test_db = TestDb::restored(dump.sql).await?;
        let world = World::new(platform::Clock::manual(dump.at), platform::Dice::system());
        let sealer = Sealer::new(world.clone(), Keyring::parse(&dump.master_key.into())?);
        let workspace = std::env::temp_dir().join(format!("countersign-{}", test_db.name));
        let outside = Outside::of(Registry::builtin(&urls)?, &urls)?;
        let (url, outlets) = (test_db.service_url(), outside.outlets.clone());
        let place = (&test_db, url.as_str());
        let app = gateway_over(place, (&world, &sealer), outside, Limits::default(), &workspace).await?;
        let mut found = Self {
            router: gateway::router(app.clone()),
            app,
            db: test_db,
            sealer,
            org: OrgId::from_uuid(uuid::Uuid::nil()),
            owner: UserId::from_uuid(uuid::Uuid::nil()),
            owner_token: dump.owner_token.to_owned(),
            workspace,
            outlets,
        };
        let me = found.send(Method::GET, "/v1/me", dump.owner_token, None).await?.body;
        found.org = serde_json::from_value(me["org"].clone())?;
        found.owner = serde_json::from_value(me["user"].clone())?;
        Ok(found)
    }

    async fn assemble(
        outside: Outside,
        limits: Limits,
        (test_db, url): (TestDb, &str),
    ) -> anyhow::Result<Self> {
        // Real time at the start, so that ids fall into existing partitions; afterwards a test moves it.
        let now = World::system().clock.now();
        let world = World::new(platform::Clock::manual(now), platform::Dice::system());
        let keyring = Keyring::parse(&Keyring::generate("test", &world.dice))?;
        let sealer = Sealer::new(world.clone(), keyring);
        let workspace = std::env::temp_dir().join(format!("countersign-{}", test_db.name));
        let outlets = outside.outlets.clone();
        let app = gateway_over((&test_db, url), (&world, &sealer), outside, limits, &workspace).await?;
        let founded = app.tenancy.found(founding()).await?;
        let Founded { org, owner, token, .. } = founded;
        let owner_token = token.reveal().to_owned();
        Ok(Self {
            router: gateway::router(app.clone()),
            app,
            db: test_db,
            sealer,
            org,
            owner,
            owner_token,
            workspace,
            outlets,
        })
    }

    /// Another gateway over the same database, with the same clock and keys and no shared memory.
    pub async fn another_gateway(&self, registry: Registry) -> anyhow::Result<App> {
        let (url, shared) = (self.db.service_url(), (&self.app.world, &self.sealer));
        let outside =
            Outside { outlets: self.outlets.clone(), ..Outside::of(registry, &SourceUrls::default())? };
        gateway_over((&self.db, &url), shared, outside, Limits::default(), &self.workspace).await
    }

    /// Another process over the same database, with a clock of its own.
    pub async fn another_clock(&self, clock: platform::Clock) -> anyhow::Result<App> {
        let world = World::new(clock, platform::Dice::system());
        let urls = SourceUrls::default();
        let outside = Outside::of(Registry::builtin(&urls)?, &urls)?;
        let url = self.db.service_url();
        gateway_over((&self.db, &url), (&world, &self.sealer), outside, Limits::default(), &self.workspace)
            .await
    }

    /// Relays events in the background, as every process does. Without this call no event is relayed.
    pub fn relay(&self) {
        let events = self.app.events.clone();
        self.app.shutdown.spawn(async move { events.relay().await });
    }

    /// Relays events from another process, which connects to PostgreSQL directly even if this one is counted: how often a
    /// relay asks depends on the time and on other transactions of the server.
    pub async fn relay_beside(&self) -> anyhow::Result<App> {
        let urls = SourceUrls::default();
        let outside = Outside::of(Registry::builtin(&urls)?, &urls)?;
        let (url, shared) = (Servers::find().service_url(&self.db.name), (&self.app.world, &self.sealer));
        let other =
            gateway_over((&self.db, &url), shared, outside, Limits::default(), &self.workspace).await?;
        let events = other.events.clone();
        other.shutdown.spawn(async move { events.relay().await });
        Ok(other)
    }

    /// Relays events and sends notifications in the background.
    pub fn notify(&self) {
        self.relay();
        let notify = self.app.notify.clone();
        self.app.shutdown.spawn(async move { notify.follow().await });
    }

    /// Creates another organization in the same database; returns its id and its owner's token.
    pub async fn another_org(&self) -> anyhow::Result<(OrgId, String)> {
        let founded = self.app.tenancy.found(founding()).await?;
        Ok((founded.org, founded.token.reveal().to_owned()))
    }

    /// Adds a person with this role to an organization; returns their token.
    pub async fn person(&self, org: OrgId, role: Role) -> anyhow::Result<String> {
        let member =
            NewMember { email: format!("{}@example.test", random()), name: "Somebody".to_owned(), role };
        let (_, link) = self.app.tenancy.invite(&Author::operator(org), member).await?;
        Ok(self.app.tenancy.join(link.reveal(), None).await?.token.reveal().to_owned())
    }

    /// Opens a session as the holder of a token, for the sources that are listed by now.
    pub async fn agent_of(&self, token: &str) -> anyhow::Result<Agent> {
        self.open_session(token, json!({ "agent": "test-agent", "kind": "interactive" })).await
    }

    /// Opens a session.
    pub async fn open_session(&self, token: &str, body: Value) -> anyhow::Result<Agent> {
        let made = self.send(Method::POST, "/v1/sessions", token, Some(body)).await?;
        anyhow::ensure!(made.status == StatusCode::CREATED, "opening a session: {}", made.text);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(Agent { session: text(&made.body["session"]["id"]), token: text(&made.body["token"]) })
    }

    /// Opens a session of the first org, also for sources that are added later.
    pub async fn agent(&self) -> anyhow::Result<Agent> {
        let body = json!({ "agent": "test-agent", "kind": "interactive", "capabilities": ["*"] });
        self.open_session(&self.owner_token, body).await
    }

    /// Sets a rule of the first org.
    pub async fn rule(&self, action: &str, mode: &str) -> anyhow::Result<()> {
        let set = self
            .send(
                Method::PUT,
                "/v1/rules",
                &self.owner_token,
                Some(json!({ "action": action, "mode": mode })),
            )
            .await?;
        anyhow::ensure!(set.status == StatusCode::OK, "setting a rule: {}", set.text);
        Ok(())
    }

    /// Connects a source in the first org.
    pub async fn connect(&self, source: &str, token: &str) -> anyhow::Result<()> {
        let body = json!({ "name": source, "token": token });
        let set = self
            .send(Method::PUT, &format!("/v1/connections/{source}"), &self.owner_token, Some(body))
            .await?;
        anyhow::ensure!(set.status == StatusCode::OK, "connecting: {}", set.text);
        Ok(())
    }

    /// Invokes an action.
    pub async fn invoke(&self, agent: &Agent, action: &str, params: Value) -> anyhow::Result<Answered> {
        self.invoke_raw(agent, json!({ "action": action, "params": params }).to_string(), None).await
    }

    /// Invokes an action with an idempotency key.
    pub async fn invoke_keyed(
        &self,
        agent: &Agent,
        (action, key): (&str, &str),
        params: Value,
    ) -> anyhow::Result<Answered> {
        self.invoke_raw(agent, json!({ "action": action, "params": params }).to_string(), Some(key)).await
    }

    /// Invokes with exactly these bytes as the body.
    pub async fn invoke_raw(
        &self,
        agent: &Agent,
        body: String,
        key: Option<&str>,
    ) -> anyhow::Result<Answered> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(format!("/v1/sessions/{}/actions/invoke", agent.session))
            .header(header::AUTHORIZATION, format!("Bearer {}", agent.token));
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        self.request(request.body(Body::from(body))?).await
    }

    /// A request with a token.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Value>,
    ) -> anyhow::Result<Answered> {
        let mut request = Request::builder().method(method).uri(path);
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.request(request.body(body)?).await
    }

    /// Any request, through the real router.
    pub async fn request(&self, request: Request<Body>) -> anyhow::Result<Answered> {
        let answer = self.router.clone().oneshot(request).await?;
        let (head, body) = answer.into_parts();
        // A stream never ends; a test that follows one uses a real connection.
        let is_stream =
            head.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
        let body = if is_stream { Body::empty() } else { body };
        let bytes = axum::body::to_bytes(body, 16 << 20).await?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Answered {
            status: head.status,
            headers: head.headers,
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            text,
            bytes: bytes.into(),
        })
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.app.world.clock.advance(by);
    }

    /// The first org's events, relayed or not.
    async fn logged(&self, tx: &mut platform::db::Tx) -> anyhow::Result<Vec<events::Event>> {
        let ids: Vec<uuid::Uuid> = sqlx::query_scalar("SELECT id FROM events").fetch_all(&mut **tx).await?;
        let ids: Vec<_> = ids.into_iter().map(model::EventId::from_uuid).collect();
        let found = self.app.events.find(self.org, &ids).await?;
        Ok(found.into_iter().map(|entry| entry.event).collect())
    }

    /// Checks what must hold for every organization at any time: each terminal invocation has one receipt that verifies
    /// and one event, nothing terminal keeps its parameters, and nothing is left executing.
    pub async fn check_invariants(&self) -> anyhow::Result<()> {
        let mut tx = self.app.db.begin(self.org).await?;
        // A reconciled invocation has two receipts; the second refers to the first.
        let (terminal, receipts, events, executing): (i64, i64, i64, i64) = sqlx::query_as(
            "SELECT (SELECT count(*) FROM invocations WHERE receipt_id IS NOT NULL)
                        + (SELECT count(*) FROM events WHERE type = 'action.reconciled'),
                    (SELECT count(*) FROM receipts),
                    (SELECT count(*) FROM events WHERE type IN
                        ('action.executed', 'action.denied', 'action.quarantined', 'action.expired', 'action.reconciled')),
                    (SELECT count(*) FROM invocations WHERE status = 'executing')",
        )
        .fetch_one(&mut *tx)
        .await?;
        let schema = jsonschema::validator_for(&events::types::schema())?;
        for entry in self.logged(&mut tx).await? {
            let event = entry.to_cloud_event();
            schema.validate(&event).map_err(|error| anyhow::anyhow!("{error}: {event}"))?;
        }
        drop(tx);
        anyhow::ensure!(
            terminal == receipts && receipts == events,
            "{terminal} terminal, {receipts} receipts, {events} events"
        );
        anyhow::ensure!(executing == 0, "{executing} still executing");
        self.ledger_is_whole(receipts).await
    }

    /// Appends to the log until nothing is pending; returns the number of entries. Other tests may delay it, because it
    /// waits for every open transaction of the PostgreSQL server.
    pub async fn sequence(&self) -> anyhow::Result<u64> {
        // A log that was just signed is not signed again.
        self.advance(Duration::from_secs(2));
        let patience = tokio::time::Instant::now() + Duration::from_secs(60);
        loop {
            match self.app.ledger.sequence().await? {
                Sequenced::Signed { size, more: false } => return Ok(size),
                Sequenced::Signed { .. } => {}
                Sequenced::Nothing => {
                    anyhow::ensure!(tokio::time::Instant::now() < patience, "the log was not continued");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }

    /// Checks that every receipt gets into the log and verifies with its proof of inclusion.
    async fn ledger_is_whole(&self, receipts: i64) -> anyhow::Result<()> {
        let ledger = &self.app.ledger;
        let expected = usize::try_from(receipts.min(1_000))?;
        let logged = async || {
            let filter = ledger::Filter { limit: 1_000, ..Default::default() };
            anyhow::Ok(ledger.bundles(self.org, ledger.list(self.org, filter).await?).await?)
        };
        let mut bundles = logged().await?;
        if bundles.len() < expected {
            self.sequence().await?;
            bundles = logged().await?;
        }
        anyhow::ensure!(bundles.len() == expected, "{} of {expected} receipts are in the log", bundles.len());
        let keys = receipt::KeySet::new(&ledger.key_set().await?.keys)?;
        for bundle in bundles {
            bundle.verify(&keys)?;
        }
        Ok(())
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.app.shutdown.begin();
        let _ = std::fs::remove_dir_all(&self.workspace);
    }
}

/// A directory for artifacts.
fn beside(workspace: &Path) -> anyhow::Result<Objects> {
    let directory = workspace.join("artifacts");
    std::fs::create_dir_all(&directory)?;
    Ok(Objects::parse(&format!("file://{}", directory.display()))?)
}

async fn gateway_over(
    (test_db, url): (&TestDb, &str),
    (world, sealer): (&World, &Sealer),
    Outside { registry, commands, outlets, policy, artifacts, engine }: Outside,
    limits: Limits,
    workspace: &Path,
) -> anyhow::Result<App> {
    let db = Database::open(url, 24)?;
    let ledger = Ledger::open(db.clone(), world.clone(), sealer.clone()).await?;
    let ledger = ledger.with_artifacts(artifacts.map_or_else(|| beside(workspace), Ok)?);
    // The pause after a call that took too long is real time, as the call was.
    let redis = Redis::open(&test_db.servers.redis_url, World::system().clock)?;
    let shutdown = Shutdown::default();
    let (tell, changed_connectors) = mpsc::unbounded_channel();
    let changes = Changes { tell, shutdown: shutdown.clone() };
    let mcp = commands.map_or_else(Clients::default, |commands| Clients::new(commands, Some(changes)));
    let events = Log::new(db.clone(), redis.clone(), world.clone(), shutdown.clone());
    let recorder = Recorder::new(world.clone(), ledger.key(), Some(events.clone()));
    let cell = "00".to_owned();
    let tenancy = Tenancy::new(db.clone(), world.clone(), sealer.clone(), cell, recorder.clone());
    let rules = Rules::new(db.clone(), world.clone(), recorder.clone());
    let policies = Policies::new(db.clone(), world.clone(), recorder.clone());
    let conducts = Conducts::new(db.clone(), world.clone(), recorder.clone());
    let grants = Grants::new(db.clone(), world.clone(), recorder.clone());
    let parts = Parts {
        db,
        world: world.clone(),
        registry,
        sources: Sources { mcp, ..Sources::default() },
        tenancy,
        rules,
        policies,
        grants,
        conducts,
        ledger,
        events,
        sealer: sealer.clone(),
        redis,
        egress: Egress::new(policy)?,
        limits,
        workspace_root: Some(workspace.to_owned()),
        shutdown,
        engine,
        public_url: Some("https://gateway.test".parse()?),
    };
    let web = gateway::Web::default();
    let public = Public::new(world.clock.clone(), PUBLIC_PER_MINUTE, Vec::new());
    let surroundings = Surroundings { changed_connectors, outlets, recorder, web, public, metrics: None };
    Ok(App::assemble(parts, surroundings))
}

/// Records changes and signs them with a key that nobody else has.
pub fn recorder(world: &World) -> Recorder {
    let mut seed = [0; 32];
    world.dice.fill(&mut seed);
    let key = receipt::SigningKey::from_seed(&seed);
    Recorder::new(world.clone(), Arc::new(ArcSwap::from_pointee(key)), None)
}

fn founding() -> Founding {
    Founding {
        slug: format!("org-{}", random()),
        name: "Test".to_owned(),
        owner_email: format!("{}@example.test", random()),
        owner_name: "Owner".to_owned(),
    }
}
