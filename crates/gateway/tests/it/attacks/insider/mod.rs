//! Attack 17: an insider. An admin alone and an owner alone try what protects the organization from them: over HTTP, as
//! the web page and with the command line. Each act is refused, waits for a second person, or voids what was approved,
//! and what is changed or proposed has its record. Over MCP there is no such act: `tools` calls what is there.
//!
//! The tests whose names begin with `finding_` are about holes that were found in review; each names its sequence.

mod acts;
mod eyes;
mod findings;
mod tools;
mod voiding;

use std::time::Duration;

use axum::{
    Router,
    http::{Method, StatusCode},
};
use catalog::SourceUrls;
use model::Role;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    Agent, Answered, Terminal, TestApp,
    fakes::{FakeGitHub, FakeLinear, FakeMcp, tool},
};

use crate::{
    attacks::stolen_token::{
        AUTHORITY, CREDENTIALS, Credential, fresh_token, loosening, send, sign_in, text,
    },
    automations::definitions::{definition, make},
    invocations::invoke::TOKEN,
    mcp::calls::listen,
};

/// Longer than somebody who was let in counts as one with who did it.
const A_DAY: Duration = Duration::from_secs(25 * 60 * 60);

/// How an insider reaches the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Http,
    Web,
    Cli,
}

pub(crate) const CHANNELS: [Channel; 3] = [Channel::Http, Channel::Web, Channel::Cli];

/// Who tries it alone.
pub(crate) struct Insider {
    pub(crate) name: &'static str,
    pub(crate) user: String,
    pub(crate) token: String,
    pub(crate) cookie: Credential,
    /// An agent of theirs.
    pub(crate) agent: Agent,
}

/// A request, in the forms in which it can be made.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) name: &'static str,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Value,
    /// The arguments of the command, and its stdin; empty if there is no such command.
    pub(crate) command: Vec<String>,
    pub(crate) input: String,
}

impl Ask {
    pub(crate) fn new(
        name: &'static str,
        (method, path): (Method, &str),
        body: Value,
        command: &str,
    ) -> Self {
        let command = command.split_whitespace().map(ToOwned::to_owned).collect();
        Self { name, method, path: path.to_owned(), body, command, input: String::new() }
    }

    /// With a text on the stdin of the command.
    pub(crate) fn typing(self, input: &str) -> Self {
        Self { input: input.to_owned(), ..self }
    }
}

/// What became of a request.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    Refused(String),
    /// It waits for a second person.
    Waits(String),
    Done(String),
}

impl Outcome {
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

/// An organization with two owners and what one of them set up.
pub(crate) struct House {
    pub(crate) app: TestApp,
    pub(crate) linear: FakeLinear,
    pub(crate) github: FakeGitHub,
    /// The server of the connector `notes`, and another one to which an insider would send its secret.
    pub(crate) notes: FakeMcp,
    pub(crate) elsewhere: FakeMcp,
    pub(crate) gateway: Router,
    pub(crate) url: String,
    /// The owner who set everything up, and whose yes is needed.
    pub(crate) second: String,
    pub(crate) second_user: String,
    /// An admin who has nothing to do with it.
    pub(crate) approver: String,
    pub(crate) insiders: [Insider; 2],
    pub(crate) ids: Ids,
}

/// What was set up.
#[derive(Default)]
pub(crate) struct Ids {
    pub(crate) member: String,
    pub(crate) invitation: String,
    pub(crate) rule: String,
    pub(crate) space: String,
    pub(crate) automation: String,
    pub(crate) trigger: String,
    /// The second one's automation, whose step merges a pull request.
    pub(crate) merging: String,
}

/// Where secrets are, besides what decides what can happen and who may answer.
const SECRETS: &str = "
    SELECT 'secret ' || name || version FROM secrets
    UNION ALL SELECT 'connector ' || slug || place || coalesce(auth_secret, '') FROM connectors";

/// An automation of the second owner with a webhook trigger and one for events.
fn automation(name: &str, plan: &Value) -> Value {
    let mut whole = definition(name, plan);
    let on = json!({ "event_type": "drive.file_added" });
    whole["triggers"] = json!([{ "type": "webhook", "config": {} }, { "type": "event", "config": on }]);
    whole["execution"] = json!({ "concurrency": "allow_parallel" });
    whole
}

/// A step that merges a pull request, which is hard to undo.
fn merge() -> Value {
    json!([{ "step_id": "merge", "action": "github.merge_pull_request",
        "config": { "owner": "acme", "repo": "web", "number": 1, "sha": "a".repeat(40) } }])
}

impl House {
    pub(crate) async fn set() -> anyhow::Result<Self> {
        let (linear, github) = (FakeLinear::start(TOKEN).await, FakeGitHub::start(TOKEN).await);
        github.put_pull_request("Site", &"a".repeat(40));
        let urls = SourceUrls::default()
            .with(&catalog::integrations::LINEAR, linear.url().parse()?)
            .with(&catalog::integrations::GITHUB, github.url().parse()?);
        let app =
            TestApp::with(urls, Limits { invocations_per_minute: 1_000_000, ..Limits::default() }).await?;
        app.relay();
        let second = app.person(app.org, Role::Owner).await?;
        let admin = app.person(app.org, Role::Admin).await?;
        let member = app.person(app.org, Role::Member).await?;
        let approver = app.person(app.org, Role::Admin).await?;
        let (notes, elsewhere) = (
            FakeMcp::start(vec![tool("erase", json!({}))], None).await?,
            FakeMcp::start(vec![tool("erase", json!({}))], None).await?,
        );
        loosening(&app, app.org, "one").await?;
        let mut ids = furnish(&app, &second, (&notes, &elsewhere)).await?;
        ids.member = me(&app, &member).await?;
        // Everybody has been here for a while, and signs in now.
        app.advance(A_DAY);
        let (owner, admin, second) =
            (app.owner.to_string(), me(&app, &admin).await?, me(&app, &second).await?);
        let gateway = gateway::router(app.app.clone());
        let mut insiders = Vec::new();
        for (name, user) in [("an owner", owner), ("an admin", admin)] {
            let token = fresh_token(&app, app.org, user.parse()?).await?;
            let cookie = sign_in(&gateway, &token).await?;
            let body = json!({ "agent": name, "kind": "interactive", "capabilities": ["*"] });
            let agent = app.open_session(&token, body).await?;
            insiders.push(Insider { name, user, token, cookie, agent });
        }
        let insiders = insiders.try_into().map_err(|_| anyhow::anyhow!("two insiders"))?;
        let url = listen(&app.app).await?.trim_end_matches("/mcp").to_owned();
        loosening(&app, app.org, "two_people").await?;
        let second_token = fresh_token(&app, app.org, second.parse()?).await?;
        Ok(Self {
            linear,
            github,
            notes,
            elsewhere,
            gateway,
            url,
            second: second_token,
            second_user: second,
            approver,
            insiders,
            ids,
            app,
        })
    }

    pub(crate) async fn state(&self) -> anyhow::Result<Vec<String>> {
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let mut all: Vec<String> = Vec::new();
        for part in [AUTHORITY, CREDENTIALS, SECRETS] {
            all.extend(sqlx::query_scalar::<_, String>(part).fetch_all(&mut *tx).await?);
        }
        all.sort();
        Ok(all)
    }

    /// As the owner who set everything up.
    pub(crate) async fn by_second(
        &self,
        method: Method,
        path: &str,
        body: Value,
    ) -> anyhow::Result<Answered> {
        let body = Some(body).filter(|body| !body.is_null());
        self.app.send(method, path, &self.second, body).await
    }

    /// The same, with nobody else asked.
    pub(crate) async fn arrange(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        loosening(&self.app, self.app.org, "one").await?;
        let done = self.by_second(method, path, body).await?;
        loosening(&self.app, self.app.org, "two_people").await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
        Ok(done.body)
    }

    /// Makes a request as an insider; `None` if this channel does not offer it.
    pub(crate) async fn ask(
        &self,
        insider: &Insider,
        channel: Channel,
        ask: &Ask,
    ) -> anyhow::Result<Option<Outcome>> {
        match channel {
            Channel::Http => self.over_http(&Credential::Token(insider.token.clone()), ask).await.map(Some),
            Channel::Web => self.over_http(&insider.cookie, ask).await.map(Some),
            Channel::Cli if ask.command.is_empty() => Ok(None),
            Channel::Cli => self.at_terminal(insider, ask).await.map(Some),
        }
    }

    async fn over_http(&self, credential: &Credential, ask: &Ask) -> anyhow::Result<Outcome> {
        let body = Some(&ask.body).filter(|body| !body.is_null());
        let answer = send(&self.gateway, credential, (&ask.method, &ask.path), body).await?;
        anyhow::ensure!(!answer.status.is_server_error(), "{}: {}", ask.name, answer.text);
        let proposed = answer.headers.get("countersign-proposed").and_then(|id| id.to_str().ok());
        Ok(match proposed {
            Some(id) if answer.waits() => Outcome::Waits(id.to_owned()),
            _ if answer.status.is_success() => Outcome::Done(answer.text),
            _ => Outcome::Refused(answer.text),
        })
    }

    async fn at_terminal(&self, insider: &Insider, ask: &Ask) -> anyhow::Result<Outcome> {
        let terminal = Terminal { url: self.url.clone(), token: insider.token.clone() };
        let arguments: Vec<&str> = ask.command.iter().map(String::as_str).collect();
        let ran = terminal.run(&arguments, &ask.input).await?;
        let told = format!("{} {}", ran.out, ran.err);
        let waiting = told
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .find(|word| word.starts_with("pch_"));
        Ok(match (ran.code, waiting) {
            (4, Some(id)) => Outcome::Waits(id.to_owned()),
            // Exit code 4 is also that of work that goes on.
            (0 | 4, _) => Outcome::Done(told),
            _ => Outcome::Refused(told),
        })
    }

    /// The newest record of a change of this kind by this person.
    pub(crate) async fn record(&self, kind: &str, user: &str) -> anyhow::Result<Option<Value>> {
        let path = format!("/v1/changes?change={kind}&user={user}&limit=1");
        let found = self.by_second(Method::GET, &path, Value::Null).await?;
        Ok(found.body["items"].get(0).cloned())
    }
}

async fn me(app: &TestApp, token: &str) -> anyhow::Result<String> {
    Ok(text(&app.send(Method::GET, "/v1/me", token, None).await?.body["user"]))
}

/// What the second owner set up.
async fn furnish(
    app: &TestApp,
    second: &str,
    (notes, elsewhere): (&FakeMcp, &FakeMcp),
) -> anyhow::Result<Ids> {
    let send = |method, path: String, body: Value| async move {
        let done = app.send(method, &path, second, Some(body)).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
        Ok(done.body)
    };
    let (post, put, patch) = (Method::POST, Method::PUT, Method::PATCH);
    for source in ["linear", "github"] {
        send(put.clone(), format!("/v1/connections/{source}"), json!({ "name": "x", "token": TOKEN }))
            .await?;
    }
    let bearer = |secret: &str| json!({ "kind": "bearer", "secret": secret });
    for (source, auth, server) in [
        ("notes", bearer("notes-key"), notes),
        ("mirror", bearer("mirror-key"), elsewhere),
        ("plain", json!({ "kind": "none" }), notes),
    ] {
        if let Some(secret) = auth["secret"].as_str() {
            send(put.clone(), format!("/v1/secrets/{secret}"), json!({ "value": "a-value-to-keep" })).await?;
        }
        let body = json!({ "source": source, "kind": "mcp", "place": server.url(), "auth": auth });
        send(post.clone(), "/v1/connectors".to_owned(), body).await?;
        let review = review(app, second, source, "R3").await?;
        anyhow::ensure!(review.status == StatusCode::OK, "{}", review.text);
    }
    let rule =
        send(put.clone(), "/v1/rules".to_owned(), json!({ "action": "slack.*", "mode": "deny" })).await?;
    let settings = json!({ "approval_quorum": 2, "approval_four_eyes": true, "receipts_kept_days": 3_000,
        "legal_hold": true });
    send(patch.clone(), "/v1/org".to_owned(), settings).await?;
    let body = json!({ "slug": "careful", "name": "Careful", "risk_band": "red", "open_to": "members" });
    let space = text(&send(post.clone(), "/v1/spaces".to_owned(), body).await?["id"]);
    send(patch, format!("/v1/spaces/{space}"), json!({ "outbound_redaction": true })).await?;
    let body = json!({ "email": "invited@example.test", "name": "Invited", "role": "admin" });
    let invited = send(post.clone(), "/v1/invitations".to_owned(), body).await?;
    send(post.clone(), "/v1/sessions".to_owned(), json!({ "agent": "wild", "kind": "interactive" })).await?;
    let stop = json!({ "scope": "agent", "subject": "wild", "conduct": "halted", "reason": "it went wild" });
    send(put.clone(), "/v1/conduct".to_owned(), stop).await?;
    let make = automation("Nightly", &json!([make("a", "as it was seen")]));
    let saved = send(post.clone(), "/v1/automations".to_owned(), json!({ "definition": make })).await?;
    let merging = automation("Merging", &merge());
    let merging = send(post, "/v1/automations".to_owned(), json!({ "definition": merging })).await?;
    Ok(Ids {
        member: String::new(),
        invitation: text(&invited["invitation"]["id"]),
        rule: text(&rule["id"]),
        space,
        automation: text(&saved["id"]),
        trigger: text(&merging["triggers"][0]["id"]),
        merging: text(&merging["id"]),
    })
}

/// Reviews the tool of a connector as it is now.
async fn review(app: &TestApp, token: &str, source: &str, risk: &str) -> anyhow::Result<Answered> {
    let body = review_body(app, token, source, risk).await?;
    app.send(Method::POST, &format!("/v1/connectors/{source}/review"), token, Some(body)).await
}

async fn review_body(app: &TestApp, token: &str, source: &str, risk: &str) -> anyhow::Result<Value> {
    let shown = app.send(Method::GET, &format!("/v1/connectors/{source}"), token, None).await?.body;
    let tool = &shown["tools"][0];
    Ok(
        json!({ "tool": "erase", "verdict": "accept", "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"],
        "risk": risk }),
    )
}

/// Prints what was tried, and fails if anything was wrong.
fn report(check: &str, tried: usize, wrong: &[String]) {
    testkit::tried(17, check, tried, wrong.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
