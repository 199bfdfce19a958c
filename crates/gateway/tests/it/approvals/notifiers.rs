//! Mails, and the settings of notifiers.

use axum::http::{Method, StatusCode};
use catalog::SourceUrls;
use notify::Mail;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeLinear, FakeSmtp},
};

const LINEAR: &str = "lin_api_test";

async fn mailing() -> anyhow::Result<(TestApp, FakeLinear, FakeSmtp)> {
    let (linear, smtp) = (FakeLinear::start(LINEAR).await, FakeSmtp::start().await?);
    let mail = Mail::new(&smtp.url().to_owned().into(), "Countersign <gateway@example.test>");
    let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
    let app = TestApp::telling(urls, Limits::default(), mail).await?;
    app.connect("linear", LINEAR).await?;
    Ok((app, linear, smtp))
}

async fn add(app: &TestApp, body: Value) -> anyhow::Result<testkit::Answered> {
    app.send(Method::POST, "/v1/notifiers", &app.owner_token, Some(body)).await
}

#[tokio::test]
async fn what_is_asked_arrives_by_mail_as_plain_text_without_a_link_that_answers() -> anyhow::Result<()> {
    let (app, _linear, smtp) = mailing().await?;
    let added = add(&app, json!({"kind": "email", "target": "ann@example.test"})).await?;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    app.notify();
    let agent = app.agent().await?;
    let title = "x\r\nBcc: all@example.test\r\n.\r\nQUIT\r\n";
    let asked = app.invoke(&agent, "linear.create_issue", crate::invocations::invoke::issue(title)).await?;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    let mails = smtp.until(1).await;
    let mail = &mails[0];
    assert_eq!(
        (mail.from.as_str(), mail.to.as_slice()),
        ("gateway@example.test", &["ann@example.test".to_owned()][..])
    );
    let (head, body) = mail.data.split_once("\r\n\r\n").unwrap_or_default();
    assert!(!head.to_lowercase().contains("bcc:") && head.contains("text/plain"), "{head}");
    assert!(!body.contains("\nBcc:"), "{body}");
    // Long lines are folded in transport, so the expected strings are short enough not to contain a fold.
    let unfolded = body.replace("=\r\n", "");
    assert!(
        unfolded.contains("countersign inbox") && unfolded.contains("https://gateway.test/"),
        "{unfolded}"
    );
    assert!(!unfolded.contains("approve"), "{unfolded}");
    assert!(unfolded.contains(asked.body["id"].as_str().unwrap_or("?")), "{unfolded}");
    // An answer neither changes the sent mail nor sends another.
    app.app.notify.send_due().await?;
    assert_eq!(smtp.mails().len(), 1);
    Ok(())
}

#[tokio::test]
async fn an_address_is_one_address_and_nothing_else() -> anyhow::Result<()> {
    let (app, _linear, smtp) = mailing().await?;
    for (kind, target) in [
        ("email", ""),
        ("email", "nobody"),
        ("email", "a@example.test, b@example.test"),
        ("email", "a@example.test\r\nBcc: b@example.test"),
        ("email", "Ann <a@example.test>"),
        ("email", "a@example.test>\nRCPT TO:<b@example.test"),
        ("slack", "general"),
        ("slack", "#general"),
        ("slack", "C0GENERAL\n"),
        ("slack", "U0ADMIN"),
        ("slack", ""),
    ] {
        let refused = add(&app, json!({"kind": kind, "target": target})).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{target:?}: {}", refused.text);
    }
    assert!(smtp.mails().is_empty());
    Ok(())
}

#[tokio::test]
async fn a_notifier_is_added_once_tested_and_removed() -> anyhow::Result<()> {
    let (app, _linear, smtp) = mailing().await?;
    let body = json!({"kind": "email", "target": "ann@example.test"});
    let id = add(&app, body.clone()).await?.body["id"].as_str().unwrap_or_default().to_owned();
    assert_eq!(add(&app, body).await?.status, StatusCode::CONFLICT);
    let other = add(&app, json!({"kind": "slack", "target": "C0GENERAL"})).await?.body["id"].clone();
    let test = |id: String| {
        let (app, path) = (&app, format!("/v1/notifiers/{id}/test"));
        async move { app.send(Method::POST, &path, &app.owner_token, None).await }
    };
    assert_eq!(test(id.clone()).await?.body, json!({"delivered": true}));
    assert_eq!(smtp.until(1).await[0].to, ["ann@example.test"]);
    let unconnected = test(other.as_str().unwrap_or_default().to_owned()).await?.body;
    assert_eq!(unconnected, json!({"delivered": false, "error": "Slack is not connected"}));
    let path = format!("/v1/notifiers/{id}");
    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::NO_CONTENT);
    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::NOT_FOUND);
    assert_eq!(test(id).await?.status, StatusCode::NOT_FOUND);
    let listed = app.send(Method::GET, "/v1/notifiers", &app.owner_token, None).await?;
    assert_eq!(listed.body["items"].as_array().map(Vec::len), Some(1));
    Ok(())
}

#[tokio::test]
async fn news_of_one_space_go_nowhere_else() -> anyhow::Result<()> {
    let (app, _linear, smtp) = mailing().await?;
    // A session without a space belongs to the oldest one.
    app.advance(std::time::Duration::from_secs(1));
    let space = json!({"slug": "second", "name": "Second", "risk_band": "green"});
    let space = app.send(Method::POST, "/v1/spaces", &app.owner_token, Some(space)).await?.body["id"].clone();
    for (target, space) in [("second@example.test", space.clone()), ("all@example.test", Value::Null)] {
        let added = add(&app, json!({"kind": "email", "target": target, "space": space})).await?;
        assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    }
    app.notify();
    let agent = app.agent().await?;
    app.invoke(&agent, "linear.create_issue", crate::invocations::invoke::issue("x")).await?;
    assert_eq!(smtp.until(1).await[0].to, ["all@example.test"]);
    let body = json!({"agent": "other", "kind": "interactive", "space": space});
    let made = app.send(Method::POST, "/v1/sessions", &app.owner_token, Some(body)).await?.body;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let agent = testkit::Agent { session: text(&made["session"]["id"]), token: text(&made["token"]) };
    app.invoke(&agent, "linear.create_issue", crate::invocations::invoke::issue("y")).await?;
    let mut to: Vec<_> = smtp.until(3).await.into_iter().flat_map(|mail| mail.to).collect();
    to.sort();
    assert_eq!(to, ["all@example.test", "all@example.test", "second@example.test"]);
    Ok(())
}
