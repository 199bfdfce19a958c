//! Single invocations: decision, execution and receipt.

use axum::http::{Method, StatusCode};
use catalog::SourceUrls;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeGitHub, FakeLinear},
};

pub(crate) const TEAM: &str = "11111111-1111-4111-8111-111111111111";
pub(crate) const TOKEN: &str = "lin_api_test";

pub(crate) async fn with_linear() -> anyhow::Result<(TestApp, FakeLinear)> {
    let linear = FakeLinear::start(TOKEN).await;
    let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
    let app = TestApp::with(urls, Limits::default()).await?;
    app.connect("linear", TOKEN).await?;
    Ok((app, linear))
}

pub(crate) async fn with_github() -> anyhow::Result<(TestApp, FakeGitHub)> {
    let github = FakeGitHub::start(TOKEN).await;
    let urls = SourceUrls::default().with(&catalog::integrations::GITHUB, github.url().parse()?);
    let app = TestApp::with(urls, Limits::default()).await?;
    app.connect("github", TOKEN).await?;
    app.rule("github.create_issue", "allow").await?;
    Ok((app, github))
}

pub(crate) fn issue(title: &str) -> Value {
    json!({ "team_id": TEAM, "title": title })
}

#[tokio::test]
async fn an_allowed_read_answers_at_once_and_leaves_a_receipt_that_verifies() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    linear.put_issue(TEAM, "Something");
    let agent = app.agent().await?;
    let done = app.invoke(&agent, "linear.list_issues", json!({})).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    assert_eq!(done.body["status"], "succeeded");
    assert_eq!(done.body["result"]["issues"][0]["title"], "Something");
    assert_eq!(done.body["decision"]["mode_source"], "inferred");

    let id = done.body["receipt"].as_str().unwrap();
    let found = app.send(Method::GET, &format!("/v1/receipts/{id}"), &agent.token, None).await?;
    let keys = app.send(Method::GET, "/.well-known/countersign-keys.json", "", None).await?;
    let keys = receipt::KeySet::from_json(keys.text.as_bytes())?;
    let verified = receipt::verify(found.body["envelope"].to_string().as_bytes(), &keys)?;
    let receipt = verified.receipt().unwrap();
    assert_eq!(receipt.action, "linear.list_issues");
    assert_eq!(receipt.agent, "test-agent");
    assert_eq!(receipt.attempts, 1);
    app.check_invariants().await
}

#[tokio::test]
async fn a_write_waits_for_a_person_and_has_no_effect() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let asked = app.invoke(&agent, "linear.create_issue", issue("Wait")).await?;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    assert_eq!(asked.body["status"], "pending");
    assert!(asked.body["receipt"].is_null());
    let place = asked.headers["location"].to_str()?.to_owned();
    let found = app.send(Method::GET, &place, &agent.token, None).await?;
    assert_eq!(found.body["id"], asked.body["id"]);
    assert!(linear.effects().is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn a_denied_action_leaves_a_receipt_and_no_effect() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "deny").await?;
    let agent = app.agent().await?;
    let refused = app.invoke(&agent, "linear.create_issue", issue("No")).await?;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.body["code"], "denied");
    assert!(refused.body["receipt"].is_string() && refused.body["hint"].is_string());
    assert_eq!(refused.headers["content-type"], "application/problem+json");
    assert!(linear.effects().is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn a_rule_changes_the_very_next_decision_although_facts_are_kept_in_memory() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    for (mode, status) in [("allow", 200), ("deny", 403), ("require_approval", 202), ("allow", 200)] {
        app.rule("linear.create_issue", mode).await?;
        let answered = app.invoke(&agent, "linear.create_issue", issue(mode)).await?;
        assert_eq!(answered.status.as_u16(), status, "{mode}: {}", answered.text);
    }
    assert_eq!(linear.effects().values().sum::<u64>(), 2);
    app.check_invariants().await
}

#[tokio::test]
async fn the_band_of_a_space_outweighs_a_rule() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("*", "allow").await?;
    let spaces = app.send(Method::GET, "/v1/spaces", &app.owner_token, None).await?;
    let space = spaces.body["items"][0]["id"].as_str().unwrap().to_owned();
    let agent = app.agent().await?;
    for (band, status) in [("green", 200), ("amber", 202), ("red", 202), ("black", 403)] {
        let changed = app
            .send(
                Method::PATCH,
                &format!("/v1/spaces/{space}"),
                &app.owner_token,
                Some(json!({ "risk_band": band })),
            )
            .await?;
        assert_eq!(changed.status, StatusCode::OK);
        let answered = app.invoke(&agent, "linear.create_issue", issue(band)).await?;
        assert_eq!(answered.status.as_u16(), status, "{band}: {}", answered.text);
    }
    assert_eq!(linear.effects().len(), 1);
    app.check_invariants().await
}

#[tokio::test]
async fn a_dry_run_previews_and_has_no_effect() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    let body =
        json!({ "action": "linear.create_issue", "params": issue("Dry"), "dry_run": true }).to_string();
    let answered = app.invoke_raw(&agent, body, None).await?;
    assert_eq!(answered.status, StatusCode::OK, "{}", answered.text);
    assert_eq!(answered.body["status"], "skipped");
    assert!(answered.body["preview"]["summary"].as_str().unwrap().contains("Dry"), "{}", answered.text);
    assert!(linear.effects().is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn an_effect_that_does_not_verify_is_undone() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    linear.corrupt_next_write();
    let answered = app.invoke(&agent, "linear.create_issue", issue("Right")).await?;
    assert_eq!(answered.status, StatusCode::BAD_GATEWAY, "{}", answered.text);
    assert_eq!(answered.body["code"], "action_reverted");
    let receipt = answered.body["receipt"].as_str().unwrap();
    let found = app.send(Method::GET, &format!("/v1/receipts/{receipt}"), &agent.token, None).await?;
    assert_eq!(found.body["status"], "reverted");
    app.check_invariants().await
}

#[tokio::test]
async fn what_looks_like_an_attack_or_a_leak_is_quarantined() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    for title in ["pay \u{202e}ecila", "a\u{200b}b", &format!("ghp_{}", "a1B2".repeat(9))] {
        let refused = app.invoke(&agent, "linear.create_issue", issue(title)).await?;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{title:?}");
        assert_eq!(refused.body["code"], "quarantined", "{}", refused.text);
    }
    assert!(linear.effects().is_empty());
    // The control: the same request without the hidden content is executed.
    let done = app.invoke(&agent, "linear.create_issue", issue("pay alice")).await?;
    assert_eq!(done.status, StatusCode::OK);
    app.check_invariants().await
}

#[tokio::test]
async fn a_session_without_the_capability_is_refused() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("*", "allow").await?;
    let request = json!({ "agent": "reader", "kind": "interactive", "capabilities": ["linear:read"] });
    let made = app.send(Method::POST, "/v1/sessions", &app.owner_token, Some(request)).await?;
    let agent = testkit::Agent {
        session: made.body["session"]["id"].as_str().unwrap().to_owned(),
        token: made.body["token"].as_str().unwrap().to_owned(),
    };
    assert_eq!(app.invoke(&agent, "linear.list_issues", json!({})).await?.status, StatusCode::OK);
    let refused = app.invoke(&agent, "linear.create_issue", issue("No")).await?;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.text.contains("linear:write"), "{}", refused.text);
    assert!(linear.effects().is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn requests_that_mean_two_things_or_fit_nothing_are_refused_before_anything_is_recorded()
-> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    for (body, status, code) in [
        (r#"{"action":"data.transform","params":{"template":"a","template":"b"}}"#, 422, "malformed_request"),
        (r#"{"action":"data.transform","params":{"data":9007199254740993}}"#, 422, "malformed_request"),
        (r#"{"action":"data.transform","extra":1}"#, 422, "malformed_request"),
        (r#"{"action":"data.transform","params":{"template":1}}"#, 422, "invalid_params"),
        (r#"{"action":"data.transforn"}"#, 404, "unknown_action"),
        (r#"{"action":"linear.list_issues"}"#, 409, "source_not_connected"),
        ("[", 422, "malformed_request"),
    ] {
        let refused = app.invoke_raw(&agent, body.to_owned(), None).await?;
        assert_eq!(
            (refused.status.as_u16(), refused.body["code"].as_str()),
            (status, Some(code)),
            "{body}: {}",
            refused.text
        );
    }
    let mut tx = app.app.db.begin(app.org).await?;
    let recorded: i64 = sqlx::query_scalar("SELECT count(*) FROM invocations").fetch_one(&mut *tx).await?;
    assert_eq!(recorded, 0);
    Ok(())
}

#[tokio::test]
async fn a_once_only_action_whose_answer_is_lost_ends_unknown_and_is_not_repeated() -> anyhow::Result<()> {
    let (app, github) = with_github().await?;
    let agent = app.agent().await?;
    github.reset_after_request();
    let params = json!({ "owner": "acme", "repo": "web", "title": "Lost" });
    let answered = app.invoke(&agent, "github.create_issue", params).await?;
    assert_eq!(answered.status, StatusCode::BAD_GATEWAY, "{}", answered.text);
    assert_eq!(answered.body["code"], "outcome_unknown");
    assert_eq!(github.effects().get("Lost").copied(), Some(1));
    app.check_invariants().await
}

#[tokio::test]
async fn a_checkable_action_whose_answer_is_lost_is_looked_up_and_done_once() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    linear.reset_after_request();
    let answered = app.invoke(&agent, "linear.create_issue", issue("Found again")).await?;
    assert_eq!(answered.status, StatusCode::OK, "{}", answered.text);
    assert_eq!(answered.body["attempts"], 2);
    assert_eq!(linear.effects().get("Found again").copied(), Some(1));
    app.check_invariants().await
}

#[tokio::test]
async fn a_passing_fault_of_a_read_is_retried_and_a_lasting_one_opens_the_circuit() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    linear.fail_next(503);
    let answered = app.invoke(&agent, "linear.list_issues", json!({})).await?;
    assert_eq!((answered.status.as_u16(), &answered.body["attempts"]), (200, &json!(2)), "{}", answered.text);
    for _ in 0..60 {
        linear.fail_next(503);
    }
    let mut open = None;
    for _ in 0..8 {
        let failed = app.invoke(&agent, "linear.list_issues", json!({})).await?;
        assert_eq!(failed.body["code"], "action_failed", "{}", failed.text);
        if failed.body["detail"].as_str().is_some_and(|detail| detail.contains("are paused for")) {
            open = Some(failed);
            break;
        }
    }
    let before = linear.requests().len();
    assert!(open.is_some(), "the circuit opened");
    app.invoke(&agent, "linear.list_issues", json!({})).await?;
    assert_eq!(linear.requests().len(), before, "an open circuit makes no call");
    app.check_invariants().await
}

/// What people were notified of.
pub(crate) async fn notified(app: &TestApp) -> anyhow::Result<Vec<Value>> {
    let mut tx = app.app.db.begin(app.org).await?;
    let told = "SELECT data FROM events WHERE type = 'data.notification' ORDER BY id";
    Ok(sqlx::query_scalar(told).fetch_all(&mut *tx).await?)
}

#[tokio::test]
async fn a_notification_is_told_in_the_transaction_that_settles_it() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    app.rule("data.notify", "allow").await?;
    let agent = app.agent().await?;
    let done = app.invoke(&agent, "data.notify", json!({ "title": "Deployed", "body": "v2 is out" })).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let told = notified(&app).await?;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["title"], "Deployed");
    app.check_invariants().await
}

#[tokio::test]
async fn a_file_is_written_in_the_orgs_own_directory() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    app.rule("files.*", "allow").await?;
    let agent = app.agent().await?;
    let written =
        app.invoke(&agent, "files.write_text", json!({ "path": "notes/a.txt", "text": "hello" })).await?;
    assert_eq!(written.status, StatusCode::OK, "{}", written.text);
    let on_disk = std::fs::read_to_string(app.workspace.join(app.org.to_string()).join("notes/a.txt"))?;
    assert_eq!(on_disk, "hello");
    let escaped = app.invoke(&agent, "files.write_text", json!({ "path": "../../x", "text": "no" })).await?;
    assert!(!escaped.status.is_success(), "{}", escaped.text);
    app.check_invariants().await
}
