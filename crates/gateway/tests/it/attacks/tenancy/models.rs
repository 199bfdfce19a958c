//! Model providers of the two organizations, and a stored prompt of each.

use axum::http::Method;
use catalog::models::{Message, Prompt};
use model::OrgId;
use serde_json::{Value, json};
use testkit::TestApp;

use super::setup::Operation;

/// A provider that does not answer.
pub(crate) fn provider() -> Value {
    json!({"wire": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "models": [{"name": "small"}]})
}

/// A provider and a prompt.
pub(crate) async fn furnish(app: &TestApp, (id, owner): (OrgId, &str), name: &str) -> anyhow::Result<()> {
    let path = format!("/v1/models/provider-of-{name}");
    let saved = app.send(Method::PUT, &path, owner, Some(provider())).await?;
    anyhow::ensure!(saved.status.is_success(), "{path}: {}", saved.text);
    let text = format!("prompt of {name}");
    let prompt = Prompt { messages: vec![Message::User { text }], ..Prompt::default() };
    Ok(app.app.pipeline.put_prompt(id, &prompt.parts()?).await?)
}

/// Creates what an operation tests or deletes.
pub(crate) async fn prepare(
    app: &TestApp,
    owner: &str,
    operation: &Operation,
    name: &str,
) -> anyhow::Result<()> {
    if operation.method == Method::PUT || !operation.path.contains("{provider}") {
        return Ok(());
    }
    let path = format!("/v1/models/{name}");
    let saved = app.send(Method::PUT, &path, owner, Some(provider())).await?;
    anyhow::ensure!(saved.status.is_success(), "{path}: {}", saved.text);
    Ok(())
}
