//! References to secrets: an agent passes a credential that it does not know.

use axum::http::{Method, StatusCode};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use model::Role;
use serde_json::{Value, json};
use testkit::{
    Agent, Answered, TestApp,
    fakes::{FakeMcp, tool},
};

use crate::{
    approvals::answers::{answer, asked_again, opened, perform},
    sources::connectors::{add, review},
};

const VALUE: &str = "the-value-of-the-door-7491";

/// A server with a tool that asks for a password, and a secret that it may be sent.
async fn door() -> anyhow::Result<(TestApp, FakeMcp, Agent)> {
    let app = TestApp::start().await?;
    let properties = json!({
        "user": { "type": "string" },
        "password": { "type": "string", "format": "password" },
        "more": { "type": "object" },
    });
    let mcp = FakeMcp::start(vec![tool("open", properties)], Some("the-own-token-of-the-server")).await?;
    put(&app, "own", "the-own-token-of-the-server").await?;
    let added = add(&app, "door", &mcp, json!({ "kind": "bearer", "secret": "own" })).await?;
    anyhow::ensure!(added.status == StatusCode::CREATED, "{}", added.text);
    review(&app, "door", "open", json!({ "risk": "R2", "effect": "once" })).await?;
    put(&app, "door-password", VALUE).await?;
    let agent = app.agent().await?;
    Ok((app, mcp, agent))
}

async fn put(app: &TestApp, name: &str, value: &str) -> anyhow::Result<()> {
    let body = json!({ "value": value });
    let set = app.send(Method::PUT, &format!("/v1/secrets/{name}"), &app.owner_token, Some(body)).await?;
    anyhow::ensure!(set.status.is_success(), "{}", set.text);
    Ok(())
}

async fn allow(app: &TestApp, token: &str, method: Method, name: &str) -> anyhow::Result<StatusCode> {
    Ok(app.send(method, &format!("/v1/secrets/{name}/audience/door"), token, None).await?.status)
}

fn params(name: &str) -> Value {
    json!({ "user": "ada", "password": { "$secret": name } })
}

async fn ask(app: &TestApp, agent: &Agent, params: Value) -> anyhow::Result<Answered> {
    app.invoke(agent, "door.open", params).await
}

#[tokio::test]
async fn a_secret_is_sent_by_reference_and_known_to_nobody_else() -> anyhow::Result<()> {
    let (app, mcp, agent) = door().await?;
    assert_eq!(allow(&app, &app.owner_token, Method::PUT, "door-password").await?, StatusCode::NO_CONTENT);
    let asked = ask(&app, &agent, params("door-password")).await?;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    let waiting = opened(&app, &asked.body["id"]).await?;
    let item = app.send(Method::GET, &format!("/v1/inbox/{}", waiting.id), &app.owner_token, None).await?;
    let shown = &item.body["shown"];
    assert_eq!((&shown["params"], &shown["hidden"]), (&params("door-password"), &json!([])), "{shown}");
    let account = shown["destinations"][0]["account"].as_str().unwrap_or_default();
    assert_eq!(account, "secret own (version 1), secret door-password (version 1)");
    answer(&app, &app.owner_token, ("approve", &waiting), json!({})).await?;
    let done = perform(&app, &waiting).await?;
    assert_eq!(mcp.calls("open"), [json!({ "user": "ada", "password": VALUE })]);
    // The server repeats what it was sent; the agent, the record and the receipt have the reference alone.
    let done = done.ok_or_else(|| anyhow::anyhow!("not performed"))?;
    let result = done.result.unwrap_or_default().to_string();
    assert!(result.contains("[redacted]") && !result.contains(VALUE), "{result}");
    let seen =
        app.send(Method::GET, &format!("/v1/invocations/{}", waiting.id), &app.owner_token, None).await?;
    let receipt = seen.body["receipt"].as_str().unwrap_or_default().to_owned();
    let receipt = app.send(Method::GET, &format!("/v1/receipts/{receipt}"), &app.owner_token, None).await?;
    let payload = receipt.body["envelope"]["payload"].as_str().unwrap_or_default();
    let payload = String::from_utf8(BASE64_STANDARD.decode(payload)?)?;
    for text in [&seen.text, &payload] {
        assert!(!text.contains(VALUE) && text.contains("door-password"), "{text}");
    }
    app.check_invariants().await
}

#[tokio::test]
async fn a_reference_is_refused_where_it_may_not_go() -> anyhow::Result<()> {
    let (app, mcp, agent) = door().await?;
    // Nobody allowed it yet; it does not exist; the server's own token; not a password; inside a batch.
    let batch = json!({ "parts": [{ "action": "door.open", "params": params("door-password") }] });
    let misplaced = json!({ "user": { "$secret": "door-password" } });
    let open = json!({ "more": { "note": { "$secret": "door-password" } } });
    for wrong in [params("door-password"), params("missing"), params("own"), misplaced, open] {
        let refused = ask(&app, &agent, wrong.clone()).await?;
        assert_eq!(refused.body["code"], "invalid_params", "{wrong}: {}", refused.text);
    }
    let refused = app.invoke(&agent, "batch.run", batch).await?;
    assert_eq!(refused.body["code"], "invalid_params", "{}", refused.text);
    // Neither a member nor an admin who did not set it may allow it.
    for role in [Role::Member, Role::Admin] {
        let person = app.person(app.org, role).await?;
        assert_eq!(allow(&app, &person, Method::PUT, "door-password").await?, StatusCode::FORBIDDEN);
    }
    assert_eq!(mcp.called(), 0);
    Ok(())
}

#[tokio::test]
async fn a_yes_is_for_this_version_of_the_secret_and_for_this_audience() -> anyhow::Result<()> {
    let (app, mcp, agent) = door().await?;
    allow(&app, &app.owner_token, Method::PUT, "door-password").await?;
    let asked = ask(&app, &agent, params("door-password")).await?;
    let waiting = opened(&app, &asked.body["id"]).await?;
    answer(&app, &app.owner_token, ("approve", &waiting), json!({})).await?;
    put(&app, "door-password", "another-value-of-the-door").await?;
    perform(&app, &waiting).await?;
    assert_eq!(mcp.called(), 0);
    let again = asked_again(&app, &waiting, "the credential").await?;
    // And without the audience nothing is sent, above all not the reference itself.
    answer(&app, &app.owner_token, ("approve", &again), json!({})).await?;
    assert_eq!(allow(&app, &app.owner_token, Method::DELETE, "door-password").await?, StatusCode::NO_CONTENT);
    perform(&app, &again).await?;
    let last = opened(&app, &json!(again.id)).await?;
    answer(&app, &app.owner_token, ("approve", &last), json!({})).await?;
    let ended = perform(&app, &last).await?.ok_or_else(|| anyhow::anyhow!("not performed"))?;
    assert_eq!(ended.status, model::Status::Failed, "{:?}", ended.failure);
    assert_eq!(mcp.called(), 0);
    app.check_invariants().await
}
