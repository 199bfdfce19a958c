//! Editing: a person corrects the parameters of what waits, and approves what they are shown then.

use axum::http::{Method, StatusCode};
use model::{Role, Status};
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp};

use super::answers::{Waiting, answer, approve, ask, ask_merge, opened, perform};
use crate::invocations::invoke::{issue, with_github, with_linear};

async fn edit(app: &TestApp, token: &str, waiting: &Waiting, params: Value) -> anyhow::Result<Answered> {
    let body = json!({ "shown_digest": waiting.shown, "params": params, "note": "the title was misleading" });
    app.send(Method::POST, &format!("/v1/invocations/{}/edit", waiting.id), token, Some(body)).await
}

async fn document(app: &TestApp, waiting: &Waiting) -> anyhow::Result<Value> {
    let path = format!("/v1/inbox/{}", waiting.id);
    Ok(app.send(Method::GET, &path, &app.owner_token, None).await?.body["shown"].clone())
}

#[tokio::test]
async fn what_a_person_corrected_is_shown_approved_and_sent() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "Wrong").await?;
    let edited = edit(&app, &app.owner_token, &waiting, issue("Right")).await?;
    assert_eq!(
        (edited.status, &edited.body["status"]),
        (StatusCode::OK, &json!("pending")),
        "{}",
        edited.text
    );
    // The yes to what was shown before is void.
    assert_eq!(approve(&app, &waiting).await?.body["code"], "shown_digest_mismatch");
    let again = opened(&app, &json!(waiting.id)).await?;
    let shown = document(&app, &again).await?;
    assert_eq!((&shown["params"]["title"], &shown["changed"]), (&json!("Right"), &json!(["the parameters"])));
    let made = &shown["edits"][0];
    assert_eq!(made["note"], "the title was misleading");
    assert_eq!(made["changes"], json!([{ "field": "/title", "before": "Wrong", "after": "Right" }]));
    assert_eq!(approve(&app, &again).await?.body["status"], "approved");
    let ended = perform(&app, &again).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    assert_eq!(ended.status, Status::Succeeded);
    assert!(linear.issues_titled("Wrong").is_empty());
    assert_eq!(linear.issues_titled("Right").len(), 1);
    // The agent is told, and the receipt names both.
    let path = format!("/v1/sessions/{}/invocations/{}", agent.session, waiting.id);
    let told = app.send(Method::GET, &path, &agent.token, None).await?.body;
    assert_eq!((&told["params"]["title"], &told["edits"][0]), (&json!("Right"), made));
    let receipt = ended.receipt.ok_or_else(|| anyhow::anyhow!("no receipt"))?;
    let found = app.send(Method::GET, &format!("/v1/receipts/{receipt}"), &app.owner_token, None).await?;
    let keys = receipt::KeySet::from_json(&serde_json::to_vec(&app.app.ledger.key_set().await?)?)?;
    let verified =
        receipt::verify(found.body["envelope"].to_string().as_bytes(), &keys)?.into_receipt().unwrap();
    assert_eq!(&verified.shown[0]["edits"][0], made);
    assert_eq!(verified.shown[0]["params"]["title"], "Right");
    app.check_invariants().await
}

#[tokio::test]
async fn a_correction_is_held_to_the_same_rules_as_a_request() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "Wrong").await?;
    let team = issue("x")["team_id"].clone();
    let hidden = json!({ "team_id": team, "title": "x\u{202e}y" });
    let credential = json!({ "team_id": team, "title": "ghp_0123456789abcdefghijklmnopqrstuvwxyz" });
    for (params, status, code) in [
        (json!({ "title": "no team" }), StatusCode::UNPROCESSABLE_ENTITY, "invalid_params"),
        (json!("text"), StatusCode::UNPROCESSABLE_ENTITY, "malformed_request"),
        (issue("Wrong"), StatusCode::UNPROCESSABLE_ENTITY, "malformed_request"),
        (hidden, StatusCode::CONFLICT, "cannot_edit"),
        (credential, StatusCode::CONFLICT, "cannot_edit"),
    ] {
        let refused = edit(&app, &app.owner_token, &waiting, params.clone()).await?;
        assert_eq!((refused.status, refused.body["code"].as_str()), (status, Some(code)), "{}", refused.text);
    }
    let member = app.person(app.org, Role::Member).await?;
    assert_eq!(edit(&app, &member, &waiting, issue("Right")).await?.status, StatusCode::FORBIDDEN);
    let unseen = Waiting { id: waiting.id.clone(), shown: format!("sha256:{}", "0".repeat(64)) };
    assert_eq!(edit(&app, &app.owner_token, &unseen, issue("Right")).await?.status, StatusCode::CONFLICT);
    // Nothing was changed by all that, so the first document can be approved.
    assert_eq!(approve(&app, &waiting).await?.body["status"], "approved");
    assert_eq!(edit(&app, &app.owner_token, &waiting, issue("Right")).await?.status, StatusCode::CONFLICT);
    perform(&app, &waiting).await?;
    assert_eq!(linear.issues_titled("Wrong").len(), 1);
    Ok(())
}

/// Requests an issue whose description hides a password.
async fn ask_hidden(app: &TestApp, agent: &Agent) -> anyhow::Result<Waiting> {
    let mut params = issue("Wrong");
    params["description"] = json!("the password=abcdefgh1234 is old");
    let asked = app.invoke(agent, "linear.create_issue", params).await?;
    opened(app, &asked.body["id"]).await
}

#[tokio::test]
async fn a_hidden_value_that_is_left_alone_is_kept_and_a_placeholder_is_never_sent() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask_hidden(&app, &agent).await?;
    let mut params = document(&app, &waiting).await?["params"].clone();
    assert!(params["description"].as_str().is_some_and(|text| text.contains("[redacted]")), "{params}");
    let mut copied = params.clone();
    copied["title"] = params["description"].clone();
    let refused = edit(&app, &app.owner_token, &waiting, copied).await?;
    assert_eq!(refused.body["errors"][0]["pointer"], "/params/title", "{}", refused.text);
    params["title"] = json!("Right");
    assert_eq!(edit(&app, &app.owner_token, &waiting, params).await?.status, StatusCode::OK);
    let again = opened(&app, &json!(waiting.id)).await?;
    let shown = document(&app, &again).await?;
    assert_eq!(shown["hidden"][0]["pointer"], "/description");
    assert_eq!(shown["edits"][0]["changes"].as_array().map(Vec::len), Some(1), "{shown}");
    assert_eq!(approve(&app, &again).await?.body["code"], "hidden_values");
    let path = format!("/v1/invocations/{}/reveal", again.id);
    app.send(Method::POST, &path, &app.owner_token, None).await?;
    assert_eq!(approve(&app, &again).await?.body["status"], "approved");
    perform(&app, &again).await?;
    let sent = linear.issues_titled("Right");
    assert_eq!(sent[0]["description"], "the password=abcdefgh1234 is old");
    Ok(())
}

#[tokio::test]
async fn whoever_corrects_proposes_where_four_eyes_are_required() -> anyhow::Result<()> {
    let (app, _github) = with_github().await?;
    let settings = json!({ "approval_four_eyes": true });
    let set = app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(settings)).await?;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    let (ann, bob) = (app.person(app.org, Role::Admin).await?, app.person(app.org, Role::Admin).await?);
    let waiting = ask_merge(&app, &app.agent().await?).await?;
    let corrected = json!({ "owner": "acme", "repo": "web", "number": 1, "sha": "b".repeat(40) });
    let edited = edit(&app, &ann, &waiting, corrected).await?;
    assert_eq!(edited.status, StatusCode::OK, "{}", edited.text);
    let again = opened(&app, &json!(waiting.id)).await?;
    let own = answer(&app, &ann, ("approve", &again), json!({})).await?;
    assert_eq!(own.body["code"], "four_eyes");
    let other = answer(&app, &bob, ("approve", &again), json!({})).await?;
    assert_eq!(other.body["status"], "approved", "{}", other.text);
    Ok(())
}
