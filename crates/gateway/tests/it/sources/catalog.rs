//! The catalog of a session: cached in serialized form, and never older than the state it is derived from.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{Agent, TestApp};

use crate::sources::connectors::shown_to;

const ACTION: &str = "linear.create_issue";

/// The mode that would be decided for the action now.
async fn mode(app: &TestApp, agent: &Agent) -> anyhow::Result<Value> {
    Ok(shown_to(app, agent, ACTION).await?["mode"].clone())
}

async fn made(app: &TestApp, path: &str, body: Value) -> anyhow::Result<Value> {
    let made = app.send(Method::POST, path, &app.owner_token, Some(body)).await?;
    anyhow::ensure!(made.status == StatusCode::CREATED, "{path}: {}", made.text);
    Ok(made.body)
}

#[tokio::test]
async fn a_kept_catalog_follows_rules_grants_time_and_bands_at_once() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let asks = json!("require_approval");
    // The catalog is read twice: the second answer comes from the cache.
    for _ in 0..2 {
        assert_eq!(mode(&app, &agent).await?, asks);
    }
    app.rule(ACTION, "deny").await?;
    assert_eq!(mode(&app, &agent).await?, "deny");
    app.rule(ACTION, "require_approval").await?;
    assert_eq!(mode(&app, &agent).await?, asks);

    let grant = json!({ "action": ACTION, "session": agent.session, "max_calls": 5, "lifetime_s": 600 });
    made(&app, "/v1/grants", grant).await?;
    for _ in 0..2 {
        assert_eq!(mode(&app, &agent).await?, "allow");
    }
    // The grant belongs to this session: another session of the same kind does not have it.
    assert_eq!(mode(&app, &app.agent().await?).await?, asks);
    // Only time passes: the grant expires.
    app.advance(Duration::from_secs(601));
    assert_eq!(mode(&app, &agent).await?, asks);

    let spaces = app.send(Method::GET, "/v1/spaces", &app.owner_token, None).await?;
    let path = format!("/v1/spaces/{}", spaces.body["items"][0]["id"].as_str().unwrap_or_default());
    let black = json!({ "risk_band": "black" });
    app.send(Method::PATCH, &path, &app.owner_token, Some(black)).await?;
    assert_eq!(mode(&app, &agent).await?, "deny");
    Ok(())
}

#[tokio::test]
async fn sessions_that_may_do_different_things_are_shown_different_catalogs() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let all = app.agent().await?;
    let body = json!({ "agent": "reader", "kind": "interactive", "capabilities": ["linear:read"] });
    let opened = made(&app, "/v1/sessions", body).await?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let reader = Agent { session: text(&opened["session"]["id"]), token: text(&opened["token"]) };
    for _ in 0..2 {
        assert_eq!(mode(&app, &all).await?, "require_approval");
        assert_eq!(mode(&app, &reader).await?, "deny");
    }
    // A session that has ended is shown nothing, whatever is cached.
    let path = format!("/v1/sessions/{}", all.session);
    let ended = app.send(Method::DELETE, &path, &app.owner_token, None).await?;
    assert!(ended.status.is_success(), "{}", ended.text);
    let path = format!("/v1/sessions/{}/actions/available", all.session);
    let refused = app.send(Method::GET, &path, &all.token, None).await?;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
    Ok(())
}
