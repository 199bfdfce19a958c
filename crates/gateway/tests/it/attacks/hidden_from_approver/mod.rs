//! Attack 16: hidden from the approver. Redaction hides part of the parameters, and a yes would send what nobody saw.
//! Whatever redaction touches is tried in many fields and places: what is voted on must be, byte for byte, what the
//! target receives, or there is no vote. In the control a person counts as having seen what they did not see.

use axum::http::{Method, StatusCode};
use changes::{Author, Method as KnownBy};
use model::{Actor, InvocationId, Role};
use pipeline::{Answer, Extent, GivenAnswer, Voter};
use serde_json::{Value, json};
use testkit::{
    Agent, TestApp,
    fakes::{FakeMcp, tool},
};

use crate::{
    approvals::answers::{Waiting, answer, opened, perform},
    sources::connectors::{add, review},
};

/// Names whose values redaction hides, in the spellings that people use.
const NAMES: [&str; 36] = [
    "token",
    "access_token",
    "X-Auth-Token",
    "secret",
    "client_secret",
    "clientSecret",
    "secrets",
    "password",
    "userPassword",
    "PASSWORD",
    "passwords",
    "password_hash",
    "passwd",
    "passphrase",
    "Authorization",
    "apikey",
    "api_key",
    "X-Api-Key",
    "STRIPE_API_KEY",
    "apiKeys",
    "access_key",
    "auth_key",
    "secret_key",
    "private_key",
    "signing_key",
    "encryption_key",
    "master_key",
    "ssh_key",
    "shared_key",
    "credential",
    "credentials",
    "connection_string",
    "cookie",
    "set-cookies",
    "bearer",
    "pwd",
];

/// Texts in which redaction hides a part, by the name before it.
const TEXTS: [&str; 9] = [
    "password=pay-mallory-instead",
    "set password: pay-mallory-instead now",
    "the token=pay-mallory-instead, as agreed",
    "api_key: pay-mallory-instead",
    "secret = \"pay-mallory-instead\"",
    "Authorization: pay-mallory-instead",
    "curl -H 'X-Api-Key: pay-mallory-instead' https://bank.example",
    "client_secret=pay-mallory-instead&amount=1",
    "https://user:pay-mallory-instead@bank.example/pay",
];

/// Real credentials, by their format: nobody is asked about them.
const CREDENTIALS: [&str; 3] = [
    "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB",
    "AKIAIOSFODNN7EXAMPLE and more",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
];

/// The parameter sets: each name and each text in each shape.
fn sets() -> Vec<Value> {
    let mut sets = Vec::new();
    for name in NAMES {
        sets.extend([
            json!({ name: "pay-mallory-instead" }),
            json!({ "note": "hello", name: "pay-mallory-instead" }),
            json!({ "deep": { "er": { name: "pay-mallory-instead" } } }),
            json!({ "list": [1, { name: "pay-mallory-instead" }, "x"] }),
            json!({ name: ["pay", "mallory", "instead"] }),
            json!({ name: { "to": "mallory", "amount": 1_000 } }),
            json!({ name: 1_000_000 }),
        ]);
    }
    for text in TEXTS {
        sets.extend([
            json!({ "text": text }),
            json!({ "text": format!("Dear all,\n\n{text}\n\nYours") }),
            json!({ "list": ["x", text] }),
            json!({ "deep": { "a/b~c": [{ "text": text }] } }),
            json!({ "text": text, "password": "also-this-one" }),
        ]);
    }
    sets
}

struct Scene {
    app: TestApp,
    bank: FakeMcp,
    agent: Agent,
}

impl Scene {
    async fn set() -> anyhow::Result<Self> {
        let app = TestApp::start().await?;
        let bank = FakeMcp::start(vec![tool("send", json!({}))], None).await?;
        add(&app, "bank", &bank, json!({ "kind": "none" })).await?;
        let reviewed = review(&app, "bank", "send", json!({ "risk": "R2", "effect": "once" })).await?;
        anyhow::ensure!(reviewed.status == StatusCode::OK, "{}", reviewed.text);
        let agent = app.agent().await?;
        Ok(Self { app, bank, agent })
    }

    async fn item(&self, waiting: &Waiting) -> anyhow::Result<Value> {
        let path = format!("/v1/inbox/{}", waiting.id);
        Ok(self.app.send(Method::GET, &path, &self.app.owner_token, None).await?.body)
    }

    /// What the approver sees after revealing: the document's parameters with the revealed values in place.
    async fn seen(&self, waiting: &Waiting) -> anyhow::Result<Value> {
        let mut seen = self.item(waiting).await?["shown"]["params"].clone();
        let path = format!("/v1/invocations/{}/reveal", waiting.id);
        let revealed = self.app.send(Method::POST, &path, &self.app.owner_token, None).await?;
        anyhow::ensure!(revealed.status == StatusCode::OK, "{}", revealed.text);
        for value in revealed.body["values"].as_array().into_iter().flatten() {
            let pointer = value["pointer"].as_str().unwrap_or_default();
            let place = seen.pointer_mut(pointer).ok_or_else(|| anyhow::anyhow!("no place {pointer}"))?;
            *place = value["value"].clone();
        }
        Ok(seen)
    }

    async fn approve(&self, waiting: &Waiting, more: Value) -> anyhow::Result<testkit::Answered> {
        answer(&self.app, &self.app.owner_token, ("approve", waiting), more).await
    }

    /// A click in Slack by the same person.
    async fn click(&self, waiting: &Waiting) -> anyhow::Result<bool> {
        let actor = Actor { org: self.app.org, user: self.app.owner };
        let author = Author::person(actor, KnownBy::Slack, None);
        let voter = Voter {
            user: self.app.owner,
            author,
            role: Role::Owner,
            channel: "slack",
            since: None,
            signed: None,
        };
        let shown = model::Digest::parse(&waiting.shown).ok_or_else(|| anyhow::anyhow!("no digest"))?;
        let invocation: InvocationId = waiting.id.parse()?;
        let answer = Answer::Approve { extent: Extent::Once, condition: None, note: String::new() };
        let given = GivenAnswer { invocation, voter, shown, answer };
        Ok(self.app.app.pipeline.approvals().answer(self.app.org, given).await.is_ok())
    }

    /// Tries one set of parameters; returns whether anything was not as it must be.
    async fn attack(&self, params: &Value, number: usize) -> anyhow::Result<bool> {
        let before = self.bank.calls("send").len();
        let asked = self.app.invoke(&self.agent, "bank.send", params.clone()).await?;
        if asked.status == StatusCode::FORBIDDEN {
            return Ok(self.bank.calls("send").len() != before);
        }
        anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{params}: {}", asked.text);
        let waiting = opened(&self.app, &asked.body["id"]).await?;
        let document = self.item(&waiting).await?["shown"].clone();
        let hides = document["hidden"] != json!([]);
        let mut wrong = hides == (document["params"] == *params);
        let extent = [
            json!({ "channel": "web" }),
            json!({ "channel": "cli" }),
            json!({ "extent": "grant", "grant": { "max_calls": 1 } }),
            json!({ "channel": "api", "note": "seen" }),
        ];
        let extent = extent.get(number % 4).cloned().unwrap_or_default();
        if hides {
            let said = self.approve(&waiting, extent.clone()).await?;
            wrong |=
                (said.status, said.body["code"].as_str()) != (StatusCode::CONFLICT, Some("hidden_values"));
            let seen = self.seen(&waiting).await?;
            wrong |= seen != *params || self.click(&waiting).await?;
        }
        // Not with the grant: the calls after it would be performed unasked, and the sets after it would prove nothing.
        let said = self.approve(&waiting, if number % 4 == 2 { json!({}) } else { extent }).await?;
        wrong |= said.body["status"] != "approved";
        perform(&self.app, &waiting).await?;
        let calls = self.bank.calls("send");
        wrong |= calls.len() != before + 1 || calls.last() != Some(params);
        Ok(wrong)
    }
}

#[tokio::test]
async fn what_is_voted_on_is_what_the_target_receives() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let sets = sets();
    assert!(sets.len() >= 290, "{}", sets.len());
    let (mut wrong, mut hiding) = (0, 0);
    for (number, params) in sets.iter().enumerate() {
        let is_wrong = Box::pin(scene.attack(params, number)).await?;
        hiding += usize::from(platform::redact::Redactor::new().redact_value(params) != *params);
        wrong += usize::from(is_wrong);
        assert!(!is_wrong, "{params}");
        // A session may make at most sixty requests a minute.
        scene.app.advance(std::time::Duration::from_secs(2));
    }
    assert!(hiding >= 280, "redaction touches only {hiding} of {} sets", sets.len());
    testkit::tried(16, "parameters that redaction touches", sets.len(), wrong);
    Ok(())
}

#[tokio::test]
async fn nobody_is_asked_about_a_real_credential() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let (mut tried, mut wrong) = (0, 0);
    for credential in CREDENTIALS {
        for params in [
            json!({ "text": credential }),
            json!({ "password": credential }),
            json!({ "list": [{ "text": format!("use {credential} please") }] }),
            json!({ "deep": { "er": credential } }),
        ] {
            let asked = scene.app.invoke(&scene.agent, "bank.send", params.clone()).await?;
            tried += 1;
            wrong += usize::from(asked.status != StatusCode::FORBIDDEN);
            assert_eq!(asked.status, StatusCode::FORBIDDEN, "{params}: {}", asked.text);
        }
    }
    assert_eq!(scene.bank.called(), 0);
    testkit::tried(16, "credentials by their format", tried, wrong);
    Ok(())
}

/// With the record of who saw what forged, as if nothing had to be revealed, the same votes count, and the target
/// receives what no document showed.
#[tokio::test]
async fn with_nothing_to_reveal_a_yes_sends_what_nobody_saw() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let mut owner = scene.app.db.owner().await?;
    sqlx::query("ALTER TABLE revealed_values NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    let mut unseen = 0;
    for params in sets().iter().step_by(12) {
        let asked = scene.app.invoke(&scene.agent, "bank.send", params.clone()).await?;
        if asked.status != StatusCode::ACCEPTED {
            continue;
        }
        let waiting = opened(&scene.app, &asked.body["id"]).await?;
        let shown = scene.item(&waiting).await?["shown"].clone();
        for place in shown["hidden"].as_array().into_iter().flatten() {
            sqlx::query(
                "INSERT INTO revealed_values (org_id, invocation_id, user_id, subject_digest, pointer, revealed_at)
                 SELECT org_id, $1, $2, shown_digest, $3, now() FROM invocations WHERE id = $1",
            )
            .bind(waiting.id.parse::<InvocationId>()?.uuid())
            .bind(scene.app.owner.uuid())
            .bind(place["pointer"].as_str())
            .execute(&mut owner)
            .await?;
        }
        let said = scene.approve(&waiting, json!({})).await?;
        anyhow::ensure!(said.body["status"] == "approved", "{}", said.text);
        perform(&scene.app, &waiting).await?;
        let received = scene.bank.calls("send").last().cloned().unwrap_or_default();
        unseen += usize::from(received == *params && received != shown["params"]);
        scene.app.advance(std::time::Duration::from_secs(2));
    }
    testkit::tried(16, "control: sent although nobody saw it", unseen, 0);
    assert!(unseen >= 20, "{unseen}");
    Ok(())
}
