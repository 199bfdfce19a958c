//! Gates: each refuses what it is set for, tells so in the decision and in the receipt, and lets pass without its setting.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use base64::Engine as _;
use catalog::SourceUrls;
use model::Role;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp, fakes::FakeSlack};

use super::owner;
use crate::{
    approvals::answers::{approve, ask, perform},
    automations::definitions::text,
    invocations::invoke::{TEAM, TOKEN, issue, with_linear},
};

/// Replaces the gate settings, as whoever read them just now.
async fn put(app: &TestApp, mut settings: Value) -> anyhow::Result<Answered> {
    settings["version"] = owner(app, Method::GET, "/v1/gates", None).await?.body["version"].clone();
    owner(app, Method::PUT, "/v1/gates", Some(settings)).await
}

/// The same with settings that are right.
async fn set(app: &TestApp, settings: Value) -> anyhow::Result<()> {
    let set = put(app, settings).await?;
    anyhow::ensure!(set.status == StatusCode::OK, "{}", set.text);
    Ok(())
}

/// The verdict of a gate in the signed receipt of a refusal.
async fn signed(app: &TestApp, refused: &Answered, gate: &str) -> anyhow::Result<(String, String)> {
    let path = format!("/v1/receipts/{}", text(&refused.body["receipt"]));
    let receipt = owner(app, Method::GET, &path, None).await?;
    let payload = text(&receipt.body["envelope"]["payload"]);
    let signed: Value = serde_json::from_slice(&base64::engine::general_purpose::STANDARD.decode(payload)?)?;
    let gates = signed["decision"]["gates"].as_array().cloned().unwrap_or_default();
    let names: Vec<&str> = gates.iter().filter_map(|gate| gate["gate"].as_str()).collect();
    anyhow::ensure!(names == ["capability", "consent", "space", "safety"], "{names:?}");
    let found = gates.iter().find(|found| found["gate"] == gate).cloned().unwrap_or_default();
    Ok((text(&found["verdict"]), text(&found["reason"])))
}

fn batch(titles: &[&str]) -> Value {
    let part = |title: &&str| json!({ "action": "linear.create_issue", "params": issue(title) });
    json!({ "parts": titles.iter().map(part).collect::<Vec<_>>() })
}

async fn with_slack() -> anyhow::Result<(TestApp, FakeSlack, Agent)> {
    let slack = FakeSlack::start(TOKEN).await;
    let urls = SourceUrls::default().with(&catalog::integrations::SLACK, slack.url().parse()?);
    let app = TestApp::with(urls, Limits::default()).await?;
    app.connect("slack", TOKEN).await?;
    app.rule("slack.send_message", "allow").await?;
    let agent = app.agent().await?;
    Ok((app, slack, agent))
}

#[tokio::test]
async fn recipients_that_are_not_on_the_list_are_quarantined() -> anyhow::Result<()> {
    let (app, slack, agent) = with_slack().await?;
    let send = |text: &str| {
        let params = json!({ "channel": "C0GENERAL", "text": format!("{text}: see https://docs.example") });
        app.invoke(&agent, "slack.send_message", params)
    };
    let before = send("before").await?;
    assert_eq!(before.body["status"], "succeeded", "{}", before.text);
    set(&app, json!({ "recipients": { "allow": ["C0GENERAL", "acme.example"] } })).await?;
    let listed = send("listed").await?;
    assert_eq!(listed.body["status"], "succeeded", "{}", listed.text);
    let gates = ["capability", "consent", "space", "safety"];
    let passed = gates.map(|gate| json!({ "gate": gate, "verdict": "pass", "reason": "" }));
    assert_eq!(listed.body["decision"]["gates"], json!(passed));
    set(&app, json!({ "recipients": { "allow": ["C0OTHER", "acme.example"] } })).await?;
    let other = send("not listed").await?;
    assert_eq!((other.status, &other.body["code"]), (StatusCode::FORBIDDEN, &json!("quarantined")));
    let said = "detector `recipients`: the recipient in `input.channel` is not on the organization's list";
    assert_eq!(signed(&app, &other, "safety").await?, ("quarantine".to_owned(), said.to_owned()));
    let inbox = owner(&app, Method::GET, "/v1/inbox", None).await?.body;
    assert!(inbox["items"][0]["why"].to_string().contains("not on the organization's list"), "{inbox}");
    // An empty list allows nobody; without one, everybody is allowed again.
    set(&app, json!({ "recipients": { "allow": [] } })).await?;
    assert_eq!(send("nobody").await?.status, StatusCode::FORBIDDEN);
    set(&app, json!({})).await?;
    assert_eq!(send("everybody").await?.status, StatusCode::OK);
    assert_eq!(slack.messages().len(), 3);
    app.check_invariants().await
}

#[tokio::test]
async fn detectors_of_the_organization_quarantine_and_say_why() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    let before = app.invoke(&agent, "linear.create_issue", issue("About K-12345")).await?;
    assert_eq!(before.status, StatusCode::OK, "{}", before.text);
    set(
        &app,
        json!({ "detectors": [{ "name": "customer-number", "pattern": r"\bK-\d{5}\b", "of": ["linear.create_issue"],
            "why": "Customer numbers stay inside" }] }),
    )
    .await?;
    let calm = app.invoke(&agent, "linear.create_issue", issue("About a customer")).await?;
    assert_eq!(calm.status, StatusCode::OK, "{}", calm.text);
    let found = app.invoke(&agent, "linear.create_issue", issue("Again K-67890")).await?;
    assert_eq!(found.body["code"], "quarantined", "{}", found.text);
    let said = "detector `customer-number`: found at `/title`: Customer numbers stay inside";
    assert_eq!(signed(&app, &found, "safety").await?, ("quarantine".to_owned(), said.to_owned()));
    assert!(!found.text.contains("67890"), "{}", found.text);
    // It looks at the parts of a batch, and a dry run says the same.
    let parts = app.invoke(&agent, "batch.run", batch(&["Calm", "And K-11111"])).await?;
    assert_eq!(parts.body["code"], "quarantined", "{}", parts.text);
    assert_eq!(signed(&app, &parts, "safety").await?.0, "quarantine");
    let fine = app.invoke(&agent, "batch.run", batch(&["Calm", "And quiet"])).await?;
    assert_eq!(fine.body["status"], "succeeded", "{}", fine.text);
    // Other actions are not looked at.
    let other = app.invoke(&agent, "linear.list_issues", json!({ "title_contains": "K-12345" })).await?;
    assert_eq!(other.status, StatusCode::OK, "{}", other.text);
    // A person who releases it has seen what was found.
    let path = format!("/v1/invocations/{}/release", text(&found.body["invocation"]));
    let released = owner(&app, Method::POST, &path, Some(json!({ "reason": "an example" }))).await?;
    assert_eq!(released.body["status"], "pending", "{}", released.text);
    assert_eq!(linear.effects().len(), 4);
    app.check_invariants().await
}

async fn consent(app: &TestApp, subject: &str, more: Value) -> anyhow::Result<String> {
    let mut body = json!({ "purpose": "outreach", "subject": subject });
    if let (Some(body), Some(more)) = (body.as_object_mut(), more.as_object()) {
        body.extend(more.clone());
    }
    let given = owner(app, Method::POST, "/v1/consents", Some(body)).await?;
    anyhow::ensure!(given.status == StatusCode::CREATED, "{}", given.text);
    anyhow::ensure!(!given.text.contains(subject), "{}", given.text);
    Ok(text(&given.body["id"]))
}

async fn revoke(app: &TestApp, id: &str) -> anyhow::Result<()> {
    let revoked = owner(app, Method::DELETE, &format!("/v1/consents/{id}"), None).await?;
    anyhow::ensure!(revoked.body["state"] == "revoked", "{}", revoked.text);
    Ok(())
}

fn outreach() -> Value {
    json!({ "purposes": [{ "action": "linear.create_issue", "purpose": "outreach", "subject": "input.title" }] })
}

#[tokio::test]
async fn without_a_consent_nothing_happens_and_a_revoked_or_expired_one_is_none() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    let create = |title: &str| {
        // Two equal requests would be one effect.
        let params =
            json!({ "team_id": TEAM, "title": title, "description": app.app.world.uuid().to_string() });
        app.invoke(&agent, "linear.create_issue", params)
    };
    assert_eq!(create("ada@acme.example").await?.status, StatusCode::OK, "nobody asked for a consent");
    set(&app, outreach()).await?;
    let missing = create("ada@acme.example").await?;
    assert_eq!((missing.status, &missing.body["code"]), (StatusCode::FORBIDDEN, &json!("denied")));
    let said = "no consent to `outreach` covers the subject in `input.title`";
    assert_eq!(signed(&app, &missing, "consent").await?, ("deny".to_owned(), said.to_owned()));
    let given = consent(&app, "Ada@acme.example", json!({ "note": "form" })).await?;
    let allowed = create("ada@acme.example").await?;
    assert_eq!(allowed.status, StatusCode::OK, "{}", allowed.text);
    assert_eq!(
        create("eve@acme.example").await?.status,
        StatusCode::FORBIDDEN,
        "one consent is of one subject"
    );
    revoke(&app, &given).await?;
    assert_eq!(create("ada@acme.example").await?.status, StatusCode::FORBIDDEN);
    // Of a batch, every part needs its own.
    consent(&app, "ada@acme.example", json!({})).await?;
    let both = app.invoke(&agent, "batch.run", batch(&["ada@acme.example", "eve@acme.example"])).await?;
    assert_eq!(both.status, StatusCode::FORBIDDEN, "{}", both.text);
    assert_eq!(signed(&app, &both, "consent").await?.0, "deny");
    let hour = (app.app.world.clock.now() + Duration::from_secs(3_600)).to_string();
    consent(&app, "eve@acme.example", json!({ "expires_at": hour })).await?;
    let both = app.invoke(&agent, "batch.run", batch(&["ada@acme.example", "eve@acme.example"])).await?;
    assert_eq!(both.body["status"], "succeeded", "{}", both.text);
    app.advance(Duration::from_secs(3_601));
    let agent = app.agent().await?;
    let late = app.invoke(&agent, "linear.create_issue", issue("eve@acme.example")).await?;
    assert_eq!(late.status, StatusCode::FORBIDDEN, "{}", late.text);
    assert_eq!(linear.effects().values().sum::<u64>(), 4);
    app.check_invariants().await
}

#[tokio::test]
async fn a_consent_that_is_revoked_before_the_request_is_performed_is_honoured() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    set(&app, outreach()).await?;
    let given = consent(&app, "ada@acme.example", json!({})).await?;
    let agent = app.agent().await?;
    let (kept, lost) =
        (ask(&app, &agent, "ada@acme.example").await?, ask(&app, &agent, " ada@acme.example").await?);
    for waiting in [&kept, &lost] {
        let said = approve(&app, waiting).await?;
        assert_eq!(said.body["status"], "approved", "{}", said.text);
    }
    let performed = perform(&app, &kept).await?;
    assert_eq!(performed.map(|ended| ended.status), Some(model::Status::Succeeded));
    revoke(&app, &given).await?;
    let refused = perform(&app, &lost).await?;
    assert_eq!(refused.map(|ended| ended.status), Some(model::Status::Denied));
    assert_eq!(linear.effects().len(), 1);
    app.check_invariants().await
}

#[tokio::test]
async fn consents_are_listed_by_subject_and_no_record_names_it() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let first = consent(&app, "ada@acme.example", json!({ "note": "form" })).await?;
    consent(&app, "eve@acme.example", json!({})).await?;
    revoke(&app, &first).await?;
    let list = async |query: &str| {
        let page = owner(&app, Method::GET, &format!("/v1/consents?{query}"), None).await?;
        anyhow::Ok((page.body["items"].as_array().map_or(0, Vec::len), page))
    };
    assert_eq!(list("purpose=outreach").await?.0, 2);
    assert_eq!(list("purpose=other").await?.0, 0);
    let (count, page) = list("subject=ada@acme.example").await?;
    assert_eq!((count, &page.body["items"][0]["id"]), (1, &json!(first)), "{}", page.text);
    let (count, page) = list("limit=1").await?;
    assert_eq!(count, 1);
    let next = text(&page.body["next_cursor"]);
    let (count, page) = list(&format!("limit=1&cursor={next}")).await?;
    assert_eq!((count, &page.body["items"][0]["id"]), (1, &json!(first)), "{}", page.text);
    for (more, word) in [
        (json!({ "note": "from Ada@ACME.example" }), "must not contain the subject"),
        (json!({ "expires_at": "2020-01-01T00:00:00Z" }), "future"),
        (json!({ "purpose": "Outreach" }), "purpose"),
        (json!({ "subject": " " }), "subject"),
    ] {
        let mut body = json!({ "purpose": "outreach", "subject": "ada@acme.example" });
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        let refused = owner(&app, Method::POST, "/v1/consents", Some(body)).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
        assert!(refused.text.contains(word), "{}", refused.text);
    }
    let records = owner(&app, Method::GET, "/v1/changes?change=consent.", None).await?;
    let kinds: Vec<String> = records.body["items"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|record| text(&record["change"]))
        .collect();
    assert_eq!(kinds, ["consent.revoked", "consent.given", "consent.given"]);
    assert!(!records.text.contains("acme.example"), "{}", records.text);
    Ok(())
}

#[tokio::test]
async fn effects_stay_in_the_space_of_their_source_unless_they_may_cross() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let mut ids = Vec::new();
    for slug in ["finance", "support"] {
        let space = json!({ "slug": slug, "name": slug, "risk_band": "green", "open_to": "everyone" });
        let made = owner(&app, Method::POST, "/v1/spaces", Some(space)).await?;
        assert!(made.status.is_success(), "{}", made.text);
        ids.push(made.body["id"].clone());
    }
    let main = app.agent().await?;
    let session = json!({ "agent": "books", "kind": "interactive", "space": ids[0], "capabilities": ["*"] });
    let finance = app.open_session(&app.owner_token, session).await?;
    let create = async |agent: &Agent, title: &str| {
        anyhow::Ok(app.invoke(agent, "linear.create_issue", issue(title)).await?)
    };
    assert_eq!(create(&main, "before").await?.status, StatusCode::OK);
    let home = json!([{ "source": "linear", "space": "finance" }]);
    set(&app, json!({ "homes": home })).await?;
    let away = create(&main, "away").await?;
    assert_eq!((away.status, &away.body["code"]), (StatusCode::FORBIDDEN, &json!("denied")));
    let said = "`linear` belongs to the space `finance`, and sessions in `main` may have no effect there";
    assert_eq!(signed(&app, &away, "space").await?, ("deny".to_owned(), said.to_owned()));
    let parts = app.invoke(&main, "batch.run", batch(&["away as well"])).await?;
    assert_eq!(signed(&app, &parts, "space").await?.0, "deny");
    assert_eq!(create(&finance, "at home").await?.status, StatusCode::OK);
    let read = app.invoke(&main, "linear.list_issues", json!({})).await?;
    assert_eq!(read.status, StatusCode::OK, "{}", read.text);
    // Lists of actions say the same, in each space its own.
    let mode = async |space: &str| {
        let matrix = owner(&app, Method::GET, &format!("/v1/policy/matrix?space={space}"), None).await?.body;
        let mut rows = matrix["rows"].as_array().cloned().unwrap_or_default().into_iter();
        anyhow::Ok(text(&rows.find(|row| row["action"] == "linear.create_issue").unwrap_or_default()["mode"]))
    };
    assert_eq!((mode("main").await?, mode("finance").await?), ("deny".to_owned(), "allow".to_owned()));
    for (agent, expected) in [(&main, "deny"), (&finance, "allow")] {
        let path = format!("/v1/sessions/{}/actions/available", agent.session);
        let catalog = app.send(Method::GET, &path, &agent.token, None).await?.body;
        let mut actions = catalog["actions"].as_array().cloned().unwrap_or_default().into_iter();
        let found = actions.find(|action| action["action"] == "linear.create_issue").unwrap_or_default();
        assert_eq!(found["mode"], expected);
    }
    let crossing = |from: &str, source: &str| json!({ "homes": home, "crossings": [{ "from": from, "to": "finance", "source": source }] });
    set(&app, crossing("support", "linear")).await?;
    assert_eq!(create(&main, "not from here").await?.status, StatusCode::FORBIDDEN);
    set(&app, crossing("main", "slack")).await?;
    assert_eq!(create(&main, "not with this").await?.status, StatusCode::FORBIDDEN);
    set(&app, crossing("main", "linear")).await?;
    assert_eq!(create(&main, "across").await?.status, StatusCode::OK);
    assert_eq!(linear.effects().len(), 3);
    app.check_invariants().await
}

#[tokio::test]
async fn settings_that_cannot_be_saved_are_told_and_nobody_overwrites_what_others_saved() -> anyhow::Result<()>
{
    let app = TestApp::start().await?;
    let empty = owner(&app, Method::GET, "/v1/gates", None).await?;
    assert_eq!(
        (&empty.body["version"], &empty.body["recipients"]),
        (&json!(0), &Value::Null),
        "{}",
        empty.text
    );
    let detector = |pattern: &str| json!({ "detectors": [{ "name": "a", "pattern": pattern, "why": "w" }] });
    let purpose = |action: &str, subject: &str| json!({ "purposes": [{ "action": action, "purpose": "p", "subject": subject }] });
    for (settings, word) in [
        (detector("(a"), "unclosed group"),
        (json!({ "homes": [{ "source": "lineer", "space": "main" }] }), "the source `lineer` does not exist"),
        (json!({ "homes": [{ "source": "linear", "space": "mane" }] }), "the space `mane` does not exist"),
        (json!({ "crossings": [{ "from": "main", "to": "mane" }] }), "the space `mane` does not exist"),
        (purpose("linear.send", "input.to"), "the action `linear.send` does not exist"),
        (purpose("linear.create_issue", "input.titel"), "has no parameter `titel`"),
        (json!({ "recipient": {} }), "unknown field"),
    ] {
        let refused = put(&app, settings).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
        assert!(refused.text.contains(word), "{}", refused.text);
    }
    let mut first = detector("K-1");
    first["version"] = json!(0);
    let saved = owner(&app, Method::PUT, "/v1/gates", Some(first.clone())).await?;
    assert_eq!((saved.status, &saved.body["version"]), (StatusCode::OK, &json!(1)), "{}", saved.text);
    assert!(saved.body["set_by_name"].is_string(), "{}", saved.text);
    let late = owner(&app, Method::PUT, "/v1/gates", Some(first)).await?;
    assert_eq!((late.status, &late.body["code"]), (StatusCode::CONFLICT, &json!("version_changed")));
    // The same again is no change.
    assert_eq!(put(&app, detector("K-1")).await?.body["version"], 1);
    let member = app.person(app.org, Role::Member).await?;
    for path in ["/v1/gates", "/v1/consents"] {
        assert_eq!(app.send(Method::GET, path, &member, None).await?.status, StatusCode::FORBIDDEN);
    }
    let records = owner(&app, Method::GET, "/v1/changes?change=gates.changed", None).await?.body;
    assert_eq!(records["items"].as_array().map(Vec::len), Some(1), "{records}");
    let record =
        owner(&app, Method::GET, &format!("/v1/changes/{}", text(&records["items"][0]["id"])), None).await?;
    let (before, after) =
        (&record.body["before"]["detectors"], &record.body["after"]["detectors"][0]["pattern"]);
    assert_eq!((before, after), (&json!([]), &json!("K-1")), "{}", record.text);
    Ok(())
}

#[tokio::test]
async fn loosening_gates_waits_for_a_second_owner_and_tightening_does_not() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let second = app.person(app.org, Role::Owner).await?;
    let list = |allow: &[&str]| json!({ "recipients": { "allow": allow } });
    set(&app, list(&["acme.example", "partner.example"])).await?;
    set(&app, list(&["acme.example"])).await?;
    let wider = put(&app, list(&["acme.example", "evil.example"])).await?;
    assert_eq!(wider.status, StatusCode::ACCEPTED, "{}", wider.text);
    assert!(wider.text.contains("allows more recipients"), "{}", wider.text);
    let gone = put(&app, json!({})).await?;
    assert_eq!(gone.status, StatusCode::ACCEPTED, "{}", gone.text);
    let agreed = json!({ "digest": wider.body["digest"] });
    let path = format!("/v1/proposed-changes/{}/approve", text(&wider.body["id"]));
    let done = app.send(Method::POST, &path, &second, Some(agreed)).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let now = owner(&app, Method::GET, "/v1/gates", None).await?.body;
    assert_eq!(
        (&now["version"], &now["recipients"]),
        (&json!(3), &json!({ "allow": ["acme.example", "evil.example"] }))
    );
    Ok(())
}
