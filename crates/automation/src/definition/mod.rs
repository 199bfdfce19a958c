//! The definition of an automation.

mod agent;
mod check;
mod names;
mod schema;

use model::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::schedule::Missed;

pub use agent::AgentTask;
pub(crate) use agent::is_for;
pub use check::{Known, Problem, check};
pub use schema::schema;

/// The word for a step that a model performs.
const AGENT_TASK: &str = "agent_task";

/// An automation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Version of this format: `1.0`.
    #[schemars(regex(pattern = r"^1\.0$"))]
    pub schema_version: String,
    /// Name of the automation, unique in the organization.
    #[schemars(length(min = 1, max = 120))]
    pub name: String,
    /// What the automation is for.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    pub goal: String,
    /// The inputs of a run.
    #[serde(default)]
    pub inputs: Inputs,
    /// What starts a run. A person can always start one.
    #[serde(default)]
    #[schemars(length(max = 20))]
    pub triggers: Vec<Trigger>,
    /// The steps, executed in order.
    #[schemars(length(min = 1, max = 50))]
    pub plan: Vec<Step>,
    /// Timeouts, retries and concurrency.
    #[serde(default)]
    pub execution: Execution,
    #[serde(default)]
    pub metadata: Metadata,
}

/// The inputs of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// JSON Schema of an object. The default of a property may be `$last_fired_at`, `$creator` or `$space_default`.
    pub schema: Map<String, Value>,
}

impl Default for Inputs {
    fn default() -> Self {
        let nothing = [("type", Value::from("object")), ("additionalProperties", Value::from(false))];
        Self { schema: nothing.map(|(name, value)| (name.to_owned(), value)).into_iter().collect() }
    }
}

/// What starts a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "config", rename_all = "snake_case", deny_unknown_fields)]
pub enum Trigger {
    /// A schedule.
    Schedule {
        /// Cron expression with five fields: minute, hour, day of the month, month, day of the week.
        #[schemars(length(max = 200))]
        cron: String,
        /// IANA time zone, for example `Africa/Kigali`.
        #[schemars(length(max = 64))]
        timezone: String,
        /// What to do after an outage about the times that were missed.
        #[serde(default)]
        missed: Missed,
    },
    /// An HTTP request from outside.
    Webhook {
        /// For each input, the JSONPath of its value in the request body.
        #[serde(default)]
        input_mapping: Map<String, Value>,
        /// Whether a signature (Standard Webhooks) is required in addition to the token.
        #[serde(default)]
        signed: bool,
    },
    /// An event.
    Event {
        /// Type of the event, for example `drive.file_added`.
        #[schemars(length(max = 200))]
        event_type: String,
        /// Filter for the events (`filter.schema.json`).
        #[serde(default)]
        filter: Option<Map<String, Value>>,
        /// For each input, the JSONPath of its value in the event.
        #[serde(default)]
        input_mapping: Map<String, Value>,
    },
}

/// A step. Each attempt is an invocation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    #[schemars(regex(pattern = "^[a-z][a-z0-9_]{0,62}$"))]
    pub step_id: String,
    /// Address of the action: `source.action`; or `agent_task` for a step that a model performs.
    #[serde(rename = "action")]
    #[schemars(with = "String", length(min = 3, max = 130))]
    pub kind: StepKind,
    /// Condition as a single expression: `{{ … }}`. If it is not true, the step is skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Name of the result for later steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[a-z][a-z0-9_]{0,62}$"))]
    pub output_as: Option<String>,
    /// Parameters of the action. Every text may be a template. For `agent_task`: `AgentTask`.
    #[serde(default)]
    pub config: Map<String, Value>,
    /// JSON Schema of the result. If the result does not match, the step fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
    /// Timeout and retries of this step, instead of those of the automation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<StepBounds>,
}

impl Definition {
    /// Every step: of the plan, and after a failure.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.plan.iter().chain(&self.execution.on_failure)
    }
}

impl Step {
    /// The hash of what the step does: its action and its parameters, before any template is filled. A permission for a
    /// step is for this.
    pub fn hash(&self) -> Digest {
        // A definition is plain JSON that was parsed strictly, so it has a canonical form.
        Digest::of_canonical(&(self.kind.as_str(), &self.config)).unwrap_or_else(|_| Digest::of_bytes(b""))
    }
}

/// The kind of a step. A definition writes it as text, under `action`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum StepKind {
    /// An invocation of the action at this address.
    Action(String),
    /// A step that a model performs, with the actions that it names.
    AgentTask,
}

impl StepKind {
    /// The text in a definition.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Action(address) => address,
            Self::AgentTask => AGENT_TASK,
        }
    }
}

impl From<String> for StepKind {
    fn from(text: String) -> Self {
        if text == AGENT_TASK { Self::AgentTask } else { Self::Action(text) }
    }
}

impl From<StepKind> for String {
    fn from(kind: StepKind) -> Self {
        kind.as_str().to_owned()
    }
}

/// Timeout and retries of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepBounds {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 3600))]
    pub timeout_seconds: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 10))]
    pub max_retries: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_backoff: Option<Backoff>,
}

/// Timeouts, retries and concurrency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Execution {
    /// Maximum duration of a run in seconds, without the time it waits for people.
    #[schemars(range(min = 1, max = 86400))]
    pub timeout_seconds: u32,
    #[schemars(range(max = 10))]
    pub max_retries: u8,
    pub retry_backoff: Backoff,
    pub concurrency: Concurrency,
    /// The most that models may cost in a run.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub budget_cap_usd: Option<f64>,
    /// The most that models may cost in all runs of a day, in UTC.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub daily_budget_usd: Option<f64>,
    /// Steps that are executed once if a run has failed.
    #[schemars(length(max = 5))]
    pub on_failure: Vec<Step>,
}

impl Default for Execution {
    fn default() -> Self {
        Self {
            timeout_seconds: 600,
            max_retries: 0,
            retry_backoff: Backoff::default(),
            concurrency: Concurrency::default(),
            budget_cap_usd: None,
            daily_budget_usd: None,
            on_failure: vec![],
        }
    }
}

/// How the waiting time between attempts grows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Backoff {
    None,
    Linear,
    #[default]
    Exponential,
}

/// What happens if a run is to start while another one is in progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Concurrency {
    /// The new run is dropped.
    #[default]
    DropIfRunning,
    /// The new run waits until the earlier ones have ended.
    Queue,
    /// The new run starts immediately.
    AllowParallel,
}

/// Additional information for people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 60)))]
    pub tags: Vec<String>,
}

#[cfg(test)]
mod tests;
