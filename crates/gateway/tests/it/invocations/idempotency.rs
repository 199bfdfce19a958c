//! Idempotency keys: one key has one effect.

use std::{sync::Arc, time::Duration};

use axum::http::StatusCode;
use futures::future::join_all;
use serde_json::json;

use crate::invocations::invoke::{issue, with_linear};

#[tokio::test]
async fn the_same_key_and_request_answers_with_the_first_receipt() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    let first = app.invoke_keyed(&agent, ("linear.create_issue", "k-1"), issue("Once")).await?;
    let second = app.invoke_keyed(&agent, ("linear.create_issue", "k-1"), issue("Once")).await?;
    assert_eq!((first.status, second.status), (StatusCode::OK, StatusCode::OK), "{}", second.text);
    assert_eq!(first.body["receipt"], second.body["receipt"]);
    assert_eq!((&first.body["replayed"], &second.body["replayed"]), (&json!(false), &json!(true)));
    assert_eq!(linear.effects().get("Once").copied(), Some(1));
    app.check_invariants().await
}

#[tokio::test]
async fn the_same_key_with_another_request_is_refused() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    app.invoke_keyed(&agent, ("linear.create_issue", "k-1"), issue("One")).await?;
    let refused = app.invoke_keyed(&agent, ("linear.create_issue", "k-1"), issue("Two")).await?;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.body["code"], "idempotency_key_reused");
    assert!(!linear.effects().contains_key("Two"));
    app.check_invariants().await
}

#[tokio::test]
async fn a_key_is_free_again_after_a_day() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    app.invoke_keyed(&agent, ("linear.create_issue", "k-1"), issue("One")).await?;
    app.advance(Duration::from_secs(24 * 3600 + 1));
    // The session lasts a day as well.
    let agent = app.agent().await?;
    let again = app.invoke_keyed(&agent, ("linear.create_issue", "k-1"), issue("Two")).await?;
    assert_eq!(again.status, StatusCode::OK, "{}", again.text);
    assert_eq!(app.app.pipeline.purge_keys().await?, 0);
    app.advance(Duration::from_secs(24 * 3600 + 1));
    assert_eq!(app.app.pipeline.purge_keys().await?, 1);
    assert_eq!(linear.effects().len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_key_under_way_is_a_conflict_and_of_many_at_once_one_has_the_effect() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    linear.delay_next(Duration::from_millis(300));
    let app = Arc::new(app);
    let asked = (0..20).map(|_| {
        let (app, agent) = (app.clone(), agent.clone());
        async move { app.invoke_keyed(&agent, ("linear.create_issue", "k-1"), issue("Once")).await }
    });
    let answers = join_all(asked).await.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let done = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    let conflicts =
        answers.iter().filter(|answer| answer.body["code"] == "idempotency_key_under_way").count();
    assert_eq!((done + conflicts, done >= 1), (20, true));
    assert_eq!(linear.effects().get("Once").copied(), Some(1));
    app.check_invariants().await
}

#[tokio::test]
async fn the_same_key_in_another_org_is_another_key() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let (_, other) = app.another_org().await?;
    let (ours, theirs) = (app.agent().await?, app.agent_of(&other).await?);
    let params = json!({ "template": "{{ a }}", "data": { "a": 1 } });
    let first = app.invoke_keyed(&ours, ("data.transform", "shared"), params.clone()).await?;
    let second = app.invoke_keyed(&theirs, ("data.transform", "shared"), params).await?;
    assert_eq!((first.status, second.status), (StatusCode::OK, StatusCode::OK));
    assert_eq!(second.body["replayed"], false);
    assert_ne!(first.body["id"], second.body["id"]);
    app.check_invariants().await
}
