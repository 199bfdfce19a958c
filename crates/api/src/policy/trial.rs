//! What a change of policy would do: backtests, comparisons and suggestions.

use jiff::Timestamp;
use model::Mode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::policies::{FactRequest, PolicyText};

/// A proposed change, and the days over which it is tried.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BacktestRequest {
    /// From 1 to 30.
    pub days: u32,
    /// Policies that are set, each replacing the one with its name.
    #[serde(default)]
    pub policies: Vec<PolicyText>,
    /// Names of policies that are deleted.
    #[serde(default)]
    pub remove: Vec<String>,
    /// Facts that are set.
    #[serde(default)]
    pub facts: Vec<FactRequest>,
    /// A rule that is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<super::RuleRequest>,
    /// ID of a rule that is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "rul_0199…")]
    pub remove_rule: Option<model::RuleId>,
    /// A grant for the whole organization. Its calls and its lifetime are not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<BacktestGrant>,
    /// A space that gets another band.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<BacktestBand>,
}

/// A grant that is tried.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BacktestGrant {
    /// `source.action`
    #[schema(example = "slack.send_message")]
    pub action: String,
    /// Only where this holds for the parameters.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
}

/// A space with another band.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BacktestBand {
    #[schema(value_type = String, example = "spc_0199…")]
    pub space: model::SpaceId,
    #[schema(value_type = String, example = "amber")]
    pub band: model::RiskBand,
}

/// A line of the answer to a backtest: how far it is, and at last its result.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BacktestLine {
    Progress(BacktestProgress),
    Result(BacktestResult),
    Problem(crate::Problem),
}

/// How far a backtest is.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct BacktestProgress {
    pub done: u64,
    pub of: u64,
}

/// What a change would have done.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BacktestResult {
    #[schema(value_type = String, format = DateTime)]
    pub from: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub to: Timestamp,
    pub invocations: u64,
    /// Invocations of which something is hidden or erased that a decision may depend on.
    pub incomplete: u64,
    /// By today's policy.
    pub before: ModeCounts,
    /// By the changed one.
    pub after: ModeCounts,
    pub newly_allowed: u64,
    pub newly_asked: u64,
    pub newly_denied: u64,
    pub days: Vec<BacktestDay>,
    pub actions: Vec<BacktestAction>,
}

/// Decisions by mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ModeCounts {
    pub allow: u64,
    pub require_approval: u64,
    pub deny: u64,
}

/// A day: decisions before and after the change.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BacktestDay {
    #[schema(example = "2026-11-18")]
    pub date: String,
    pub before: ModeCounts,
    pub after: ModeCounts,
}

/// An action whose decisions change.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BacktestAction {
    pub action: String,
    pub newly_allowed: u64,
    pub newly_asked: u64,
    pub newly_denied: u64,
    pub examples: Vec<BacktestExample>,
}

/// An invocation that would be decided differently.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BacktestExample {
    pub invocation: String,
    #[schema(value_type = String)]
    pub before: Mode,
    #[schema(value_type = String)]
    pub after: Mode,
    /// The policies that hold after the change.
    pub policies: Vec<String>,
}

/// A policy to compare with what is saved.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    /// The new text of one policy; empty if one is removed.
    #[serde(default)]
    pub text: String,
    /// Name of a policy that is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<String>,
}

/// Whether a changed policy lets anything through that today's policies stop.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Comparison {
    /// Name and version of the solver.
    pub solver: Option<String>,
    /// What to install if there is no solver.
    pub missing: Option<String>,
    /// `null` if it could not be told for every action.
    pub loosened: Option<bool>,
    pub actions: Vec<ComparedAction>,
}

/// The answer for an action, and for others like it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ComparedAction {
    pub action: String,
    /// How many other actions have the same answer.
    pub alike: usize,
    /// `null` if it could not be told.
    pub loosened: Option<bool>,
    /// Why it could not be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// A request that is treated less strictly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<ComparisonExample>,
}

/// A request that the solver found.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ComparisonExample {
    #[schema(value_type = Object)]
    pub params: Value,
    /// The values of facts.
    #[schema(value_type = Object)]
    pub history: Value,
    /// The mode that today's policies give.
    #[schema(value_type = String)]
    pub before: Mode,
    #[schema(value_type = String)]
    pub after: Mode,
    pub words: String,
}

/// A change that follows from what people answered, or from what was not used.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PolicySuggestion {
    /// `grant`, `remove_rule` or `deny`.
    pub kind: String,
    /// An action, `source.*` or `*`.
    pub action: String,
    /// For which parameters.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
    /// The condition in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub where_words: Option<String>,
    /// The rule to delete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub rule: Option<model::RuleId>,
    /// The answers that it follows from.
    pub count: usize,
    pub words: String,
    /// The backtest of the change.
    pub backtest: BacktestRequest,
}
