//! Another MCP gateway on the same machine, as its makers ship it: `mcp-contextforge-gateway`, installed by
//! `bench/run`.

use std::{path::PathBuf, process::Stdio, time::Duration};

use anyhow::Context as _;
use platform::config::variable;
use serde_json::{Value, json};
use tokio::process::{Child, Command};

const SECRET: &str = "a-secret-for-one-run-of-a-benchmark-42";
const WHO: &str = "admin@example.com";

/// The running gateway. It ends when this value is dropped.
pub(crate) struct Peer {
    pub(crate) url: String,
    pub(crate) token: String,
    pub(crate) version: String,
    directory: PathBuf,
    _child: Child,
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Where it is installed, if it is.
pub(crate) fn installed() -> Option<PathBuf> {
    variable("COUNTERSIGN_BENCH_PEER").map(PathBuf::from).filter(|bin| bin.join("mcpgateway").exists())
}

/// Starts it: one process, as its command does by default, with a database file and its own tokens. Its additional
/// features (pages, plugins, telemetry, detailed logs) are off, and so are its rate limits.
pub(crate) async fn start(bin: PathBuf) -> anyhow::Result<Peer> {
    let port = testkit::free_port()?;
    let directory = std::env::temp_dir().join(format!("bench-peer-{port}"));
    std::fs::create_dir_all(&directory)?;
    let database = format!("sqlite:///{}/peer.db", directory.display());
    let env = [
        ("DATABASE_URL", database.as_str()),
        ("CACHE_TYPE", "memory"),
        ("JWT_SECRET_KEY", SECRET),
        ("AUTH_ENCRYPTION_SECRET", SECRET),
        ("BASIC_AUTH_PASSWORD", SECRET),
        ("PLATFORM_ADMIN_EMAIL", WHO),
        ("PLATFORM_ADMIN_PASSWORD", SECRET),
        ("DEFAULT_USER_PASSWORD", SECRET),
        ("MCPGATEWAY_UI_ENABLED", "false"),
        ("PLUGINS_ENABLED", "false"),
        ("OTEL_ENABLE_OBSERVABILITY", "false"),
        ("LOG_LEVEL", "ERROR"),
        ("RATE_LIMITING_ENABLED", "false"),
        ("TOOL_RATE_LIMIT", "100000000"),
        ("SSRF_ALLOW_LOCALHOST", "true"),
        ("PATH", "/usr/bin:/bin"),
    ];
    let command = |program: &str| {
        let mut command = Command::new(bin.join(program));
        command.env_clear().envs(env).env("HOME", &directory).current_dir(&directory).stdin(Stdio::null());
        command
    };
    let log = std::fs::File::create(directory.join("peer.log"))?;
    let child = command("mcpgateway")
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .stdout(log.try_clone()?)
        .stderr(log)
        .kill_on_drop(true)
        .spawn()
        .context("starting the other gateway")?;
    let made = command("python")
        .args(["-m", "mcpgateway.utils.create_jwt_token", "--admin", "--exp", "600"])
        .args(["--username", WHO, "--secret", SECRET])
        .output()
        .await?;
    let made = String::from_utf8(made.stdout)?;
    let token = made.lines().last().context("the other gateway made no token")?.trim().to_owned();
    let version = command("mcpgateway").arg("--version").output().await?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let peer = Peer { url: format!("http://127.0.0.1:{port}"), token, version, directory, _child: child };
    peer.wait_ready().await?;
    Ok(peer)
}

impl Peer {
    async fn wait_ready(&self) -> anyhow::Result<()> {
        let http = testkit::http_client()?;
        for _ in 0..600 {
            let asked = http.get(format!("{}/health", self.url)).send().await;
            if asked.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let log = std::fs::read_to_string(self.directory.join("peer.log")).unwrap_or_default();
        let last: Vec<&str> = log.lines().rev().take(5).collect();
        anyhow::bail!("the other gateway was not ready within two minutes: {}", last.join(" / "))
    }

    /// Registers an MCP server; returns the address at which its tools are called, and the name of its only tool.
    pub(crate) async fn register(&self, upstream: &str) -> anyhow::Result<(String, String)> {
        let http = testkit::http_client()?;
        let body = json!({ "name": "upstream", "url": upstream, "transport": "STREAMABLEHTTP" });
        let url = format!("{}/gateways", self.url);
        let made = http.post(url).bearer_auth(&self.token).json(&body).send().await?;
        let status = made.status();
        let said = made.text().await?;
        anyhow::ensure!(status.is_success(), "it does not take the upstream: {status} {said}");
        let listed = http.get(format!("{}/tools", self.url)).bearer_auth(&self.token).send().await?;
        let tools: Value = listed.json().await?;
        let name = tools[0]["name"].as_str().with_context(|| format!("no tool: {tools}"))?;
        Ok((format!("{}/mcp/", self.url), name.to_owned()))
    }
}
