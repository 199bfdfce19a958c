//! A small MCP client over Streamable HTTP, the same for every server that is measured.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use reqwest::{RequestBuilder, header};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::load::{Measured, Pace};

const VERSION: &str = "2025-06-18";

/// A client with its own connection.
pub(crate) struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
    /// The session id of the server, if it uses one.
    session: Option<String>,
}

impl Client {
    /// Connects and performs the initialization handshake.
    pub(crate) async fn connect(url: &str, token: Option<&str>) -> anyhow::Result<Self> {
        let http = testkit::http_client()?;
        let mut client =
            Self { http, url: url.to_owned(), token: token.map(ToOwned::to_owned), session: None };
        let hello = json!({
            "protocolVersion": VERSION, "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" },
        });
        let answer = client.post(&message(Some(0), "initialize", hello)).send().await?.error_for_status()?;
        let session = answer.headers().get("mcp-session-id").and_then(|id| id.to_str().ok());
        client.session = session.map(ToOwned::to_owned);
        read(answer).await?;
        let ready = client.post(&message(None, "notifications/initialized", json!({}))).send().await?;
        ready.error_for_status()?.bytes().await?;
        Ok(client)
    }

    /// Calls a tool; anything but its result is an error.
    pub(crate) async fn call(&self, tool: &str, arguments: &Value) -> anyhow::Result<Value> {
        let params = json!({ "name": tool, "arguments": arguments });
        let sent = self.post(&message(Some(1), "tools/call", params)).send().await?;
        let answer = read(sent.error_for_status()?).await?;
        let failed = answer["result"].is_null() || answer["result"]["isError"] == true;
        anyhow::ensure!(!failed, "{tool} answered {answer}");
        Ok(answer["result"].clone())
    }

    fn post(&self, message: &Value) -> RequestBuilder {
        let mut request = self
            .http
            .post(&self.url)
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header("mcp-protocol-version", VERSION);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        request.json(message)
    }
}

fn message(id: Option<u64>, method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    if let Some(id) = id {
        message["id"] = json!(id);
    }
    message
}

/// The response, sent as JSON or as the last event of a stream.
async fn read(answer: reqwest::Response) -> anyhow::Result<Value> {
    let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
    let bytes = answer.bytes().await?;
    if !is_stream {
        return serde_json::from_slice(&bytes).context("reading an answer");
    }
    let text = std::str::from_utf8(&bytes)?;
    let data = text.lines().rev().find_map(|line| line.strip_prefix("data:"));
    serde_json::from_str(data.context("a stream without an event")?).context("reading an event")
}

/// The call that is repeated.
#[derive(Debug, Clone)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) arguments: Value,
}

/// Makes every client call the tool, as fast as it is answered or at a steady total rate.
pub(crate) async fn drive(clients: &[Arc<Client>], tool: &Tool, pace: Pace) -> anyhow::Result<Measured> {
    let not_ok = Arc::new(AtomicU64::new(0));
    let begin = Instant::now() + pace.warm_up;
    let end = begin + pace.during;
    let count = clients.len() as f64;
    let gap = pace.per_s.map(|per_s| Duration::from_secs_f64(count / per_s));
    let mut callers = JoinSet::new();
    for (number, client) in clients.iter().cloned().enumerate() {
        let (tool, not_ok) = (tool.clone(), not_ok.clone());
        callers.spawn(async move {
            let mut latencies = Vec::new();
            let offset = gap.map(|gap| gap.mul_f64(number as f64 / count)).unwrap_or_default();
            let mut due = Instant::now() + offset;
            loop {
                if let Some(gap) = gap {
                    tokio::time::sleep_until(due.into()).await;
                    due += gap;
                }
                let sent = Instant::now();
                if sent >= end {
                    return latencies;
                }
                let called = client.call(&tool.name, &tool.arguments).await;
                let now = Instant::now();
                if called.is_err() {
                    not_ok.fetch_add(1, Ordering::Relaxed);
                } else if now >= begin && now <= end {
                    // Counted by the end of the call: slow calls that are in progress when the measurement begins would
                    // otherwise be lost.
                    latencies.push((now - sent).as_secs_f64() * 1_000.0);
                }
            }
        });
    }
    let mut latencies_ms: Vec<f64> = callers.join_all().await.into_iter().flatten().collect();
    latencies_ms.sort_by(f64::total_cmp);
    let per_s = latencies_ms.len() as f64 / pace.during.as_secs_f64();
    Ok(Measured { per_s, latencies_ms, not_ok: not_ok.load(Ordering::Relaxed) })
}
