//! Events and consumer groups.

use jiff::Timestamp;
use model::EventId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// An event to publish, in the JSON format of CloudEvents 1.0.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventRequest {
    /// Always `1.0`.
    pub specversion: String,
    /// Your ID of the event. Publishing the same `source` and `id` again has no effect.
    pub id: String,
    /// Your name for the origin of the event, for example `/drive`.
    pub source: String,
    /// Type of the event, under a prefix of your own, for example `drive.file_added`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// The object that the event is about, for example `report.pdf`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// When the event happened. By default, the time of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub time: Option<Timestamp>,
    /// Always `application/json`, if present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datacontenttype: Option<String>,
    /// The data of the event, at most 64 KB. Text that looks like a credential is removed.
    #[serde(default)]
    pub data: Value,
    /// The `eventid` of the event that led to this one. A chain of more than eight events is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub causedby: Option<EventId>,
}

/// One event or a list of events. A list is published completely or not at all.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum EventsRequest {
    One(Box<EventRequest>),
    /// At most 100 events.
    Many(Vec<EventRequest>),
}

/// The result of publishing an event.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PublishedView {
    /// The gateway's ID of the event.
    #[schema(value_type = String)]
    pub eventid: EventId,
    /// Whether the event had been published before.
    pub duplicate: bool,
}

/// An event in the JSON format of CloudEvents 1.0.
///
/// Extension attributes: `eventid` (the gateway's ID of the event), `depth` (number of events that led to it) and, if they
/// exist, `space`, `session` and `originchain`.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
pub struct EventView(pub Value);

/// Selects events.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    /// Return events after the one with this `eventid`. By default, the newest events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Only these types, separated by commas. `action.*` matches every type that begins with `action.`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub types: Option<String>,
    /// Maximum number of events, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// With `after`: maximum time to wait for an event, for example `30s`; at most `60s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
}

/// Events in order.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EventsView {
    pub items: Vec<EventView>,
    /// Position to continue from: pass it as `after`. Present even without items, if only events of other types were
    /// found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// A consumer group to create or change.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupRequest {
    /// Filter for the events of the group. By default, all events. The grammar is `schemas/filter.schema.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
    /// Seconds to acknowledge an event before another consumer gets it, 1 to 43 200. The default is 60.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ack_timeout_s: Option<u64>,
    /// Number of deliveries before an event becomes a dead letter, 1 to 100. The default is 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u8>,
    /// Where a new group starts: `end` (the default), `start`, a time, or an `eventid`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// A consumer group.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GroupView {
    pub name: String,
    /// Filter for the events of the group. Absent if the group receives all events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
    /// Seconds to acknowledge an event before another consumer gets it.
    pub ack_timeout_s: u64,
    /// Number of deliveries before an event becomes a dead letter.
    pub max_attempts: u8,
    /// Number of events that the group has not reached, before its filter. Counted up to 10 000.
    pub ahead: i64,
    /// Number of events that were delivered and not yet acknowledged.
    pub in_flight: i64,
    /// Number of dead letters.
    pub dead_letters: i64,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// A consumer's request for events.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    /// Name of the consumer within the group, for example `host-1`.
    pub consumer: String,
    /// Maximum number of events, 1 to 100. The default is 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<usize>,
    /// Maximum time to wait for an event, for example `30s`; at most `60s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
}

/// An event delivered to a consumer. If the consumer does not acknowledge or reject it before the timeout, another
/// consumer gets it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GroupDeliveryView {
    pub event: EventView,
    /// Number of this delivery of the event, starting at 1.
    pub attempt: u8,
}

/// A list of events.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventIds {
    /// The `eventid`s, at most 100.
    #[schema(value_type = Vec<String>)]
    pub events: Vec<EventId>,
}

/// Events to reject. They are delivered again later.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NackRequest {
    /// The `eventid`s, at most 100.
    #[schema(value_type = Vec<String>)]
    pub events: Vec<EventId>,
    /// Seconds until the next delivery, at most one day. The default is 0: immediately.
    #[serde(default)]
    pub delay_s: u64,
    /// What went wrong. Shown with the dead letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A request to take over events of another consumer that has stopped.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// Name of the consumer that takes over.
    pub consumer: String,
    /// Name of the consumer that has stopped. By default, any other consumer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only events that were delivered at least this many seconds ago.
    #[serde(default)]
    pub idle_s: u64,
    /// Maximum number of events, 1 to 100. The default is 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<usize>,
}

/// The number of events that a request changed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CountView {
    pub count: u64,
}

/// A dead letter: an event that no consumer could process.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterView {
    #[schema(value_type = String)]
    pub eventid: EventId,
    /// The event. Absent if it has been deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventView>,
    /// Number of deliveries.
    pub attempts: u8,
    /// The last error that a consumer reported. Absent if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When the event became a dead letter.
    #[schema(value_type = String, format = DateTime)]
    pub dead_at: Timestamp,
}

/// The position from which a group starts again.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayRequest {
    /// `start`, `end`, a time, or an `eventid`.
    pub from: String,
}
