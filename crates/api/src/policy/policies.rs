//! Policies as text, the facts that they read, and their cases.

use jiff::Timestamp;
use model::{FactId, Mode, PolicyId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

/// A policy to set.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyRequest {
    /// One `forbid` of Cedar. Its `@id` must be the name in the path.
    #[schema(max_length = 10240)]
    pub text: String,
    /// `enforced`, or `observing`: recorded with each decision, and not applied.
    #[serde(default = "enforced")]
    #[schema(example = "enforced")]
    pub state: String,
    /// The version that was read, 0 for a new policy: if there is another one by now, the answer is 409. Any version is
    /// replaced if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
}

fn enforced() -> String {
    "enforced".to_owned()
}

/// A policy.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyView {
    #[schema(value_type = String, example = "pol_0199…")]
    pub id: PolicyId,
    #[schema(example = "spending-cap")]
    pub name: String,
    pub text: String,
    /// `enforced` or `observing`.
    pub state: String,
    /// Rises with each change. Earlier versions are in the change records.
    pub version: i32,
    /// What it gives where it holds: `require_approval` or `deny`.
    #[schema(value_type = String, example = "deny")]
    pub mode: Mode,
    /// How many people must approve. Absent if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approvers: Option<u32>,
    /// Why, for people who are asked. Empty if it does not say.
    pub why: String,
    /// What it reads: `input`, `text`, `domains`, `now`, `asked`, `principal`, `history`.
    pub reads: Vec<String>,
    /// The facts that it reads.
    pub facts: Vec<String>,
    /// The numbers that it compares facts with.
    #[schema(value_type = Object)]
    pub limits: Map<String, Value>,
    #[schema(value_type = String, example = "usr_0199…")]
    pub set_by: UserId,
    /// Name of the person who set it. Absent if they are no longer a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by_name: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// Since when it observes. Absent if it is applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub observing_since: Option<Timestamp>,
}

/// Policies, facts and cases to check before they are saved.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyCheck {
    /// Texts, each of one or more policies.
    pub policies: Vec<PolicyText>,
    #[serde(default)]
    pub facts: Vec<FactRequest>,
    #[serde(default)]
    pub cases: Vec<PolicyCase>,
    /// Only what is in this request. Otherwise, on top of what the organization has.
    #[serde(default)]
    pub alone: bool,
    /// Actions that the organization does not have, for cases about them.
    #[serde(default)]
    pub actions: Vec<DeclaredAction>,
}

/// A text with policies.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyText {
    pub text: String,
}

/// An action that is declared for a check alone.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclaredAction {
    #[schema(example = "bank.transfer")]
    pub address: String,
    #[schema(value_type = Object)]
    pub input_schema: Value,
    /// `R0` to `R4`; `R2` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<String>,
    /// `read`, `keyed`, `checkable` or `once`, which is the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
    /// `reads_untrusted`, `reads_private` and `sends_out`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub labels: Option<Value>,
}

/// What is wrong, and what came of the cases.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyCheckResult {
    /// Whether everything could be saved, and every case came out as expected.
    pub ok: bool,
    pub problems: Vec<PolicyProblem>,
    pub policies: Vec<CheckedPolicy>,
    pub cases: Vec<PolicyCaseResult>,
}

/// A problem of a policy or a fact.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyProblem {
    /// Name of the policy or the fact. Absent if it has none yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// The text that it is in, counted from 0. Absent for a fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// `error` or `warning`.
    pub severity: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Counted from 1; columns and lengths in UTF-16 units. Absent if it is about the whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
}

/// A policy that could be read.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CheckedPolicy {
    pub name: String,
    /// Its part of the text.
    pub text: String,
    #[schema(value_type = String, example = "deny")]
    pub mode: Mode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approvers: Option<u32>,
    pub why: String,
    pub reads: Vec<String>,
    pub facts: Vec<String>,
    /// The actions and groups that it names. Empty if it is for all actions.
    pub actions: Vec<String>,
    /// How many actions of the catalog it is for.
    pub in_scope: usize,
}

/// A fact to set.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FactRequest {
    /// The name that policies read it by. In a request to set a fact, it is in the path.
    #[serde(default)]
    #[schema(example = "spent")]
    pub name: String,
    /// `any`, `count`, `sum` or `distinct`.
    #[schema(example = "sum")]
    pub kind: String,
    /// Actions (`source.action`, `source.*`) and groups (`does:reads_untrusted`).
    pub of: Vec<String>,
    /// The field that is summed, or whose values are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "input.amount_cents")]
    pub field: Option<String>,
    /// A filter on `input` and `output`.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
    /// Fields that must be as in the present request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<String>,
    /// `counted` (pending, approved, executing, succeeded or unknown), `tried` (the same and failed), `succeeded`, `unknown` or
    /// `denied`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// From `1m` to `30d`.
    #[schema(example = "1h")]
    pub within: String,
    /// `session`, `automation`, `space` or `org`.
    #[schema(example = "session")]
    pub per: String,
}

/// A fact.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FactView {
    #[schema(value_type = String, example = "fct_0199…")]
    pub id: FactId,
    #[serde(flatten)]
    pub fact: FactRequest,
    /// What it is, in words.
    pub words: String,
    /// From when on it has seen everything.
    #[schema(value_type = String, format = DateTime)]
    pub sees_since: Timestamp,
    /// Whether it was filled with what is older, as far as that can be read.
    pub complete: bool,
    /// The policies that read it.
    pub used_by: Vec<String>,
    #[schema(value_type = String, example = "usr_0199…")]
    pub set_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A request, and the mode that policies are expected to give it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyCase {
    /// In a request to set a case, it is in the path.
    #[serde(default)]
    pub name: String,
    pub request: PolicyCaseRequest,
    /// The mode that the policies alone give: `allow` if none holds.
    #[schema(value_type = String, example = "deny")]
    pub expect: Mode,
    /// Exactly the policies that must hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policies: Option<Vec<String>>,
    /// The policies that are evaluated, also if they only observe. All enforced policies if it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
}

/// The request of a case.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyCaseRequest {
    #[schema(example = "bank.transfer")]
    pub action: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    pub params: Value,
    /// Slug of the space; `main` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub band: Option<model::RiskBand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub automation: Option<model::AutomationId>,
    #[serde(default)]
    pub unattended: bool,
    /// A time, or a date and a time in the organization's time zone: `2026-11-18T10:00`. Noon on a Wednesday if it is left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// The values of facts: numbers, and true or false. A fact that is not named is 0 or false.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub history: Map<String, Value>,
    /// The mode before policies; `allow` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub asked: Option<Mode>,
}

/// A stored case.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyCaseView {
    #[serde(flatten)]
    pub case: PolicyCase,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// What came of a case.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyCaseResult {
    pub name: String,
    pub passed: bool,
    #[schema(value_type = String)]
    pub expected: Mode,
    /// Absent if it could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub got: Option<Mode>,
    /// The policies that hold.
    pub held: Vec<String>,
    /// Why it could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What policies may name, for editors.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyVocabulary {
    pub actions: Vec<PolicyAction>,
    pub groups: Vec<String>,
    pub spaces: Vec<String>,
    pub sources: Vec<String>,
    pub facts: Vec<PolicyField>,
    /// Below `context`.
    pub context: Vec<PolicyField>,
    /// Below `principal`.
    pub principal: Vec<PolicyField>,
}

/// An action with what policies can read of its parameters.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyAction {
    pub address: String,
    pub groups: Vec<String>,
    pub input: Vec<PolicyField>,
}

/// Something that a policy can read.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyField {
    pub path: String,
    /// `String`, `Long`, `Bool`, `decimal`, `record` or `Set<…>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether every request has it. Otherwise, ask with `has` first.
    pub required: bool,
    /// What it is.
    pub words: String,
}

/// Number of days.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportQuery {
    /// From 1 to 30; 7 by default.
    pub days: Option<u32>,
}

/// What a policy that observes would have done.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyReport {
    pub name: String,
    /// When the report begins.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// Decisions in which it held.
    pub held: u64,
    /// Calls that were allowed and that it would have asked about.
    pub would_ask: u64,
    /// Calls that were allowed or asked about and that it would have denied.
    pub would_deny: u64,
    /// Calls that were treated as strictly without it.
    pub already_stricter: u64,
    pub by_action: Vec<PolicyReportAction>,
}

/// The same for one action.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyReportAction {
    pub action: String,
    pub would_ask: u64,
    pub would_deny: u64,
    /// IDs of some of the invocations.
    pub examples: Vec<String>,
}

/// A shipped policy with its facts and cases.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicyStarter {
    pub name: String,
    pub title: String,
    /// What it prevents, as Markdown.
    pub about: String,
    /// What the person chooses; it stands as `{{name}}` in the text and the facts.
    pub needs: Vec<StarterNeed>,
    pub text: String,
    pub facts: Vec<FactRequest>,
    pub cases: Vec<PolicyCase>,
    /// Actions that the cases are about and that an organization may not have.
    pub actions: Vec<DeclaredAction>,
}

/// Something that a person chooses.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StarterNeed {
    pub name: String,
    pub label: String,
    /// `action`, `field`, `integer`, `text` or `list`.
    pub kind: String,
    #[schema(value_type = Object)]
    pub default: Value,
}
