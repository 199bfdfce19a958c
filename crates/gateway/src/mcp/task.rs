//! A call that takes its time, as a task. The task is the invocation: its id, its state, its row in PostgreSQL.

use jiff::Timestamp;
use model::{InvocationId, Status};
use pipeline::Invocation;
use rmcp::{
    ErrorData,
    model::{CreateTaskResult, DetailedTask, GetTaskResult, Task, TaskPayload, TaskStatus},
};
use serde_json::{Value, json};

use super::{
    call,
    visit::{Visit, failed},
};

/// People are slow, and each question costs a query.
const POLL_INTERVAL_MS: u64 = 2_000;
/// How long after its last moment the end of a task can still be asked for, at the least.
const KEPT_MS: u64 = 24 * 60 * 60 * 1_000;

/// What a call that takes its time is answered with.
pub(crate) fn created(found: &Invocation) -> CreateTaskResult {
    CreateTaskResult::new(of(found))
}

/// How it stands, and what came of it once it is over.
pub(crate) async fn get(visit: &Visit, id: &str) -> Result<GetTaskResult, ErrorData> {
    let found = find(visit, id).await?;
    let payload = if found.status.is_terminal() {
        // Also a refusal completes the call: it has a result that says so.
        let result = serde_json::to_value(call::result(&found)).ok();
        let Some(Value::Object(result)) = result else {
            return Err(ErrorData::internal_error("the result cannot be written", None));
        };
        TaskPayload::Completed { result }
    } else {
        TaskPayload::Working
    };
    Ok(GetTaskResult::new(DetailedTask::new(of(&found), payload)))
}

/// Nothing is ever asked of the client that called.
pub(crate) async fn update(visit: &Visit, id: &str) -> Result<(), ErrorData> {
    find(visit, id).await?;
    let message = "this task asks nothing of its client; a person answers it, with a credential of their own";
    Err(ErrorData::invalid_params(message, None))
}

/// What was asked for cannot be taken back, and an acknowledgement would say that it was.
pub(crate) async fn cancel(visit: &Visit, id: &str) -> Result<(), ErrorData> {
    let found = find(visit, id).await?;
    let status = found.status.as_str();
    let message = if found.status.is_terminal() {
        format!("it is over: {status}")
    } else {
        format!("it cannot be withdrawn and goes on as it was: {}; a person can deny it", state(&found))
    };
    Err(ErrorData::invalid_request(message, Some(json!({ "status": status, "invocation": found.id }))))
}

/// The session's own invocation. Of another session, and of nobody, is the same answer.
async fn find(visit: &Visit, id: &str) -> Result<Invocation, ErrorData> {
    let unknown = || ErrorData::invalid_params("no such task", None);
    let id: InvocationId = id.parse().map_err(|_| unknown())?;
    match visit.app.pipeline.find(visit.org, visit.session, id).await {
        Ok(found) => Ok(found),
        Err(pipeline::Error::NotFound(_)) => Err(unknown()),
        Err(error) => Err(failed(error)),
    }
}

fn of(found: &Invocation) -> Task {
    let changed = found.finished_at.unwrap_or(found.requested_at);
    let mut task = Task::new(
        found.id.to_string(),
        TaskStatus::Working,
        found.requested_at.to_string(),
        changed.to_string(),
    )
    .with_status_message(state(found))
    .with_poll_interval_ms(POLL_INTERVAL_MS);
    task.ttl_ms = found.expires_at.map(|expires| millis(found.requested_at, expires) + KEPT_MS);
    task
}

fn millis(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.as_millisecond() - from.as_millisecond()).unwrap_or_default()
}

/// What is waited for, in words.
pub(crate) fn state(found: &Invocation) -> String {
    let action = &found.address;
    match (found.status, found.expires_at) {
        (Status::Pending, Some(expires)) => {
            format!("{action} waits for a person to agree, until {}", expires.strftime("%Y-%m-%dT%H:%M:%SZ"))
        }
        (Status::Pending, None) => format!("{action} waits for a person to agree"),
        (Status::Approved, _) => format!("a person agreed to {action}; it is about to be done"),
        (Status::Executing, _) => format!("{action} is being done"),
        (status, _) => format!("{action} is {}", status.as_str()),
    }
}
