//! Events, and groups of consumers.

use jiff::Timestamp;
use model::EventId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// An event to publish: CloudEvents 1.0 in JSON. A list of them is published whole or not at all.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventRequest {
    /// `1.0`
    pub specversion: String,
    /// Your own name for it: publishing the same `source` and `id` again is publishing once.
    pub id: String,
    /// Who you are, for example `/drive`.
    pub source: String,
    /// Under a prefix of your own, for example `drive.file_added`.
    #[serde(rename = "type")]
    pub event_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// When it happened; when it came, if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub time: Option<Timestamp>,
    /// `application/json`, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datacontenttype: Option<String>,
    /// At most 64 KB. What looks like a credential is taken out.
    #[serde(default)]
    pub data: Value,
    /// The `eventid` of the event that led to this one, if one did. A chain of more than eight is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub causedby: Option<EventId>,
}

/// One event or several.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum EventsRequest {
    One(Box<EventRequest>),
    /// At most 100.
    Many(Vec<EventRequest>),
}

/// What became of an event that was published.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PublishedView {
    /// Our id of it.
    #[schema(value_type = String)]
    pub eventid: EventId,
    /// Whether it was published before.
    pub duplicate: bool,
}

/// An event: CloudEvents 1.0 in JSON, with `eventid` (our id of it), `depth` (how many events led to it), `space`, `session`
/// and `originchain` where there is one.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
pub struct EventView(pub Value);

/// Which events.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    /// `eventid` of the last one you have; without it the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Only these types, with commas between; `action.*` is every type that begins so.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub types: Option<String>,
    /// At most this many, 1 to 100; 50 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// With `after`: how long to wait for one, as `30s`, at most a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
}

/// Events in order.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EventsView {
    pub items: Vec<EventView>,
    /// Where to go on: give it as `after`. Also without items, when events passed by that you do not mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// A group to make, or what to change of one.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupRequest {
    /// Which events; all without it. The grammar is `schemas/filter.schema.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
    /// How long a consumer may take before its event is handed to another: 1 to 43 200 seconds; 60 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ack_timeout_s: Option<u64>,
    /// How often an event is handed out before it is a dead letter: 1 to 100; 10 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u8>,
    /// Where a new group begins: `end` (when not given), `start`, a moment, or the `eventid` of an event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// A group.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GroupView {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub filter: Option<Value>,
    pub ack_timeout_s: u64,
    pub max_attempts: u8,
    /// How many events it has before it, meant or not; counted up to 10 000.
    pub ahead: i64,
    /// How many were handed out and are not acknowledged.
    pub in_flight: i64,
    pub dead_letters: i64,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// A consumer wants events.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    /// Who you are within the group, for `claim` and for people who look.
    pub consumer: String,
    /// At most this many, 1 to 100; 10 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<usize>,
    /// How long to wait for one, as `30s`; at most a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
}

/// An event in your hands: acknowledge it, hand it back, or it is handed to another when your time is over.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GroupDeliveryView {
    pub event: EventView,
    /// Which delivery of it this is; 1 is the first.
    pub attempt: u8,
}

/// Which events.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventIds {
    /// Their `eventid`s, at most 100.
    #[schema(value_type = Vec<String>)]
    pub events: Vec<EventId>,
}

/// What could not be seen to.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NackRequest {
    /// Their `eventid`s, at most 100.
    #[schema(value_type = Vec<String>)]
    pub events: Vec<EventId>,
    /// When to try again, in seconds from now, at most a day; at once when not given.
    #[serde(default)]
    pub delay_s: u64,
    /// What went wrong, for whoever looks at dead letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Taking over what a dead consumer holds.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    pub consumer: String,
    /// From whom; from any other when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only what they have had for so many seconds.
    #[serde(default)]
    pub idle_s: u64,
    /// At most this many, 1 to 100; 10 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<usize>,
}

/// How many events that was news of.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CountView {
    pub count: u64,
}

/// An event that nobody could do anything with.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterView {
    #[schema(value_type = String)]
    pub eventid: EventId,
    /// Absent when it is no longer kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventView>,
    pub attempts: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub dead_at: Timestamp,
}

/// From where a group is handed everything again.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayRequest {
    /// `start`, `end`, a moment, or the `eventid` of an event.
    pub from: String,
}
