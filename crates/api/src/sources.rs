//! Sources with their actions, the decision that policy would make for each action, and their recent use.

use jiff::Timestamp;
use model::{ConnectorId, Drift, EffectClass, Mode, ModeSource, Risk};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::ToolState;

/// The kind of a source.
///
/// - `native`: part of the program, calls no service
/// - `integration`: part of the program, calls a service with the organization's credential
/// - `mcp`: a connected MCP server over Streamable HTTP
/// - `stdio`: a connected MCP server over the standard streams of a command
/// - `openapi`: a connected HTTP service with an OpenAPI document
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// Part of the program. Calls no service.
    Native,
    /// Part of the program. Calls a service with the organization's credential.
    Integration,
    /// A connected MCP server over Streamable HTTP.
    Mcp,
    /// A connected MCP server over the standard streams of a command.
    Stdio,
    /// A connected HTTP service with an OpenAPI document.
    OpenApi,
}

/// Selects a space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SpaceQuery {
    /// Slug or ID of the space. By default, the first space of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

/// Recent use of a source or an action.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct UsageView {
    /// Length of the period, in days.
    pub days: u32,
    /// Number of invocations, without dry runs.
    pub calls: i64,
    /// Number of invocations that succeeded.
    pub succeeded: i64,
    /// Number of invocations that failed or were reverted.
    pub failed: i64,
    /// Number of invocations with an unknown outcome.
    pub unknown: i64,
    /// Number of invocations that were denied by policy or by a person, quarantined, or expired without an answer.
    pub denied: i64,
    /// Median duration of successful calls, in milliseconds. Absent if no call succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<i64>,
    /// 95th percentile of the duration of successful calls, in milliseconds. Absent if no call succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95_ms: Option<i64>,
    /// When the last invocation was requested. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_at: Option<Timestamp>,
}

/// A source of actions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceSummary {
    /// Slug of the source.
    pub source: String,
    pub kind: SourceKind,
    /// Whether the source can be used: it is enabled, and it either needs no credential or has one.
    pub connected: bool,
    /// Why the source is unavailable. Absent if it is available.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// ID of the connector. Absent for a native source or an integration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "cnr_0199…")]
    pub connector: Option<ConnectorId>,
    /// Number of actions that can be invoked.
    pub actions: i64,
    /// Number of tools that need a review.
    pub to_review: i64,
    pub usage: UsageView,
}

/// All sources of the organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourcesView {
    pub items: Vec<SourceSummary>,
}

/// An integration, with what people need to connect it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct IntegrationView {
    /// Slug of the integration: the source of its actions, and the `provider` of its connections.
    #[schema(example = "linear")]
    pub source: String,
    /// Name of the service.
    #[schema(example = "Linear")]
    pub title: String,
    /// URL of the public service.
    #[schema(example = "https://api.linear.app")]
    pub default_url: String,
    /// Environment variable with which an operator sets another URL.
    #[schema(example = "COUNTERSIGN_LINEAR_URL")]
    pub url_variable: String,
    /// Environment variable that usually holds a token of the service.
    #[schema(example = "LINEAR_API_KEY")]
    pub token_variable: String,
    /// Page of the service on which a token is created.
    #[schema(example = "https://linear.app/settings/account/security")]
    pub token_url: String,
    /// Which kind of token to create there.
    pub token_hint: String,
}

/// All integrations of this gateway, in display order.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct IntegrationsView {
    pub items: Vec<IntegrationView>,
}

/// A source with its actions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceDetail {
    pub source: SourceSummary,
    /// Slug of the space that the modes apply to.
    pub space: String,
    /// The actions, sorted by address.
    pub actions: Vec<SourceAction>,
}

/// An action of a source, with the decision that policy would make for it and its recent use.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceAction {
    /// Address of the action: `source.action`.
    pub action: String,
    /// What the action does.
    pub description: String,
    /// Risk level, `R0` to `R4`.
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    /// Whether a repeat is harmless: `read`, `keyed`, `checkable` or `once`.
    #[schema(value_type = String, example = "checkable")]
    pub effect: EffectClass,
    /// How to undo the action. Absent if it cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// Review state of the tool. Absent for native sources and integrations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ToolState>,
    /// How the action differs from the reviewed one: `changed` or `never_reviewed`. Absent if it does not differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "never_reviewed")]
    pub drift: Option<Drift>,
    /// What policy would decide now, for a session with all capabilities.
    #[schema(value_type = String, example = "require_approval")]
    pub mode: Mode,
    /// Where the mode comes from: `automation_rule`, `org_rule`, `inferred` or `grant`.
    #[schema(value_type = String, example = "inferred")]
    pub mode_source: ModeSource,
    /// Reason for the mode, as a sentence.
    pub reason: String,
    /// JSON Schema of the parameters.
    #[schema(value_type = Object)]
    pub input_schema: Value,
    pub usage: UsageView,
}
