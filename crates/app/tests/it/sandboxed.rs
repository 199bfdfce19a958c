//! A declared command, connected as an admin connects it: what it can reach, and what becomes of it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Agent, Deployment, Options};

use crate::examples::BINARY;

const PROBE: &str = include_str!("sandboxed/probe.py");
const CANARY: &str = "a-secret-of-the-operator-161803";

struct Stage {
    deployment: Deployment,
    agent: Agent,
    dir: PathBuf,
    listener: tokio::net::TcpListener,
}

impl Stage {
    async fn set(name: &str) -> anyhow::Result<Self> {
        let dir = std::env::temp_dir().join(format!("countersign-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("server"))?;
        fs::write(dir.join("server/probe.py"), PROBE)?;
        fs::write(dir.join("secret"), CANARY)?;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let declared = json!({ "probe": {
            "command": ["/usr/bin/python3", dir.join("server/probe.py")], "env": { "GIVEN": "yes" },
            "organizations": "all", "read": [dir.join("server")],
            "hosts": [format!("127.0.0.1:{}", listener.local_addr()?.port()), "10.1.2.3:443"],
        } });
        let file = dir.join("stdio.json");
        fs::write(&file, declared.to_string())?;
        let env = vec![
            ("COUNTERSIGN_STDIO_SERVERS".to_owned(), file.display().to_string()),
            ("COUNTERSIGN_EGRESS_ALLOW".to_owned(), "127.0.0.0/8".to_owned()),
        ];
        let options = Options { binary: Some(BINARY.into()), env, ..Options::default() };
        let deployment = Deployment::start(options).await?;
        let agent = deployment.agent("probing").await?;
        let stage = Self { deployment, agent, dir, listener };
        stage.connect().await?;
        Ok(stage)
    }

    /// Connects the command, and accepts every tool as a read.
    async fn connect(&self) -> anyhow::Result<()> {
        let body = json!({ "source": "probe", "kind": "stdio", "place": "probe" });
        let added = self.deployment.as_owner(Method::POST, "/v1/connectors", body).await?;
        ensure!(added["problem"].is_null(), "{added}");
        let found = self.deployment.as_owner(Method::GET, "/v1/connectors/probe", Value::Null).await?;
        for tool in found["tools"].as_array().context("tools")? {
            let review = json!({
                "tool": tool["tool"], "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"],
                "verdict": "accept", "risk": "R1", "effect": "read",
            });
            self.deployment.as_owner(Method::POST, "/v1/connectors/probe/review", review).await?;
        }
        Ok(())
    }

    /// What a tool says.
    async fn ask(&self, tool: &str, params: Value) -> anyhow::Result<String> {
        let action = format!("probe.{tool}");
        let (status, done) = self.deployment.invoke(&self.agent, &action, &params, None).await?;
        ensure!(status == 200, "{action}: {done}");
        Ok(done["result"].to_string())
    }

    async fn read(&self, path: impl AsRef<Path>) -> anyhow::Result<String> {
        self.ask("read", json!({ "path": path.as_ref() })).await
    }
}

/// How many processes run the server of a stage.
fn running(dir: &Path) -> usize {
    let program = dir.join("server/probe.py").display().to_string();
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).split('\0').nth(1) == Some(&program)).count()
}

#[tokio::test]
async fn a_declared_command_reaches_what_was_declared_and_nothing_else() -> anyhow::Result<()> {
    let stage = Stage::set("sandboxed").await?;
    let seen = stage.ask("look", json!({})).await?;
    assert!(seen.contains("GIVEN") && !seen.contains("COUNTERSIGN"), "{seen}");
    let gateway = stage.deployment.pid().context("a gateway")?;
    for path in [
        format!("/proc/{gateway}/environ"),
        "/proc/1/environ".to_owned(),
        stage.dir.join("secret").display().to_string(),
        stage.dir.join("stdio.json").display().to_string(),
        stage.dir.join("server/../secret").display().to_string(),
        "/etc/shadow".to_owned(),
        "/root/.bashrc".to_owned(),
        stage.deployment.log.display().to_string(),
    ] {
        let said = stage.read(&path).await?;
        let is_its_own = path == "/proc/1/environ" && said.contains("GIVEN") && !said.contains("COUNTERSIGN");
        assert!(said.contains("refused") || is_its_own, "{path}: {said}");
    }
    // The control: the same file where it may be read.
    assert!(stage.read(stage.dir.join("server/probe.py")).await?.contains("TOOLS"));
    let written = stage.ask("write", json!({ "path": stage.dir.join("server/new"), "text": "x" })).await?;
    assert!(written.contains("refused"), "{written}");
    let scratch = stage.ask("write", json!({ "path": "/tmp/of-the-probe", "text": "kept" })).await?;
    assert!(scratch.contains("kept") && !Path::new("/tmp/of-the-probe").exists(), "{scratch}");
    Ok(())
}

#[tokio::test]
async fn its_network_leads_to_declared_hosts_through_the_guard() -> anyhow::Result<()> {
    let stage = Stage::set("sandboxed-network").await?;
    let port = stage.listener.local_addr()?.port();
    let own = stage.deployment.url.rsplit(':').next().and_then(|port| port.parse::<u16>().ok());
    let own = own.context("a port")?;
    for port in [port, own] {
        let said = stage.ask("connect", json!({ "host": "127.0.0.1", "port": port })).await?;
        assert!(said.contains("refused"), "{said}");
    }
    for (host, port, expected) in [
        ("127.0.0.1", port, "200 Connected"),
        ("127.0.0.1", own, "403 Host not declared"),
        ("169.254.169.254", 80, "403 Host not declared"),
        // Declared, and refused by the guard of all requests.
        ("10.1.2.3", 443, "403 Address not allowed"),
    ] {
        let said = stage.ask("proxy", json!({ "host": host, "port": port })).await?;
        assert!(said.contains(expected), "{host}:{port}: {said}");
    }
    stage.listener.accept().await?;
    Ok(())
}

#[tokio::test]
async fn it_ends_with_the_gateway() -> anyhow::Result<()> {
    let mut stage = Stage::set("sandboxed-end").await?;
    stage.ask("look", json!({})).await?;
    assert_eq!(running(&stage.dir), 1);
    stage.deployment.kill()?;
    for _ in 0..600 {
        if running(&stage.dir) == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the command is still running");
}
