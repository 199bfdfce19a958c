//! Policies as text, through the real router.

mod backtest;
mod caps;
mod compare;
pub(crate) mod flows;
mod gates;
mod saving;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{Answered, TestApp};

/// Sends a request of the owner.
pub(crate) async fn owner(
    app: &TestApp,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> anyhow::Result<Answered> {
    app.send(method, path, &app.owner_token, body).await
}

/// Sets a policy; its name is the `@id` of its text.
pub(crate) async fn set_policy(app: &TestApp, text: &str) -> anyhow::Result<Answered> {
    let name = text.split('"').nth(1).unwrap_or_default();
    let body = json!({ "text": text });
    owner(app, Method::PUT, &format!("/v1/policies/{name}"), Some(body)).await
}

/// Sets a policy that is right.
pub(crate) async fn policy(app: &TestApp, text: &str) -> anyhow::Result<()> {
    let set = set_policy(app, text).await?;
    anyhow::ensure!(set.status == StatusCode::OK, "{}", set.text);
    Ok(())
}

/// Sets a fact that is right, and fills it.
pub(crate) async fn fact(app: &TestApp, name: &str, fact: Value) -> anyhow::Result<()> {
    let set = owner(app, Method::PUT, &format!("/v1/facts/{name}"), Some(fact)).await?;
    anyhow::ensure!(set.status == StatusCode::OK, "{}", set.text);
    Ok(app.app.pipeline.fill_facts().await?)
}
