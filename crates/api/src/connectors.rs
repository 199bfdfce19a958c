//! Connected servers and the review of their tools.

use jiff::Timestamp;
use model::{ConnectorId, EffectClass, Risk, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::Plain;

/// The kind of a connector.
///
/// - `mcp`: an MCP server over Streamable HTTP
/// - `stdio`: an MCP server over the standard streams of a command that the operator declared
/// - `openapi`: an HTTP service with an OpenAPI document
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConnectorKind {
    /// An MCP server over Streamable HTTP.
    Mcp,
    /// An MCP server over the standard streams of a command the operator declared.
    Stdio,
    /// An HTTP service with an OpenAPI document.
    OpenApi,
}

impl ConnectorKind {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Stdio => "stdio",
            Self::OpenApi => "openapi",
        }
    }
}

/// How requests to the server are authenticated.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum ConnectorAuth {
    /// Requests are not authenticated.
    #[default]
    None,
    /// The header `Authorization: Bearer …`, with the value of a secret.
    Bearer {
        /// Name of the secret.
        secret: String,
    },
    /// A custom header, with the value of a secret.
    Header {
        /// Name of the header.
        header: String,
        /// Name of the secret.
        secret: String,
    },
    /// Tokens of an OAuth authorization server. The gateway stores and renews them.
    OAuth {
        /// Name of the secret in which the tokens are stored.
        secret: String,
    },
}

/// A server to connect.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorRequest {
    /// Slug of the new source: the first half of the address of each of its actions. It cannot be changed later.
    #[schema(example = "docs")]
    pub source: String,
    pub kind: ConnectorKind,
    /// URL of the MCP server or of the OpenAPI document. For `stdio`, the name of the declared command.
    #[schema(example = "https://mcp.example.com/mcp", max_length = 2000)]
    pub place: String,
    /// For `openapi`: base URL of the operations, if it differs from the one in the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub base_url: Option<String>,
    /// How requests to the server are authenticated. By default, they are not.
    #[serde(default)]
    pub auth: ConnectorAuth,
}

/// Changes to a connector. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorPatch {
    /// URL of the MCP server or of the OpenAPI document. For `stdio`, the name of the declared command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub place: Option<String>,
    /// For `openapi`: base URL of the operations, if it differs from the one in the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub base_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<ConnectorAuth>,
    /// Whether the connector's tools can be called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// A connected server.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConnectorView {
    #[schema(value_type = String, example = "cnr_0199…")]
    pub id: ConnectorId,
    /// Slug of the source: the first half of the address of each of its actions.
    pub source: String,
    pub kind: ConnectorKind,
    /// URL of the MCP server or of the OpenAPI document. For `stdio`, the name of the declared command.
    pub place: String,
    /// For `openapi`: base URL of the operations. Absent if the one in the document is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    pub auth: ConnectorAuth,
    /// Whether the connector's tools can be called.
    pub enabled: bool,
    /// Name of the server, as reported by the server. Absent if it reported none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// When the tools were last listed. Absent if they never were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_harvested_at: Option<Timestamp>,
    /// Why the last attempt to list the tools failed. The tools are then those of the last successful attempt. Absent
    /// if the last attempt succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Number of tools that the server lists.
    pub tools: i64,
    /// Number of tools that need a review.
    pub to_review: i64,
}

/// A connected server with its tools.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConnectorDetail {
    pub connector: ConnectorView,
    pub tools: Vec<ToolView>,
}

/// The page on which a person authorizes a connector.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuthorizeView {
    /// URL to open in a browser. It is valid once, for ten minutes.
    pub authorize_url: String,
}

/// What a browser brings back from an authorization server.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OAuthReturn {
    #[schema(value_type = String, max_length = 8_192)]
    pub code: Plain,
    #[schema(value_type = String, max_length = 8_192)]
    pub state: Plain,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 8_192)]
    pub iss: Option<String>,
}

/// A connector that was authorized.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuthorizedView {
    /// Slug of the connector.
    pub connector: String,
}

/// The result of listing a connector's tools.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct HarvestView {
    pub connector: ConnectorView,
    /// Tools that differ from the previous listing.
    pub news: Vec<ToolNews>,
}

/// A difference from the previous listing.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ToolNews {
    /// Name of the tool on the server.
    pub tool: String,
    /// `new`, `changed`, `reworded` (only texts changed), `gone` or `back`.
    pub what: String,
}

/// The review state of a tool.
///
/// - `reviewed`: unchanged since it was accepted
/// - `reworded`: only its texts changed since it was accepted; agents see the accepted ones
/// - `changed`: changed since it was accepted; every call needs approval
/// - `new`: not reviewed; every call needs approval
/// - `gone`: no longer listed by the server; it cannot be called
/// - `unusable`: it cannot be called; `problem` says why
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolState {
    /// Unchanged since a person accepted it.
    Reviewed,
    /// Only its texts changed since a person accepted it. Agents see the accepted ones.
    Reworded,
    /// Changed since a person accepted it: every call needs approval.
    Changed,
    /// Not reviewed: every call needs approval.
    New,
    /// The server no longer lists it: it cannot be called.
    Gone,
    /// It cannot be called, for example because its schema is invalid.
    Unusable,
}

/// A tool: its current description by the server, and the accepted one.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ToolView {
    /// Name of the tool on the server.
    pub tool: String,
    /// Address of the action: `source.action`. Absent if the tool is unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    pub state: ToolState,
    /// Why the tool is unusable. Absent if it can be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    #[schema(value_type = String, example = "once")]
    pub effect: EffectClass,
    /// The server's current description of the tool. Untrusted text.
    #[schema(value_type = Object)]
    pub seen: Value,
    /// The accepted description of the tool. Absent if no review accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub reviewed: Option<Value>,
    /// Differences between `reviewed` and `seen`.
    pub changes: Vec<ToolChange>,
    /// Hash of the current schemas and claims, and of the connector's address and authentication. A review must
    /// repeat it.
    pub shape_hash: String,
    /// Hash of the current texts. A review must repeat it.
    pub text_hash: String,
    /// The person who reviewed the tool. Absent if nobody has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub reviewed_by: Option<UserId>,
    /// When the tool was reviewed. Absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub reviewed_at: Option<Timestamp>,
    /// The reviewer's note. Absent if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// One difference between the accepted and the current description of a tool.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ToolChange {
    /// JSON pointer into the description; `/connector` for the address and authentication of the connector.
    pub place: String,
    /// The accepted value. Absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// The current value. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    /// Whether only a text changed.
    pub words: bool,
}

/// The decision about a tool.
///
/// - `accept`: accepted as shown
/// - `deny`: denied, including all later versions
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ToolVerdict {
    /// The tool is accepted as shown.
    Accept,
    /// The tool is denied, including all later versions.
    Deny,
}

/// A review of one tool.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolReviewRequest {
    /// Name of the tool on the server.
    #[schema(max_length = 200)]
    pub tool: String,
    /// The `shape_hash` of the reviewed description. If the tool has changed since, the response is 409.
    pub shape_hash: String,
    /// The `text_hash` of the reviewed description.
    pub text_hash: String,
    pub verdict: ToolVerdict,
    /// Risk level. By default, that of the previous review; without one, the server's claim is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "R1")]
    pub risk: Option<Risk>,
    /// Whether a repeat is harmless. By default, that of the previous review if the shape is the same, otherwise
    /// `once`: the call is never repeated. The server's claim is never used for this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "read")]
    pub effect: Option<EffectClass>,
    /// A note about the review.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub note: String,
}
