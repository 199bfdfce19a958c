//! A run and its steps, as they are kept.

use jiff::Timestamp;
use model::{
    AutomationId, InvocationId, Lane, RunId, RunStatus, SessionId, StepStatus, TriggerId, TriggerType, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Saved work being done, once.
#[derive(Debug, Clone)]
pub struct Run {
    pub id: RunId,
    pub automation: AutomationId,
    pub automation_name: String,
    /// Which run of its automation it is.
    pub number: i64,
    /// Which version it runs.
    pub version: i32,
    pub trigger: Option<TriggerId>,
    pub trigger_type: TriggerType,
    /// What started it.
    pub cause: String,
    pub started_by: Option<UserId>,
    pub status: RunStatus,
    pub lane: Lane,
    /// None for what was refused.
    pub session: Option<SessionId>,
    /// Redacted.
    pub inputs: Value,
    pub depth: u8,
    pub chain: Vec<String>,
    /// Hashes of what its payload named.
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
}

/// A run, as small as it can be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Recent {
    pub automation: AutomationId,
    pub run: RunId,
    pub status: RunStatus,
    pub created_at: Timestamp,
    /// From its start to its end.
    pub took_ms: Option<i64>,
}

/// How runs ended.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RunTally {
    pub succeeded: i64,
    /// Failed or timed out.
    pub failed: i64,
    /// What models cost in them.
    pub cost_usd: f64,
}

/// Why a run or a step did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// For programs.
    pub class: String,
    /// For people, redacted.
    pub message: String,
    /// Where in the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
}

impl RunError {
    /// Of the whole.
    pub(crate) fn new(class: &str, message: impl Into<String>) -> Self {
        Self { class: class.to_owned(), message: message.into(), step_id: None }
    }

    /// Of what a person wanted to end.
    pub(crate) fn cancelled() -> Self {
        Self::new("cancelled", "cancelled by a person")
    }
}

/// One try of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStep {
    /// Its place in the plan; those that follow a failure come after [`AFTER_FAILURE`](crate::plan::AFTER_FAILURE).
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
    /// Ends it, for it did not succeed.
    pub(crate) fn fail(&mut self, why: &RunError, now: Timestamp) {
        (self.status, self.error, self.finished_at) = (StepStatus::Failed, Some(why.clone()), Some(now));
    }
}
