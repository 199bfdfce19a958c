//! A Restate server that a trial kills, starts again and empties. The shared one is never touched.

use std::path::PathBuf;

use anyhow::Context as _;
use local_servers::{Restate, Server as _, programs};
use platform::config::variable;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    db::random,
    program::{Program, free_port},
};

/// A running engine. It is killed, and its data is deleted, with this value.
#[derive(Debug)]
pub struct Engine {
    server: Box<Restate>,
    program: Program,
    http: reqwest::Client,
    /// The URL to which work is submitted.
    pub ingress_url: String,
    /// The URL at which workers register.
    pub admin_url: String,
}

impl Engine {
    /// Starts one on free ports, with its data in a new directory. `settings` are Restate's own, as its environment
    /// takes them.
    pub async fn start(http: reqwest::Client, settings: &[(&str, &str)]) -> anyhow::Result<Self> {
        let binary = variable("COUNTERSIGN_RESTATE_SERVER").map(PathBuf::from).context(
            "COUNTERSIGN_RESTATE_SERVER is not set; `scripts/services up restate`, then `env`, names it",
        )?;
        let program = programs::restate(Some(&binary), &binary)
            .with_context(|| format!("{} does not tell its version; is it Restate?", binary.display()))?;
        let folder = std::env::temp_dir().join(format!("countersign-engine-{}", random()));
        let memory = ("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "128 MiB");
        let more = std::iter::once(&memory).chain(settings);
        let server = Box::new(Restate {
            program,
            folder,
            ingress_port: free_port()?,
            admin_port: free_port()?,
            node_port: free_port()?,
            partitions: 2,
            more: more.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        });
        let program = Program::server(server.as_ref(), server.folder.join("restate.log"))?;
        let [ingress_url, admin_url] =
            [server.ingress_port, server.admin_port].map(|port| format!("http://127.0.0.1:{port}"));
        let mut engine = Self { server, program, http, ingress_url, admin_url };
        engine.server.prepare()?;
        engine.launch().await?;
        Ok(engine)
    }

    /// Starts it again over its data, and waits until it accepts work.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        self.program.spawn(&[])?;
        self.program.wait_ready(self.server.as_ref()).await
    }

    /// Registers the handlers that are served at this address.
    pub async fn register(&self, url: &str) -> anyhow::Result<()> {
        self.admin(Method::POST, "/deployments", &json!({ "uri": url })).await.map(drop)
    }

    /// Changes the settings of a registered service, as an operator could.
    pub async fn modify_service(&self, service: &str, changes: &Value) -> anyhow::Result<()> {
        self.admin(Method::PATCH, &format!("/services/{service}"), changes).await.map(drop)
    }

    /// The rows of a query on its own state.
    pub async fn query(&self, sql: &str) -> anyhow::Result<Vec<Value>> {
        let answer = self.admin(Method::POST, "/query", &json!({ "query": sql })).await?;
        Ok(answer["rows"].as_array().cloned().unwrap_or_default())
    }

    async fn admin(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.http.request(method, format!("{}{path}", self.admin_url)).json(body);
        let answer = request.header("accept", "application/json").send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        anyhow::ensure!(status.is_success(), "the engine answered {path} with {status}: {text}");
        Ok(serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// Its log.
    pub fn log(&self) -> anyhow::Result<String> {
        std::fs::read_to_string(self.program.log()).context("reading the engine's log")
    }

    /// Its process id, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.program.pid()
    }

    /// `kill -9`.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.program.kill().map(drop)
    }

    /// Deletes its data. It must not run.
    pub fn wipe(&mut self) -> anyhow::Result<()> {
        anyhow::ensure!(self.program.has_died()?, "the engine is running; kill it before deleting its data");
        std::fs::remove_dir_all(self.server.folder.join("data")).context("deleting the engine's data")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = std::fs::remove_dir_all(&self.server.folder);
    }
}
