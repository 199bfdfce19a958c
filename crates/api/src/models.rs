//! Providers of language models.

use jiff::{Timestamp, civil::Date};
use model::{ModelProviderId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{ConnectorAuth, ModelBudget};

/// The form of requests and replies.
///
/// - `anthropic_messages`: Anthropic's Messages API, also of Bedrock and Azure
/// - `openai_chat`: Chat Completions, which most servers speak
/// - `openai_responses`: OpenAI's Responses API
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelWire {
    /// Anthropic's Messages API.
    AnthropicMessages,
    /// Chat Completions.
    OpenaiChat,
    /// OpenAI's Responses API.
    OpenaiResponses,
}

/// A provider to be saved. Absent fields stay as they are, or are as the preset says.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelProviderRequest {
    /// Name of a preset, from `GET /v1/model-presets`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "anthropic")]
    pub preset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<ModelWire>,
    /// URL below which the paths of the wire are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "https://api.anthropic.com/v1", max_length = 2000)]
    pub base_url: Option<String>,
    /// How requests are authenticated: `bearer`, `header` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<ConnectorAuth>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 100)]
    pub models: Option<Vec<ModelRequest>>,
    /// Whether data that is not public may be sent to it. `false` for a new provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_see_private: Option<bool>,
    /// Whether its tokens cost nothing, as on a machine of one's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_free: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// A model of a provider. Absent sizes are those of the bundled table.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    /// Name of the model at the provider.
    #[schema(example = "claude-sonnet-5-5", max_length = 200)]
    pub name: String,
    /// Tokens that it can read and write together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
    /// Tokens that it can write in one reply. At most 16 000 are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u64>,
    /// Prices that come before those of the bundled table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<ModelPrice>,
}

/// Prices of tokens, in 10⁻⁹ USD for each: 3 USD per million tokens are 3000.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    pub input: u64,
    pub output: u64,
    /// Input that the provider had in its cache. As `input` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<u64>,
    /// Input that the provider put into its cache. As `input` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    /// Other prices for large requests, smallest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 4)]
    pub tiers: Vec<ModelPriceTier>,
}

/// The prices of a request with more input than a number of tokens. They hold for the whole request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelPriceTier {
    /// Number of input tokens above which these prices hold.
    pub above: u64,
    pub input: u64,
    pub output: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
}

/// A provider of language models.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ModelProviderView {
    #[schema(value_type = String, example = "mpv_0199…")]
    pub id: ModelProviderId,
    /// Second part of its address.
    #[schema(example = "anthropic")]
    pub provider: String,
    /// Address of its calls in rules and receipts.
    #[schema(example = "model.anthropic")]
    pub action: String,
    pub wire: ModelWire,
    pub base_url: String,
    pub auth: ConnectorAuth,
    /// Whether the secret exists and may be sent to this provider.
    pub has_credential: bool,
    pub models: Vec<ModelView>,
    pub may_see_private: bool,
    pub is_free: bool,
    pub enabled: bool,
    /// What it could do when it was last tested. Absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<ModelTest>,
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// A model of a provider.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ModelView {
    pub name: String,
    pub context: u64,
    pub max_output: u64,
    /// Prices in force. Absent if nobody knows them: a budget in USD is then refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<ModelPrice>,
    /// Where the prices are from: `organization`, `table` or `free`. Absent without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_from: Option<String>,
}

/// The result of testing a provider.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ModelTest {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The model that was asked.
    pub model: String,
    /// Whether it called a tool when asked to.
    pub calls_tools: bool,
    /// Whether its answer fitted a schema.
    pub answers_in_schema: bool,
    /// Why it could not be asked. Absent if it could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What an organization spent on models, and its limits.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SpendingView {
    /// The limits of a day.
    pub budget: ModelBudget,
    /// The last days with model calls, newest first. A day begins at midnight UTC.
    pub days: Vec<SpendingDay>,
}

/// What an organization spent on models in a day.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SpendingDay {
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    pub spent_usd: f64,
    /// What calls that are under way may still cost.
    pub reserved_usd: f64,
    pub tokens: u64,
}

/// The days to report.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SpendingQuery {
    /// Number of days, with today. 30 by default.
    #[serde(default)]
    #[param(minimum = 1, maximum = 400)]
    pub days: Option<u16>,
}

/// A server that people use, with what is known about it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ModelPresetView {
    pub name: String,
    pub title: String,
    pub wire: ModelWire,
    /// Absent where each customer has another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Header of its credential, if it is not `Authorization: Bearer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    pub needs_secret: bool,
    pub is_free: bool,
    pub hint: String,
}
