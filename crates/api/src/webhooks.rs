//! Webhooks and their deliveries.

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
    /// URL that receives the events.
    #[schema(example = "https://hooks.example.com/countersign", max_length = 2000)]
    pub url: String,
    /// Types of events to send. An empty list means all types.
    #[serde(default)]
    #[schema(example = json!(["action.executed"]), max_items = 50)]
    pub types: Vec<String>,
    /// Send only events that match this filter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
}

/// Changes to a webhook. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookPatch {
    /// URL that receives the events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000)]
    pub url: Option<String>,
    /// Types of events to send. An empty list means all types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    pub types: Option<Vec<String>>,
    /// Send only events that match this filter. `null` removes the filter.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Option<Value>>,
    /// Whether events are sent. Enabling resets the failure status; disabling cancels pending deliveries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// Distinguishes `null` from an absent field.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Value>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A webhook: a URL of the organization that receives events.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WebhookView {
    #[schema(value_type = String, example = "whk_0199…")]
    pub id: WebhookId,
    /// URL that receives the events.
    pub url: String,
    /// Types of events to send. An empty list means all types.
    pub types: Vec<String>,
    /// Filter for the events to send. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
    /// Whether events are sent.
    pub enabled: bool,
    /// Time since which all deliveries have failed. Absent if the last delivery succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub failing_since: Option<Timestamp>,
    /// Why the gateway disabled the webhook. Absent if it is enabled or was disabled by a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_reason: Option<String>,
    /// Until when the previous secret stays valid. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub previous_secret_until: Option<Timestamp>,
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// A webhook with its new secret, which is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewWebhookSecretView {
    pub webhook: WebhookView,
    /// Secret with which the receiver verifies signatures.
    #[schema(value_type = String, example = "whsec_…")]
    pub secret: Plain,
}

/// The status of a delivery. `failed`: the gateway has given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryState {
    Pending,
    Delivered,
    /// The gateway has given up.
    Failed,
}

impl DeliveryState {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// The delivery of one event to one webhook.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DeliveryView {
    #[schema(value_type = String, example = "dlv_0199…")]
    pub id: DeliveryId,
    #[schema(value_type = String)]
    pub webhook: WebhookId,
    /// ID of the event. Also sent as the header `webhook-id`.
    #[schema(value_type = String)]
    pub event: EventId,
    pub status: DeliveryState,
    /// Number of attempts since the delivery was created or last sent again.
    pub attempts: u8,
    /// HTTP status of the receiver's last response. Absent if there was no response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_status: Option<u16>,
    /// Error of the last attempt. Absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When the next attempt is due. Absent unless the delivery is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the receiver accepted the event. Absent until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub delivered_at: Option<Timestamp>,
}
