//! Tell it: facts, written in the transaction that makes them true, in an order, and handed to whoever follows them.
//!
//! Cast: an [`Event`] is one fact about one org; the [`Log`] stages facts in the caller's transaction, so there is no event
//! without the fact and no fact without the event, and reads them back in order; the relay (`relay.rs`) finds out how far
//! the log can be read without a gap and keeps its newest part in a Redis stream per org (`stream.rs`); a follower
//! (`follow.rs`) reads the logs of all orgs from end to end; [`Groups`] hand an org's events to programs, each until it is
//! acknowledged or a dead letter; [`webhooks`] are addresses of an org that events are sent to; [`filter`] says which
//! events somebody means.
//!
//! Flow: stage → commit → relay (order, stream, tell) → groups, followers, live readers.
//!
//! INVARIANT: an event never holds a secret, a token, a sealed value, or parameters that are not redacted.
//! INVARIANT: PostgreSQL is the truth. A stream in Redis has no holes, and what it does not have is read from PostgreSQL;
//! losing it loses nothing.
//! INVARIANT: nobody reads beyond the relay's position, and nothing is ever committed before it.
//! Not here: who may read what (`gateway`), what follows from an event (`pipeline`, `automation`), and the requests
//! that carry events to webhooks (`pipeline`).

mod error;
pub mod filter;
mod follow;
mod groups;
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

pub use error::Error;
pub use follow::Stretch;
pub use groups::{Backlog, DeadLetter, Delivery, Group, GroupSettings, Groups, Nack, Replay};
pub use log::{Log, News};
pub use publish::{MOST_BYTES, Published, Publishing};
pub use webhooks::Webhooks;

/// The source of what this product tells of itself.
pub const OURSELVES: &str = "/countersign";
/// How many events one after the other may lead to one.
pub const DEEPEST: u8 = 8;

/// One fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub id: EventId,
    /// `action.executed`, for example, or a type of an application's own.
    pub event_type: Cow<'static, str>,
    /// What it is about, for example an invocation's id; empty for nothing in particular.
    pub subject: String,
    pub space: Option<SpaceId>,
    pub session: Option<SessionId>,
    pub data: Value,
    pub at: Timestamp,
    pub origin: Origin,
}

/// Where an event comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The application that published it, and its own name for it; `None` for ourselves.
    pub application: Option<(String, String)>,
    /// How many events one after the other led to it.
    pub depth: u8,
    /// The automations on the way, the first first.
    pub chain: Vec<String>,
}

/// An event where it stands in the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub position: i64,
    pub event: Event,
}

impl Event {
    /// A fact of our own, that happens now.
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

    /// The event as CloudEvents 1.0 in JSON. `eventid` is our own id of it, whoever named it.
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
            // An attribute of CloudEvents is a text, not a list.
            tell("originchain", json!(self.origin.chain.join(",")));
        }
        tell("data", self.data.clone());
        Value::Object(told)
    }
}

/// The key under which something of an org is kept in Redis. Braces: the keys of one org live on one node of a cluster.
fn key(org: OrgId, what: &str) -> String {
    format!("events:{{{}}}:{what}", org.uuid().simple())
}
