//! Permissions bound to what was seen: "always for this team" asks no more for that team, and asks for every other.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp};

use super::answers::{Waiting, answer, opened, perform};
use crate::invocations::invoke::{issue, with_linear};

const OTHER_TEAM: &str = "22222222-2222-4222-8222-222222222222";

async fn invoke(app: &TestApp, agent: &Agent, params: Value) -> anyhow::Result<Answered> {
    app.invoke(agent, "linear.create_issue", params).await
}

async fn waiting(app: &TestApp, agent: &Agent, title: &str) -> anyhow::Result<Waiting> {
    let asked = invoke(app, agent, issue(title)).await?;
    anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
    opened(app, &asked.body["id"]).await
}

fn elsewhere(title: &str) -> Value {
    json!({ "team_id": OTHER_TEAM, "title": title })
}

#[tokio::test]
async fn always_for_this_team_is_for_this_team_alone() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let first = waiting(&app, &agent, "First").await?;
    let team = issue("x")["team_id"].clone();
    let more = json!({ "extent": "always", "where": { "team_id": { "equals": team } } });
    let said = answer(&app, &app.owner_token, ("approve", &first), more).await?;
    assert_eq!(said.body["status"], "approved", "{}", said.text);
    perform(&app, &first).await?;
    // The same team runs unasked, whatever else the parameters are; another team asks.
    let same = invoke(&app, &agent, issue("Second")).await?;
    assert_eq!((same.status, &same.body["status"]), (StatusCode::OK, &json!("succeeded")), "{}", same.text);
    let reason = same.body["decision"]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("where team_id is"), "{reason}");
    let other = invoke(&app, &agent, elsewhere("Third")).await?;
    assert_eq!(other.status, StatusCode::ACCEPTED, "{}", other.text);
    assert_eq!(linear.effects().len(), 2);
    let rules = app.send(Method::GET, "/v1/rules", &app.owner_token, None).await?.body;
    assert_eq!(rules["items"][0]["where"], json!({ "team_id": { "equals": team } }));
    // In a batch the condition is held against each part.
    let parts = |params: Value| json!({ "parts": [{ "action": "linear.create_issue", "params": params }] });
    let inside = app.invoke(&agent, "batch.run", parts(issue("Fourth"))).await?;
    assert_eq!(inside.body["status"], "succeeded", "{}", inside.text);
    let outside = app.invoke(&agent, "batch.run", parts(elsewhere("Fifth"))).await?;
    assert_eq!(outside.status, StatusCode::ACCEPTED, "{}", outside.text);
    let batch = opened(&app, &outside.body["id"]).await?;
    let said = answer(&app, &app.owner_token, ("approve", &batch), json!({ "extent": "always" })).await?;
    assert_eq!(said.body["code"], "only_once");
    app.check_invariants().await
}

#[tokio::test]
async fn a_grant_with_a_condition_is_used_only_where_it_holds() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let first = waiting(&app, &agent, "First").await?;
    let only = json!({ "title": { "starts_with": "Fir" }, "priority": { "exists": false } });
    let more = json!({ "extent": "grant", "grant": { "max_calls": 2 }, "where": only });
    let said = answer(&app, &app.owner_token, ("approve", &first), more).await?;
    assert_eq!(said.body["status"], "approved", "{}", said.text);
    assert_eq!(invoke(&app, &agent, issue("Second")).await?.status, StatusCode::ACCEPTED);
    for title in ["Fir", "First again"] {
        assert_eq!(invoke(&app, &agent, issue(title)).await?.body["status"], "succeeded");
    }
    // It is used up.
    assert_eq!(invoke(&app, &agent, issue("First")).await?.status, StatusCode::ACCEPTED);
    let grants = app.send(Method::GET, "/v1/grants", &app.owner_token, None).await?.body;
    let grant = &grants["items"][0];
    assert_eq!((&grant["used_calls"], &grant["where"]), (&json!(2), &only));
    let words = "priority is not given and title begins with \"Fir\"";
    assert_eq!(grant["where_words"], words);
    Ok(())
}

#[tokio::test]
async fn of_several_rules_the_one_with_a_condition_counts_and_then_the_strictest() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let rule = async |mode: &str, only: Value| {
        let mut body = json!({ "action": "linear.create_issue", "mode": mode });
        if !only.is_null() {
            body["where"] = only;
        }
        app.send(Method::PUT, "/v1/rules", &app.owner_token, Some(body)).await
    };
    let status = async |title: &str| -> anyhow::Result<String> {
        let asked = invoke(&app, &agent, issue(title)).await?;
        Ok(asked.body["status"]
            .as_str()
            .unwrap_or_else(|| asked.body["code"].as_str().unwrap_or("?"))
            .to_owned())
    };
    assert_eq!(rule("deny", Value::Null).await?.status, StatusCode::OK);
    assert_eq!(rule("allow", json!({ "title": { "starts_with": "ok" } })).await?.status, StatusCode::OK);
    assert_eq!(
        rule("require_approval", json!({ "title": { "contains": "?" } })).await?.status,
        StatusCode::OK
    );
    assert_eq!(status("no").await?, "denied");
    assert_eq!(status("ok").await?, "succeeded");
    assert_eq!(status("ok?").await?, "pending");
    // The same condition again replaces its rule.
    assert_eq!(rule("deny", json!({ "title": { "starts_with": "ok" } })).await?.status, StatusCode::OK);
    assert_eq!(status("ok").await?, "denied");
    let rules = app.send(Method::GET, "/v1/rules", &app.owner_token, None).await?.body;
    assert_eq!(rules["items"].as_array().map(Vec::len), Some(3));
    Ok(())
}

#[tokio::test]
async fn a_condition_must_say_something_true_that_may_be_stored() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let first = waiting(&app, &agent, "First").await?;
    for (extent, only) in [
        ("always", json!({})),
        ("always", json!({ "title": "First" })),
        ("always", json!({ "title": { "equals": "Another" } })),
        ("always", json!({ "title": { "not_equals": "ghp_0123456789abcdefghijklmnopqrstuvwxyz" } })),
        ("once", json!({ "title": { "equals": "First" } })),
    ] {
        let more = json!({ "extent": extent, "where": only });
        let said = answer(&app, &app.owner_token, ("approve", &first), more).await?;
        assert_eq!(said.status, StatusCode::UNPROCESSABLE_ENTITY, "{only}: {}", said.text);
    }
    for action in ["linear.*", "*"] {
        let body = json!({ "action": action, "mode": "allow", "where": { "a": { "equals": 1 } } });
        let said = app.send(Method::PUT, "/v1/rules", &app.owner_token, Some(body)).await?;
        assert_eq!(said.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", said.text);
    }
    assert!(app.send(Method::GET, "/v1/rules", &app.owner_token, None).await?.body["items"] == json!([]));
    Ok(())
}

#[tokio::test]
async fn a_condition_with_a_secret_is_refused_wherever_it_is_set() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let condition = json!({ "text": { "contains": "ghp_0123456789abcdefghijABCDEFGHIJ012345" } });
    let rule = json!({ "action": "slack.send_message", "mode": "allow", "where": condition });
    let grant = json!({ "action": "slack.send_message", "where": condition });
    for (method, path, body) in [(Method::PUT, "/v1/rules", rule), (Method::POST, "/v1/grants", grant)] {
        let refused = app.send(method, path, &app.owner_token, Some(body)).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {}", refused.text);
        assert!(refused.text.contains("looks like a secret"), "{}", refused.text);
    }
    Ok(())
}
