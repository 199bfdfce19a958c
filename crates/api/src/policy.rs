//! Rules, and what they and everything else come to: the matrix.

use jiff::Timestamp;
use model::{AutomationId, EffectClass, Mode, ModeSource, Risk, RiskBand, RuleId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A rule to set; it replaces the one with the same key.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleRequest {
    /// `source.action`, `source.*` or `*`.
    #[schema(example = "linear.create_issue")]
    pub action: String,
    #[schema(value_type = String, example = "deny")]
    pub mode: Mode,
    /// Why, for whoever reads a decision later.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub reason: String,
    /// For the runs of one automation only; absent means for the whole org.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
}

/// A rule.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RuleView {
    #[schema(value_type = String, example = "rul_0199…")]
    pub id: RuleId,
    pub action: String,
    #[schema(value_type = String, example = "deny")]
    pub mode: Mode,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    #[schema(value_type = String)]
    pub set_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// For whom the matrix is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MatrixQuery {
    /// The slug or the id of a space; the automation's, or the org's first one, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// For the runs of this automation; for a session that a person opened when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub automation: Option<AutomationId>,
}

/// What would be decided about every action now.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MatrixView {
    /// The slug of the space.
    pub space: String,
    #[schema(value_type = String, example = "green")]
    pub band: RiskBand,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// Sorted by address.
    pub rows: Vec<MatrixRow>,
}

/// What would be decided about one action, for a session that may do everything, and what led to it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MatrixRow {
    pub source: String,
    /// `source.action`.
    #[schema(example = "linear.create_issue")]
    pub action: String,
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    #[schema(value_type = String, example = "checkable")]
    pub effect: EffectClass,
    #[schema(value_type = String, example = "require_approval")]
    pub mode: Mode,
    /// Which step of the cascade gave the mode the guardrails began with.
    #[schema(value_type = String, example = "inferred")]
    pub mode_source: ModeSource,
    /// The rule that spoke, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "rul_0199…")]
    pub rule: Option<RuleId>,
    /// The guardrails that made it stricter: `ceiling`, `band`, `drift`.
    pub guardrails: Vec<String>,
    /// Why, in words.
    pub reason: String,
    /// The whole derivation, in words.
    pub steps: Vec<String>,
}
