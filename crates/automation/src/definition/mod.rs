//! The definition: the program, as data.

mod check;
mod names;
mod schema;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::schedule::Missed;

pub use check::{Known, Problem, check};
pub use schema::schema;

/// The action of a step that a model does in a loop of its own.
pub(crate) const AGENT_TASK: &str = "agent_task";

/// Saved work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// `1.0`.
    #[schemars(regex(pattern = r"^1\.0$"))]
    pub schema_version: String,
    /// What people call it.
    #[schemars(length(min = 1, max = 120))]
    pub name: String,
    /// What it is for, in a person's words.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    pub goal: String,
    /// What a run is given.
    #[serde(default)]
    pub inputs: Inputs,
    /// What starts it, besides a person.
    #[serde(default)]
    #[schemars(length(max = 20))]
    pub triggers: Vec<Trigger>,
    /// What is done, one after the other.
    #[schemars(length(min = 1, max = 50))]
    pub plan: Vec<Step>,
    /// Within which bounds.
    #[serde(default)]
    pub execution: Execution,
    #[serde(default)]
    pub metadata: Metadata,
}

/// What a run is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// A JSON Schema of an object. A property's default may be `$last_fired_at`, `$creator` or `$space_default`.
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
    /// The clock.
    Schedule {
        /// Five fields: minute, hour, day of the month, month, day of the week.
        #[schemars(length(max = 200))]
        cron: String,
        /// An IANA zone, such as `Africa/Kigali`.
        #[schemars(length(max = 64))]
        timezone: String,
        /// What to do about fires that nobody was there for.
        #[serde(default)]
        missed: Missed,
    },
    /// A request from outside.
    Webhook {
        /// Input by input, where in the body its value is (JSONPath).
        #[serde(default)]
        input_mapping: Map<String, Value>,
        /// Whether a Standard Webhooks signature is demanded besides the token.
        #[serde(default)]
        signed: bool,
    },
    /// An event.
    Event {
        /// Its type.
        #[schemars(length(max = 200))]
        event_type: String,
        /// Which of them (`filter.schema.json`).
        #[serde(default)]
        filter: Option<Map<String, Value>>,
        /// Input by input, where in the event its value is (JSONPath).
        #[serde(default)]
        input_mapping: Map<String, Value>,
    },
}

/// One thing that is done: an invocation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    #[schemars(regex(pattern = "^[a-z][a-z0-9_]{0,62}$"))]
    pub step_id: String,
    /// `source.action`, or `agent_task`.
    #[schemars(length(min = 3, max = 130))]
    pub action: String,
    /// One expression, `{{ … }}`; the step is skipped where it is not true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// What later steps call its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[a-z][a-z0-9_]{0,62}$"))]
    pub output_as: Option<String>,
    /// The parameters; every text may be a template.
    #[serde(default)]
    pub config: Map<String, Value>,
    /// What its result must be like; the step fails where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
    /// Other bounds than the automation's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<StepBounds>,
}

/// Bounds of one step.
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

/// Within which bounds it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Execution {
    /// For a whole run, without the time it waits for people.
    #[schemars(range(min = 1, max = 86400))]
    pub timeout_seconds: u32,
    #[schemars(range(max = 10))]
    pub max_retries: u8,
    pub retry_backoff: Backoff,
    pub concurrency: Concurrency,
    /// What models may cost in one run; without it they may cost nothing.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub budget_cap_usd: Option<f64>,
    /// What is done, once, when a run failed.
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
            on_failure: vec![],
        }
    }
}

/// How long between one try and the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Backoff {
    None,
    Linear,
    #[default]
    Exponential,
}

/// What happens when it is to start while it runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Concurrency {
    /// It does not start.
    #[default]
    DropIfRunning,
    /// It starts after the others, in the order of arrival.
    Queue,
    /// It starts.
    AllowParallel,
}

/// What people keep with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 60)))]
    pub tags: Vec<String>,
}

#[cfg(test)]
mod tests;
