//! The system that is broken on purpose: a gateway, the targets it calls, and a client; with an engine where one is
//! needed.

use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};
use sqlx::PgConnection;
use testkit::{
    Agent, Deployment, MANY_PENDING, Options, Person, Servers, Waiting,
    fakes::{FakeGitHub, FakeLinear},
};

use crate::{
    kills::windows::{Kind, Trace, part_title},
    notes::Notes,
};

/// The token that both targets require.
const TOKEN: &str = "lin_api_chaos";
/// The timeout of one call …
const ACTION_TIMEOUT_MS: u64 = 8_000;
/// … three of them plus this margin are the lease.
const LEASE_MARGIN_MS: u64 = 12_000;

/// For trials in which no executing process is killed: a call may take as long as it does on a busy machine.
pub(crate) const UNHURRIED: (&str, &str) = ("COUNTERSIGN_ACTION_TIMEOUT_MS", "30000");

/// The lease of every execution here.
pub(crate) const LEASE: Duration = Duration::from_millis(3 * ACTION_TIMEOUT_MS + LEASE_MARGIN_MS);

/// How long a client repeats a request that a gateway is too busy for.
pub(crate) const BUSY: Duration = Duration::from_secs(120);

/// A client; it outlives the gateway.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    url: String,
    agent: Agent,
}

impl Client {
    /// Sends one request. An error means that the connection broke before an answer.
    pub(crate) async fn ask(
        &self,
        (kind, title): (Kind, &str),
        key: Option<&str>,
    ) -> anyhow::Result<(u16, Value)> {
        self.ask_for(kind.action(), kind.params(title), key).await
    }

    /// The same with these parameters.
    pub(crate) async fn ask_for(
        &self,
        action: &str,
        params: Value,
        key: Option<&str>,
    ) -> anyhow::Result<(u16, Value)> {
        let url = format!("{}/v1/sessions/{}/actions/invoke", self.url, self.agent.session);
        let mut request = self.http.post(url).bearer_auth(&self.agent.token);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let body = json!({ "action": action, "params": params });
        let answer = request.json(&body).send().await?;
        Ok((answer.status().as_u16(), answer.json().await?))
    }

    /// The same with a key, asked again while a gateway says that it is too busy.
    pub(crate) async fn ask_until_taken(
        &self,
        action: &str,
        params: Value,
        key: &str,
    ) -> anyhow::Result<(u16, Value)> {
        let begun = tokio::time::Instant::now();
        loop {
            let answer = self.ask_for(action, params.clone(), Some(key)).await?;
            let is_busy = answer.0 == 503 || answer.1["code"] == "idempotency_key_under_way";
            if !is_busy || begun.elapsed() > BUSY {
                return Ok(answer);
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    /// Requests an action that needs approval, and returns the waiting invocation.
    pub(crate) async fn propose(&self, what: (Kind, &str), key: Option<&str>) -> anyhow::Result<Waiting> {
        let begun = tokio::time::Instant::now();
        loop {
            let (status, answer) = self.ask(what, key).await?;
            match status {
                202 => return Waiting::of(&answer),
                // A gateway that is too busy says so, and a client with a key asks again.
                503 if key.is_some() && begun.elapsed() < BUSY => {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
                _ => anyhow::bail!("a proposal was answered with {status}: {answer}"),
            }
        }
    }

    /// A client of a session that a person opens.
    pub(crate) async fn open(like: &Self, person: &Person) -> anyhow::Result<Self> {
        let body = json!({ "agent": "chaos", "kind": "unattended" });
        let (status, made) = person.call(reqwest::Method::POST, "/v1/sessions", Some(&body)).await?;
        anyhow::ensure!(status == 201, "opening a session: {status} {made}");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let agent = Agent { session: text(&made["session"]["id"]), token: text(&made["token"]) };
        Ok(Self { agent, ..like.clone() })
    }

    pub(crate) fn session(&self) -> &str {
        &self.agent.session
    }

    /// The same client at another gateway.
    pub(crate) fn at(&self, url: &str) -> Self {
        Self { url: url.to_owned(), ..self.clone() }
    }
}

/// The configuration of a stand.
pub(crate) struct Setup {
    /// The mode of the rules for all kinds of action.
    pub(crate) mode: &'static str,
    /// Starts its own engine, with these settings of Restate.
    pub(crate) engine: Option<Vec<(&'static str, &'static str)>>,
    /// Additional settings of the product.
    pub(crate) env: Vec<(&'static str, &'static str)>,
    pub(crate) servers: Option<Servers>,
    /// Whether leases are as short as most trials need them, or the default.
    pub(crate) short_leases: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { mode: "allow", engine: None, env: vec![], servers: None, short_leases: true }
    }
}

impl Setup {
    /// Everything needs approval, and is performed by the engine.
    pub(crate) fn approved() -> Self {
        let env = MANY_PENDING.to_vec();
        Self { mode: "require_approval", engine: Some(vec![]), env, ..Self::default() }
    }
}

/// The gateway, its targets, a client, and a connection to its database.
pub(crate) struct Stand {
    pub(crate) deployment: Deployment,
    pub(crate) linear: FakeLinear,
    pub(crate) github: FakeGitHub,
    pub(crate) notes: Notes,
    pub(crate) client: Client,
    pub(crate) owner: Person,
    pub(crate) sql: PgConnection,
}

impl Stand {
    /// Starts everything, with rules that allow all kinds of action.
    pub(crate) async fn start() -> anyhow::Result<Self> {
        Self::set_up(Setup::default()).await
    }

    /// Starts everything except workers.
    pub(crate) async fn set_up(setup: Setup) -> anyhow::Result<Self> {
        let (linear, github) = (FakeLinear::start(TOKEN).await, FakeGitHub::start(TOKEN).await);
        let notes = Notes::declare()?;
        let env = [
            ("COUNTERSIGN_STDIO_SERVERS", notes.file()),
            ("COUNTERSIGN_LINEAR_URL", linear.url()),
            ("COUNTERSIGN_GITHUB_URL", github.url()),
            ("COUNTERSIGN_INVOCATIONS_PER_MINUTE", "1000000".to_owned()),
            ("COUNTERSIGN_PUBLIC_PER_MINUTE", "1000000".to_owned()),
        ];
        let short = [
            ("COUNTERSIGN_ACTION_TIMEOUT_MS", ACTION_TIMEOUT_MS.to_string()),
            ("COUNTERSIGN_LEASE_MARGIN_MS", LEASE_MARGIN_MS.to_string()),
            ("COUNTERSIGN_RECOVERY_INTERVAL_MS", "200".to_owned()),
        ];
        let short = short.into_iter().filter(|_| setup.short_leases);
        let more = setup.env.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let env =
            env.into_iter().chain(short).chain(more).map(|(name, value)| (name.to_owned(), value)).collect();
        let options = Options { binary: None, env, engine: setup.engine, servers: setup.servers };
        let deployment = Deployment::start(options).await?;
        deployment.connect_source("linear", TOKEN).await?;
        deployment.connect_source("github", TOKEN).await?;
        notes.connect(&deployment).await?;
        for kind in Kind::ALL.into_iter().chain([Kind::Batch]) {
            deployment.rule(kind.action(), setup.mode).await?;
        }
        let agent = deployment.agent("chaos").await?;
        let client = Client { http: deployment.client.clone(), url: deployment.url.clone(), agent };
        let (sql, owner) = (deployment.sql().await?, deployment.owner());
        Ok(Self { deployment, linear, github, notes, client, owner, sql })
    }

    /// A client with its own session.
    pub(crate) async fn another_client(&self, name: &str) -> anyhow::Result<Client> {
        Ok(Client { agent: self.deployment.agent(name).await?, ..self.client.clone() })
    }

    /// How often the target performed it, or all its parts together.
    pub(crate) fn effects(&self, kind: Kind, title: &str) -> u64 {
        match kind {
            Kind::Once => self.github.count_effect(title),
            Kind::Checkable | Kind::Read => self.linear.count_effect(title),
            Kind::Command => self.notes.count(title),
            Kind::Batch => self.effects_by_part(kind, title).iter().sum(),
        }
    }

    /// How often the target performed each part; anything but a batch has one part.
    pub(crate) fn effects_by_part(&self, kind: Kind, title: &str) -> Vec<u64> {
        if kind != Kind::Batch {
            return vec![self.effects(kind, title)];
        }
        let parts = Kind::PARTS.into_iter().enumerate();
        parts.map(|(number, part)| self.effects(part, &part_title(title, number))).collect()
    }

    /// How many requests for it reached the target.
    pub(crate) fn sent(&self, kind: Kind, title: &str) -> usize {
        let like = |seen: &testkit::fakes::Seen| seen.body.to_string().contains(title);
        match kind {
            Kind::Once => self.github.count_requests(like),
            Kind::Checkable | Kind::Read => self.linear.count_requests(like),
            Kind::Command => usize::try_from(self.notes.count(title)).unwrap_or(usize::MAX),
            Kind::Batch => self.github.count_requests(like) + self.linear.count_requests(like),
        }
    }

    /// Whether there are issues with this title, and all of them are archived.
    pub(crate) fn archived(&self, title: &str) -> bool {
        let made = self.linear.issues_titled(title);
        !made.is_empty() && made.iter().all(|issue| !issue["archivedAt"].is_null())
    }

    /// The externally visible state of an invocation.
    pub(crate) async fn look(&mut self, kind: Kind, title: &str, key: &str) -> anyhow::Result<Trace> {
        let status = sqlx::query_scalar("SELECT status FROM invocations WHERE idempotency_key = $1")
            .bind(key)
            .fetch_optional(&mut self.sql)
            .await?;
        let (sent, effects) = (self.sent(kind, title), self.effects(kind, title));
        Ok(Trace { status, sent, effects, archived: self.archived(title) })
    }

    /// Moves the ends of all leases far away, so that no process that is about to be killed recovers what an earlier one
    /// left, however slow the machine is.
    pub(crate) async fn extend_leases(&mut self) -> anyhow::Result<()> {
        self.move_leases("1 day").await
    }

    /// Ends all leases, as if their time had passed. Their processes are dead.
    pub(crate) async fn end_leases(&mut self) -> anyhow::Result<()> {
        self.move_leases("-1 second").await
    }

    async fn move_leases(&mut self, from_now: &str) -> anyhow::Result<()> {
        let statement =
            "UPDATE invocations SET lease_until = now() + $1::text::interval WHERE lease_until IS NOT NULL";
        sqlx::query(statement).bind(from_now).execute(&mut self.sql).await?;
        Ok(())
    }

    /// Waits until no invocation is in progress; returns how many still are when patience is over.
    pub(crate) async fn wait_until_over(&mut self, patience: Duration) -> anyhow::Result<i64> {
        let start = tokio::time::Instant::now();
        loop {
            let query = "SELECT count(*) FROM invocations WHERE receipt_id IS NULL";
            let left: i64 = sqlx::query_scalar(query).fetch_one(&mut self.sql).await?;
            if left == 0 || start.elapsed() > patience {
                return Ok(left);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// How many invocations are not in the required final state: terminal, with exactly one receipt that agrees.
    pub(crate) async fn stuck(&mut self) -> anyhow::Result<i64> {
        let query = "SELECT count(*) FROM invocations i WHERE i.receipt_id IS NULL
                     OR (SELECT count(*) FROM receipts r WHERE r.invocation_id = i.id) <> 1
                     OR NOT EXISTS (SELECT FROM receipts r WHERE r.id = i.receipt_id AND r.status = i.status)";
        Ok(sqlx::query_scalar(query).fetch_one(&mut self.sql).await?)
    }

    /// The published keys, fetched as anybody can.
    pub(crate) async fn keys(&self) -> anyhow::Result<receipt::KeySet> {
        let url = format!("{}/.well-known/countersign-keys.json", self.deployment.url);
        let document = self.deployment.client.get(url).send().await?.bytes().await?;
        receipt::KeySet::from_json(&document).context("reading the published keys")
    }
}
