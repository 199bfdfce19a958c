//! Runs and their steps, as they are stored.

use jiff::Timestamp;
use model::{
    AutomationId, InvocationId, Lane, RunId, RunStatus, SessionId, StepStatus, TriggerId, TriggerType, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One execution of an automation.
#[derive(Debug, Clone)]
pub struct Run {
    pub id: RunId,
    pub automation: AutomationId,
    pub automation_name: String,
    /// The number of the run among the runs of its automation.
    pub number: i64,
    /// The version of the automation that it runs.
    pub version: i32,
    pub trigger: Option<TriggerId>,
    pub trigger_type: TriggerType,
    /// Identifies what started the run; unique in the automation.
    pub cause: String,
    pub started_by: Option<UserId>,
    /// The person behind what started it: who made the token of its webhook, or published its event.
    pub caused_by: Option<UserId>,
    pub status: RunStatus,
    pub lane: Lane,
    /// `None` for a run that was refused.
    pub session: Option<SessionId>,
    /// Redacted.
    pub inputs: Value,
    pub depth: u8,
    pub chain: Vec<String>,
    /// Hashes of the names in its payload.
    pub named: Vec<i64>,
    pub echo_of: Option<RunId>,
    pub rerun_of: Option<RunId>,
    /// The invocation that waits for a person.
    pub awaits: Option<InvocationId>,
    pub waiting_since: Option<Timestamp>,
    pub waited_ms: i64,
    pub cancel_requested_at: Option<Timestamp>,
    pub error: Option<RunError>,
    pub cost_usd: f64,
    pub revision: i32,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// When its inputs were erased, at the end of the retention.
    pub erased_at: Option<Timestamp>,
}

/// A run with only the fields that a small chart needs.
#[derive(Debug, Clone, Copy)]
pub struct Recent {
    pub automation: AutomationId,
    pub run: RunId,
    pub status: RunStatus,
    pub created_at: Timestamp,
    /// From start to end.
    pub took_ms: Option<i64>,
}

/// How the runs of a period ended.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RunTally {
    pub succeeded: i64,
    /// Failed or timed out.
    pub failed: i64,
    /// The cost of models in these runs.
    pub cost_usd: f64,
}

/// Why a run or a step did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// For programs.
    pub class: String,
    /// For people, redacted.
    pub message: String,
    /// The step that failed, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
}

impl RunError {
    /// An error of the whole run.
    pub(crate) fn new(class: &str, message: impl Into<String>) -> Self {
        Self { class: class.to_owned(), message: message.into(), step_id: None }
    }

    /// The error of a run that a person cancelled.
    pub(crate) fn cancelled() -> Self {
        Self::new("cancelled", "cancelled by a person")
    }
}

/// One attempt of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStep {
    /// Its place in the plan; steps that follow a failure start at [`AFTER_FAILURE`](crate::plan::AFTER_FAILURE).
    pub ordinal: i16,
    pub attempt: i16,
    pub step_id: String,
    pub action: String,
    pub status: StepStatus,
    pub invocation: Option<InvocationId>,
    pub error: Option<RunError>,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

impl RunStep {
    /// Ends the attempt as failed.
    pub(crate) fn fail(&mut self, why: &RunError, now: Timestamp) {
        (self.status, self.error, self.finished_at) = (StepStatus::Failed, Some(why.clone()), Some(now));
    }
}
