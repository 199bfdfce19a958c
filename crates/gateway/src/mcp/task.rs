//! Unfinished calls as MCP tasks. A task is an invocation: same ID, same state, same row in PostgreSQL.

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

/// Approvals take time, and each poll costs a query.
const POLL_INTERVAL_MS: u64 = 2_000;
/// How long the result of a task can be read after its expiry, at least.
const KEPT_MS: u64 = 24 * 60 * 60 * 1_000;

/// The response to a call that needs approval.
pub(crate) fn created(found: &Invocation) -> CreateTaskResult {
    CreateTaskResult::new(of(found))
}

/// Returns the state of a task, and its result if it has finished.
pub(crate) async fn get(visit: &Visit, id: &str) -> Result<GetTaskResult, ErrorData> {
    let found = find(visit, id).await?;
    let payload = if found.status.is_terminal() {
        // A denial completes the call too: its result says so.
        let result = serde_json::to_value(call::result(&found)).ok();
        let Some(Value::Object(result)) = result else {
            return Err(ErrorData::internal_error("the result cannot be serialized", None));
        };
        TaskPayload::Completed { result }
    } else {
        TaskPayload::Working
    };
    Ok(GetTaskResult::new(DetailedTask::new(of(&found), payload)))
}

/// Refused: a task never needs input from the client.
pub(crate) async fn update(visit: &Visit, id: &str) -> Result<(), ErrorData> {
    find(visit, id).await?;
    let message = "this task needs no input from the client; a person answers it with their own credential";
    Err(ErrorData::invalid_params(message, None))
}

/// Refused: an invocation cannot be cancelled, and an acknowledgement would claim that it was.
pub(crate) async fn cancel(visit: &Visit, id: &str) -> Result<(), ErrorData> {
    let found = find(visit, id).await?;
    let status = found.status.as_str();
    let message = if found.status.is_terminal() {
        format!("the call has already finished: {status}")
    } else {
        format!("the call cannot be cancelled and continues: {}; a person can deny it", state(&found))
    };
    Err(ErrorData::invalid_request(message, Some(json!({ "status": status, "invocation": found.id }))))
}

/// An invocation of this session. One of another session is answered like one that does not exist.
async fn find(visit: &Visit, id: &str) -> Result<Invocation, ErrorData> {
    let unknown = || ErrorData::invalid_params("unknown task", None);
    let id: InvocationId = id.parse().map_err(|_| unknown())?;
    match visit.app.pipeline.reader().find(visit.org, visit.session, id).await {
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

/// The state of an invocation as a sentence.
pub(crate) fn state(found: &Invocation) -> String {
    let action = &found.address;
    match (found.status, found.expires_at) {
        (Status::Pending, Some(expires)) => {
            format!("{action} is waiting for approval until {}", expires.strftime("%Y-%m-%dT%H:%M:%SZ"))
        }
        (Status::Pending, None) => format!("{action} is waiting for approval"),
        (Status::Approved, _) => format!("{action} was approved and is about to be executed"),
        (Status::Executing, _) => format!("{action} is in progress"),
        (status, _) => format!("{action} is {}", status.as_str()),
    }
}
