//! The life cycles of tokens, sessions, secrets and signing keys.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::json;
use testkit::TestApp;

#[tokio::test]
async fn an_ended_session_is_over_at_once_although_it_is_kept_in_memory() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let params = json!({ "template": "x" });
    assert_eq!(app.invoke(&agent, "data.transform", params.clone()).await?.status, StatusCode::OK);
    let keyed = app.invoke_keyed(&agent, ("data.transform", "k"), params.clone()).await?;
    assert_eq!(keyed.status, StatusCode::OK);
    let path = format!("/v1/sessions/{}", agent.session);
    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::OK);
    let refused = app.invoke(&agent, "data.transform", params).await?;
    assert_eq!(
        (refused.status, refused.body["code"].as_str()),
        (StatusCode::UNAUTHORIZED, Some("session_over"))
    );
    assert_eq!(app.send(Method::GET, "/v1/me", &agent.token, None).await?.status, StatusCode::UNAUTHORIZED);
    app.check_invariants().await
}

#[tokio::test]
async fn a_secret_is_kept_replaced_used_and_never_shown() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let put = |value: &str| {
        app.send(Method::PUT, "/v1/secrets/smtp_password", &app.owner_token, Some(json!({ "value": value })))
    };
    assert_eq!(put("correct horse").await?.body["version"], 1);
    let replaced = put("battery staple").await?;
    assert_eq!(replaced.body["version"], 2);
    let listed = app.send(Method::GET, "/v1/secrets", &app.owner_token, None).await?;
    assert_eq!(listed.body["items"].as_array().map(Vec::len), Some(1));
    assert!(!listed.text.contains("staple") && !replaced.text.contains("staple"));
    let mut tx = app.app.db.begin(app.org).await?;
    let names = ["smtp_password".to_owned()];
    let kept = app.app.tenancy.sealed_secrets(&mut tx, app.org, &names).await?;
    let value = app.app.tenancy.open_credential(app.org, &kept["smtp_password"]).await?.token;
    assert_eq!(secrecy::ExposeSecret::expose_secret(&value), "battery staple");
    let stored: Vec<u8> = sqlx::query_scalar("SELECT sealed FROM secrets").fetch_one(&mut *tx).await?;
    assert!(!String::from_utf8_lossy(&stored).contains("staple"));
    Ok(())
}

#[tokio::test]
async fn lists_come_in_pages_and_every_row_comes_once() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    for _ in 0..5 {
        app.agent().await?;
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page =
            app.send(Method::GET, &format!("/v1/sessions?limit=2{cursor}"), &app.owner_token, None).await?;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        seen.extend(page.body["items"].as_array().unwrap().iter().map(|item| item["id"].to_string()));
        match page.body["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let all = seen.len();
    seen.dedup();
    assert_eq!((all, seen.len()), (5, 5));
    for bad in ["limit=0", "limit=101", "cursor=zzz", "nonsense=1"] {
        let refused = app.send(Method::GET, &format!("/v1/sessions?{bad}"), &app.owner_token, None).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
    }
    Ok(())
}

#[tokio::test]
async fn after_a_rotation_old_and_new_receipts_verify_with_the_published_keys() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    app.invoke(&agent, "data.transform", json!({ "template": "old" })).await?;
    app.advance(Duration::from_secs(3600));
    app.app.ledger.rotate_key().await?;
    app.advance(Duration::from_secs(3600));
    app.invoke(&agent, "data.transform", json!({ "template": "new" })).await?;
    let keys = app.app.ledger.key_set().await?;
    assert_eq!(keys.keys.len(), 2);
    app.check_invariants().await
}
