//! The real binary in processes of its own, with a database of its own. Trials measure, attack and kill it.

mod sealed;

use std::{
    path::PathBuf,
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    Engine, Person, Program, Servers, TestDb,
    db::{connect, random},
    program::{Settings, free_port},
};

pub use sealed::{Opened, master_key};

/// Settings without which a trial that leaves much for people to answer would soon be refused.
pub const MANY_PENDING: [(&str, &str); 3] = [
    ("COUNTERSIGN_PENDING_PER_SESSION", "1000000"),
    ("COUNTERSIGN_PENDING_PER_OPENER", "1000000"),
    ("COUNTERSIGN_PENDING_PER_ORG", "1000000"),
];

/// Options of a deployment.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The `countersign` binary; the one beside this program when not given.
    pub binary: Option<PathBuf>,
    /// Settings in addition to those of every deployment.
    pub env: Vec<(String, String)>,
    /// Starts an engine of its own with these settings of Restate; the one of the environment when not given.
    pub engine: Option<Vec<(&'static str, &'static str)>>,
    /// Addresses of PostgreSQL and Redis; those of the environment when not given.
    pub servers: Option<Servers>,
}

/// A running gateway with an organization and the token of its owner.
pub struct Deployment {
    pub db: TestDb,
    pub url: String,
    pub org: String,
    slug: String,
    pub owner_token: String,
    /// Where its logs are.
    pub log: PathBuf,
    pub client: reqwest::Client,
    /// The engine, if it has one of its own.
    pub engine: Option<Engine>,
    directory: PathBuf,
    binary: PathBuf,
    env: Settings,
    gateway: Program,
    /// The port of the workers. They share it, as workers of one machine do.
    worker_port: u16,
}

/// An agent's session.
#[derive(Debug, Clone)]
pub struct Agent {
    pub session: String,
    pub token: String,
}

/// Another gateway over the same database.
pub struct Gateway {
    pub program: Program,
    pub url: String,
    client: reqwest::Client,
}

/// A worker over the same database, for the deployment's own engine.
pub struct Worker {
    pub program: Program,
    /// Where the engine reaches it.
    pub url: String,
}

impl Deployment {
    /// Migrates a database, creates an organization, and starts a gateway.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        let db = TestDb::create_on(options.servers.clone().unwrap_or_else(Servers::find)).await?;
        let (port, client) = (free_port()?, http_client()?);
        let engine = match &options.engine {
            None => None,
            Some(settings) => Some(Engine::start(client.clone(), settings).await?),
        };
        let directory = std::env::temp_dir().join(format!("countersign-{}", db.name));
        std::fs::create_dir_all(directory.join("workspace"))?;
        let beside = || Ok::<_, anyhow::Error>(std::env::current_exe()?.with_file_name("countersign"));
        let binary = options.binary.clone().map_or_else(beside, Ok)?;
        let ingress = engine.as_ref().map_or(&db.servers.ingress_url, |engine| &engine.ingress_url);
        let mut env: Settings = [
            ("COUNTERSIGN_DATABASE_URL", db.service_url()),
            ("COUNTERSIGN_REDIS_URL", db.servers.redis_url.clone()),
            ("COUNTERSIGN_RESTATE_INGRESS_URL", ingress.clone()),
            ("COUNTERSIGN_LISTEN", format!("127.0.0.1:{port}")),
            ("COUNTERSIGN_EGRESS_ALLOW", "127.0.0.0/8".to_owned()),
            ("COUNTERSIGN_WORKSPACE_ROOT", directory.join("workspace").display().to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        env.extend(options.env);
        let log = directory.join("serve.log");
        let gateway = Program::new(&binary, &["serve"], Settings::new(), log.clone());
        let mut deployment = Self {
            url: format!("http://127.0.0.1:{port}"),
            org: String::new(),
            slug: String::new(),
            owner_token: String::new(),
            worker_port: free_port()?,
            log,
            client,
            engine,
            directory,
            binary,
            db,
            env,
            gateway,
        };
        deployment.found()?;
        deployment.launch(&[]).await?;
        Ok(deployment)
    }

    /// Creates a master key and an organization.
    fn found(&mut self) -> anyhow::Result<()> {
        let key = self.run(&["master-key", "create"])?;
        self.env.push(("COUNTERSIGN_MASTER_KEY".to_owned(), key.trim().to_owned()));
        self.slug = format!("org-{}", random());
        let founded = self.run(&["init", "--org", &self.slug, "--email", "owner@example.test", "--json"])?;
        let founded: Value = serde_json::from_str(&founded).context("reading the output of init")?;
        self.org = text(&founded["org"])?;
        self.owner_token = text(&founded["token"])?;
        self.gateway = Program::new(&self.binary, &["serve"], self.env.clone(), self.log.clone());
        Ok(())
    }

    /// Runs a command of the binary to its end and returns its output.
    pub fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        self.run_with(arguments, &[])
    }

    /// The same, with more settings.
    pub fn run_with(&self, arguments: &[&str], more: &[(&str, &str)]) -> anyhow::Result<String> {
        let output = self.command(arguments, more).stderr(Stdio::inherit()).output()?;
        anyhow::ensure!(output.status.success(), "`countersign {}` failed", arguments.join(" "));
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Runs a command that fails or is killed; returns its exit code, if it has one, and what it printed as an error.
    pub fn fail(&self, arguments: &[&str], more: &[(&str, &str)]) -> anyhow::Result<(Option<i32>, String)> {
        let output = self.command(arguments, more).stdout(Stdio::null()).output()?;
        anyhow::ensure!(!output.status.success(), "`countersign {}` succeeded", arguments.join(" "));
        Ok((output.status.code(), String::from_utf8(output.stderr)?))
    }

    fn command(&self, arguments: &[&str], more: &[(&str, &str)]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).env_clear().envs(self.env.iter().cloned()).env("PATH", "/usr/bin:/bin");
        command.envs(more.iter().copied());
        command
    }

    /// A command as a program that can be killed, not started.
    pub fn program(&self, arguments: &[&str]) -> Program {
        let log = self.directory.join(format!("command-{}.log", random()));
        Program::new(&self.binary, arguments, self.env.clone(), log)
    }

    /// Uses these settings for whatever is started from now on, in place of earlier ones.
    pub fn set(&mut self, name: &str, value: &str) {
        self.env.push((name.to_owned(), value.to_owned()));
        self.gateway = Program::new(&self.binary, &["serve"], self.env.clone(), self.log.clone());
    }

    /// Starts the gateway and waits until it is ready. `more` settings hold for this start only.
    pub async fn launch(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        self.spawn(more)?;
        self.wait_ready().await
    }

    /// Starts the gateway without waiting for it.
    pub fn spawn(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        self.gateway.spawn(more)
    }

    /// Waits until it is ready; fails if it died.
    pub async fn wait_ready(&mut self) -> anyhow::Result<()> {
        wait_ready(&mut self.gateway, &self.client, &self.url).await
    }

    /// Whether the process has ended.
    pub fn has_died(&mut self) -> anyhow::Result<bool> {
        self.gateway.has_died()
    }

    /// `kill -9`, and waits until it has ended; returns its exit status if it ran.
    pub fn kill(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        self.gateway.kill()
    }

    /// Waits until it has ended by itself and returns its exit status; `None` if it has not within that time.
    pub async fn wait_end(&mut self, patience: Duration) -> anyhow::Result<Option<ExitStatus>> {
        self.gateway.wait_end(patience).await
    }

    /// A setting it runs with.
    pub fn setting(&self, name: &str) -> Option<&str> {
        // The last setting of a name wins.
        self.env.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Its process id, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.gateway.pid()
    }

    /// Another gateway, not started.
    pub fn another_gateway(&self) -> anyhow::Result<Gateway> {
        let port = free_port()?;
        let mut env = self.env.clone();
        env.push(("COUNTERSIGN_LISTEN".to_owned(), format!("127.0.0.1:{port}")));
        let log = self.directory.join(format!("serve-{port}.log"));
        let program = Program::new(&self.binary, &["serve"], env, log);
        Ok(Gateway { program, url: format!("http://127.0.0.1:{port}"), client: self.client.clone() })
    }

    /// A worker for the deployment's own engine, not started. All workers share one address.
    pub fn worker(&self) -> anyhow::Result<Worker> {
        let engine = self.engine.as_ref().context("a worker needs an engine of its own")?;
        let mut env = self.env.clone();
        env.push(("COUNTERSIGN_RESTATE_ADMIN_URL".to_owned(), engine.admin_url.clone()));
        let listen = format!("127.0.0.1:{}", self.worker_port);
        let url = format!("http://{listen}");
        env.push(("COUNTERSIGN_WORKER_LISTEN".to_owned(), listen));
        let log = self.directory.join(format!("worker-{}.log", random()));
        Ok(Worker { program: Program::new(&self.binary, &["worker"], env, log), url })
    }

    /// The holder of this token, at this gateway.
    pub fn person(&self, token: &str) -> Person {
        Person { http: self.client.clone(), url: self.url.clone(), token: token.to_owned() }
    }

    /// The owner.
    pub fn owner(&self) -> Person {
        self.person(&self.owner_token)
    }

    /// Adds a member with this role, invited by the operator.
    pub async fn member(&self, role: &str) -> anyhow::Result<Person> {
        let email = format!("{}@example.test", random());
        let invite = ["invite", "--json", "--org", &self.slug, "--email", &email, "--role", role];
        let link: Value =
            serde_json::from_str(&self.run(&invite)?).context("reading the output of invite")?;
        let join = json!({ "token": link["token"] });
        let (status, joined) = self.call(Method::POST, "/v1/join", "", Some(join)).await?;
        anyhow::ensure!(status == 201, "joining: {status} {joined}");
        Ok(self.person(&text(&joined["token"]["token"])?))
    }

    /// A request with a token; returns the status and the body as JSON.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Value>,
    ) -> anyhow::Result<(u16, Value)> {
        self.person(token).call(method, path, body.as_ref()).await
    }

    /// A request of the owner that must succeed.
    pub async fn as_owner(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        let (status, answer) = self.call(method, path, &self.owner_token, Some(body)).await?;
        anyhow::ensure!((200..300).contains(&status), "{path} answered {status}: {answer}");
        Ok(answer)
    }

    /// Opens a session for an agent, also for sources that are added later.
    pub async fn agent(&self, name: &str) -> anyhow::Result<Agent> {
        let body = json!({ "agent": name, "kind": "unattended", "capabilities": ["*"] });
        let made = self.as_owner(Method::POST, "/v1/sessions", body).await?;
        Ok(Agent { session: text(&made["session"]["id"])?, token: text(&made["token"])? })
    }

    /// Connects a source.
    pub async fn connect_source(&self, source: &str, token: &str) -> anyhow::Result<()> {
        let path = format!("/v1/connections/{source}");
        self.as_owner(Method::PUT, &path, json!({ "name": source, "token": token })).await.map(drop)
    }

    /// Sets a rule.
    pub async fn rule(&self, action: &str, mode: &str) -> anyhow::Result<()> {
        self.as_owner(Method::PUT, "/v1/rules", json!({ "action": action, "mode": mode })).await.map(drop)
    }

    /// Invokes an action as an agent. An error means that no response came.
    pub async fn invoke(
        &self,
        agent: &Agent,
        action: &str,
        params: &Value,
        key: Option<&str>,
    ) -> anyhow::Result<(u16, Value)> {
        let url = format!("{}/v1/sessions/{}/actions/invoke", self.url, agent.session);
        let mut request = self.client.post(url).bearer_auth(&agent.token);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let answer = request.json(&json!({ "action": action, "params": params })).send().await?;
        let status = answer.status().as_u16();
        Ok((status, answer.json().await?))
    }

    /// A connection to its database as the service role, with `app.org` set to its organization. Row-level security
    /// applies.
    pub async fn sql(&self) -> anyhow::Result<sqlx::PgConnection> {
        let mut conn = connect(&self.db.service_url()).await?;
        let org = self.org.trim_start_matches("org_").to_owned();
        let uuid: uuid::Uuid = org.parse()?;
        sqlx::query("SELECT set_config('app.org', $1, false)")
            .bind(uuid.to_string())
            .execute(&mut conn)
            .await?;
        Ok(conn)
    }
}

impl Gateway {
    /// Starts it and waits until it is ready.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        self.launch_with(&[]).await
    }

    /// The same, with more settings for this start only.
    pub async fn launch_with(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        self.program.spawn(more)?;
        wait_ready(&mut self.program, &self.client, &self.url).await
    }
}

impl Worker {
    /// Starts it and waits until it is registered with the engine. `more` settings hold for this start only.
    pub async fn launch(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        const READY: &str = "ready: registered at Restate";
        let before = self.program.count_in_log(READY);
        self.program.spawn(more)?;
        let log = self.program.log().to_owned();
        let known =
            async || std::fs::read_to_string(&log).is_ok_and(|log| log.matches(READY).count() > before);
        self.program.wait_until(known).await
    }
}

async fn wait_ready(program: &mut Program, client: &reqwest::Client, url: &str) -> anyhow::Result<()> {
    let ready = async || {
        let ready = client.get(format!("{url}/readyz")).send().await;
        ready.is_ok_and(|answer| answer.status().is_success())
    };
    program.wait_until(ready).await
}

fn text(value: &Value) -> anyhow::Result<String> {
    value.as_str().map(ToOwned::to_owned).with_context(|| format!("expected a text, found {value}"))
}

/// An HTTP client with its own connections, as agents and people have.
pub fn http_client() -> anyhow::Result<reqwest::Client> {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy().tcp_nodelay(true).timeout(Duration::from_secs(60));
    Ok(builder.build()?)
}
