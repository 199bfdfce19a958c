//! Model providers of the two organizations, and a stored prompt of each.

use axum::http::Method;
use catalog::models::{Message, Prompt, describe};
use model::{AutomationId, Digest, OrgId, RunId, StepOrigin};
use pipeline::{Budget, Cap, Request};
use serde_json::{Value, json};
use testkit::TestApp;

use super::setup::Operation;

/// A provider that does not answer.
pub(crate) fn provider() -> Value {
    json!({"wire": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "models": [{"name": "small"}]})
}

/// A provider, a stored prompt, and a call that waits for a person, so that money is reserved for it.
pub(crate) async fn furnish(app: &TestApp, (id, owner): (OrgId, &str), name: &str) -> anyhow::Result<()> {
    let send = |path: String, body: Value| async move {
        let saved = app.send(Method::PUT, &path, owner, Some(body)).await?;
        anyhow::ensure!(saved.status.is_success(), "{path}: {}", saved.text);
        anyhow::Ok(())
    };
    let mut free = provider();
    free["is_free"] = json!(true);
    send(format!("/v1/models/provider-of-{name}"), free).await?;
    send("/v1/rules".to_owned(), json!({"action": "model.*", "mode": "require_approval"})).await?;
    let text = format!("prompt of {name}");
    let prompt = Prompt { messages: vec![Message::User { text }], ..Prompt::default() };
    let parts = prompt.parts()?;
    app.app.pipeline.put_prompt(id, &parts).await?;
    let session = json!({"agent": "step", "kind": "interactive", "capabilities": ["model:use"]});
    let asked = app.app.pipeline.invoke(Request {
        org: id,
        session: app.open_session(owner, session).await?.session.parse()?,
        action: format!("model.provider-of-{name}"),
        params: serde_json::to_value(describe(&prompt, &parts, "small", 100))?,
        dry_run: false,
        key: None,
        trace_id: None,
        timeout: None,
        step: Some(StepOrigin { version: 1, hash: Digest::of_bytes(b"step") }),
        reason: String::new(),
        released: None,
        provenance: None,
        budget: Some(Box::new(Budget {
            automation: AutomationId::from_uuid(id.uuid()),
            run: RunId::from_uuid(id.uuid()),
            run_created_at: "2026-11-19T08:00:00Z".parse()?,
            per_day: Cap::default(),
            per_run: Cap::default(),
        })),
    });
    Ok(asked.await.map(drop)?)
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
