//! Rules, and the matrix: what policy would decide about every action.

pub(crate) mod conduct;
pub(crate) mod flow;
pub(crate) mod gates;
pub(crate) mod policies;
pub(crate) mod proposed;
pub(crate) mod trial;

use jiff::Timestamp;
use model::{AutomationId, Digest, EffectClass, Mode, ModeSource, Risk, RiskBand, RuleId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// A rule to set. It replaces an existing rule for the same action.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleRequest {
    /// `source.action`, `source.*` or `*`.
    #[schema(example = "linear.create_issue")]
    pub action: String,
    /// `allow`, `require_approval` or `deny`.
    #[schema(value_type = String, example = "deny")]
    pub mode: Mode,
    /// Reason for the rule. Shown with every decision that it leads to.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub reason: String,
    /// Only runs of this automation. By default, the whole organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// Only where this holds for the parameters: a filter such as `{"channel": {"equals": "C0123"}}`. By default, whatever
    /// the parameters.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
}

/// A rule.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RuleView {
    #[schema(value_type = String, example = "rul_0199…")]
    pub id: RuleId,
    /// `source.action`, `source.*` or `*`.
    pub action: String,
    /// `allow`, `require_approval` or `deny`.
    #[schema(value_type = String, example = "deny")]
    pub mode: Mode,
    /// Reason for the rule. Empty if there is none.
    pub reason: String,
    /// The automation whose runs the rule applies to. Absent if it applies to the whole organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// It applies only where this holds for the parameters: a filter. Absent if it applies whatever the parameters.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
    /// The same in words, for example `channel is "C0123"`. Absent if there is no condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub where_words: Option<String>,
    /// Hash of the only step of the automation that it applies to. Absent if it applies to every step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "sha256:…")]
    pub step: Option<Digest>,
    /// ID of the person who last changed the rule.
    #[schema(value_type = String)]
    pub set_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Selects the session that the matrix applies to.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MatrixQuery {
    /// Slug or ID of the space. By default, the space of the automation, or else the first space of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// The automation whose runs the matrix applies to. By default, it applies to a session that a person opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub automation: Option<AutomationId>,
}

/// What policy would decide now about every action.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MatrixView {
    /// Slug of the space.
    pub space: String,
    /// Risk band of the space: `green`, `amber`, `red` or `black`.
    #[schema(value_type = String, example = "green")]
    pub band: RiskBand,
    /// The automation whose runs the matrix applies to. Absent if it applies to a session that a person opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// One row for each action, sorted by address.
    pub rows: Vec<MatrixRow>,
}

/// What policy would decide about an action, for a session with all capabilities, and why.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MatrixRow {
    /// Slug of the source.
    pub source: String,
    /// Address of the action: `source.action`.
    #[schema(example = "linear.create_issue")]
    pub action: String,
    /// Risk level, `R0` to `R4`.
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    /// Whether a repeat is harmless: `read`, `keyed`, `checkable` or `once`.
    #[schema(value_type = String, example = "checkable")]
    pub effect: EffectClass,
    /// `allow`, `require_approval` or `deny`.
    #[schema(value_type = String, example = "require_approval")]
    pub mode: Mode,
    /// Where the mode comes from, before guardrails: `automation_rule`, `org_rule`, `inferred` or `grant`.
    #[schema(value_type = String, example = "inferred")]
    pub mode_source: ModeSource,
    /// ID of the rule that applied. Absent if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "rul_0199…")]
    pub rule: Option<RuleId>,
    /// Guardrails that hold: `ceiling`, `band`, `drift`, `policy`.
    pub guardrails: Vec<String>,
    /// Policies whose answer depends on the parameters or on what happened before, so that the mode may be stricter. Absent
    /// if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends: Vec<String>,
    /// Reason for the mode, as a sentence.
    pub reason: String,
    /// All steps of the decision in order, as sentences.
    pub steps: Vec<String>,
}
