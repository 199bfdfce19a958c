//! Limits on invocations per minute and on pending approvals.

use std::time::Duration;

use axum::http::StatusCode;
use catalog::SourceUrls;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{Agent, Answered, RedisServer, TestApp};

use crate::invocations::invoke::{issue, with_linear};

/// Invokes an action five times, which is the limit, and once more; returns the last answer.
async fn sixth(app: &TestApp, agent: &Agent, params: &Value) -> anyhow::Result<Answered> {
    for _ in 0..5 {
        assert_eq!(app.invoke(agent, "data.transform", params.clone()).await?.status, StatusCode::OK);
    }
    app.invoke(agent, "data.transform", params.clone()).await
}

#[tokio::test]
async fn the_sixty_first_invocation_of_a_minute_is_told_to_wait() -> anyhow::Result<()> {
    let limits = Limits { invocations_per_minute: 5, ..Limits::default() };
    holds(&TestApp::with(SourceUrls::default(), limits).await?).await
}

#[tokio::test]
async fn without_redis_a_gateway_holds_the_limit_alone() -> anyhow::Result<()> {
    let limits = Limits { invocations_per_minute: 5, ..Limits::default() };
    holds(&TestApp::without_redis(limits).await?).await
}

/// A gateway whose Redis is lost, or comes back with nothing in it, still knows what it has counted itself.
#[tokio::test]
async fn the_limit_does_not_begin_anew_when_redis_is_lost() -> anyhow::Result<()> {
    let mut redis = RedisServer::start().await?;
    let limits = Limits { invocations_per_minute: 5, ..Limits::default() };
    let app = TestApp::with_redis(&redis.url, limits).await?;
    let (agent, params) = (app.agent().await?, json!({ "template": "x" }));
    let invoke = async || anyhow::Ok(app.invoke(&agent, "data.transform", params.clone()).await?.status);
    for _ in 0..3 {
        assert_eq!(invoke().await?, StatusCode::OK);
    }
    redis.kill()?;
    for _ in 0..2 {
        assert_eq!(invoke().await?, StatusCode::OK);
    }
    assert_eq!(invoke().await?, StatusCode::TOO_MANY_REQUESTS, "Redis is away");
    redis.launch().await?;
    assert_eq!(invoke().await?, StatusCode::TOO_MANY_REQUESTS, "Redis is back, and empty");
    app.check_invariants().await
}

#[tokio::test]
async fn the_limits_of_an_opener_a_space_and_an_organization_hold_over_all_of_their_sessions()
-> anyhow::Result<()> {
    let none = Limits { invocations_per_minute: 100, ..Limits::default() };
    for (limits, of) in [
        (Limits { opener_per_minute: Some(5), ..none }, "whoever opened the session"),
        (Limits { space_per_minute: Some(5), ..none }, "the space"),
        (Limits { org_per_minute: Some(5), ..none }, "the organization"),
    ] {
        let app = TestApp::with(SourceUrls::default(), limits).await?;
        let (one, two, params) = (app.agent().await?, app.agent().await?, json!({ "template": "x" }));
        for agent in [&one, &two, &one, &two, &one] {
            assert_eq!(app.invoke(agent, "data.transform", params.clone()).await?.status, StatusCode::OK);
        }
        let refused = app.invoke(&two, "data.transform", params.clone()).await?;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(refused.text.contains(of), "{}", refused.text);
        let (other, token) = app.another_org().await?;
        let elsewhere = app.agent_of(&token).await?;
        assert_eq!(app.invoke(&elsewhere, "data.transform", params).await?.status, StatusCode::OK, "{other}");
    }
    Ok(())
}

#[tokio::test]
async fn what_the_limit_of_a_session_refuses_does_not_count_for_its_organization() -> anyhow::Result<()> {
    let limits = Limits { invocations_per_minute: 3, org_per_minute: Some(8), ..Limits::default() };
    let app = TestApp::with(SourceUrls::default(), limits).await?;
    let (looping, other, params) = (app.agent().await?, app.agent().await?, json!({ "template": "x" }));
    for number in 0..20 {
        let answered = app.invoke(&looping, "data.transform", params.clone()).await?;
        assert_eq!(answered.status == StatusCode::OK, number < 3, "{}", answered.text);
    }
    for _ in 0..3 {
        assert_eq!(app.invoke(&other, "data.transform", params.clone()).await?.status, StatusCode::OK);
    }
    Ok(())
}

async fn holds(app: &TestApp) -> anyhow::Result<()> {
    let params = json!({ "template": "x" });
    let (one, two) = (app.agent().await?, app.agent().await?);
    let refused = sixth(app, &one, &params).await?;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(
        app.invoke(&two, "data.transform", params.clone()).await?.status,
        StatusCode::OK,
        "another session"
    );
    app.advance(Duration::from_secs(60));
    assert_eq!(app.invoke(&one, "data.transform", params).await?.status, StatusCode::OK, "the next minute");
    app.check_invariants().await
}

#[tokio::test]
async fn at_most_ten_wait_for_a_person_however_many_ask_at_once() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let asked = (0..25).map(|n| app.invoke(&agent, "linear.create_issue", issue(&format!("n{n}"))));
    let answers = futures::future::join_all(asked).await.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let pending = answers.iter().filter(|answer| answer.status == StatusCode::ACCEPTED).count();
    let refused = answers.iter().filter(|answer| answer.body["code"] == "too_many_pending").count();
    assert_eq!((pending, refused), (10, 15));
    app.check_invariants().await
}
