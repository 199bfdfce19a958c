//! Tell it: facts, written in the transaction that makes them true.
//!
//! Cast: an [`Event`] is one fact about one org; [`stage`] writes facts in the caller's transaction, so there is no event
//! without the fact and no fact without the event.
//!
//! INVARIANT: an event never holds a secret, a token, a sealed value, or parameters that are not redacted.
//! Not here: delivery. Streams, groups and webhooks read what is staged here.

pub mod filter;
mod store;

use jiff::Timestamp;
use model::{EventId, EventType, SessionId, SpaceId};
use serde_json::Value;

pub use store::stage;

/// One fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: EventId,
    pub event_type: EventType,
    /// What it is about, for example an invocation's id.
    pub subject: String,
    pub space: Option<SpaceId>,
    pub session: Option<SessionId>,
    pub data: Value,
    pub at: Timestamp,
}
