//! Automations, their triggers and their runs.

mod propose;

use jiff::Timestamp;
use model::{
    AutomationId, AutomationStatus, InvocationId, Lane, RunId, RunStatus, SessionId, SpaceId, StepStatus,
    TriggerId, TriggerType, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

pub use propose::{ProposeRequest, ProposedAutomation};

use crate::Plain;

/// An automation to save.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutomationRequest {
    /// The definition. `GET /v1/schemas/automation/1.0` returns its JSON Schema.
    #[schema(value_type = Object)]
    pub definition: Value,
    /// ID of the space. By default, the first space of the organization. It cannot be changed later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
}

/// Changes to an automation. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutomationPatch {
    /// The new definition. It becomes a new version unless it equals the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub definition: Option<Value>,
    /// The version that the new definition is based on. The request is refused if another version was saved since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_version: Option<i32>,
    /// `active`, `paused` or `archived`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "paused")]
    pub status: Option<AutomationStatus>,
}

/// A definition to validate.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateRequest {
    /// The definition.
    #[schema(value_type = Object)]
    pub definition: Value,
    /// ID of the space. By default, the space of the automation, or else the first space of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
    /// ID of the automation whose next version this would be. Its rules apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub automation: Option<AutomationId>,
}

/// The result of validating a definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ValidationView {
    /// Whether the definition can be saved.
    pub valid: bool,
    /// All problems of the definition.
    pub problems: Vec<DefinitionProblem>,
    /// What policy would decide now about each step whose action is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepOutlook>,
    /// The next activations of each valid schedule trigger.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedules: Vec<ScheduleOutlook>,
    /// Things worth checking in a definition without problems. None of them prevents saving.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worth_checking: Vec<WorthChecking>,
}

/// One thing worth checking in a definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WorthChecking {
    /// `often`, `sends_out`, `value`, `free_text` or `cost`.
    pub kind: String,
    /// JSON pointer to its place.
    #[schema(example = "/plan/0/config/channel")]
    pub pointer: String,
    pub message: String,
}

/// The next activations of a schedule trigger.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ScheduleOutlook {
    /// Index of the trigger in `triggers`, starting at 0.
    pub trigger: usize,
    /// The schedule in plain English.
    #[schema(example = "Every weekday at 09:00 (Europe/Berlin)")]
    pub description: String,
    /// The next activations, at most five.
    #[schema(value_type = Vec<String>, example = json!(["2026-11-16T08:00:00Z"]))]
    pub next: Vec<Timestamp>,
}

/// A problem of a definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionProblem {
    /// JSON pointer to the problem.
    #[schema(example = "/plan/0/action")]
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead. Absent if there is no suggestion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// What policy would decide about a step.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StepOutlook {
    /// ID of the step in the definition.
    pub step_id: String,
    /// Address of the action: `source.action`.
    pub action: String,
    /// `allow`, `require_approval` or `deny`.
    pub mode: String,
    /// Reason for the mode, as a sentence.
    pub reason: String,
}

/// An automation, without its definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AutomationView {
    #[schema(value_type = String, example = "aut_0199…")]
    pub id: AutomationId,
    pub name: String,
    /// What the automation is for, as its definition states.
    pub goal: String,
    /// `active`, `paused` or `archived`.
    #[schema(value_type = String, example = "active")]
    pub status: AutomationStatus,
    /// ID of the space.
    #[schema(value_type = String)]
    pub space: SpaceId,
    /// Number of the current version.
    pub version: i32,
    /// Number of runs so far.
    pub runs: i64,
    pub triggers: Vec<TriggerView>,
    /// The most recent run. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run: Option<RunView>,
    /// The most recent runs, at most 20, oldest first.
    #[serde(default)]
    #[schema(required = true)]
    pub recent: Vec<RecentRun>,
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A run, with its most important fields.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RecentRun {
    /// ID of the run.
    #[schema(value_type = String, example = "run_0199…")]
    pub run: RunId,
    #[schema(value_type = String, example = "succeeded")]
    pub status: RunStatus,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// Duration in milliseconds. Absent until the run has finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<i64>,
}

/// An automation with its definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AutomationDetail {
    #[serde(flatten)]
    pub automation: AutomationView,
    /// The current definition.
    #[schema(value_type = Object)]
    pub definition: Value,
    /// Tokens of new webhook triggers, each shown only once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_tokens: Vec<NewHookTokenView>,
    /// After saving: permissions that no longer apply, because the step that they were given for was changed or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended_permissions: Vec<EndedPermission>,
}

/// A rule or a grant that was given for a step which the automation no longer has.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EndedPermission {
    /// ID of the rule or of the grant.
    #[schema(example = "rul_0199…")]
    pub id: String,
    /// Address of the action.
    pub action: String,
    /// Its condition in words. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub where_words: Option<String>,
}

/// A version of an automation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct VersionView {
    /// Number of the version, starting at 1.
    pub version: i32,
    /// ID of the person who saved the version.
    #[schema(value_type = String)]
    pub saved_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub saved_at: Timestamp,
    /// The definition in this version.
    #[schema(value_type = Object)]
    pub definition: Value,
    /// Changes from the previous version, as JSON Patch (RFC 6902).
    #[schema(value_type = Vec<Object>)]
    pub changes: Vec<Value>,
}

/// A trigger of an automation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TriggerView {
    #[schema(value_type = String, example = "trg_0199…")]
    pub id: TriggerId,
    /// `schedule`, `webhook` or `event`.
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "schedule")]
    pub trigger_type: TriggerType,
    /// The trigger as the definition states it.
    #[schema(value_type = Object)]
    pub config: Value,
    pub enabled: bool,
    /// For a webhook: path that receives requests. Absent for other triggers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "/v1/hooks/trg_0199…")]
    pub path: Option<String>,
    /// For a webhook: whether a token exists. Absent for other triggers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_token: Option<bool>,
    /// For a schedule: the next activation. Absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
    /// When the trigger was last activated. Absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_fired_at: Option<Timestamp>,
}

/// The token of a webhook trigger, shown only once. Contains the signing secret too, if requests must be signed.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct NewHookTokenView {
    /// ID of the trigger.
    #[schema(value_type = String)]
    pub trigger: TriggerId,
    /// Path that receives requests.
    pub path: String,
    /// Token with which the sender authenticates.
    #[schema(value_type = String)]
    pub token: Plain,
    /// Secret with which the sender signs requests. Absent if signatures are not required.
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
    /// The inputs of the run, as the definition declares them.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub inputs: Map<String, Value>,
}

/// Filters and pages the list of runs.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RunsQuery {
    /// Only runs of this automation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub automation: Option<AutomationId>,
    /// Only runs with this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub status: Option<RunStatus>,
    /// The `next_cursor` of the previous page. Absent for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of runs, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// How long to wait for a run to change.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct WatchQuery {
    /// Maximum waiting time, in seconds (`30s`) or milliseconds (`500ms`), at most `60s`. Without it the response is
    /// immediate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
    /// The `revision` that the caller knows. The response is sent when a newer one exists or the run has finished.
    /// Without it, only when the run has finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<i32>,
}

/// A run of an automation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RunView {
    #[schema(value_type = String, example = "run_0199…")]
    pub id: RunId,
    #[schema(value_type = String)]
    pub automation: AutomationId,
    pub automation_name: String,
    /// Number of the run within its automation, starting at 1.
    pub number: i64,
    /// Version of the automation that the run executes.
    pub version: i32,
    #[schema(value_type = String, example = "running")]
    pub status: RunStatus,
    /// `schedule`, `webhook`, `event` or `person`.
    #[schema(value_type = String, example = "schedule")]
    pub trigger_type: TriggerType,
    /// ID of the trigger. Absent if a person started the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub trigger: Option<TriggerId>,
    /// What started the run, as text.
    pub cause: String,
    /// The queue of the run: `fast`, `medium` or `long`.
    #[schema(value_type = String, example = "fast")]
    pub lane: Lane,
    /// Number of events in the chain that led to the run.
    pub depth: u8,
    /// Session in which the steps are executed. Absent if the run was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    /// ID of the run whose finished steps were reused. Absent if none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub rerun_of: Option<RunId>,
    /// ID of the invocation that waits for approval. Absent if none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub awaits: Option<InvocationId>,
    /// Why the run did not succeed. Absent if it succeeded or has not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunError>,
    /// What models cost in this run so far, in US dollars. Calls whose price nobody knows are not in it.
    pub cost_usd: f64,
    /// Increases with every change of the run.
    pub revision: i32,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// When its inputs were erased, at the end of the organization's retention.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub erased_at: Option<Timestamp>,
}

/// A run with its steps.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RunDetail {
    #[serde(flatten)]
    pub run: RunView,
    /// The inputs of the run, redacted.
    #[schema(value_type = Object)]
    pub inputs: Value,
    /// Every attempt of every step, in order.
    pub steps: Vec<RunStepView>,
    /// All steps of the plan in order, including those that were not reached.
    pub plan: Vec<PlannedStep>,
}

/// A step of the plan.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PlannedStep {
    /// ID of the step in the definition.
    pub step_id: String,
    /// Address of the action: `source.action`.
    pub action: String,
    /// Whether the step is executed only if the run has failed.
    pub on_failure: bool,
}

/// One attempt of a step.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RunStepView {
    /// ID of the step in the definition.
    pub step_id: String,
    /// Address of the action: `source.action`.
    pub action: String,
    /// Number of the attempt, starting at 1.
    pub attempt: i16,
    #[schema(value_type = String, example = "succeeded")]
    pub status: StepStatus,
    /// ID of the invocation. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub invocation: Option<InvocationId>,
    /// Why the attempt did not succeed. Absent if it succeeded or has not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunError>,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// The questions to the model, in order. Absent for a step that no model performs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<AgentTurnView>>,
}

/// One question to the model of a step. A turn is asked again if no reply came, or if it was cut off.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentTurnView {
    /// Number of the turn, starting at 1.
    pub turn: i16,
    /// Which time the turn is asked, starting at 1.
    pub ask: i16,
    /// ID of the model call. Absent until it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub invocation: Option<InvocationId>,
    /// Why the reply ended: `done`, `calls`, `length`, `context`, `refused` or `paused`. Absent without a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In US dollars. Absent if nobody knows the price, or while there is no reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Why the answer does not fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Why there is no reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunError>,
    /// When it is asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub retry_at: Option<Timestamp>,
    /// The calls that the reply wants, in their order.
    pub calls: Vec<AgentCallView>,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
}

/// One call that a reply wants.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentCallView {
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// Address of the action. Absent if there is no such tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// `wanted`, `waiting`, `succeeded` or `failed`.
    pub status: String,
    /// ID of its invocation. Absent if none was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub invocation: Option<InvocationId>,
    /// Why it failed. Absent if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// What was said in a step that a model performs, redacted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TranscriptView {
    /// What the model was told to do.
    pub system: String,
    /// The data that it was given.
    pub context: String,
    /// The turns that have a reply, in order.
    pub turns: Vec<TranscriptTurn>,
    /// Whether all of it is still stored.
    pub is_whole: bool,
}

/// What was said in one turn.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TranscriptTurn {
    pub turn: i16,
    /// What the model said.
    pub text: String,
    /// The calls that it wanted.
    pub calls: Vec<TranscriptCall>,
    /// Why its answer did not fit, as it was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// A call that the model wanted, and what it was told about it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TranscriptCall {
    pub name: String,
    #[schema(value_type = Object)]
    pub params: Value,
    /// Absent while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

/// Which attempt of a step is asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TranscriptQuery {
    /// Number of the attempt. Without it, the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<i16>,
}

/// Why a run or a step did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunError {
    /// A code for programs: `invalid_inputs`, `denied`, `timeout`, `loop` and others.
    pub class: String,
    /// What happened.
    pub message: String,
    /// ID of the step that did not succeed. Absent if no step was involved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
}

/// How to repeat a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RerunRequest {
    /// Start from the first step. By default, the new run starts from the failed step and reuses the results of the
    /// steps before it.
    #[serde(default)]
    pub from_start: bool,
}
