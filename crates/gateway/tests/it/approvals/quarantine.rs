//! Quarantine: what looks like a leak is held in the inbox, where a person discards it or releases it as text.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::Role;
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp};

use crate::{
    approvals::answers::{answer, opened, perform},
    automations::definitions::text,
    invocations::invoke::{TEAM, with_linear},
};

/// Looks like a key of GitHub.
const KEY: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

fn suspicious() -> Value {
    json!({ "team_id": TEAM, "title": "A key", "description": format!("the docs say {KEY}") })
}

async fn quarantined(app: &TestApp, agent: &Agent) -> anyhow::Result<String> {
    let asked = app.invoke(agent, "linear.create_issue", suspicious()).await?;
    anyhow::ensure!(asked.status == StatusCode::FORBIDDEN, "{}", asked.text);
    anyhow::ensure!(asked.body["code"] == "quarantined", "{}", asked.text);
    Ok(text(&asked.body["invocation"]))
}

async fn inbox(app: &TestApp) -> anyhow::Result<Vec<Value>> {
    let page = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
    Ok(page.body["items"].as_array().cloned().unwrap_or_default())
}

async fn rule(app: &TestApp, token: &str, id: &str, verb: &str, reason: &str) -> anyhow::Result<Answered> {
    let path = format!("/v1/invocations/{id}/{verb}");
    app.send(Method::POST, &path, token, Some(json!({ "reason": reason }))).await
}

#[tokio::test]
async fn what_is_released_as_text_is_asked_about_revealed_and_sent() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    // Even where a rule allows the action.
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    let id = quarantined(&app, &agent).await?;
    let items = inbox(&app).await?;
    assert_eq!((items.len(), &items[0]["kind"]), (1, &json!("quarantined")));
    assert_eq!(items[0]["invocation"]["id"], id.as_str());
    assert!(items[0]["why"].to_string().contains("looks like a credential"), "{}", items[0]);
    assert!(!items[0].to_string().contains(KEY), "{}", items[0]);
    let one = app.send(Method::GET, &format!("/v1/inbox/{id}"), &app.owner_token, None).await?;
    assert_eq!(one.body, items[0]);

    let refused = rule(&app, &app.owner_token, &id, "release", " ").await?;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    let member = app.person(app.org, Role::Member).await?;
    assert_eq!(rule(&app, &member, &id, "release", "text").await?.status, StatusCode::FORBIDDEN);
    let released = rule(&app, &app.owner_token, &id, "release", "an example of the documentation").await?;
    assert_eq!(released.status, StatusCode::OK, "{}", released.text);
    assert_eq!(released.body["status"], "pending", "{}", released.text);
    assert_ne!(released.body["id"], id.as_str());
    assert!(linear.issues_titled("A key").is_empty());
    let again = rule(&app, &app.owner_token, &id, "release", "again").await?;
    assert_eq!((again.status, &again.body["code"]), (StatusCode::CONFLICT, &json!("already_answered")));
    let before = app.send(Method::GET, &format!("/v1/invocations/{id}"), &app.owner_token, None).await?;
    assert_eq!(before.body["released_as"], released.body["id"]);

    // The approver is told who released it and why, sees what is hidden, and only once is possible.
    let waiting = opened(&app, &released.body["id"]).await?;
    let item = app.send(Method::GET, &format!("/v1/inbox/{}", waiting.id), &app.owner_token, None).await?;
    assert!(
        item.body["shown"]["why"].to_string().contains("an example of the documentation"),
        "{}",
        item.text
    );
    assert!(item.body["shown"]["only_once"].is_string(), "{}", item.text);
    let blind = answer(&app, &app.owner_token, ("approve", &waiting), json!({})).await?;
    assert_eq!(blind.body["code"], "hidden_values", "{}", blind.text);
    let path = format!("/v1/invocations/{}/reveal", waiting.id);
    let revealed = app.send(Method::POST, &path, &app.owner_token, None).await?;
    assert!(revealed.text.contains(KEY), "{}", revealed.text);
    let yes = answer(&app, &app.owner_token, ("approve", &waiting), json!({})).await?;
    assert_eq!(yes.body["status"], "approved", "{}", yes.text);
    let done = perform(&app, &waiting).await?;
    assert!(done.is_some_and(|done| done.status == model::Status::Succeeded));
    assert_eq!(linear.issues_titled("A key").len(), 1);
    assert!(inbox(&app).await?.is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn a_release_is_for_these_parameters_and_no_others() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let id = quarantined(&app, &agent).await?;
    let released = rule(&app, &app.owner_token, &id, "release", "an example").await?;
    let waiting = opened(&app, &released.body["id"]).await?;
    let mut other = suspicious();
    other["description"] = json!("ghp_ZZZZ456789abcdefghijABCDEFGHIJ012345");
    let body = json!({ "shown_digest": waiting.shown, "params": other, "note": "" });
    let path = format!("/v1/invocations/{}/edit", waiting.id);
    let edited = app.send(Method::POST, &path, &app.owner_token, Some(body)).await?;
    assert_eq!((edited.status, &edited.body["code"]), (StatusCode::CONFLICT, &json!("cannot_edit")));
    // The agent cannot use it for another request either.
    quarantined(&app, &agent).await?;
    app.check_invariants().await
}

#[tokio::test]
async fn what_is_discarded_or_held_long_enough_is_gone() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let id = quarantined(&app, &agent).await?;
    let gone = rule(&app, &app.owner_token, &id, "discard", "a real key").await?;
    assert_eq!((gone.status, &gone.body["status"]), (StatusCode::OK, &json!("quarantined")), "{}", gone.text);
    assert!(inbox(&app).await?.is_empty());
    for verb in ["discard", "release"] {
        let late = rule(&app, &app.owner_token, &id, verb, "late").await?;
        assert_eq!((late.status, &late.body["code"]), (StatusCode::CONFLICT, &json!("already_answered")));
    }
    let held = quarantined(&app, &agent).await?;
    let approvals = app.app.pipeline.approvals();
    assert_eq!(approvals.purge_quarantined().await?, 0);
    app.advance(Duration::from_secs(7 * 24 * 60 * 60));
    assert!(inbox(&app).await?.is_empty());
    assert_eq!(rule(&app, &app.owner_token, &held, "release", "late").await?.status, StatusCode::CONFLICT);
    assert_eq!(approvals.purge_quarantined().await?, 1);
    app.check_invariants().await
}

#[tokio::test]
async fn nothing_is_released_for_a_session_that_has_ended_and_nothing_else_can_be() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let id = quarantined(&app, &agent).await?;
    let path = format!("/v1/sessions/{}", agent.session);
    app.send(Method::DELETE, &path, &app.owner_token, None).await?;
    let items = inbox(&app).await?;
    assert!(items[0]["only_discard"].is_string(), "{}", items[0]);
    let late = rule(&app, &app.owner_token, &id, "release", "text").await?;
    assert_eq!((late.status, &late.body["code"]), (StatusCode::CONFLICT, &json!("proposer_gone")));
    let other = app.agent().await?;
    let asked = app.invoke(&other, "linear.create_issue", json!({ "team_id": TEAM, "title": "x" })).await?;
    let wrong = rule(&app, &app.owner_token, &text(&asked.body["id"]), "release", "text").await?;
    assert_eq!((wrong.status, &wrong.body["code"]), (StatusCode::CONFLICT, &json!("not_quarantined")));
    app.check_invariants().await
}

#[tokio::test]
async fn what_is_held_takes_a_place_and_a_flood_of_it_is_refused_without_one() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    for _ in 0..15 {
        quarantined(&app, &agent).await?;
    }
    assert_eq!(inbox(&app).await?.len(), 10);
    let asked = app.invoke(&agent, "linear.create_issue", json!({ "team_id": TEAM, "title": "x" })).await?;
    assert_eq!(asked.body["code"], "too_many_pending", "{}", asked.text);
    // A release needs no second place.
    let id = text(&inbox(&app).await?[0]["invocation"]["id"]);
    let released = rule(&app, &app.owner_token, &id, "release", "text").await?;
    assert_eq!(released.status, StatusCode::OK, "{}", released.text);
    app.check_invariants().await
}
