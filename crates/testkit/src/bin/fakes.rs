//! The fakes as a process of their own, for shell scripts and for faults that need another process.
//!
//! Prints one line of JSON with the five addresses and runs until it is stopped. Ports are given with
//! `--linear-port`, `--sentry-port`, `--slack-port`, `--github-port`, `--mcp-port` (0 or none: any free port), the token that
//! requests must carry with `--token` (`lin_api_test` if none is given). The MCP server wants none, and has one tool: `echo`.

use std::io::Write as _;

use anyhow::{Context as _, bail};
use testkit::fakes::{FakeGitHub, FakeLinear, FakeMcp, FakeSentry, FakeSlack, tool};
use tokio::net::TcpListener;

#[derive(Debug)]
struct Options {
    token: String,
    linear: u16,
    sentry: u16,
    slack: u16,
    github: u16,
    mcp: u16,
}

fn options(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Options> {
    let mut options =
        Options { token: "lin_api_test".to_owned(), linear: 0, sentry: 0, slack: 0, github: 0, mcp: 0 };
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("`{name}` needs a value"))?;
        let port = || value.parse::<u16>().with_context(|| format!("`{value}` is not a port"));
        match name.as_str() {
            "--token" => options.token = value,
            "--linear-port" => options.linear = port()?,
            "--sentry-port" => options.sentry = port()?,
            "--slack-port" => options.slack = port()?,
            "--github-port" => options.github = port()?,
            "--mcp-port" => options.mcp = port()?,
            _ => bail!("unknown option `{name}`"),
        }
    }
    Ok(options)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = options(std::env::args().skip(1))?;
    let token = &options.token;
    let linear = FakeLinear::start_on(token, options.linear).await.context("starting Linear")?;
    let sentry = FakeSentry::start_on(token, options.sentry).await.context("starting Sentry")?;
    let slack = FakeSlack::start_on(token, options.slack).await.context("starting Slack")?;
    let github = FakeGitHub::start_on(token, options.github).await.context("starting GitHub")?;
    let listener = TcpListener::bind(("127.0.0.1", options.mcp)).await.context("starting an MCP server")?;
    let echo = tool("echo", serde_json::json!({ "text": { "type": "string" } }));
    let mcp = FakeMcp::serve(listener, vec![echo], None).context("starting an MCP server")?;
    // Something to work on, for scripts that cannot reach into the state.
    linear.put_issue("11111111-1111-4111-8111-111111111111", "An issue that was there before");
    sentry.put_issue(1, "TypeError: undefined is not a function");
    github.put_pull_request("A pull request that was there before", &"a".repeat(40));
    let urls = serde_json::json!({
        "linear": linear.url(), "sentry": sentry.url(), "slack": slack.url(), "github": github.url(),
        "mcp": mcp.url(),
    });
    writeln!(std::io::stdout(), "{urls}").context("telling the addresses")?;
    tokio::signal::ctrl_c().await.context("waiting for the end")
}
