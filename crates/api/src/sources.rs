//! Sources, as people see them: what they can do, what would be decided about it, and how it went lately.

use jiff::Timestamp;
use model::{ConnectorId, Drift, EffectClass, Mode, ModeSource, Risk};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::ToolState;

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// Part of the program, and reaches nobody.
    Native,
    /// Part of the program, and speaks to a service with the org's credential.
    Integration,
    /// A connected MCP server over Streamable HTTP.
    Mcp,
    /// A connected MCP server over the standard streams of a command.
    Stdio,
    /// A connected HTTP service with an OpenAPI document.
    OpenApi,
}

/// Which space is meant.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SpaceQuery {
    /// The slug or the id of a space; the org's first one when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

/// How it went lately.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct UsageView {
    /// How many days back.
    pub days: u32,
    /// How often it was asked for, dry runs left out.
    pub calls: i64,
    pub succeeded: i64,
    /// Failed or reverted.
    pub failed: i64,
    pub unknown: i64,
    /// Refused by policy or by a person, set aside, or not answered in time.
    pub denied: i64,
    /// How long half of those that succeeded took at most, from start to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95_ms: Option<i64>,
    /// When it was last asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_at: Option<Timestamp>,
}

/// A source.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceSummary {
    /// Its slug.
    pub source: String,
    pub kind: SourceKind,
    /// Whether it can be used: it needs no credential, or the org has given one; and nobody switched it off.
    pub connected: bool,
    /// What stands in the way, in words; absent when nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The connector it is, if it is not part of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "cnr_0199…")]
    pub connector: Option<ConnectorId>,
    /// How many actions can be asked for.
    pub actions: i64,
    /// How many of its tools wait for a review.
    pub to_review: i64,
    pub usage: UsageView,
}

/// Every source of the org.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourcesView {
    pub items: Vec<SourceSummary>,
}

/// A source with its actions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceDetail {
    pub source: SourceSummary,
    /// The slug of the space the modes are for.
    pub space: String,
    /// Sorted by address.
    pub actions: Vec<SourceAction>,
}

/// An action of a source, with what would be decided about it and how it went lately.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceAction {
    /// `source.action`.
    pub action: String,
    pub description: String,
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    #[schema(value_type = String, example = "checkable")]
    pub effect: EffectClass,
    /// How it is undone, in words; absent where it cannot be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// How its tool stands with those who review it; absent for what is part of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ToolState>,
    /// Whether it is what a person reviewed: absent if so, else `changed` or `never_reviewed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "never_reviewed")]
    pub drift: Option<Drift>,
    /// What would be decided now, for a session that may do everything.
    #[schema(value_type = String, example = "require_approval")]
    pub mode: Mode,
    #[schema(value_type = String, example = "inferred")]
    pub mode_source: ModeSource,
    /// Why, in words.
    pub reason: String,
    /// JSON Schema of the parameters.
    #[schema(value_type = Object)]
    pub input_schema: Value,
    pub usage: UsageView,
}
