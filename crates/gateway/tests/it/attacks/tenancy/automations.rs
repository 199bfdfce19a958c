//! The automations of the two organizations: an automation with a webhook trigger, a run of it that waits, and a
//! request for every route.

use axum::http::Method;
use model::{OrgId, RunId};
use serde_json::{Value, json};
use testkit::TestApp;

use crate::attacks::tenancy::setup::{Ids, Operation, text};

/// A definition whose step waits for a person.
fn definition(name: &str) -> Value {
    json!({
        "schema_version": "1.0", "name": name,
        "triggers": [{ "type": "webhook", "config": {} }],
        "plan": [{ "step_id": "make", "action": "linear.create_issue",
                   "config": { "team_id": "11111111-1111-4111-8111-111111111111", "title": "Wait" } }],
        "execution": { "concurrency": "allow_parallel" },
    })
}

/// A body that makes an operation succeed.
pub(crate) fn body(operation: &Operation, fresh: &str) -> anyhow::Result<Option<Value>> {
    Ok(match (operation.method.as_str(), operation.path.as_str()) {
        ("POST", "/v1/automations" | "/v1/automations/validate") => {
            Some(json!({ "definition": definition(fresh) }))
        }
        ("POST", "/v1/automations/propose") => Some(json!({ "words": fresh })),
        ("PATCH", "/v1/automations/{automation}") => Some(json!({ "status": "active" })),
        ("POST", "/v1/automations/{automation}/runs" | "/v1/runs/{run}/rerun" | "/v1/hooks/{trigger}") => {
            Some(json!({}))
        }
        ("POST", "/v1/runs/{run}/cancel" | "/v1/triggers/{trigger}/rotate") => None,
        (method, path) => anyhow::bail!("no fixture for `{method} {path}`: add a body that makes it succeed"),
    })
}

/// What is recorded when a model performs the step.
const AGENT_ROWS: [&str; 3] = [
    "INSERT INTO agent_steps (org_id, run_id, ordinal, attempt, beginning) VALUES
        ($1, $2, 0, 1, jsonb_build_object('prompt', 'sha256:' || repeat('0', 64), 'tools', '[]'::jsonb))",
    "INSERT INTO agent_turns (org_id, run_id, ordinal, attempt, turn, ask, prompt, max_output_tokens, input_tokens,
        output_tokens, started_at) VALUES ($1, $2, 0, 1, 1, 1, decode(repeat('00', 32), 'hex'), 100, 0, 0, now())",
    "INSERT INTO agent_calls (org_id, run_id, ordinal, attempt, turn, call, provider_id, name, status, started_at)
        VALUES ($1, $2, 0, 1, 1, 0, 'id', 'name', 'wanted', now())",
];

/// Creates an automation with a waiting run in an organization; returns the ids of automation, trigger and run.
pub(crate) async fn furnish(
    app: &TestApp,
    (org, owner): (OrgId, &str),
) -> anyhow::Result<(String, String, String)> {
    let body = json!({ "definition": definition("Saved work") });
    let saved = app.send(Method::POST, "/v1/automations", owner, Some(body)).await?;
    anyhow::ensure!(saved.status.is_success(), "{}", saved.text);
    let automation = text(&saved.body["id"])?;
    let trigger = text(&saved.body["triggers"][0]["id"])?;
    let run = start(app, (org, owner), &automation).await?;
    let mut tx = app.app.db.begin(org).await?;
    sqlx::query("INSERT INTO run_traces VALUES ($1, 1, $2, false, now() + interval '1 hour')")
        .bind(org.uuid())
        .bind(run.uuid())
        .execute(&mut *tx)
        .await?;
    for row in AGENT_ROWS {
        sqlx::query(row).bind(org.uuid()).bind(run.uuid()).execute(&mut *tx).await?;
    }
    platform::db::commit(tx).await?;
    Ok((automation, trigger, run.to_string()))
}

/// Starts a run and advances it until it waits.
async fn start(app: &TestApp, (org, owner): (OrgId, &str), automation: &str) -> anyhow::Result<RunId> {
    let path = format!("/v1/automations/{automation}/runs");
    let started = app.send(Method::POST, &path, owner, Some(json!({}))).await?;
    anyhow::ensure!(started.status.is_success(), "{}", started.text);
    let run: RunId = text(&started.body["id"])?.parse()?;
    app.app.automations.advance(org, run).await?;
    Ok(run)
}

/// For an operation that succeeds only once on a run, creates a new run for each attempt.
pub(crate) async fn prepare(
    app: &TestApp,
    whose: (OrgId, &str),
    operation: &Operation,
    ids: &mut Ids,
) -> anyhow::Result<()> {
    let is_once = matches!(operation.path.as_str(), "/v1/runs/{run}/cancel" | "/v1/runs/{run}/rerun");
    if !is_once {
        return Ok(());
    }
    let run = start(app, whose, &ids.automation).await?;
    if operation.path.ends_with("rerun") {
        let path = format!("/v1/runs/{run}/cancel");
        let cancelled = app.send(Method::POST, &path, whose.1, None).await?;
        anyhow::ensure!(cancelled.status.is_success(), "{}", cancelled.text);
    }
    ids.run = run.to_string();
    Ok(())
}
