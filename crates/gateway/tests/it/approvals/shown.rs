//! The shown document: what it contains, that an answer is about it, and that the receipt keeps it.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{Agent, TestApp, fakes::FakeLinear};

use super::answers::{Waiting, answer, approve, ask, opened, perform};
use crate::invocations::invoke::{issue, with_linear};

const ISSUE: &str = "33333333-3333-4333-8333-333333333333";

async fn item(app: &TestApp, waiting: &Waiting) -> anyhow::Result<Value> {
    let found = app.send(Method::GET, &format!("/v1/inbox/{}", waiting.id), &app.owner_token, None).await?;
    anyhow::ensure!(found.status == StatusCode::OK, "{}", found.text);
    Ok(found.body)
}

/// Requests an update of an issue, which has a preview.
async fn ask_update(app: &TestApp, agent: &Agent, linear: &FakeLinear) -> anyhow::Result<Waiting> {
    linear.put_issue(ISSUE, "Before");
    let body = json!({
        "action": "linear.update_issue", "params": { "issue": ISSUE, "title": "After" },
        "reason": "the title is wrong; token ghp_0123456789abcdefghijklmnopqrstuvwxyz",
    });
    let asked = app.invoke_raw(agent, body.to_string(), None).await?;
    anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
    opened(app, &asked.body["id"]).await
}

#[tokio::test]
async fn everything_a_person_should_know_is_in_one_document() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    for _ in 0..2 {
        app.invoke(&agent, "linear.list_issues", json!({})).await?;
    }
    let waiting = ask_update(&app, &agent, &linear).await?;
    let item = item(&app, &waiting).await?;
    let shown = &item["shown"];
    assert_eq!(shown["version"], "countersign/shown/v1");
    assert_eq!(shown["invocation"], waiting.id);
    assert_eq!(shown["subject"], item["invocation"]["subject_digest"]);
    assert_eq!(shown["params"]["title"], "After");
    assert_eq!(
        shown["preview"]["changes"],
        json!([{ "field": "title", "before": "Before", "after": "After" }])
    );
    let to = &shown["destinations"][0];
    assert_eq!(to["source"], "linear");
    assert!(to["address"].as_str().is_some_and(|address| address.starts_with(&linear.url())), "{to}");
    assert!(to["account"].as_str().is_some_and(|account| account.ends_with("(version 1)")), "{to}");
    assert_eq!(shown["why"], json!(["no rule matches; R2 actions need approval by default"]));
    assert_eq!(shown["read_before"][0]["action"], "linear.list_issues");
    assert_eq!(
        (&shown["read_before"][0]["times"], &shown["read_before"][0]["untrusted"]),
        (&json!(2), &json!(true))
    );
    let reason = shown["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("the title is wrong") && !reason.contains("ghp_"), "{reason}");
    assert!(shown["undo"].is_string() && shown["proposer"]["opened_by"].is_string(), "{shown}");
    app.check_invariants().await
}

#[tokio::test]
async fn a_document_stays_the_same_until_something_in_it_changes() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let first = ask_update(&app, &agent, &linear).await?;
    assert_eq!(opened(&app, &json!(first.id)).await?.shown, first.shown);
    linear.retitle(ISSUE, "Meanwhile");
    let second = opened(&app, &json!(first.id)).await?;
    assert_ne!(second.shown, first.shown);
    // Both were shown, and both are about the same subject: either can be answered.
    assert_eq!(approve(&app, &first).await?.body["status"], "approved");
    Ok(())
}

#[tokio::test]
async fn the_receipt_keeps_the_document_that_was_answered_and_no_other() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let first = ask_update(&app, &agent, &linear).await?;
    linear.retitle(ISSUE, "Meanwhile");
    opened(&app, &json!(first.id)).await?;
    let shown = item(&app, &first).await?["shown"].clone();
    let second = Waiting { id: first.id.clone(), shown: testkit::shown_digest(&json!({ "shown": shown }))? };
    approve(&app, &second).await?;
    let ended = perform(&app, &second).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    let receipt = ended.receipt.ok_or_else(|| anyhow::anyhow!("no receipt"))?;
    let found = app.send(Method::GET, &format!("/v1/receipts/{receipt}"), &app.owner_token, None).await?;
    let keys = receipt::KeySet::from_json(&serde_json::to_vec(&app.app.ledger.key_set().await?)?)?;
    let verified =
        receipt::verify(found.body["envelope"].to_string().as_bytes(), &keys)?.into_receipt().unwrap();
    assert_eq!(verified.shown, [shown]);
    assert_eq!(receipt::documented_votes(&verified), 1);
    // Its documents are deleted a day after they were shown, because it has ended.
    let approvals = app.app.pipeline.approvals();
    assert_eq!(approvals.purge_documents().await?, 0);
    app.advance(Duration::from_secs(24 * 60 * 60 + 1));
    assert_eq!(approvals.purge_documents().await?, 2);
    app.check_invariants().await
}

#[tokio::test]
async fn a_document_that_was_never_shown_cannot_be_answered() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "Shown").await?;
    let mut changed = item(&app, &waiting).await?;
    changed["shown"]["params"]["title"] = json!("Another");
    let forged = Waiting { id: waiting.id.clone(), shown: testkit::shown_digest(&changed)? };
    for verb in ["approve", "deny"] {
        let said = answer(&app, &app.owner_token, (verb, &forged), json!({})).await?;
        assert_eq!(
            (said.status, said.body["code"].as_str()),
            (StatusCode::CONFLICT, Some("shown_digest_mismatch")),
            "{}",
            said.text
        );
    }
    // The subject's own digest is no document.
    let subject = changed["invocation"]["subject_digest"].as_str().unwrap_or_default().to_owned();
    let subject = Waiting { id: waiting.id.clone(), shown: subject };
    assert_eq!(approve(&app, &subject).await?.status, StatusCode::CONFLICT);
    // With the record of what was shown forged, the same answer counts: the record is what stops it.
    let mut owner = app.db.owner().await?;
    sqlx::query("ALTER TABLE shown_documents NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("UPDATE shown_documents SET digest = $1")
        .bind(hex::decode(forged.shown.trim_start_matches("sha256:"))?)
        .execute(&mut owner)
        .await?;
    assert_eq!(approve(&app, &forged).await?.body["status"], "approved");
    assert!(linear.effects().is_empty());
    Ok(())
}

#[tokio::test]
async fn what_nobody_could_read_or_keep_is_not_asked() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    app.rule("data.transform", "require_approval").await?;
    let nested = |levels: usize| {
        let data = (1..levels).fold(json!("x"), |inner, _| json!([inner]));
        json!({ "action": "data.transform", "params": { "template": "{{ x }}", "data": { "x": data } } })
    };
    let asked = app.invoke_raw(&agent, nested(30).to_string(), None).await?;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    opened(&app, &asked.body["id"]).await?;
    let asked = app.invoke_raw(&agent, nested(45).to_string(), None).await?;
    assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", asked.text);
    assert!(asked.text.contains("40 levels"), "{}", asked.text);
    let long = json!({ "action": "linear.create_issue", "params": issue("x"), "reason": "x".repeat(501) });
    let asked = app.invoke_raw(&agent, long.to_string(), None).await?;
    assert_eq!(
        (asked.status, &asked.body["errors"][0]["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/reason"))
    );
    Ok(())
}
