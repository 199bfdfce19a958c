//! S7: the catalog of an org with 50 connectors of 40 tools each, five of them unreachable, compared with serialising
//! that catalog.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use api::CatalogView;
use futures::future::try_join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Finding, Size, fakes::FakeMcp};
use tokio::net::TcpListener;

use crate::{
    allowed_action::unlimited,
    load::{Pace, Shot, fire, median, quantile},
};

/// How much longer a response may take than its serialisation.
const BAR: f64 = 2.0;
/// How long the first response of a new process may take: the timeout of listing one server's tools.
const COLD_BAR_S: f64 = 15.0;
const CONNECTORS: usize = 50;
const TOOLS: usize = 40;
/// Servers that are unreachable.
const AWAY: usize = 5;
const ROUNDS: usize = 3;

/// Connects all servers, reviews every other tool, stops five servers, and measures cold and warm.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let mut deployment = unlimited(&[]).await?;
    // Some of the unreachable servers accept the connection and never answer; each request to one takes the whole
    // timeout.
    let (servers, silent) = connect_all(&deployment, size.pick(0, 2)).await?;
    let agent = deployment.agent("bench").await?;
    let path = format!("/v1/sessions/{}/actions/available", agent.session);

    // The harder case: every list is too old for a new process, so all fifty servers are asked again in the background.
    deployment.kill()?;
    let mut sql = deployment.sql().await?;
    sqlx::query("UPDATE connectors SET last_harvested_at = last_harvested_at - interval '1 hour'")
        .execute(&mut sql)
        .await?;
    deployment.launch(&[]).await?;
    let began = Instant::now();
    let (status, body) = deployment.call(Method::GET, &path, &agent.token, None).await?;
    let cold_s = began.elapsed().as_secs_f64();
    anyhow::ensure!(status == 200, "the catalog answered {status}: {body}");
    let view: CatalogView = serde_json::from_value(body)?;
    check(&view)?;
    settle(&deployment).await?;

    let bearer = format!("Bearer {}", agent.token);
    let shot = Shot::get(&deployment.url, &path, &[("Authorization", &bearer)])?;
    let seconds = u64::try_from(size.pick(2, 10))?;
    let pace =
        Pace { warm_up: Duration::from_millis(500), during: Duration::from_secs(seconds), per_s: None };
    let (mut answers, mut writings) = (vec![], vec![]);
    for round in 1..=ROUNDS {
        let measured = fire(std::slice::from_ref(&shot), pace).await?;
        anyhow::ensure!(measured.not_ok == 0, "{} answers were not 200", measured.not_ok);
        let (answer, writing) = (quantile(&measured.latencies_ms, 500), serialise_ms(&view)?);
        println!("S7 round {round}: answered in {answer:.2} ms, serialised in {writing:.2} ms");
        answers.push(answer);
        writings.push(writing);
    }
    drop((servers, silent));
    let (answer, writing) = (median(answers), median(writings));
    Ok(Finding {
        bar: "S7".to_owned(),
        figure: answer / writing,
        unit: "times the p50 of serialising the same catalog".to_owned(),
        pass: answer <= BAR * writing && cold_s <= COLD_BAR_S,
        details: vec![
            ("bar".to_owned(), json!(BAR)),
            ("answered from memory p50, ms".to_owned(), json!(answer)),
            ("serialised p50, ms".to_owned(), json!(writing)),
            ("first answer of a new process, s".to_owned(), json!(cold_s)),
            ("bar of the first answer, s".to_owned(), json!(COLD_BAR_S)),
            ("actions".to_owned(), json!(view.actions.len())),
            ("size, bytes".to_owned(), json!(serde_json::to_vec(&view)?.len())),
        ],
    })
}

/// Starts servers in this process, each with a connector; the first few of them are then stopped.
async fn connect_all(
    deployment: &Deployment,
    silent: usize,
) -> anyhow::Result<(Vec<FakeMcp>, Vec<TcpListener>)> {
    let mut servers = Vec::new();
    for number in 0..CONNECTORS {
        let tools = (0..TOOLS).map(|tool| realistic(number, tool)).collect();
        servers.push(FakeMcp::start(tools, None).await?);
    }
    for (number, server) in servers.iter().enumerate() {
        let body = json!({ "source": slug(number), "kind": "mcp", "place": server.url(), "auth": { "kind": "none" } });
        let added = deployment.as_owner(Method::POST, "/v1/connectors", body).await?;
        anyhow::ensure!(added["tools"] == TOOLS, "{added}");
        review(deployment, number).await?;
    }
    let lost: Vec<String> = servers.drain(..AWAY).map(|server| server.url()).collect();
    let mut listeners = Vec::new();
    for url in &lost[AWAY - silent..] {
        let address = url.trim_start_matches("http://").trim_end_matches("/mcp");
        listeners.push(bind(address).await?);
    }
    try_join_all((0..lost.len()).map(|number| harvest_in_vain(deployment, number))).await?;
    Ok((servers, listeners))
}

/// Binds the port of a server that was just stopped; its socket may take a moment to close.
async fn bind(address: &str) -> anyhow::Result<TcpListener> {
    for _ in 0..100 {
        if let Ok(listener) = TcpListener::bind(address).await {
            return Ok(listener);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    anyhow::bail!("{address} stays taken")
}

async fn harvest_in_vain(deployment: &Deployment, number: usize) -> anyhow::Result<()> {
    let path = format!("/v1/connectors/{}/harvest", slug(number));
    let harvested = deployment.as_owner(Method::POST, &path, json!({})).await?;
    anyhow::ensure!(harvested["connector"]["problem"].is_string(), "it still answers: {harvested}");
    Ok(())
}

fn slug(number: usize) -> String {
    format!("service-{}", spelled(number))
}

/// Spells a number in letters. Digits could be confused with letters, and slugs must not be confusable.
fn spelled(number: usize) -> String {
    const LETTERS: &[u8] = b"bcdfghkpqt";
    number.to_string().bytes().map(|digit| char::from(LETTERS[usize::from(digit - b'0')])).collect()
}

/// Accepts every other tool: half of them as reads, half as writes.
async fn review(deployment: &Deployment, number: usize) -> anyhow::Result<()> {
    let path = format!("/v1/connectors/{}", slug(number));
    let (_, shown) = deployment.call(Method::GET, &path, &deployment.owner_token, None).await?;
    let tools = shown["tools"].as_array().context("a connector without tools")?;
    for (place, tool) in tools.iter().step_by(2).enumerate() {
        let (risk, effect) = if place % 2 == 0 { ("R1", "read") } else { ("R2", "once") };
        let body = json!({
            "tool": tool["tool"], "verdict": "accept", "shape_hash": tool["shape_hash"],
            "text_hash": tool["text_hash"], "risk": risk, "effect": effect,
        });
        deployment.as_owner(Method::POST, &format!("{path}/review"), body).await?;
    }
    Ok(())
}

/// A realistic tool: a paragraph of text, and about a kilobyte of schema.
fn realistic(server: usize, tool: usize) -> Value {
    let (name, thing) = (spelled(tool), spelled(server));
    json!({
        "name": format!("search_records_{name}"),
        "title": format!("Search records {name}"),
        "description": format!(
            "Searches the records of collection {name} in workspace {thing} and returns those that match, newest first. Use it \
             before creating a record, to see whether there is one already. Results come in pages; pass the cursor of the last."
        ),
        "inputSchema": {
            "type": "object",
            "required": ["query"],
            "additionalProperties": false,
            "properties": {
                "query": { "type": "string", "minLength": 1, "maxLength": 500, "description": "What to look for, in the words a person would use" },
                "status": { "type": "string", "enum": ["open", "in_progress", "blocked", "done", "cancelled"], "description": "Only records in this state" },
                "assignee": { "type": "string", "pattern": "^[a-z0-9_-]{1,40}$", "description": "Only records of this person" },
                "labels": { "type": "array", "maxItems": 20, "items": { "type": "string", "maxLength": 60 }, "description": "Only records with all of these labels" },
                "created": {
                    "type": "object",
                    "properties": {
                        "after": { "type": "string", "format": "date-time", "description": "Not before this moment" },
                        "before": { "type": "string", "format": "date-time", "description": "Not after this moment" },
                    },
                },
                "sort": { "type": "string", "enum": ["created", "updated", "relevance"], "default": "relevance" },
                "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": 25, "description": "How many at most" },
                "cursor": { "type": "string", "description": "Where the last page ended" },
            },
        },
        "annotations": { "readOnlyHint": true },
    })
}

/// Checks that the catalog is the expected one: all tools, half of them reviewed, five sources with a problem.
fn check(view: &CatalogView) -> anyhow::Result<()> {
    let ours = view.actions.iter().filter(|action| action.action.starts_with("service-"));
    let (count, reviewed) = ours
        .fold((0, 0), |(all, reviewed), action| (all + 1, reviewed + usize::from(action.drift.is_none())));
    let away = view
        .sources
        .iter()
        .filter(|source| source.source.starts_with("service-") && source.problem.is_some())
        .count();
    let wanted = (CONNECTORS * TOOLS, CONNECTORS * TOOLS / 2, AWAY);
    anyhow::ensure!((count, reviewed, away) == wanted, "{count} actions, {reviewed} reviewed, {away} away");
    Ok(())
}

/// Waits until the fifty servers that are asked in the background have answered or timed out.
async fn settle(deployment: &Deployment) -> anyhow::Result<()> {
    let mut sql = deployment.sql().await?;
    for _ in 0..120 {
        let old: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM connectors WHERE last_harvested_at < now() - interval '30 minutes'",
        )
        .fetch_one(&mut sql)
        .await?;
        if old == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    anyhow::bail!("not every connector was asked again within a minute")
}

fn serialise_ms(view: &CatalogView) -> anyhow::Result<f64> {
    let mut taken = Vec::new();
    for _ in 0..100 {
        let began = Instant::now();
        std::hint::black_box(serde_json::to_vec(view)?);
        taken.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    Ok(median(taken))
}
