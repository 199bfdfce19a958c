//! The real binary in a process of its own, over a database of its own: to be measured, attacked and killed.

use std::{
    fs::File,
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use anyhow::{Context as _, bail};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    TestDb,
    db::{connect, random},
};

/// How to run it.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The `countersign` binary; the one beside this program when not given.
    pub binary: Option<PathBuf>,
    /// More settings, on top of those every deployment gets.
    pub env: Vec<(String, String)>,
}

/// A running gateway with an org, and the token of its owner.
pub struct Deployment {
    pub db: TestDb,
    pub url: String,
    pub org: String,
    pub owner_token: String,
    /// Where its logs are.
    pub log: PathBuf,
    pub client: reqwest::Client,
    options: Options,
    env: Vec<(String, String)>,
    child: Option<Child>,
}

/// An agent's session.
#[derive(Debug, Clone)]
pub struct Agent {
    pub session: String,
    pub token: String,
}

impl Deployment {
    /// Migrates a database, founds an org, and starts a gateway.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        let db = TestDb::create().await?;
        let port = free_port()?;
        let directory = std::env::temp_dir().join(format!("countersign-{}", db.name));
        std::fs::create_dir_all(directory.join("workspace"))?;
        let mut env = vec![
            ("COUNTERSIGN_DATABASE_URL".to_owned(), db.service_url()),
            ("COUNTERSIGN_REDIS_URL".to_owned(), db.servers.redis_url.clone()),
            ("COUNTERSIGN_LISTEN".to_owned(), format!("127.0.0.1:{port}")),
            ("COUNTERSIGN_EGRESS_ALLOW".to_owned(), "127.0.0.0/8".to_owned()),
            ("COUNTERSIGN_WORKSPACE_ROOT".to_owned(), directory.join("workspace").display().to_string()),
        ];
        env.extend(options.env.clone());
        let mut deployment = Self {
            url: format!("http://127.0.0.1:{port}"),
            org: String::new(),
            owner_token: String::new(),
            log: directory.join("serve.log"),
            client: client()?,
            db,
            options,
            env,
            child: None,
        };
        let key = deployment.run(&["key"])?;
        deployment.env.push(("COUNTERSIGN_MASTER_KEY".to_owned(), key.trim().to_owned()));
        let slug = format!("org-{}", random());
        let founded = deployment.run(&["init", "--org", &slug, "--email", "owner@example.test", "--json"])?;
        let founded: Value = serde_json::from_str(&founded).context("reading what init said")?;
        deployment.org = text(&founded["org"])?;
        deployment.owner_token = text(&founded["token"])?;
        deployment.launch(&[]).await?;
        Ok(deployment)
    }

    /// Runs a command of the binary to its end and gives back what it said.
    pub fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let output = self.command(arguments)?.stderr(Stdio::inherit()).output()?;
        anyhow::ensure!(output.status.success(), "`countersign {}` failed", arguments.join(" "));
        Ok(String::from_utf8(output.stdout)?)
    }

    fn command(&self, arguments: &[&str]) -> anyhow::Result<Command> {
        let beside = || Ok::<_, anyhow::Error>(std::env::current_exe()?.with_file_name("countersign"));
        let binary = self.options.binary.clone().map_or_else(beside, Ok)?;
        let mut command = Command::new(binary);
        command.args(arguments).env_clear().envs(self.env.iter().cloned()).env("PATH", "/usr/bin:/bin");
        Ok(command)
    }

    /// Starts the gateway, with more settings for this life only, and waits until it is ready.
    pub async fn launch(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        self.spawn(more)?;
        self.wait_ready().await
    }

    /// Starts the gateway without waiting for it.
    pub fn spawn(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(&self.log)?;
        let mut command = self.command(&["serve"])?;
        command.envs(more.iter().copied()).stdout(Stdio::null()).stderr(log);
        self.child = Some(command.spawn().context("starting the gateway; was it built?")?);
        Ok(())
    }

    /// Waits until it is ready, or says that it died.
    pub async fn wait_ready(&mut self) -> anyhow::Result<()> {
        for _ in 0..400 {
            if self.has_died()? {
                bail!("the gateway died at its start; see {}", self.log.display());
            }
            let ready = self.client.get(format!("{}/readyz", self.url)).send().await;
            if ready.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        bail!("the gateway was not ready in ten seconds; see {}", self.log.display())
    }

    /// Whether the process has ended.
    pub fn has_died(&mut self) -> anyhow::Result<bool> {
        match &mut self.child {
            None => Ok(true),
            Some(child) => Ok(child.try_wait()?.is_some()),
        }
    }

    /// `kill -9`, and waits until it is gone; says how it ended, if it ran.
    pub fn kill(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let Some(mut child) = self.child.take() else { return Ok(None) };
        child.kill()?;
        Ok(Some(child.wait()?))
    }

    /// Waits until it has ended by itself, and says how; `None` if it has not within that time.
    pub async fn wait_end(&mut self, patience: Duration) -> anyhow::Result<Option<ExitStatus>> {
        let start = tokio::time::Instant::now();
        while start.elapsed() < patience {
            let Some(child) = &mut self.child else { return Ok(None) };
            if let Some(ended) = child.try_wait()? {
                self.child = None;
                return Ok(Some(ended));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(None)
    }

    /// A setting it runs with.
    pub fn setting(&self, name: &str) -> Option<&str> {
        // The last one of a name is the one that counts.
        self.env.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Its process id, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// A request with a token; gives back the status and the body as JSON.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Value>,
    ) -> anyhow::Result<(u16, Value)> {
        let mut request = self.client.request(method, format!("{}{path}", self.url)).bearer_auth(token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        let bytes = answer.bytes().await?;
        Ok((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
    }

    async fn owner(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        let (status, answer) = self.call(method, path, &self.owner_token, Some(body)).await?;
        anyhow::ensure!((200..300).contains(&status), "{path} answered {status}: {answer}");
        Ok(answer)
    }

    /// Opens a session for an agent.
    pub async fn agent(&self, name: &str) -> anyhow::Result<Agent> {
        let made =
            self.owner(Method::POST, "/v1/sessions", json!({ "agent": name, "kind": "unattended" })).await?;
        Ok(Agent { session: text(&made["session"]["id"])?, token: text(&made["token"])? })
    }

    /// Connects a source.
    pub async fn connect_source(&self, source: &str, token: &str) -> anyhow::Result<()> {
        let path = format!("/v1/connections/{source}");
        self.owner(Method::PUT, &path, json!({ "name": source, "token": token })).await.map(drop)
    }

    /// Sets a rule.
    pub async fn rule(&self, action: &str, mode: &str) -> anyhow::Result<()> {
        self.owner(Method::PUT, "/v1/rules", json!({ "action": action, "mode": mode })).await.map(drop)
    }

    /// Asks for an action as an agent. An error means that no answer came.
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

    /// A connection to its database as the owner, with the fence of this org lifted for reading: `app.org` is set for
    /// the session, and the roles' policies apply as for the service.
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

impl Drop for Deployment {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

fn text(value: &Value) -> anyhow::Result<String> {
    value.as_str().map(ToOwned::to_owned).with_context(|| format!("expected a text, found {value}"))
}

/// Below the range from which outgoing connections get theirs: otherwise one of them could take the port while a killed
/// gateway is being started again.
fn free_port() -> anyhow::Result<u16> {
    for _ in 0..100 {
        let mut bytes = [0; 2];
        platform::Dice::system().fill(&mut bytes);
        let port = 20_000 + u16::from_be_bytes(bytes) % 12_000;
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no port between 20000 and 32000 is free")
}

fn client() -> anyhow::Result<reqwest::Client> {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy().tcp_nodelay(true).timeout(Duration::from_secs(60));
    Ok(builder.build()?)
}
