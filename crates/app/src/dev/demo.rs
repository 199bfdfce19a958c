//! Something to try at once: an org with an owner, stand-ins for outside services that are connected, a session.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use http::Method;
use serde_json::{Value, json};
use tokio::process::Command;

use super::place::{Held, read_secret, write_secret};
use crate::neighbour::Neighbour;

/// What the stand-ins accept. It opens nothing but them.
pub(crate) const FAKE_TOKEN: &str = "token-of-the-stand-ins";

/// The owner's door to the gateway.
pub(crate) struct Owner {
    neighbour: Neighbour,
    url: String,
    pub(crate) token: String,
    pub(crate) token_file: PathBuf,
}

/// A session for an agent.
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) token_file: PathBuf,
}

/// The owner's token: the one that is kept, or that of an org which `init` (a command of this program) founds now.
pub(crate) async fn owner_token(held: &Held, org: &str, mut init: Command) -> anyhow::Result<String> {
    let file = held.at(&format!("owner-of-{org}.token"));
    if let Some(kept) = read_secret(&file)? {
        return Ok(kept);
    }
    let email = format!("owner@{org}.example");
    init.args(["init", "--json", "--org", org, "--name", "Demo", "--owner", "Owner", "--email", &email]);
    let said = init.kill_on_drop(true).output().await.context("founding the org")?;
    ensure!(
        said.status.success(),
        "founding the org `{org}`: {}if it exists and its token is lost, name another with --org",
        String::from_utf8_lossy(&said.stderr)
    );
    let founded: Value = serde_json::from_slice(&said.stdout).context("reading what `init` said")?;
    let token = text(&founded["token"]).context("reading what `init` said")?;
    write_secret(&file, &token)?;
    Ok(token)
}

impl Owner {
    pub(crate) fn new(held: &Held, org: &str, neighbour: Neighbour, gateway: &str, token: String) -> Self {
        let token_file = held.at(&format!("owner-of-{org}.token"));
        Self { neighbour, url: gateway.to_owned(), token, token_file }
    }

    /// Whether the gateway still takes the token that was kept.
    pub(crate) async fn check(&self) -> anyhow::Result<()> {
        self.ask(Method::GET, "/v1/me", None).await.map(drop).with_context(|| {
            format!("the token in {} is not taken; name another org with --org", self.token_file.display())
        })
    }

    /// Connects a source to its stand-in. Doing it again changes nothing.
    pub(crate) async fn connect(&self, source: &str) -> anyhow::Result<()> {
        let order = json!({ "name": "stand-in", "token": FAKE_TOKEN });
        self.ask(Method::PUT, &format!("/v1/connections/{source}"), Some(&order)).await.map(drop)
    }

    /// Opens a session, and keeps its token beside the owner's.
    pub(crate) async fn open_session(&self) -> anyhow::Result<Session> {
        let order = json!({ "agent": "demo-agent", "kind": "interactive", "title": "countersign dev" });
        let made = self.ask(Method::POST, "/v1/sessions", Some(&order)).await?;
        let (id, token) = (text(&made["session"]["id"])?, text(&made["token"])?);
        let token_file = self.token_file.with_file_name("agent.token");
        write_secret(&token_file, &token)?;
        Ok(Session { id, token, token_file })
    }

    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.url);
        let answer = self.neighbour.call(method, &url, Some(&self.token), body).await?;
        ensure!(answer.is_success(), "the gateway answered {} to {path}: {}", answer.status, answer.body);
        Ok(answer.body)
    }
}

fn text(value: &Value) -> anyhow::Result<String> {
    value.as_str().map(str::to_owned).context("a text was expected")
}
