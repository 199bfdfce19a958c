//! Public MCP servers as connectors of the real binary. Started by `scripts/mcp-servers`.
//!
//! `mcp_servers FILE FOLDER`: the file is a JSON array of [`Server`]s, which are installed below the folder. Each is started, connected and harvested; one of its tools
//! is reviewed as a read and called by an agent, and its answer is checked.

use std::{
    collections::BTreeMap,
    path::Path,
    process::{ExitCode, Stdio},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use testkit::{Deployment, Finding, Options, Report, Size};
use tokio::process::{Child, Command};

const PATIENCE: Duration = Duration::from_secs(60);

/// A server, its command, and the call to try. A declared command runs in the sandbox.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Server {
    name: String,
    version: String,
    /// The package for npm or pip that is prepared as a declared command.
    #[serde(default)]
    npm: Option<String>,
    #[serde(default)]
    pip: Option<String>,
    /// The arguments of a declared command.
    #[serde(default)]
    arguments: Vec<String>,
    /// The command of a server over HTTP. `{port}` stands for the port it must listen on.
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Folders that a declared command may read.
    #[serde(default)]
    read: Vec<String>,
    /// The tool to call, its arguments, and the text that must be in the answer; none where that would need the network
    /// or a browser.
    call: Option<Try>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Try {
    tool: String,
    arguments: Value,
    expects: String,
}

impl Server {
    fn is_stdio(&self) -> bool {
        self.npm.is_some() || self.pip.is_some()
    }

    /// Its declaration: as `countersign commands prepare` prints it, with what this server needs.
    fn declared(&self, folder: &Path) -> anyhow::Result<Value> {
        let folder = folder.join(&self.version);
        let kept = folder.join(format!("{}.json", self.name));
        if !kept.exists() {
            let (kind, package) = match (&self.npm, &self.pip) {
                (Some(name), _) => ("--npm", format!("{name}@{}", self.version)),
                (None, pip) => ("--pip", format!("{}=={}", pip.as_deref().unwrap_or_default(), self.version)),
            };
            let mut prepare =
                std::process::Command::new(std::env::current_exe()?.with_file_name("countersign"));
            prepare.args(["commands", "prepare", &self.name, kind, &package, "--all-organizations", "--dir"]);
            let output = prepare.arg(&folder).stderr(Stdio::inherit()).output()?;
            anyhow::ensure!(output.status.success(), "preparing {} failed", self.name);
            std::fs::write(&kept, output.stdout)?;
        }
        let printed: Value = serde_json::from_slice(&std::fs::read(&kept)?)?;
        let mut declared: Value = printed[&self.name].clone();
        for (field, more) in [("command", &self.arguments), ("read", &self.read)] {
            if let Some(all) = declared[field].as_array_mut() {
                all.extend(more.iter().map(|text| json!(text)));
            }
        }
        declared["env"] = json!(self.env);
        Ok(declared)
    }

    /// Starts it on its own port; returns its address.
    fn start(&self, folder: &Path) -> anyhow::Result<(Child, String)> {
        let port = testkit::free_port()?.to_string();
        let folder = folder.join(&self.version).display().to_string();
        let with_port = |text: &String| text.replace("{port}", &port).replace("{folder}", &folder);
        let command: Vec<String> = self.command.iter().map(with_port).collect();
        let (program, arguments) = command.split_first().context("no program")?;
        let child = Command::new(program)
            .args(arguments)
            .envs(self.env.iter().map(|(name, value)| (name, with_port(value))))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {}", self.name))?;
        Ok((child, format!("http://127.0.0.1:{port}/mcp")))
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let (path, folder) = arguments.next().zip(arguments.next()).context("usage: mcp_servers FILE FOLDER")?;
    let folder = Path::new(&folder);
    let servers: Vec<Server> = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
    let declared: BTreeMap<&str, Value> = servers
        .iter()
        .filter(|server| server.is_stdio())
        .map(|server| Ok((server.name.as_str(), server.declared(folder)?)))
        .collect::<anyhow::Result<_>>()?;
    let mut env = Vec::new();
    if !declared.is_empty() {
        let file = std::env::temp_dir().join(format!("stdio-servers-{}.json", std::process::id()));
        std::fs::write(&file, serde_json::to_vec(&declared)?)?;
        env.push(("COUNTERSIGN_STDIO_SERVERS".to_owned(), file.display().to_string()));
    }
    let deployment = Deployment::start(Options { env, ..Options::default() }).await?;
    let mut report = Report::new(Size::Ci);
    for server in &servers {
        let since = Instant::now();
        let mut details = vec![("version".to_owned(), json!(server.version))];
        let tried = try_out(&deployment, (server, folder), &mut details).await;
        let problem = tried.err().map(|error| format!("{error:#}"));
        let pass = problem.is_none();
        details.push(("problem".to_owned(), json!(problem)));
        report.add(Finding {
            bar: server.name.clone(),
            figure: since.elapsed().as_secs_f64(),
            unit: "seconds".to_owned(),
            pass,
            details,
        });
    }
    Ok(report.finish())
}

async fn try_out(
    deployment: &Deployment,
    (server, folder): (&Server, &Path),
    details: &mut Vec<(String, Value)>,
) -> anyhow::Result<()> {
    let (_child, kind, place) = if server.is_stdio() {
        (None, "stdio", server.name.clone())
    } else {
        let (child, url) = server.start(folder)?;
        (Some(child), "mcp", url)
    };
    let body = json!({ "source": server.name, "kind": kind, "place": place, "auth": { "kind": "none" } });
    let added = deployment.as_owner(Method::POST, "/v1/connectors", body).await?;
    let connected = connected(deployment, server, added).await?;
    details.push(("calls itself".to_owned(), connected["server"].clone()));
    if kind == "mcp" {
        details.push(("newest protocol".to_owned(), protocol(deployment, &place).await?));
    }
    let path = format!("/v1/connectors/{}", server.name);
    let (_, shown) = deployment.call(Method::GET, &path, &deployment.owner_token, None).await?;
    let tools = shown["tools"].as_array().context("no tools")?;
    let unusable: Vec<Value> = tools
        .iter()
        .filter(|tool| tool["action"].is_null())
        .map(|tool| json!({ "tool": tool["tool"], "why": tool["problem"] }))
        .collect();
    details.push(("tools".to_owned(), json!(tools.len())));
    details.push(("unusable".to_owned(), json!(unusable)));
    anyhow::ensure!(!tools.is_empty(), "it has no tools");
    anyhow::ensure!(unusable.is_empty(), "some of its tools cannot be used");
    match &server.call {
        None => details.push(("called".to_owned(), json!("no"))),
        Some(wanted) => {
            let said = call(deployment, (server, tools), wanted).await?;
            details.push(("called".to_owned(), json!(wanted.tool)));
            details.push(("answered".to_owned(), said));
        }
    }
    Ok(())
}

/// Repeats the harvest until the server has started and was harvested.
async fn connected(deployment: &Deployment, server: &Server, mut found: Value) -> anyhow::Result<Value> {
    let since = Instant::now();
    while !found["problem"].is_null() {
        anyhow::ensure!(since.elapsed() < PATIENCE, "it was not reached: {}", found["problem"]);
        tokio::time::sleep(Duration::from_millis(500)).await;
        let path = format!("/v1/connectors/{}/harvest", server.name);
        found = deployment.as_owner(Method::POST, &path, json!({})).await?["connector"].clone();
    }
    Ok(found)
}

/// The protocol version that a server answers with when it is offered the newest.
async fn protocol(deployment: &Deployment, url: &str) -> anyhow::Result<Value> {
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2026-07-28", "capabilities": {}, "clientInfo": { "name": "trial", "version": "1" } },
    });
    let request = deployment.client.post(url).header("accept", "application/json, text/event-stream");
    let said = request.json(&hello).send().await?.text().await?;
    // A stream may begin with an event without data.
    let mut messages = said.lines().map(|line| line.strip_prefix("data:").unwrap_or(line));
    let version = messages.find_map(|text| {
        let message: Value = serde_json::from_str(text).ok()?;
        message.pointer("/result/protocolVersion").cloned()
    });
    Ok(version.unwrap_or_default())
}

/// Reviews a tool as a read, and calls it as an agent.
async fn call(
    deployment: &Deployment,
    (server, tools): (&Server, &[Value]),
    wanted: &Try,
) -> anyhow::Result<Value> {
    let tool = tools.iter().find(|tool| tool["tool"] == wanted.tool.as_str());
    let tool = tool.with_context(|| format!("it has no tool `{}`", wanted.tool))?;
    let review = json!({
        "tool": tool["tool"], "verdict": "accept", "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"],
        "risk": "R1", "effect": "read",
    });
    let path = format!("/v1/connectors/{}/review", server.name);
    deployment.as_owner(Method::POST, &path, review).await?;
    let agent = deployment.agent("trial").await?;
    let action = tool["action"].as_str().context("it has no address")?;
    let (status, done) = deployment.invoke(&agent, action, &wanted.arguments, None).await?;
    anyhow::ensure!(status == 200, "{action} answered {status}: {done}");
    let said = done["result"].to_string();
    anyhow::ensure!(said.contains(&wanted.expects), "`{}` is missing in {said}", wanted.expects);
    anyhow::ensure!(done["receipt"].is_string(), "there is no receipt: {done}");
    Ok(said.chars().take(120).collect::<String>().into())
}
