//! Change records: every change of authority leaves one that anyone can verify, and none holds a secret.

use std::collections::BTreeMap;

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use changes::Kind;
use model::Role;
use receipt::{Bundle, Change, KeySet, Statement};
use serde_json::{Value, json};
use testkit::{
    Answered, TestApp,
    fakes::{FakeMcp, tool},
};

/// The name of a secret that looks like one.
const SECRET: &str = "linear-token-for-2026";
const VALUE: &str = "only-for-this-test-3141592653";

/// The organization under test, and everything its owner does.
struct Stage {
    app: TestApp,
}

impl Stage {
    async fn owner(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Answered> {
        let answered = self.app.send(method.clone(), path, &self.app.owner_token, body).await?;
        anyhow::ensure!(answered.status.is_success(), "{method} {path}: {}", answered.text);
        Ok(answered)
    }

    /// All change records, oldest first, each verified with the published keys.
    async fn changes(&self) -> anyhow::Result<Vec<Change>> {
        let keys = self.app.send(Method::GET, "/.well-known/countersign-keys.json", "", None).await?;
        let keys = KeySet::from_json(keys.text.as_bytes())?;
        let list = self.owner(Method::GET, "/v1/changes?limit=100", None).await?;
        let mut all = Vec::new();
        for item in list.body["items"].as_array().unwrap() {
            let id = item["id"].as_str().unwrap();
            let one = self.owner(Method::GET, &format!("/v1/changes/{id}"), None).await?;
            let verified = receipt::verify(one.body["envelope"].to_string().as_bytes(), &keys)?;
            let Statement::Change(change) = verified.statement else { anyhow::bail!("{id} is a receipt") };
            for field in ["change", "subject", "name", "by", "reason", "before", "after", "address"] {
                assert_eq!(one.body[field], serde_json::to_value(&change)?[field], "{field} of {id}");
            }
            all.push(*change);
        }
        all.reverse();
        Ok(all)
    }
}

/// Somebody is invited and joins.
async fn invite(stage: &Stage) -> anyhow::Result<String> {
    let post = Method::POST;
    let invite = json!({ "email": "ada@example.test", "name": "Ada", "role": "member" });
    let first = stage.owner(post.clone(), "/v1/invitations", Some(invite.clone())).await?;
    let id = first.body["invitation"]["id"].as_str().unwrap();
    stage.owner(Method::DELETE, &format!("/v1/invitations/{id}"), None).await?;
    let second = stage.owner(post.clone(), "/v1/invitations", Some(invite)).await?;
    let id = second.body["invitation"]["id"].as_str().unwrap();
    let renewed = stage.owner(post.clone(), &format!("/v1/invitations/{id}/link"), None).await?;
    let join = json!({ "token": renewed.body["token"] });
    let joined = stage.app.send(post, "/v1/join", "", Some(join)).await?;
    assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.text);
    Ok(joined.body["me"]["user"].as_str().unwrap().to_owned())
}

/// Everything an owner can change, over HTTP.
async fn change_everything(stage: &Stage) -> anyhow::Result<()> {
    let (put, post, patch, delete) = (Method::PUT, Method::POST, Method::PATCH, Method::DELETE);
    stage.owner(patch.clone(), "/v1/org", Some(json!({ "approval_quorum": 2 }))).await?;
    let ada = invite(stage).await?;
    let ada = ada.as_str();
    stage.owner(patch.clone(), &format!("/v1/members/{ada}"), Some(json!({ "role": "admin" }))).await?;
    let token = stage.owner(post.clone(), "/v1/tokens", Some(json!({ "name": "laptop" }))).await?;
    let token = token.body["id"].as_str().unwrap().to_owned();
    stage.owner(delete.clone(), &format!("/v1/tokens/{token}"), None).await?;
    let space = json!({ "name": "Production", "slug": "production", "risk_band": "red" });
    let space = stage.owner(post.clone(), "/v1/spaces", Some(space)).await?.body["id"].clone();
    let path = format!("/v1/spaces/{}", space.as_str().unwrap());
    stage.owner(patch.clone(), &path, Some(json!({ "risk_band": "amber" }))).await?;
    let listed = format!("{path}/members/{ada}");
    stage.owner(put.clone(), &listed, Some(json!({ "capabilities": ["linear:read"] }))).await?;
    stage.owner(delete.clone(), &listed, None).await?;
    let session = stage
        .owner(post.clone(), "/v1/sessions", Some(json!({ "agent": "bot", "kind": "interactive" })))
        .await?;
    let session = format!("/v1/sessions/{}", session.body["session"]["id"].as_str().unwrap());
    for conduct in ["halted", "normal"] {
        let set = json!({ "scope": "agent", "subject": "bot", "conduct": conduct, "reason": "a test" });
        stage.owner(put.clone(), "/v1/conduct", Some(set)).await?;
    }
    stage.owner(delete.clone(), &session, None).await?;
    let value = Some(json!({ "value": VALUE }));
    stage.owner(put.clone(), &format!("/v1/secrets/{SECRET}"), value.clone()).await?;
    stage.owner(put.clone(), &format!("/v1/secrets/{SECRET}"), value).await?;
    let connection = Some(json!({ "token": VALUE, "name": "Linear" }));
    stage.owner(put.clone(), "/v1/connections/linear", connection).await?;
    stage.owner(delete.clone(), "/v1/connections/linear", None).await?;
    let rule = json!({ "action": "linear.*", "mode": "deny", "reason": "not this week" });
    let rule = stage.owner(put.clone(), "/v1/rules", Some(rule)).await?.body["id"].clone();
    stage.owner(delete.clone(), &format!("/v1/rules/{}", rule.as_str().unwrap()), None).await?;
    let grant =
        json!({ "action": "linear.create_issue", "max_calls": 2, "lifetime_s": 600, "reason": "today" });
    let grant = stage.owner(post.clone(), "/v1/grants", Some(grant)).await?.body["id"].clone();
    stage.owner(delete.clone(), &format!("/v1/grants/{}", grant.as_str().unwrap()), None).await?;
    let link = Some(json!({ "user": ada }));
    stage.owner(put.clone(), "/v1/slack/people/U024BE7LH", link).await?;
    stage.owner(delete.clone(), "/v1/slack/people/U024BE7LH", None).await?;
    stage.owner(delete.clone(), &format!("/v1/members/{ada}"), None).await?;
    connect_a_server(stage).await?;
    add_models(stage).await?;
    set_policies(stage).await?;
    stage.owner(delete, &format!("/v1/secrets/{SECRET}"), None).await?;
    automate(stage).await
}

async fn set_policies(stage: &Stage) -> anyhow::Result<()> {
    let (put, post, delete) = (Method::PUT, Method::POST, Method::DELETE);
    let fact = json!({ "kind": "count", "of": ["slack.send_message"], "within": "1h", "per": "org" });
    stage.owner(put.clone(), "/v1/facts/sent", Some(fact)).await?;
    let text = "@id(\"quiet\") forbid (principal, action == Action::\"slack.send_message\", resource) \
                when { context.history.sent > 5 };";
    stage.owner(put.clone(), "/v1/policies/quiet", Some(json!({ "text": text }))).await?;
    stage.owner(delete.clone(), "/v1/policies/quiet", None).await?;
    stage.owner(delete.clone(), "/v1/facts/sent", None).await?;
    let gates = json!({ "version": 0, "recipients": { "allow": ["C0GENERAL"] } });
    stage.owner(put, "/v1/gates", Some(gates)).await?;
    let consent = json!({ "purpose": "newsletter", "subject": "ada@example.com" });
    let consent = stage.owner(post, "/v1/consents", Some(consent)).await?.body["id"].clone();
    stage.owner(delete, &format!("/v1/consents/{}", consent.as_str().unwrap()), None).await?;
    Ok(())
}

async fn add_models(stage: &Stage) -> anyhow::Result<()> {
    let auth = json!({ "kind": "header", "header": "x-api-key", "secret": SECRET });
    let new = json!({
        "wire": "anthropic_messages", "base_url": "http://127.0.0.1:1/v1", "auth": auth, "models": [{ "name": "small" }],
    });
    stage.owner(Method::PUT, "/v1/models/local", Some(new)).await?;
    stage.owner(Method::PUT, "/v1/models/local", Some(json!({ "may_see_private": true }))).await?;
    stage.owner(Method::DELETE, "/v1/models/local", None).await?;
    Ok(())
}

async fn connect_a_server(stage: &Stage) -> anyhow::Result<()> {
    let server = FakeMcp::start(vec![tool("echo", json!({}))], Some(VALUE)).await?;
    let auth = json!({ "kind": "bearer", "secret": SECRET });
    let new = json!({ "source": "handbook", "kind": "mcp", "place": server.url(), "auth": auth });
    stage.owner(Method::POST, "/v1/connectors", Some(new)).await?;
    let found = stage.owner(Method::GET, "/v1/connectors/handbook", None).await?;
    let tool = &found.body["tools"][0];
    let review = json!({
        "tool": tool["tool"], "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"], "verdict": "accept",
        "risk": "R1", "effect": "read", "note": "reads only",
    });
    stage.owner(Method::POST, "/v1/connectors/handbook/review", Some(review)).await?;
    stage.owner(Method::DELETE, &format!("/v1/secrets/{SECRET}/audience/handbook"), None).await?;
    stage.owner(Method::PATCH, "/v1/connectors/handbook", Some(json!({ "enabled": false }))).await?;
    stage.owner(Method::DELETE, "/v1/connectors/handbook", None).await?;
    Ok(())
}

async fn automate(stage: &Stage) -> anyhow::Result<()> {
    let definition = json!({
        "schema_version": "1.0", "name": "Digest", "triggers": [{ "type": "webhook", "config": {} }],
        "plan": [{ "step_id": "say", "action": "data.transform", "config": { "template": "x" } }],
    });
    let made =
        stage.owner(Method::POST, "/v1/automations", Some(json!({ "definition": definition }))).await?.body;
    let path = format!("/v1/automations/{}", made["id"].as_str().unwrap());
    stage.owner(Method::PATCH, &path, Some(json!({ "status": "paused" }))).await?;
    let trigger = format!("/v1/triggers/{}", made["triggers"][0]["id"].as_str().unwrap());
    stage.owner(Method::POST, &format!("{trigger}/rotate"), None).await?;
    stage.owner(Method::DELETE, &format!("{trigger}/token"), None).await?;
    Ok(())
}

async fn sign_in_and_out(stage: &Stage) -> anyhow::Result<()> {
    let request = |method: Method, cookie: Option<&str>, body: &Value| {
        let mut request = Request::builder().method(method).uri("/v1/signin");
        request = request.header("x-countersign-web", "1").header(header::CONTENT_TYPE, "application/json");
        if let Some(cookie) = cookie {
            request = request.header(header::COOKIE, cookie);
        }
        request.body(Body::from(body.to_string()))
    };
    let token = json!({ "token": stage.app.owner_token });
    let signed_in = stage.app.request(request(Method::POST, None, &token)?).await?;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    let cookie = signed_in.headers[header::SET_COOKIE].to_str()?.split(';').next().unwrap().to_owned();
    let out = stage.app.request(request(Method::DELETE, Some(&cookie), &Value::Null)?).await?;
    assert_eq!(out.status, StatusCode::NO_CONTENT, "{}", out.text);
    Ok(())
}

#[tokio::test]
async fn every_change_leaves_a_record_that_anyone_can_verify_and_no_secret_is_in_one() -> anyhow::Result<()> {
    let stage = Stage { app: TestApp::start().await? };
    change_everything(&stage).await?;
    sign_in_and_out(&stage).await?;
    let all = stage.changes().await?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for change in &all {
        *counts.entry(&change.change).or_default() += 1;
        let written = serde_json::to_string(change)?;
        assert!(!written.contains(VALUE), "{written}");
        assert_ne!(change.before, change.after, "{written}");
        let is_of_operator =
            ["org.founded", "member.added", "token.created"].contains(&change.change.as_str());
        assert!(
            is_of_operator || change.by.user.as_deref() == Some(&stage.app.owner.to_string()),
            "{written}"
        );
    }
    // Those need a passkey, or a question that waits, or end everything, and have their own tests.
    let elsewhere = [
        Kind::FlowEndorsed,
        Kind::Restored,
        Kind::Proposed,
        Kind::KeysRotated,
        Kind::PasskeyAdded,
        Kind::PasskeyConfirmed,
        Kind::PasskeyRemoved,
        Kind::SignInConfirmed,
    ];
    for kind in Kind::ALL.iter().filter(|kind| !elsewhere.contains(kind)) {
        assert!(counts.contains_key(kind.as_str()), "{} is not among {counts:?}", kind.as_str());
    }
    let set = all.iter().find(|change| change.change == "rule.set").unwrap();
    assert_eq!(set.after.as_ref().unwrap()["mode"], "deny");
    assert_eq!((set.name.as_str(), set.reason.as_deref()), ("linear.*", Some("not this week")));
    assert_eq!((set.by.method.as_str(), set.by.token.is_some()), ("api_token", true));
    let added = all.iter().find(|change| change.change == "connector.added").unwrap();
    let added = added.after.as_ref().unwrap();
    assert_eq!((&added["auth"], &added["secret_name"]), (&json!("bearer"), &json!(SECRET)));
    let removed = all.iter().find(|change| change.change == "member.removed").unwrap();
    let ended = removed.before.as_ref().unwrap()["credentials_ended"].as_array().map(Vec::len);
    assert_eq!(ended, Some(1), "the token with which she joined");
    let second = all.iter().filter(|change| change.change == "secret.set").nth(1).unwrap();
    assert_eq!(
        (&second.before, &second.after),
        (&Some(json!({ "version": 1 })), &Some(json!({ "version": 2 })))
    );
    let promoted = all.iter().find(|change| change.change == "member.changed").unwrap();
    let role = |state: &Option<Value>| state.as_ref().unwrap()["role"].clone();
    assert_eq!((role(&promoted.before), role(&promoted.after)), (json!("member"), json!("admin")));
    Ok(())
}

#[tokio::test]
async fn records_are_in_the_log_with_their_proof_and_filtered_as_asked() -> anyhow::Result<()> {
    let stage = Stage { app: TestApp::start().await? };
    stage.app.rule("linear.*", "deny").await?;
    stage.app.rule("slack.*", "deny").await?;
    let list = stage.owner(Method::GET, "/v1/changes?change=rule.&limit=1", None).await?;
    let id = list.body["items"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/changes/{id}/bundle");
    let early = stage.app.send(Method::GET, &path, &stage.app.owner_token, None).await?;
    assert_eq!((early.status, early.body["code"].as_str()), (StatusCode::CONFLICT, Some("not_logged_yet")));
    stage.app.sequence().await?;
    let keys = stage.app.send(Method::GET, "/.well-known/countersign-keys.json", "", None).await?;
    let keys = KeySet::from_json(keys.text.as_bytes())?;
    let bundle = stage.owner(Method::GET, &path, None).await?;
    let (found, _) = Bundle::from_json(bundle.text.as_bytes())?.verify(&keys)?;
    assert_eq!(found.document()["name"], "slack.*");

    let next = list.body["next_cursor"].as_str().unwrap();
    let older = stage.owner(Method::GET, &format!("/v1/changes?change=rule.&cursor={next}"), None).await?;
    assert_eq!(older.body["items"].as_array().unwrap().len(), 1);
    assert_eq!(older.body["items"][0]["name"], "linear.*");
    assert!(older.body["items"][0].get("envelope").is_none(), "a list has no envelopes");
    let subject = older.body["items"][0]["subject"].as_str().unwrap().to_owned();
    let of_one = stage.owner(Method::GET, &format!("/v1/changes?subject={subject}"), None).await?;
    assert_eq!(of_one.body["items"].as_array().unwrap().len(), 1);
    let exported = stage.owner(Method::GET, "/v1/ledger/changes?change=rule.", None).await?;
    for bundle in exported.body["items"].as_array().unwrap() {
        Bundle::from_json(bundle.to_string().as_bytes())?.verify(&keys)?;
    }
    assert_eq!(exported.body["items"].as_array().unwrap().len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_change_that_fails_leaves_no_record_and_a_repetition_is_none() -> anyhow::Result<()> {
    let stage = Stage { app: TestApp::start().await? };
    let before = stage.changes().await?.len();
    let slug = json!({ "name": "Twice", "slug": "main", "risk_band": "red" });
    let taken = stage.app.send(Method::POST, "/v1/spaces", &stage.app.owner_token, Some(slug)).await?;
    assert_eq!(taken.status, StatusCode::CONFLICT, "{}", taken.text);
    let last = json!({ "role": "admin" });
    let path = format!("/v1/members/{}", stage.app.owner);
    let refused = stage.app.send(Method::PATCH, &path, &stage.app.owner_token, Some(last)).await?;
    assert!(refused.status.is_client_error());
    stage.owner(Method::PATCH, "/v1/org", Some(json!({ "approval_quorum": 1 }))).await?;
    assert_eq!(stage.changes().await?.len(), before);
    Ok(())
}

#[tokio::test]
async fn a_reason_is_recorded_and_agents_and_others_read_nothing() -> anyhow::Result<()> {
    let stage = Stage { app: TestApp::start().await? };
    let body = json!({ "action": "linear.*", "mode": "deny" });
    let send = async |reason: &[u8]| {
        let request = Request::builder()
            .method(Method::PUT)
            .uri("/v1/rules")
            .header(header::AUTHORIZATION, format!("Bearer {}", stage.app.owner_token))
            .header(header::CONTENT_TYPE, "application/json")
            .header("countersign-reason", reason)
            .body(Body::from(body.to_string()))?;
        stage.app.request(request).await
    };
    assert_eq!(send("wegen Überlastung".as_bytes()).await?.status, StatusCode::OK);
    let changes = stage.changes().await?;
    assert_eq!(changes.last().unwrap().reason.as_deref(), Some("wegen Überlastung"));
    assert_eq!(send(b"\xff\xfe").await?.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(send("x".repeat(501).as_bytes()).await?.status, StatusCode::UNPROCESSABLE_ENTITY);

    let id = changes.last().unwrap().id.clone();
    let agent = stage.app.agent().await?;
    let (_, other) = stage.app.another_org().await?;
    let member = stage.app.person(stage.app.org, Role::Member).await?;
    for (token, status) in
        [(&agent.token, StatusCode::FORBIDDEN), (&other, StatusCode::NOT_FOUND), (&member, StatusCode::OK)]
    {
        let answered = stage.app.send(Method::GET, &format!("/v1/changes/{id}"), token, None).await?;
        assert_eq!(answered.status, status, "{}", answered.text);
    }
    Ok(())
}
