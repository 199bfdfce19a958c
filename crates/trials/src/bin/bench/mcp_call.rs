//! S5: a tool call through `/mcp`, compared with the same call made directly and through another MCP gateway.

use std::{process::Stdio, sync::Arc, time::Duration};

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Finding, Size};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::{
    allowed_action::unlimited,
    load::{Measured, Pace, median, quantile},
    mcp_client::{Client, Tool, drive},
    peer_gateway::{self, Peer},
    pgbench,
};

/// How long a call may take beyond one durable record, in direct calls.
const BAR: f64 = 2.0;
/// The required multiple of the peer's throughput.
const PEER_BAR: f64 = 10.0;
const CLIENTS: usize = 8;
const ROUNDS: usize = 3;
const SLUG: &str = "upstream";

/// One side of the comparison: its clients, the tool they call, and the measurements.
struct Side {
    name: &'static str,
    clients: Vec<Arc<Client>>,
    tool: Tool,
    /// Calls per second in each round, as fast as they are answered.
    rounds: Vec<f64>,
    /// At a moderate load.
    steady: Measured,
}

impl Side {
    async fn new(name: &'static str, places: &[Place], tool: Tool) -> anyhow::Result<Self> {
        let mut clients = Vec::new();
        for (url, token) in places {
            let client = Client::connect(url, token.as_deref()).await?;
            let said = client.call(&tool.name, &tool.arguments).await?;
            anyhow::ensure!(said.to_string().contains("how long"), "{name} answered {said}");
            clients.push(Arc::new(client));
        }
        Ok(Self { name, clients, tool, rounds: vec![], steady: Measured::default() })
    }

    async fn fire(&self, during: Duration, per_s: Option<f64>) -> anyhow::Result<Measured> {
        let pace = Pace { warm_up: Duration::from_secs(1), during, per_s };
        let measured = drive(&self.clients, &self.tool, pace).await?;
        anyhow::ensure!(measured.not_ok == 0, "{}: {} calls failed", self.name, measured.not_ok);
        Ok(measured)
    }

    fn per_s(&self) -> f64 {
        median(self.rounds.clone())
    }

    fn p50(&self) -> f64 {
        quantile(&self.steady.latencies_ms, 500)
    }

    fn details(&self) -> Vec<(String, Value)> {
        let of = |what: &str| format!("{}: {what}", self.name);
        let rounds: Vec<f64> = self.rounds.iter().map(|round| round.round()).collect();
        vec![
            (of("calls a second, median of rounds"), json!(self.per_s().round())),
            (of("calls a second, each round"), json!(rounds)),
            (of("load for latencies, calls a second"), json!(self.steady.per_s.round())),
            (of("p50, ms"), json!(self.p50())),
            (of("p99, ms"), json!(quantile(&self.steady.latencies_ms, 990))),
        ]
    }
}

/// The address a client connects to, and its token.
type Place = (String, Option<String>);

/// The call of the upstream's tool.
fn echo(name: &str) -> Tool {
    Tool { name: name.to_owned(), arguments: json!({ "text": "how long does this take?" }) }
}

/// The same path without an upstream: only the record and the work around it.
fn record() -> Tool {
    let arguments = json!({ "template": "how long does {{ what }} take?", "data": { "what": "this" } });
    Tool { name: "data__transform".to_owned(), arguments }
}

/// All sides alternately at full speed; then each at a moderate load.
pub(crate) async fn run(size: Size) -> anyhow::Result<Vec<Finding>> {
    let (_upstream, upstream_url) = upstream().await?;
    let deployment = unlimited(&[]).await?;
    pgbench::prepare(&deployment.db).await?;
    let places = ours(&deployment, &upstream_url).await?;
    let mut sides = vec![
        Side::new("direct", &vec![(upstream_url.clone(), None); CLIENTS], echo("echo")).await?,
        Side::new("ours", &places, echo(&format!("{SLUG}__echo"))).await?,
    ];
    let mut without_upstream = Side::new("ours without upstream", &places, record()).await?;
    let peer = match peer_gateway::installed() {
        None => None,
        Some(bin) => Some(peer_gateway::start(bin).await?),
    };
    if let Some(peer) = &peer {
        let (url, tool) = peer.register(&upstream_url).await?;
        let places = vec![(url, Some(peer.token.clone())); CLIENTS];
        sides.push(Side::new("peer", &places, echo(&tool)).await?);
    }
    let seconds = size.pick(2, 15);
    let during = Duration::from_secs(u64::try_from(seconds)?);
    for round in 1..=ROUNDS {
        for side in &mut sides {
            let measured = side.fire(during, None).await?;
            println!("S5 round {round}: {} {:.0}/s", side.name, measured.per_s);
            side.rounds.push(measured.per_s);
        }
    }
    let commit = pgbench::run(&deployment.db, "commit.sql", 1, seconds)?;
    // A moderate load is a quarter of the gateway's throughput, for the direct call as well; for the peer, a quarter of
    // its own.
    let load = sides[1].per_s() / 4.0;
    for side in &mut sides {
        let load = if side.name == "peer" { side.per_s() / 4.0 } else { load };
        side.steady = side.fire(during, Some(load)).await?;
    }
    without_upstream.steady = without_upstream.fire(during, Some(load)).await?;
    let mut findings = findings(&sides, quantile(&commit.latencies_ms, 500), peer.as_ref());
    findings[0].details.push((format!("{}: p50, ms", without_upstream.name), json!(without_upstream.p50())));
    Ok(findings)
}

fn findings(sides: &[Side], commit: f64, peer: Option<&Peer>) -> Vec<Finding> {
    let [direct, ours, rest @ ..] = sides else { return vec![] };
    let ratio = (ours.p50() - commit) / direct.p50();
    let mut details = vec![
        ("bar".to_owned(), json!(BAR)),
        ("one bare commit p50, ms".to_owned(), json!(commit)),
        ("p50 as it is, in direct calls".to_owned(), json!(ours.p50() / direct.p50())),
    ];
    details.extend(sides.iter().take(2).flat_map(Side::details));
    if peer.is_none() {
        details
            .push(("peer".to_owned(), json!("not installed, so not measured; `bench/run S5` installs it")));
    }
    let mut findings = vec![Finding {
        bar: "S5".to_owned(),
        figure: ratio,
        unit: "times a direct call's p50, less one bare commit".to_owned(),
        pass: ratio <= BAR,
        details,
    }];
    if let ([other, ..], Some(peer)) = (rest, peer) {
        let ratio = ours.per_s() / other.per_s();
        let mut details = vec![("bar".to_owned(), json!(PEER_BAR)), ("peer".to_owned(), json!(peer.version))];
        details.extend(other.details());
        findings.push(Finding {
            bar: "S5-peer".to_owned(),
            figure: ratio,
            unit: "times the peer's calls a second".to_owned(),
            pass: ratio >= PEER_BAR,
            details,
        });
    }
    findings
}

/// Starts the upstream in its own process: it would otherwise share this one's threads with the load.
async fn upstream() -> anyhow::Result<(Child, String)> {
    let binary = std::env::current_exe()?.with_file_name("fakes");
    let mut child = Command::new(binary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("starting the upstream; was it built?")?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("its output")?).read_line(&mut line).await?;
    let said: Value = serde_json::from_str(&line)?;
    let url = said["mcp"].as_str().context("the upstream told no address")?.to_owned();
    Ok((child, url))
}

/// Connects the upstream, reviews its tool as a read, and opens a session for each client.
async fn ours(deployment: &Deployment, upstream: &str) -> anyhow::Result<Vec<Place>> {
    let body = json!({ "source": SLUG, "kind": "mcp", "place": upstream, "auth": { "kind": "none" } });
    deployment.as_owner(Method::POST, "/v1/connectors", body).await?;
    let path = format!("/v1/connectors/{SLUG}");
    let (_, shown) = deployment.call(Method::GET, &path, &deployment.owner_token, None).await?;
    let tool = &shown["tools"][0];
    let review = json!({
        "tool": tool["tool"], "verdict": "accept", "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"],
        "risk": "R1", "effect": "read",
    });
    deployment.as_owner(Method::POST, &format!("{path}/review"), review).await?;
    let mut places = Vec::new();
    for number in 0..CLIENTS {
        let agent = deployment.agent(&format!("bench-{number}")).await?;
        places.push((format!("{}/mcp", deployment.url), Some(agent.token)));
    }
    Ok(places)
}
