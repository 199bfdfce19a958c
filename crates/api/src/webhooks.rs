//! Webhooks: addresses that events are sent to, and what became of each sending.

use jiff::Timestamp;
use model::{DeliveryId, EventId, UserId, WebhookId};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::Plain;

/// A webhook to add.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookRequest {
    /// Where events are sent.
    #[schema(example = "https://hooks.example.com/countersign", max_length = 2000)]
    pub url: String,
    /// Of which types; all when empty.
    #[serde(default)]
    #[schema(example = json!(["action.executed"]), max_items = 50)]
    pub types: Vec<String>,
    /// Of those, the ones that meet this filter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
}

/// What to change about a webhook; what is absent stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    pub types: Option<Vec<String>>,
    /// `null` for none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Option<Value>>,
    /// Enabling it forgets that it was failing; disabling it gives up what is on its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// `null` is something that was given.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Value>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Where events are sent, and which.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WebhookView {
    #[schema(value_type = String, example = "whk_0199…")]
    pub id: WebhookId,
    pub url: String,
    pub types: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
    pub enabled: bool,
    /// Since when nothing has arrived there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub failing_since: Option<Timestamp>,
    /// Why it is not enabled, unless a person said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_reason: Option<String>,
    /// Until when the secret before the current one signs as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub previous_secret_until: Option<Timestamp>,
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// A webhook with its new secret, shown this once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewWebhookSecretView {
    pub webhook: WebhookView,
    /// What its receiver verifies signatures with.
    #[schema(value_type = String, example = "whsec_…")]
    pub secret: Plain,
}

/// How far a delivery has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryState {
    Pending,
    Delivered,
    /// Nobody tries any more.
    Failed,
}

impl DeliveryState {
    /// The word as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// One event on its way to one webhook.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DeliveryView {
    #[schema(value_type = String, example = "dlv_0199…")]
    pub id: DeliveryId,
    #[schema(value_type = String)]
    pub webhook: WebhookId,
    /// Also its `webhook-id`.
    #[schema(value_type = String)]
    pub event: EventId,
    pub status: DeliveryState,
    /// How often it was tried since it was made or sent again.
    pub attempts: u8,
    /// What the receiver answered last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When it is tried next, while it is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub delivered_at: Option<Timestamp>,
}
