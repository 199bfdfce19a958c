//! Events of applications: accepted once for each `source` and `id`.

use jiff::Timestamp;
use model::{Actor, EventId, OrgId, UserId};
use platform::db;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

pub use crate::limits::event::MOST_BYTES;
use crate::{
    DEEPEST, Error, Event, Log, Origin,
    store::{
        self,
        published::{Name, Note},
    },
    types,
};

/// Prefixes of types that are reserved for the gateway.
const OURS: &[&str] = &[
    "action",
    "approval",
    "automation",
    "connector",
    "countersign",
    "data",
    "event",
    "grant",
    "ledger",
    "session",
    "webhook",
];

/// An event of an application.
#[derive(Debug, Clone)]
pub struct Publishing {
    /// The application's ID of the event, unique within its source.
    pub id: String,
    pub source: String,
    pub event_type: String,
    pub subject: String,
    pub at: Option<Timestamp>,
    pub data: Value,
    /// The event that led to it, if any.
    pub caused_by: Option<EventId>,
}

/// The result of publishing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    pub event: EventId,
    /// Whether it was published before.
    pub duplicate: bool,
}

impl Publishing {
    fn check(&self) -> Result<(), Error> {
        let wrong =
            |pointer: &str, message: String| Err(Error::Invalid { pointer: pointer.to_owned(), message });
        for (pointer, text, most) in [
            ("/id", &self.id, 200),
            ("/source", &self.source, 200),
            ("/type", &self.event_type, 200),
            ("/subject", &self.subject, 500),
        ] {
            if text.chars().count() > most || text.chars().any(char::is_control) {
                return wrong(
                    pointer,
                    format!("must have at most {most} characters and no control characters"),
                );
            }
        }
        if self.id.is_empty() || self.source.is_empty() {
            return wrong("", "`id` and `source` are required".to_owned());
        }
        if self.source == crate::OURSELVES {
            return wrong(
                "/source",
                "this source is reserved for Countersign; use a source of your own".to_owned(),
            );
        }
        if !types::is_type(&self.event_type) {
            let message =
                "must be words of lowercase letters, digits and `_`, separated by dots: `drive.file_added`";
            return wrong("/type", message.to_owned());
        }
        let prefix = self.event_type.split('.').next().unwrap_or_default();
        if OURS.contains(&prefix) {
            return wrong(
                "/type",
                format!(
                    "types that begin with `{prefix}.` are reserved for Countersign; use a prefix of your own"
                ),
            );
        }
        if self.data.to_string().len() > MOST_BYTES {
            return wrong("/data", format!("at most {MOST_BYTES} bytes; publish a reference to larger data"));
        }
        Ok(())
    }

    /// Hash over the whole event. JSON objects are sorted by key, so equal content has one hash.
    fn sha256(&self) -> [u8; 32] {
        let content = serde_json::json!([self.event_type, self.subject, self.at, self.data, self.caused_by]);
        Sha256::digest(content.to_string()).into()
    }
}

impl Log {
    /// Publishes events of an application: all of them or, if one is invalid, none. Text that looks like a credential
    /// is removed first.
    pub async fn publish(&self, by: Actor, mut all: Vec<Publishing>) -> Result<Vec<Published>, Error> {
        for (index, one) in all.iter().enumerate() {
            one.check().map_err(|error| match error {
                Error::Invalid { pointer, message } if all.len() > 1 => {
                    Error::Invalid { pointer: format!("/{index}{pointer}"), message }
                }
                error => error,
            })?;
        }
        for one in &mut all {
            one.data = self.redactor().redact_value(&one.data);
            one.subject = self.redactor().redact_text(&one.subject).into_owned();
        }
        let (org, now) = (by.org, self.world().clock.now());
        let mut tx = self.db().begin(org).await?;
        let (mut published, mut events) = (Vec::new(), Vec::new());
        for one in all {
            let (id, sha256) = (EventId::from_uuid(self.uuid()), one.sha256());
            let name = Name { source: &one.source, id: &one.id };
            let note = Note { name, event: id, sha256: &sha256, by: by.user };
            if store::published::note(&mut tx, org, note, now).await? {
                published.push(Published { event: id, duplicate: false });
                let (depth, chain) = self.led_to(org, one.caused_by).await?;
                events.push(Event {
                    id,
                    event_type: one.event_type.into(),
                    subject: one.subject,
                    space: None,
                    session: None,
                    data: one.data,
                    at: one.at.unwrap_or(now),
                    origin: Origin { application: Some((one.source, one.id)), depth, chain },
                });
                continue;
            }
            let known = store::published::find(&mut tx, org, name).await?;
            let (event, same) = known.ok_or(Error::Contended)?;
            if same != sha256 {
                return Err(Error::Renamed);
            }
            published.push(Published { event, duplicate: true });
        }
        if !events.is_empty() {
            self.stage(&mut tx, org, events.iter()).await?;
        }
        db::commit(tx).await?;
        Ok(published)
    }

    /// Who published the event that an application calls by this source and ID.
    pub async fn publisher(
        &self,
        org: OrgId,
        (source, id): &(String, String),
    ) -> Result<Option<UserId>, Error> {
        let mut tx = self.db().begin(org).await?;
        Ok(store::published::publisher(&mut tx, org, Name { source, id }).await?)
    }

    /// The depth of an event that another one led to, and the automations in the chain.
    async fn led_to(&self, org: OrgId, cause: Option<EventId>) -> Result<(u8, Vec<String>), Error> {
        let Some(cause) = cause else { return Ok((0, vec![])) };
        let found = self.find(org, &[cause]).await?.pop();
        let wrong = |message: String| Error::Invalid { pointer: "/causedby".to_owned(), message };
        let origin = found
            .ok_or_else(|| wrong("event not found, or deleted after its retention time".to_owned()))?
            .event
            .origin;
        if origin.depth >= DEEPEST {
            return Err(wrong(format!(
                "a chain of {DEEPEST} events led to this one; this looks like a loop"
            )));
        }
        Ok((origin.depth + 1, origin.chain))
    }
}
