//! A Restate server of one's own: to be killed, restarted and emptied. The shared one is never touched.

use std::{path::PathBuf, time::Duration};

use anyhow::Context as _;
use platform::config::variable;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    db::random,
    program::{Program, Settings, free_port},
};

/// A running engine. It is killed, and its data goes, with this value.
#[derive(Debug)]
pub struct Engine {
    program: Program,
    directory: PathBuf,
    http: reqwest::Client,
    /// Where work is handed over.
    pub ingress_url: String,
    /// Where workers register.
    pub admin_url: String,
}

impl Engine {
    /// Starts one on free ports, with its data in a new directory. `settings` are Restate's own, as its environment
    /// takes them.
    pub async fn start(http: reqwest::Client, settings: &[(&str, &str)]) -> anyhow::Result<Self> {
        let binary = variable("COUNTERSIGN_RESTATE_SERVER").context(
            "COUNTERSIGN_RESTATE_SERVER is not set; `scripts/services up restate`, then `env`, names it",
        )?;
        let directory = std::env::temp_dir().join(format!("countersign-engine-{}", random()));
        std::fs::create_dir_all(&directory)?;
        let (ingress, admin, node) = (free_port()?, free_port()?, free_port()?);
        let mut env: Settings = [
            ("DO_NOT_TRACK", "1".to_owned()),
            ("RESTATE_DISABLE_TELEMETRY", "true".to_owned()),
            ("RESTATE_LOG_DISABLE_ANSI_CODES", "true".to_owned()),
            ("RESTATE_INGRESS__BIND_ADDRESS", format!("127.0.0.1:{ingress}")),
            ("RESTATE_ADMIN__BIND_ADDRESS", format!("127.0.0.1:{admin}")),
            ("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "128 MiB".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        env.extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let (data, bind) = (directory.join("data").display().to_string(), format!("127.0.0.1:{node}"));
        let advertised = format!("http://{bind}/");
        let arguments = [
            "--no-logo",
            "--listen-mode",
            "tcp",
            "--node-name",
            "trial",
            "--base-dir",
            &data,
            "--bind-address",
            &bind,
            "--advertised-address",
            &advertised,
            "--default-num-partitions",
            "2",
        ];
        let program = Program::new(&PathBuf::from(binary), &arguments, env, directory.join("restate.log"));
        let mut engine = Self {
            program,
            directory,
            http,
            ingress_url: format!("http://127.0.0.1:{ingress}"),
            admin_url: format!("http://127.0.0.1:{admin}"),
        };
        engine.launch().await?;
        Ok(engine)
    }

    /// Starts it again over what it knows, and waits until it takes work.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        self.program.spawn(&[])?;
        let (http, admin, ingress) = (&self.http, &self.admin_url, &self.ingress_url);
        let healthy = async || {
            let well = async |url: String| {
                let asked = http.get(url).timeout(Duration::from_secs(2)).send().await;
                asked.is_ok_and(|answer| answer.status().is_success())
            };
            well(format!("{admin}/health")).await && well(format!("{ingress}/restate/health")).await
        };
        self.program.wait_until(healthy).await
    }

    /// Has it call the handlers that are served at this address.
    pub async fn register(&self, url: &str) -> anyhow::Result<()> {
        self.admin(Method::POST, "/deployments", &json!({ "uri": url })).await.map(drop)
    }

    /// Changes what it knows of a service, as an operator could.
    pub async fn modify_service(&self, service: &str, changes: &Value) -> anyhow::Result<()> {
        self.admin(Method::PATCH, &format!("/services/{service}"), changes).await.map(drop)
    }

    /// What it says of itself, as rows.
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

    /// Everything it logged.
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

    /// Forgets everything it knew. It must not run.
    pub fn wipe(&mut self) -> anyhow::Result<()> {
        anyhow::ensure!(self.program.has_died()?, "an engine that runs cannot be emptied");
        std::fs::remove_dir_all(self.directory.join("data")).context("emptying the engine")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
