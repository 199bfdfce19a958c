//! Attack 15, leaks, at small size: regression tests for what the trial of the real process (`abuse/run 15`) found.

use axum::http::Method;
use catalog::SourceUrls;
use platform::config::Limits;
use serde_json::json;
use testkit::{
    TestApp,
    fakes::{FakeLinear, Fault},
};

/// A secret in no known format: only the name of its field, or the call that it was used for, shows that it is one.
const SECRET: &str = "vB2dR7kT9wq5Zp1xLm4s";

#[tokio::test]
async fn a_secret_among_the_parameters_does_not_come_back_under_another_name() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    for template in ["{{ api_key }}", "see {{ api_key }} there"] {
        let params = json!({"template": template, "data": {"api_key": SECRET}});
        let answer = app.invoke(&agent, "data.transform", params).await?;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(!answer.text.contains(SECRET), "{}", answer.text);
        assert!(answer.body["result"]["result"].as_str().is_some_and(|text| text.contains("[redacted]")));
    }
    // The control: under a field name that does not suggest a secret, the value is ordinary data and is returned.
    let params = json!({"template": "{{ colour }}", "data": {"colour": SECRET}});
    let answer = app.invoke(&agent, "data.transform", params).await?;
    assert_eq!(answer.body["result"]["result"], SECRET);
    Ok(())
}

async fn app_with_linear() -> anyhow::Result<(TestApp, FakeLinear)> {
    let linear = FakeLinear::start(SECRET).await;
    let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
    let app = TestApp::with(urls, Limits::default()).await?;
    Ok((app, linear))
}

#[tokio::test]
async fn no_part_of_a_credential_is_left_where_words_are_cut() -> anyhow::Result<()> {
    let (app, linear) = app_with_linear().await?;
    app.connect("linear", SECRET).await?;
    let agent = app.agent().await?;
    for before in (360..420).step_by(5).chain((260..320).step_by(5)) {
        let words = format!("{}{SECRET}", "w".repeat(before));
        linear.fault(Fault::Fail { status: 422, retry_after: None, body: json!({"message": words}) });
        let answer = app.invoke(&agent, "linear.list_issues", json!({})).await?;
        assert_eq!(answer.status, 502, "{}", answer.text);
        assert!(!answer.text.contains(&SECRET[..6]), "after {before}: {}", answer.text);
    }
    Ok(())
}

#[tokio::test]
async fn a_credential_is_no_idempotency_key() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let params = || json!({"template": "hello"});
    let refused = app.invoke_keyed(&agent, ("data.transform", &app.owner_token), params()).await?;
    assert_eq!(refused.status, 422, "{}", refused.text);
    let taken = app.invoke_keyed(&agent, ("data.transform", "reset-token:8f3a9c2d"), params()).await?;
    assert_eq!(taken.status, 200, "{}", taken.text);
    Ok(())
}

#[tokio::test]
async fn a_refusal_does_not_repeat_the_credential_it_refuses() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let token = &app.owner_token;
    let wrong = [
        app.invoke_raw(&agent, json!({"action": token}).to_string(), None).await?,
        app.invoke_raw(&agent, json!({"action": "data.transform", token.clone(): 1}).to_string(), None)
            .await?,
        app.invoke(&agent, "data.transform", json!({token.clone(): 1})).await?,
        app.send(Method::PUT, "/v1/rules", token, Some(json!({"action": "*", "mode": token}))).await?,
    ];
    for answer in wrong {
        assert!(answer.status.is_client_error(), "{}", answer.text);
        assert!(!answer.text.contains(&token[8..20]), "{}", answer.text);
    }
    Ok(())
}

#[tokio::test]
async fn a_source_that_is_connected_later_can_be_used_at_once() -> anyhow::Result<()> {
    let (app, _linear) = app_with_linear().await?;
    let agent = app.agent().await?;
    let before = app.invoke(&agent, "linear.list_issues", json!({})).await?;
    assert_eq!(before.body["code"], "source_not_connected");
    app.connect("linear", SECRET).await?;
    let after = app.invoke(&agent, "linear.list_issues", json!({})).await?;
    assert_eq!(after.status, 200, "{}", after.text);
    Ok(())
}
