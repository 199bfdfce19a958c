//! Managing webhooks: addresses are checked, secrets are shown once, deliveries can be listed and sent again.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{TestApp, fakes::FakeReceiver};

async fn add(app: &TestApp, body: Value) -> anyhow::Result<testkit::Answered> {
    app.send(Method::POST, "/v1/webhooks", &app.owner_token, Some(body)).await
}

async fn ask(app: &TestApp, method: Method, path: &str) -> anyhow::Result<testkit::Answered> {
    app.send(method, path, &app.owner_token, None).await
}

#[tokio::test]
async fn a_secret_is_shown_when_it_is_made_and_never_again() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let added = add(&app, json!({"url": "https://hooks.example.com/x"})).await?;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    let first = added.body["secret"].as_str().unwrap().to_owned();
    assert!(first.starts_with("whsec_"), "{first}");
    let webhook = added.body["webhook"]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/webhooks/{webhook}");
    let rotated = ask(&app, Method::POST, &format!("{path}/rotate")).await?;
    let second = rotated.body["secret"].as_str().unwrap().to_owned();
    assert_ne!(first, second);
    assert!(rotated.body["webhook"]["previous_secret_until"].is_string());
    for (method, path) in [
        (Method::GET, "/v1/webhooks".to_owned()),
        (Method::GET, path.clone()),
        (Method::POST, format!("{path}/test")),
        (Method::GET, format!("{path}/deliveries")),
    ] {
        let answer = ask(&app, method, &path).await?;
        assert!(answer.status.is_success(), "{path}: {}", answer.text);
        assert!(!answer.text.contains(&first[6..]) && !answer.text.contains(&second[6..]), "{path}");
    }
    let mut tx = app.app.db.begin(app.org).await?;
    let kept: String =
        sqlx::query_scalar("SELECT to_jsonb(w)::text FROM webhooks w").fetch_one(&mut *tx).await?;
    assert!(!kept.contains("whsec_") && !kept.contains(&first[6..]), "{kept}");
    Ok(())
}

#[tokio::test]
async fn what_is_not_an_address_a_type_or_a_filter_is_refused_with_its_place() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let url = "https://hooks.example.com/x";
    for (body, pointer) in [
        (json!({"url": "http://hooks.example.com/x"}), "/url"),
        (json!({"url": "ftp://hooks.example.com/x"}), "/url"),
        (json!({"url": "nowhere"}), "/url"),
        (json!({"url": "https://user:password@hooks.example.com/x"}), "/url"),
        (json!({"url": "https://10.0.0.1/x"}), "/url"),
        (json!({"url": format!("{url}{}", "x".repeat(2_000))}), "/url"),
        (json!({"url": url, "types": ["Not a type"]}), "/types"),
        (json!({"url": url, "types": vec!["a.b"; 51]}), "/types"),
        (json!({"url": url, "filter": {"data.x": {"resembles": 1}}}), "/filter/data.x/resembles"),
    ] {
        let refused = add(&app, body.clone()).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {}", refused.text);
        assert_eq!(refused.body["errors"][0]["pointer"], pointer, "{body}: {}", refused.text);
    }
    for _ in 0..50 {
        assert_eq!(add(&app, json!({"url": url})).await?.status, StatusCode::CREATED);
    }
    assert_eq!(
        add(&app, json!({"url": url})).await?.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "at most fifty webhooks"
    );
    Ok(())
}

#[tokio::test]
async fn a_delivery_is_followed_given_up_and_sent_again() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let receiver = FakeReceiver::start(app.app.world.clock.clone()).await?;
    let added = add(&app, json!({"url": receiver.url(), "types": ["action.executed"]})).await?;
    receiver.trust(&[added.body["secret"].as_str().unwrap()]);
    let path = format!("/v1/webhooks/{}", added.body["webhook"]["id"].as_str().unwrap());
    let made = ask(&app, Method::POST, &format!("{path}/test")).await?;
    assert_eq!((made.status, &made.body["status"]), (StatusCode::ACCEPTED, &json!("pending")));
    let id = made.body["id"].as_str().unwrap().to_owned();
    app.app.pipeline.webhooks().deliver(app.org, id.parse()?, 1).await?;
    let listed = ask(&app, Method::GET, &format!("{path}/deliveries")).await?;
    assert_eq!(listed.body["items"][0]["status"], "delivered", "{}", listed.text);
    assert_eq!(listed.body["items"][0]["last_status"], 204);
    let patch = |body: Value| app.send(Method::PATCH, &path, &app.owner_token, Some(body));
    assert_eq!(patch(json!({"enabled": false, "filter": null})).await?.body["enabled"], false);
    let resend = format!("{path}/deliveries/{id}/resend");
    assert_eq!(ask(&app, Method::POST, &resend).await?.status, StatusCode::UNPROCESSABLE_ENTITY);
    patch(json!({"enabled": true})).await?;
    let again = ask(&app, Method::POST, &resend).await?;
    assert_eq!((again.status, &again.body["attempts"]), (StatusCode::ACCEPTED, &json!(0)), "{}", again.text);
    app.app.pipeline.webhooks().deliver(app.org, id.parse()?, 2).await?;
    assert_eq!(receiver.counts().into_values().collect::<Vec<_>>(), [2], "both requests have the same id");
    assert_eq!(ask(&app, Method::DELETE, &path).await?.status, StatusCode::NO_CONTENT);
    assert_eq!(ask(&app, Method::POST, &resend).await?.status, StatusCode::NOT_FOUND);
    Ok(())
}
