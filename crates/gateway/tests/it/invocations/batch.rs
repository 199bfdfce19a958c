//! Batches: several actions with one decision and one approval, performed in order and undone in reverse.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::TestApp;

use crate::{
    approvals::answers::{approve, asked_again, opened, perform},
    invocations::invoke::{issue, with_linear},
};

fn parts(parts: &[(&str, Value)]) -> Value {
    let parts = parts.iter().map(|(action, params)| json!({ "action": action, "params": params }));
    json!({ "parts": parts.collect::<Vec<_>>() })
}

fn statuses(answer: &Value) -> Vec<&str> {
    answer["parts"].as_array().into_iter().flatten().filter_map(|part| part["status"].as_str()).collect()
}

async fn receipt(app: &TestApp, id: &str) -> anyhow::Result<receipt::Receipt> {
    let found = app.send(Method::GET, &format!("/v1/receipts/{id}"), &app.owner_token, None).await?;
    let keys = receipt::KeySet::from_json(&serde_json::to_vec(&app.app.ledger.key_set().await?)?)?;
    Ok(receipt::verify(found.body["envelope"].to_string().as_bytes(), &keys)?.into_receipt().unwrap())
}

#[tokio::test]
async fn one_yes_is_for_all_parts_and_they_are_done_in_order() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let all = parts(&[
        ("linear.create_issue", issue("First")),
        ("linear.list_issues", json!({})),
        ("linear.create_issue", issue("Second")),
    ]);
    let asked = app.invoke(&agent, "batch.run", all).await?;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    assert_eq!(asked.body["risk"], "R2");
    let inbox = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
    assert_eq!(inbox.body["items"].as_array().map(Vec::len), Some(1));
    let waiting = opened(&app, &asked.body["id"]).await?;
    assert_eq!(approve(&app, &waiting).await?.body["status"], "approved");
    let ended = perform(&app, &waiting).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    assert_eq!(ended.status, model::Status::Succeeded, "{:?}", ended.failure);
    let result = ended.result.unwrap_or_default();
    assert_eq!(statuses(&result), ["succeeded", "succeeded", "succeeded"]);
    // The list in the middle contains the first issue and not yet the second.
    assert_eq!(result["parts"][1]["output"]["issues"].as_array().map(Vec::len), Some(1), "{result}");
    assert_eq!(linear.effects().values().sum::<u64>(), 2);
    let told = receipt(&app, &ended.receipt.map(|id| id.to_string()).unwrap_or_default()).await?;
    assert_eq!(statuses(&told.outputs.unwrap_or_default()).len(), 3);
    assert_eq!(told.approvals.len(), 1);
    app.check_invariants().await
}

#[tokio::test]
async fn when_one_fails_those_before_it_are_undone_in_reverse() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let agent = app.agent().await?;
    let missing = json!({ "issue": "99999999-9999-4999-8999-999999999999", "title": "x" });
    let all = parts(&[
        ("linear.create_issue", issue("First")),
        ("linear.create_issue", issue("Second")),
        ("linear.update_issue", missing),
        ("linear.create_issue", issue("Never")),
    ]);
    let done = app.invoke(&agent, "batch.run", all).await?;
    assert_eq!(
        (done.status, done.body["code"].as_str()),
        (StatusCode::BAD_GATEWAY, Some("action_reverted")),
        "{}",
        done.text
    );
    let told = receipt(&app, done.body["receipt"].as_str().unwrap_or_default()).await?;
    let outputs = told.outputs.unwrap_or_default();
    assert_eq!(statuses(&outputs), ["undone", "undone", "failed", "not_begun"], "{outputs}");
    let archived: Vec<String> = linear
        .requests()
        .iter()
        .filter(|seen| seen.body["query"].as_str().is_some_and(|query| query.contains("issueArchive")))
        .map(|seen| seen.body["variables"]["id"].as_str().unwrap_or_default().to_owned())
        .collect();
    let made: Vec<&str> =
        [0, 1].iter().filter_map(|part| outputs["parts"][*part]["output"]["id"].as_str()).collect();
    assert_eq!(archived, made.into_iter().rev().collect::<Vec<_>>(), "the second one is undone first");
    app.check_invariants().await
}

#[tokio::test]
async fn the_strictest_part_decides_and_a_wrong_part_is_named() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    app.rule("linear.add_comment", "deny").await?;
    let agent = app.agent().await?;
    let comment = json!({ "issue": "11111111-1111-4111-8111-111111111111", "body": "x" });
    let denied = parts(&[("linear.create_issue", issue("First")), ("linear.add_comment", comment)]);
    let refused = app.invoke(&agent, "batch.run", denied).await?;
    assert_eq!(
        (refused.status, refused.body["code"].as_str()),
        (StatusCode::FORBIDDEN, Some("denied")),
        "{}",
        refused.text
    );
    for (wrong, pointer) in [
        (
            parts(&[("linear.create_issue", issue("x")), ("linear.create_issue", json!({ "title": 1 }))]),
            "/parts/1/params",
        ),
        (parts(&[("linear.nothing", json!({}))]), "/parts/0/action"),
        (parts(&[("batch.run", parts(&[("linear.list_issues", json!({}))]))]), "/parts/0/action"),
        (json!({ "parts": [] }), "/parts"),
    ] {
        let refused = app.invoke(&agent, "batch.run", wrong).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
        let named = refused.body["errors"][0]["pointer"].as_str().unwrap_or_default();
        assert!(named.starts_with(pointer), "{named} {pointer}");
    }
    assert!(linear.effects().is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn a_yes_to_a_batch_is_bound_to_the_credentials_of_its_parts() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let asked = app.invoke(&agent, "batch.run", parts(&[("linear.create_issue", issue("First"))])).await?;
    let waiting = opened(&app, &asked.body["id"]).await?;
    assert_eq!(approve(&app, &waiting).await?.body["status"], "approved");
    app.connect("linear", "lin_api_test").await?;
    assert!(perform(&app, &waiting).await?.is_none());
    asked_again(&app, &waiting, "the credential").await?;
    assert!(linear.effects().is_empty());
    app.check_invariants().await
}
