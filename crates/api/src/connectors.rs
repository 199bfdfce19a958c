//! Connected servers and the review of their tools.

use jiff::Timestamp;
use model::{ConnectorId, EffectClass, Risk, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What a connector is.
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
    /// The kind as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Stdio => "stdio",
            Self::OpenApi => "openapi",
        }
    }
}

/// How calls of a connector are authenticated.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum ConnectorAuth {
    /// Not at all.
    #[default]
    None,
    /// `Authorization: Bearer …`, with the value of a secret.
    Bearer {
        /// The secret's name.
        secret: String,
    },
    /// A header of another name, with the value of a secret.
    Header {
        /// The header's name.
        header: String,
        /// The secret's name.
        secret: String,
    },
    /// Tokens of an authorization server, kept and renewed under this name.
    OAuth {
        /// The secret's name.
        secret: String,
    },
}

/// A server to connect.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorRequest {
    /// The first half of every address of its tools; cannot be changed.
    #[schema(example = "docs")]
    pub source: String,
    pub kind: ConnectorKind,
    /// Where the server is, or its OpenAPI document; for `stdio` the name of the declared command.
    #[schema(example = "https://mcp.example.com/mcp", max_length = 2000)]
    pub place: String,
    /// For `openapi`: where operations are called, if not where the document says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub base_url: Option<String>,
    #[serde(default)]
    pub auth: ConnectorAuth,
}

/// What to change about a connector; what is absent stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub place: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub base_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<ConnectorAuth>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// A connected server.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConnectorView {
    #[schema(value_type = String, example = "cnr_0199…")]
    pub id: ConnectorId,
    pub source: String,
    pub kind: ConnectorKind,
    pub place: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    pub auth: ConnectorAuth,
    pub enabled: bool,
    /// What it calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_harvested_at: Option<Timestamp>,
    /// Why it could not be asked; its tools are as they were last seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How many tools it lists.
    pub tools: i64,
    /// How many of them wait for a review.
    pub to_review: i64,
}

/// A connected server with its tools.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConnectorDetail {
    pub connector: ConnectorView,
    pub tools: Vec<ToolView>,
}

/// Where to send a person, to authorize a connector.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuthorizeView {
    /// To be opened in a browser, within ten minutes and once.
    pub authorize_url: String,
}

/// What a harvest found.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct HarvestView {
    pub connector: ConnectorView,
    pub news: Vec<ToolNews>,
}

/// What is new about a tool.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ToolNews {
    pub tool: String,
    /// `new`, `changed`, `reworded`, `gone` or `back`.
    pub what: String,
}

/// How a tool stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolState {
    /// As a person accepted it.
    Reviewed,
    /// As a person accepted it, with other words. Agents read the accepted ones.
    Reworded,
    /// Not what a person accepted: every call waits for a person.
    Changed,
    /// Nobody looked at it: every call waits for a person.
    New,
    /// The server no longer lists it: it cannot be called.
    Gone,
    /// It cannot be called, whoever reviews it.
    Unusable,
}

/// A tool, as its server describes it now and as it was accepted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ToolView {
    /// As the server calls it.
    pub tool: String,
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    pub state: ToolState,
    /// Why it is unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    #[schema(value_type = String, example = "once")]
    pub effect: EffectClass,
    /// As the server describes it now: untrusted text.
    #[schema(value_type = Object)]
    pub seen: Value,
    /// As it was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub reviewed: Option<Value>,
    /// What differs between the two, place by place.
    pub changes: Vec<ToolChange>,
    /// What a review of the present state must name.
    pub shape_hash: String,
    pub text_hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub reviewed_by: Option<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub reviewed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// One difference between what was accepted and what is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ToolChange {
    /// A JSON pointer into the tool.
    pub place: String,
    /// Absent where there was nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// Absent where there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    /// Whether it is words only.
    pub words: bool,
}

/// What a person says of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ToolVerdict {
    /// It is as it should be.
    Accept,
    /// Nobody may call it, whatever it becomes.
    Deny,
}

/// A review of one tool.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolReviewRequest {
    /// As the server calls it.
    #[schema(max_length = 200)]
    pub tool: String,
    /// The hashes of what was looked at. Another state is answered with 409.
    pub shape_hash: String,
    pub text_hash: String,
    pub verdict: ToolVerdict,
    /// How much can go wrong; absent keeps what was said before, or else takes what the server claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "R1")]
    pub risk: Option<Risk>,
    /// Whether a repeat is harmless; absent keeps what was said of this very shape, or else it is never repeated. No
    /// server's word counts for this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "read")]
    pub effect: Option<EffectClass>,
    #[serde(default)]
    #[schema(max_length = 500)]
    pub note: String,
}
