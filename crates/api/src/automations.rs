//! Automations: saved work, what starts it, and its runs.

use jiff::Timestamp;
use model::{
    AutomationId, AutomationStatus, InvocationId, Lane, RunId, RunStatus, SessionId, SpaceId, StepStatus,
    TriggerId, TriggerType, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::Plain;

/// An automation to save.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutomationRequest {
    /// The program, as `GET /v1/schemas/automation/1.0` describes it.
    #[schema(value_type = Object)]
    pub definition: Value,
    /// Where it works; the org's first space when not given. It stays there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
}

/// What to change about an automation; what is absent stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutomationPatch {
    /// The next version of the program. One that says what the current one says is not a new version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub definition: Option<Value>,
    /// The version this was made from; refused when another was saved meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_version: Option<i32>,
    /// `active`, `paused` or `archived`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "paused")]
    pub status: Option<AutomationStatus>,
}

/// A definition to look at.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateRequest {
    #[schema(value_type = Object)]
    pub definition: Value,
    /// Where it would work; the automation's space, or the org's first one, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
    /// The automation it would be the next version of: rules may be for one alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub automation: Option<AutomationId>,
}

/// What a look at a definition found.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ValidationView {
    /// Whether it could be saved.
    pub valid: bool,
    /// Everything that is wrong with it.
    pub problems: Vec<DefinitionProblem>,
    /// What policy would say to each step whose action is known, today.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepOutlook>,
}

/// One thing that is wrong with a definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionProblem {
    /// Where, as a JSON pointer.
    #[schema(example = "/plan/0/action")]
    pub pointer: String,
    pub message: String,
    /// What to write instead, where that can be guessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// What policy would say to a step.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StepOutlook {
    pub step_id: String,
    pub action: String,
    /// `allow`, `require_approval` or `deny`.
    pub mode: String,
    pub reason: String,
}

/// An automation in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AutomationView {
    #[schema(value_type = String, example = "aut_0199…")]
    pub id: AutomationId,
    pub name: String,
    pub goal: String,
    #[schema(value_type = String, example = "active")]
    pub status: AutomationStatus,
    #[schema(value_type = String)]
    pub space: SpaceId,
    /// The version that runs.
    pub version: i32,
    /// How many runs there have been.
    pub runs: i64,
    pub triggers: Vec<TriggerView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run: Option<RunView>,
    /// The last runs, at most 20, the oldest first.
    pub recent: Vec<RecentRun>,
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A run, as small as it can be drawn.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RecentRun {
    #[schema(value_type = String, example = "run_0199…")]
    pub run: RunId,
    #[schema(value_type = String, example = "succeeded")]
    pub status: RunStatus,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// From its start to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<i64>,
}

/// An automation with its program.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AutomationDetail {
    #[serde(flatten)]
    pub automation: AutomationView,
    #[schema(value_type = Object)]
    pub definition: Value,
    /// The tokens of webhook triggers that were made now, each shown this once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_tokens: Vec<NewHookTokenView>,
}

/// One version of an automation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct VersionView {
    pub version: i32,
    #[schema(value_type = String)]
    pub saved_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub saved_at: Timestamp,
    #[schema(value_type = Object)]
    pub definition: Value,
    /// What it changed in the version before it: JSON Patch (RFC 6902).
    #[schema(value_type = Vec<Object>)]
    pub changes: Vec<Value>,
}

/// What starts an automation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TriggerView {
    #[schema(value_type = String, example = "trg_0199…")]
    pub id: TriggerId,
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "schedule")]
    pub trigger_type: TriggerType,
    #[schema(value_type = Object)]
    pub config: Value,
    pub enabled: bool,
    /// Of a webhook: where to send requests, and whether somebody has a token for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "/v1/hooks/trg_0199…")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_token: Option<bool>,
    /// Of a schedule: when it comes next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_fired_at: Option<Timestamp>,
}

/// The token of a webhook trigger, shown this once; with it, where requests must be signed, the secret to sign them with.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct NewHookTokenView {
    #[schema(value_type = String)]
    pub trigger: TriggerId,
    /// Where to send requests.
    pub path: String,
    #[schema(value_type = String)]
    pub token: Plain,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub signing_secret: Option<Plain>,
}

impl std::fmt::Debug for NewHookTokenView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewHookTokenView").field("trigger", &self.trigger).finish_non_exhaustive()
    }
}

/// A run to start now.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    #[serde(default)]
    #[schema(value_type = Object)]
    pub inputs: Map<String, Value>,
}

/// Which runs.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RunsQuery {
    /// Of this automation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub automation: Option<AutomationId>,
    /// With this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub status: Option<RunStatus>,
    /// `next_cursor` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// At most this many, 1 to 100; 50 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Waiting for a run to change.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct WatchQuery {
    /// Seconds, as `30s`, or milliseconds, as `500ms`; at most a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
    /// The `revision` that is known: the answer comes when there is a newer one, or when it is over. Without it, when it
    /// is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<i32>,
}

/// A run.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RunView {
    #[schema(value_type = String, example = "run_0199…")]
    pub id: RunId,
    #[schema(value_type = String)]
    pub automation: AutomationId,
    pub automation_name: String,
    /// Which run of its automation it is.
    pub number: i64,
    /// Which version it runs.
    pub version: i32,
    #[schema(value_type = String, example = "running")]
    pub status: RunStatus,
    #[schema(value_type = String, example = "schedule")]
    pub trigger_type: TriggerType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub trigger: Option<TriggerId>,
    /// What started it.
    pub cause: String,
    #[schema(value_type = String, example = "fast")]
    pub lane: Lane,
    /// How many events one after the other led to it.
    pub depth: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    /// Which run's finished steps it took over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub rerun_of: Option<RunId>,
    /// The invocation that waits for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub awaits: Option<InvocationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunError>,
    /// What models cost in it.
    pub cost_usd: f64,
    /// Rises with every change.
    pub revision: i32,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
}

/// A run with its steps.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RunDetail {
    #[serde(flatten)]
    pub run: RunView,
    /// What it was given, redacted.
    #[schema(value_type = Object)]
    pub inputs: Value,
    /// Every try of every step, in order.
    pub steps: Vec<RunStepView>,
    /// The steps of the plan in order, whether they came to it or not.
    pub plan: Vec<PlannedStep>,
}

/// A step as the plan has it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PlannedStep {
    pub step_id: String,
    pub action: String,
    /// Whether it is done only when the run failed.
    pub on_failure: bool,
}

/// One try of a step.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RunStepView {
    pub step_id: String,
    pub action: String,
    pub attempt: i16,
    #[schema(value_type = String, example = "succeeded")]
    pub status: StepStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub invocation: Option<InvocationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunError>,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
}

/// Why a run or a step did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunError {
    /// For programs: `invalid_inputs`, `denied`, `timeout`, `loop` …
    pub class: String,
    pub message: String,
    /// Where in the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
}

/// How to run something again.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RerunRequest {
    /// From the first step; without it, from the step that failed, with what the steps before it gave.
    #[serde(default)]
    pub from_start: bool,
}
