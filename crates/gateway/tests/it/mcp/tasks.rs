//! Pending invocations as a client of the Model Context Protocol sees them: as a task, or with a tool that waits.

use std::time::Duration;

use catalog::{Registry, SourceUrls};
use gateway::App;
use rmcp::model::{
    CallToolResponse, CallToolResult, CancelTaskParams, ClientCapabilities, CreateTaskResult, GetTaskParams,
    GetTaskResult, TaskPayload, TaskStatus, UpdateTaskParams,
};
use rmcp::service::ClientLifecycleMode;
use serde_json::{Value, json};
use testkit::{TestApp, fakes::FakeLinear};

use crate::{
    approvals::answers::{Waiting, answer, approve, opened, perform},
    invocations::invoke::{issue, with_linear},
    mcp::calls::{
        Client, call, connect, discover, listen, new, old, params, protocol_error, said, with_tasks,
    },
};

/// A second gateway over the same database.
async fn beside(app: &TestApp, linear: &FakeLinear) -> anyhow::Result<App> {
    let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
    app.another_gateway(Registry::builtin(&urls)?).await
}

async fn shown(app: &TestApp, id: &str) -> anyhow::Result<Waiting> {
    opened(app, &id.into()).await
}

async fn ask_for_task(client: &Client, title: &str) -> anyhow::Result<CreateTaskResult> {
    match client.peer().call_tool_once(params("linear__create_issue", issue(title))).await? {
        CallToolResponse::Task(task) => Ok(task),
        other => anyhow::bail!("expected a task, got {other:?}"),
    }
}

async fn get(client: &Client, id: &str) -> anyhow::Result<GetTaskResult> {
    Ok(client.peer().get_task(GetTaskParams::new(id)).await?)
}

fn completed(task: &GetTaskResult) -> anyhow::Result<(bool, Value)> {
    let TaskPayload::Completed { result } = &task.task.payload else {
        anyhow::bail!("not completed: {task:?}");
    };
    let result: CallToolResult = serde_json::from_value(Value::Object(result.clone()))?;
    Ok(said(&result))
}

#[tokio::test]
async fn a_call_that_waits_is_a_task_that_any_gateway_answers() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let other = beside(&app, &linear).await?;
    let agent = app.agent().await?;
    let client = with_tasks(&listen(&app.app).await?, &agent).await?;
    let elsewhere = with_tasks(&listen(&other).await?, &agent).await?;
    let made = ask_for_task(&client, "Please").await?.task;
    assert!(made.task_id.starts_with("inv_") && made.status == TaskStatus::Working);
    assert_eq!(made.ttl_ms, Some((5 * 60 + 24 * 60 * 60) * 1_000));
    let working = get(&elsewhere, &made.task_id).await?.task;
    assert!(
        working.task.status_message.as_deref().unwrap_or_default().contains("is waiting for approval until")
    );
    let waiting = shown(&app, &made.task_id).await?;
    approve(&app, &waiting).await?;
    let approved = get(&elsewhere, &made.task_id).await?.task;
    assert_eq!(approved.status(), TaskStatus::Working);
    perform(&app, &waiting).await?;
    for client in [&elsewhere, &client] {
        let (failed, value) = completed(&get(client, &made.task_id).await?)?;
        assert!(!failed && value["title"] == "Please", "{value}");
    }
    assert_eq!(linear.effects().values().sum::<u64>(), 1);
    app.app.shutdown.begin();
    other.shutdown.begin();
    app.check_invariants().await
}

#[tokio::test]
async fn a_no_and_an_expiry_complete_the_task_with_a_result_that_says_so() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let client = with_tasks(&listen(&app.app).await?, &agent).await?;
    let (refused, forgotten) =
        (ask_for_task(&client, "No").await?.task, ask_for_task(&client, "Late").await?.task);
    let waiting = shown(&app, &refused.task_id).await?;
    answer(&app, &app.owner_token, ("deny", &waiting), json!({ "reason": "not on Fridays" })).await?;
    let (failed, value) = completed(&get(&client, &refused.task_id).await?)?;
    assert!(failed && value["code"] == "denied", "{value}");
    assert!(value["detail"].as_str().is_some_and(|detail| detail.contains("not on Fridays")));
    app.advance(Duration::from_secs(5 * 60));
    app.app.pipeline.approvals().sweep().await?;
    let (failed, value) = completed(&get(&client, &forgotten.task_id).await?)?;
    assert!(failed && value["code"] == "expired", "{value}");
    assert!(linear.effects().is_empty());
    app.app.shutdown.begin();
    app.check_invariants().await
}

#[tokio::test]
async fn a_task_asks_nothing_of_its_client_cannot_be_withdrawn_and_is_nobody_elses() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let (agent, other) = (app.agent().await?, app.agent().await?);
    let (_, stranger) = app.another_org().await?;
    let stranger = app.agent_of(&stranger).await?;
    let url = listen(&app.app).await?;
    let client = with_tasks(&url, &agent).await?;
    let id = ask_for_task(&client, "Mine").await?.task.task_id;
    let (code, message) = protocol_error(client.peer().cancel_task(CancelTaskParams::new(&*id)).await);
    assert!(code == -32600 && message.contains("cannot be cancelled"), "{code} {message}");
    let (code, message) =
        protocol_error(client.peer().update_task(UpdateTaskParams::new(&*id, Default::default())).await);
    assert!(code == -32602 && message.contains("a person answers it"), "{code} {message}");
    assert_eq!(get(&client, &id).await?.task.status(), TaskStatus::Working);
    // For every other session, of this organization or another, the task does not exist.
    let never = id.replace(['0', '1'], "2");
    for whose in [&other, &stranger] {
        let client = with_tasks(&url, whose).await?;
        let peer = client.peer();
        let nobodys = protocol_error(peer.get_task(GetTaskParams::new(&*never)).await);
        assert_eq!(nobodys, (-32602, "unknown task".to_owned()));
        assert_eq!(protocol_error(peer.get_task(GetTaskParams::new(&*id)).await), nobodys);
        assert_eq!(protocol_error(peer.get_task(GetTaskParams::new("inv_")).await), nobodys);
        assert_eq!(protocol_error(peer.cancel_task(CancelTaskParams::new(&*id)).await), nobodys);
        assert_eq!(
            protocol_error(peer.update_task(UpdateTaskParams::new(&*id, Default::default())).await),
            nobodys
        );
        let awaited =
            said(&call(&client, "countersign__await", json!({ "invocation": id, "wait_seconds": 0 })).await?);
        let nothing = said(
            &call(&client, "countersign__await", json!({ "invocation": never, "wait_seconds": 0 })).await?,
        );
        assert!(awaited.0 && awaited == nothing, "{awaited:?} {nothing:?}");
    }
    assert!(linear.effects().is_empty());
    app.app.shutdown.begin();
    Ok(())
}

#[tokio::test]
async fn a_client_that_could_ask_its_user_is_not_asked() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let url = listen(&app.app).await?;
    for (lifecycle, tasks) in
        [(ClientLifecycleMode::Initialize, false), (discover(), false), (discover(), true)]
    {
        let mut capabilities = ClientCapabilities::builder().enable_elicitation().build();
        if tasks {
            capabilities.extensions = ClientCapabilities::builder().enable_tasks().build().extensions;
        }
        let client = connect((&url, &agent.token), lifecycle, capabilities).await?;
        match client.peer().call_tool_once(params("linear__create_issue", issue("Ask"))).await? {
            CallToolResponse::Complete(result) if !tasks => assert_eq!(said(&result).1["status"], "pending"),
            CallToolResponse::Task(task) if tasks => {
                let found = get(&client, &task.task.task_id).await?;
                assert!(matches!(found.task.payload, TaskPayload::Working), "{found:?}");
            }
            other => anyhow::bail!("expected to wait, got {other:?}"),
        }
    }
    assert!(linear.effects().is_empty());
    app.app.shutdown.begin();
    Ok(())
}

#[tokio::test]
async fn a_client_without_tasks_gets_a_pending_result_and_waits_with_a_tool() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let other = beside(&app, &linear).await?;
    let agent = app.agent().await?;
    let (here, there) = (listen(&app.app).await?, listen(&other).await?);
    let clients = [
        (old(&here, &agent).await?, old(&there, &agent).await?),
        (new(&here, &agent).await?, new(&there, &agent).await?),
    ];
    for (client, elsewhere) in clients {
        let asked = call(&client, "linear__create_issue", issue("Please")).await?;
        let (failed, pending) = said(&asked);
        assert!(!failed && pending["status"] == "pending", "{pending}");
        assert!(pending["hint"].as_str().is_some_and(|hint| hint.contains("countersign__await")));
        assert!(pending["expires_at"].is_string());
        assert_eq!(asked.meta.expect("meta").0["countersign/status"], "pending");
        let id = pending["invocation"].as_str().unwrap_or_default().to_owned();
        let again = json!({ "invocation": id, "wait_seconds": 0 });
        let (failed, still) = said(&call(&elsewhere, "countersign__await", again).await?);
        assert!(!failed && still["status"] == "pending", "{still}");
        // The client waits at one gateway; the person answers at the other.
        let long = json!({ "invocation": id, "wait_seconds": 30 });
        let waiting = shown(&app, &id).await?;
        let (awaited, performed) = tokio::join!(call(&elsewhere, "countersign__await", long), async {
            approve(&app, &waiting).await?;
            perform(&app, &waiting).await
        });
        performed?;
        let (failed, done) = said(&awaited?);
        assert!(!failed && done["title"] == "Please", "{done}");
    }
    assert_eq!(linear.effects().values().sum::<u64>(), 2);
    for (wrong, pointer) in [
        (json!({ "invocation": "inv_x", "wait_seconds": 56 }), "/wait_seconds"),
        (json!({ "invocation": "inv_x", "wait_seconds": -1 }), "/wait_seconds"),
        (json!({ "invocation": 7 }), "/invocation"),
        (json!({ "invocation": "inv_x", "approve": true }), "/approve"),
    ] {
        let client = old(&here, &agent).await?;
        let (failed, value) = said(&call(&client, "countersign__await", wrong).await?);
        assert!(failed && value["errors"][0]["pointer"] == pointer, "{value}");
    }
    app.app.shutdown.begin();
    other.shutdown.begin();
    app.check_invariants().await
}
