//! Rules.

use jiff::Timestamp;
use model::{AutomationId, Mode, RuleId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
