//! The fakes as a process of their own, for shell scripts and for faults that need another process.
//!
//! Prints one line of JSON with the addresses and runs until it is stopped. Ports are given with
//! `--<integration>-port`, such as `--linear-port`, and `--mcp-port` (0 or none: any free port), the token that
//! requests must carry with `--token` (`lin_api_test` if none is given). The MCP server takes any token and has one
//! tool: `echo`.

use std::{collections::BTreeMap, io::Write as _};

use anyhow::{Context as _, bail};
use testkit::fakes::{FakeMcp, INTEGRATIONS, tool};
use tokio::net::TcpListener;

const MCP: &str = "mcp";

#[derive(Debug)]
struct Options {
    token: String,
    /// By the name of the fake.
    ports: BTreeMap<String, u16>,
}

impl Options {
    fn port(&self, name: &str) -> u16 {
        self.ports.get(name).copied().unwrap_or_default()
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Options> {
    let mut options = Options { token: "lin_api_test".to_owned(), ports: BTreeMap::new() };
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("`{name}` needs a value"))?;
        if name == "--token" {
            options.token = value;
            continue;
        }
        let fake = name.strip_prefix("--").and_then(|name| name.strip_suffix("-port"));
        let is_known = |fake: &&str| *fake == MCP || INTEGRATIONS.iter().any(|known| known.slug == *fake);
        let Some(fake) = fake.filter(is_known) else { bail!("unknown option `{name}`") };
        let port = value.parse().with_context(|| format!("`{value}` is not a port"))?;
        options.ports.insert(fake.to_owned(), port);
    }
    Ok(options)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = options(std::env::args().skip(1))?;
    let (mut running, mut urls) = (Vec::new(), BTreeMap::new());
    for fake in INTEGRATIONS {
        let started = fake.start(&options.token, options.port(fake.slug)).await;
        let started = started.with_context(|| format!("starting the fake of {}", fake.slug))?;
        urls.insert(fake.slug, started.url.clone());
        running.push(started);
    }
    let listener = TcpListener::bind(("127.0.0.1", options.port(MCP))).await;
    let echo = tool("echo", serde_json::json!({ "text": { "type": "string" } }));
    let mcp = FakeMcp::serve(listener.context("starting an MCP server")?, vec![echo], None)
        .context("starting an MCP server")?;
    urls.insert(MCP, mcp.url());
    writeln!(std::io::stdout(), "{}", serde_json::json!(urls)).context("printing the addresses")?;
    tokio::signal::ctrl_c().await.context("waiting for the end")
}
