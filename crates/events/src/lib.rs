//! Events: written in the same transaction as the change they report, ordered, and delivered to readers.
//!
//! Parts: an [`Event`] reports one change in one organization; the [`Log`] stages events in the caller's transaction,
//! so that neither the change nor its event exists without the other, and reads them back in order; the relay
//! (`relay.rs`) determines how far the log can be read without a gap and keeps its newest part in a Redis stream per
//! organization (`stream.rs`); a follower (`follow.rs`) reads the logs of all organizations; [`Groups`] deliver an
//! organization's events to programs until they are acknowledged or become dead letters; [`webhooks`] are URLs of an
//! organization that receive events; a [`filter`] selects events.
//!
//! Flow: stage → commit → relay (order, stream, notify) → groups, followers, live readers.
//!
//! INVARIANT: an event never contains a secret, a token, an encrypted value, or unredacted parameters.
//! INVARIANT: PostgreSQL is the source of truth. A stream in Redis has no gaps, and what it does not contain is read
//! from PostgreSQL; losing it loses nothing.
//! INVARIANT: nobody reads beyond the relay's position, and nothing is ever committed before it.
//! Not here: permissions of readers (`gateway`), reactions to events (`pipeline`, `automation`), and the requests to
//! webhooks (`pipeline`).

mod error;
mod follow;
mod groups;
pub mod limits;
mod log;
mod publish;
mod relay;
mod store;
mod stream;
pub mod types;
pub mod webhooks;

use std::borrow::Cow;

use jiff::Timestamp;
use model::{EventId, EventType, OrgId, SessionId, SpaceId};
use platform::World;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use crate::limits::event::DEEPEST;
pub use error::Error;
pub use follow::Stretch;
pub use groups::{Backlog, DeadLetter, Delivery, Group, GroupSettings, Groups, Nack, Replay, Takeover};
pub use log::{Log, News};
pub use publish::{MOST_BYTES, Published, Publishing};
pub use store::log::stage;
pub use webhooks::Webhooks;

/// The `source` of the gateway's own events.
pub const OURSELVES: &str = "/countersign";

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub id: EventId,
    /// The type, for example `action.executed`, or a type of an application.
    pub event_type: Cow<'static, str>,
    /// The subject, for example the ID of an invocation; empty if there is none.
    pub subject: String,
    pub space: Option<SpaceId>,
    pub session: Option<SessionId>,
    pub data: Value,
    pub at: Timestamp,
    pub origin: Origin,
}

/// The origin of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The application that published it, and the application's ID of it; `None` for the gateway's own events.
    pub application: Option<(String, String)>,
    /// Number of events in the chain that led to it.
    pub depth: u8,
    /// The automations in that chain, in order.
    pub chain: Vec<String>,
}

/// An event with its position in the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub position: i64,
    pub event: Event,
}

impl Event {
    /// A new event of the gateway, with the current time.
    pub fn new(world: &World, event_type: EventType, subject: impl ToString, data: Value) -> Self {
        Self {
            id: EventId::from_uuid(world.uuid()),
            event_type: event_type.as_str().into(),
            subject: subject.to_string(),
            space: None,
            session: None,
            data,
            at: world.clock.now(),
            origin: Origin::default(),
        }
    }

    /// The event as CloudEvents 1.0 in JSON. `eventid` is the gateway's ID of the event.
    pub fn to_cloud_event(&self) -> Value {
        let (source, id) = match &self.origin.application {
            Some((source, id)) => (source.as_str(), id.clone()),
            None => (OURSELVES, self.id.to_string()),
        };
        let mut told = Map::new();
        let mut tell = |name: &str, value: Value| told.insert(name.to_owned(), value);
        tell("specversion", json!("1.0"));
        tell("id", json!(id));
        tell("source", json!(source));
        tell("type", json!(self.event_type));
        tell("time", json!(self.at));
        tell("datacontenttype", json!("application/json"));
        tell("eventid", json!(self.id));
        tell("depth", json!(self.origin.depth));
        if !self.subject.is_empty() {
            tell("subject", json!(self.subject));
        }
        if let Some(space) = self.space {
            tell("space", json!(space));
        }
        if let Some(session) = self.session {
            tell("session", json!(session));
        }
        if !self.origin.chain.is_empty() {
            // An attribute of CloudEvents cannot be a list.
            tell("originchain", json!(self.origin.chain.join(",")));
        }
        tell("data", self.data.clone());
        Value::Object(told)
    }
}

/// A Redis key of an organization. The braces keep all keys of an organization on one node of a cluster.
fn key(org: OrgId, what: &str) -> String {
    format!("events:{{{}}}:{what}", org.uuid().simple())
}
