//! The demo: an organization with an owner, connections to the fakes of outside services, and a session.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context as _, ensure};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    process::Command,
    time::{Instant, sleep},
};

use super::place::{Held, read_secret, write_secret};
use crate::internal_http::{Answer, InternalHttp};

/// The token that the fakes accept. It is valid nowhere else.
pub(crate) const FAKE_TOKEN: &str = "token-of-the-stand-ins";

/// How long the gateway may be unable to answer.
const START: Duration = Duration::from_secs(60);
const AGAIN: Duration = Duration::from_millis(500);

/// A client of the gateway with the owner's token.
pub(crate) struct Owner {
    http: InternalHttp,
    url: String,
    pub(crate) token: String,
    pub(crate) token_file: PathBuf,
}

pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) token_file: PathBuf,
}

/// The owner's token: the stored one, or that of an organization that `init` (a command of this program) creates now.
pub(crate) async fn owner_token(held: &Held, org: &str, mut init: Command) -> anyhow::Result<String> {
    let file = held.at(&format!("owner-of-{org}.token"));
    if let Some(kept) = read_secret(&file)? {
        return Ok(kept);
    }
    let email = format!("owner@{org}.example");
    init.args(["init", "--json", "--org", org, "--name", "Demo", "--owner", "Owner", "--email", &email]);
    let said = init.kill_on_drop(true).output().await.context("creating the organization failed")?;
    ensure!(
        said.status.success(),
        "creating the organization `{org}` failed: {}If it exists and its token is lost, choose another with --org",
        String::from_utf8_lossy(&said.stderr)
    );
    let founded: Value = serde_json::from_slice(&said.stdout).context("reading what `init` said")?;
    let token = text(&founded["token"]).context("reading what `init` said")?;
    write_secret(&file, &token)?;
    Ok(token)
}

impl Owner {
    pub(crate) fn new(held: &Held, org: &str, http: InternalHttp, gateway: &str, token: String) -> Self {
        let token_file = held.at(&format!("owner-of-{org}.token"));
        Self { http, url: gateway.to_owned(), token, token_file }
    }

    /// Checks that the gateway accepts the stored token.
    pub(crate) async fn check(&self) -> anyhow::Result<()> {
        let answer = self.call(Method::GET, "/v1/me", None).await?;
        ensure!(
            answer.status != StatusCode::UNAUTHORIZED,
            "the gateway does not accept the token in {}. Choose another organization with --org",
            self.token_file.display()
        );
        success("/v1/me", answer).map(drop)
    }

    /// Connects a source to its fake. Repeating this changes nothing.
    pub(crate) async fn connect(&self, source: &str) -> anyhow::Result<()> {
        let order = json!({ "name": "stand-in", "token": FAKE_TOKEN });
        self.ask(Method::PUT, &format!("/v1/connections/{source}"), Some(&order)).await.map(drop)
    }

    /// Opens a session and stores its token next to the owner's.
    pub(crate) async fn open_session(&self) -> anyhow::Result<Session> {
        // Also for sources that are added while it runs.
        let order = json!({
            "agent": "demo-agent", "kind": "interactive", "title": "countersign dev", "capabilities": ["*"],
        });
        let made = self.ask(Method::POST, "/v1/sessions", Some(&order)).await?;
        let (id, token) = (text(&made["session"]["id"])?, text(&made["token"])?);
        let token_file = self.token_file.with_file_name("agent.token");
        write_secret(&token_file, &token)?;
        Ok(Session { id, token, token_file })
    }

    /// Sends a request that must succeed.
    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let answer = self.call(method, path, body).await?;
        success(path, answer)
    }

    /// Sends a request. On a busy machine the database may not answer in time right after its start; the gateway then
    /// responds with 503, and the request is repeated.
    async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Answer> {
        let url = format!("{}{path}", self.url);
        let patience = Instant::now() + START;
        loop {
            let answer = self.http.call(method.clone(), &url, Some(&self.token), body).await?;
            if answer.status != StatusCode::SERVICE_UNAVAILABLE || Instant::now() > patience {
                return Ok(answer);
            }
            sleep(AGAIN).await;
        }
    }
}

fn success(path: &str, answer: Answer) -> anyhow::Result<Value> {
    ensure!(answer.is_success(), "the gateway answered {} to {path}: {}", answer.status, answer.body);
    Ok(answer.body)
}

fn text(value: &Value) -> anyhow::Result<String> {
    value.as_str().map(str::to_owned).context("the response of the gateway is not what was expected")
}
