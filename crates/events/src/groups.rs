//! Consumer groups: each event of an organization is delivered to one consumer of each group, until it is
//! acknowledged, or has failed so often that it becomes a dead letter.
//!
//! First deliveries are in the order of the log. Repeated deliveries come when they are due, whatever came after
//! them.

use std::time::Duration;

use jiff::Timestamp;
use model::{EventId, InOrg, OrgId};
use platform::{db, filter::Filter};
use serde_json::Value;
use tokio::time::Instant;

use crate::{
    Entry, Error, Event, Log,
    limits::groups::{LOOKED_AT, MOST_ERROR_CHARS, TRIES},
    store::{self, groups::Recipient},
};

/// The settings of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSettings {
    /// The filter; `None` for all events.
    pub filter: Option<Value>,
    /// How long a consumer may take before its event is delivered to another.
    pub ack_timeout: Duration,
    /// Number of deliveries before an event becomes a dead letter.
    pub max_attempts: u8,
}

/// A group with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub name: String,
    pub settings: GroupSettings,
    pub(crate) position: i64,
    pub created_at: Timestamp,
}

/// Numbers of events of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    /// Not delivered yet, before the filter; counted up to 10 000.
    pub ahead: i64,
    /// Delivered and not acknowledged.
    pub in_flight: i64,
    /// Dead letters.
    pub dead: i64,
}

/// An event delivered to a consumer.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    pub event: Event,
    /// Number of this delivery, starting at 1.
    pub attempt: u8,
}

/// A dead letter.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetter {
    /// `None` if the event was deleted.
    pub event: Option<Event>,
    pub id: EventId,
    pub attempts: u8,
    pub error: Option<String>,
    pub dead_at: Timestamp,
}

/// A rejection by a consumer.
#[derive(Debug, Clone)]
pub struct Nack {
    pub events: Vec<EventId>,
    /// When to try again.
    pub delay: Duration,
    pub error: Option<String>,
}

/// A request of a consumer to take over events from other consumers.
#[derive(Debug, Clone, Copy)]
pub struct Takeover<'a> {
    /// The consumer that takes over the events.
    pub consumer: &'a str,
    /// The consumer that has the events; any consumer if `None`.
    pub from: Option<&'a str>,
    /// Only events that the other consumer has had for longer than this.
    pub idle: Duration,
    pub most: usize,
}

/// The position from which a group starts again.
#[derive(Debug, Clone, Copy)]
pub enum Replay {
    /// From this event on.
    From(EventId),
    /// From this time on.
    At(Timestamp),
    /// From the oldest stored event.
    Start,
    /// Only future events.
    End,
}

/// The groups of all orgs. Cheap to clone.
#[derive(Clone)]
pub struct Groups {
    log: Log,
}

impl Groups {
    /// Groups over a log.
    pub fn new(log: Log) -> Self {
        Self { log }
    }

    /// Creates a group that starts at `start`, or changes the settings of an existing one. Returns whether it is new.
    pub async fn put(
        &self,
        org: OrgId,
        name: &str,
        settings: GroupSettings,
        start: Replay,
    ) -> Result<(Group, bool), Error> {
        parsed(settings.filter.as_ref())?;
        let position = self.position_of(org, start).await?;
        let created_at = self.log.world().clock.now();
        let new = Group { name: name.to_owned(), settings, position, created_at };
        let mut tx = self.log.db().begin(org).await?;
        let is_new = store::groups::put(&mut tx, org, &new).await?;
        let group = found(&mut tx, org, name).await?;
        db::commit(tx).await?;
        Ok((group, is_new))
    }

    /// Every group of an org.
    pub async fn list(&self, org: OrgId) -> Result<Vec<Group>, Error> {
        let mut tx = self.log.db().begin(org).await?;
        Ok(store::groups::list(&mut tx, org).await?)
    }

    /// The numbers of events of a group.
    pub async fn backlog(&self, org: OrgId, group: &Group) -> Result<Backlog, Error> {
        let mut tx = self.log.db().begin(org).await?;
        Ok(store::groups::backlog(&mut tx, org, group).await?)
    }

    /// One group.
    pub async fn find(&self, org: OrgId, name: &str) -> Result<Group, Error> {
        let mut tx = self.log.db().begin(org).await?;
        found(&mut tx, org, name).await
    }

    /// Deletes a group with its deliveries and dead letters.
    pub async fn remove(&self, org: OrgId, name: &str) -> Result<(), Error> {
        let mut tx = self.log.db().begin(org).await?;
        if !store::groups::remove(&mut tx, org, name).await? {
            return Err(Error::NotFound("group"));
        }
        Ok(db::commit(tx).await?)
    }

    /// Delivers events that are due again, then new ones, up to a limit; waits for one until the timeout.
    pub async fn read(
        &self,
        InOrg { org, id: name }: InOrg<&str>,
        consumer: &str,
        most: usize,
        patience: Duration,
    ) -> Result<Vec<Delivery>, Error> {
        let until = Instant::now() + patience;
        let mut news = self.log.news(org).await;
        loop {
            let found = self.take(org, name, consumer, most).await?;
            if !found.is_empty() || !news.wait(until).await {
                return Ok(found);
            }
        }
    }

    async fn take(
        &self,
        org: OrgId,
        name: &str,
        consumer: &str,
        most: usize,
    ) -> Result<Vec<Delivery>, Error> {
        for _ in 0..TRIES {
            let group = self.find(org, name).await?;
            let filter = parsed(group.settings.filter.as_ref())?;
            let fresh = self.log.after(org, group.position, LOOKED_AT).await?;
            let now = self.log.world().clock.now();
            let mut tx = self.log.db().begin(org).await?;
            let recipient = Recipient { group: &group, consumer };
            let due = store::groups::take_due(&mut tx, org, recipient, now, most).await?;
            let mut found = self.delivered(&mut tx, org, due).await?;
            let (taken, upto) = chosen(fresh, filter.as_ref(), most.saturating_sub(found.len()));
            if let Some(upto) = upto {
                if !store::groups::advance(&mut tx, org, &group, upto).await? {
                    // Another consumer was faster. Events that were due stay as they were.
                    continue;
                }
                store::groups::insert(&mut tx, org, recipient, &taken, now).await?;
            }
            db::commit(tx).await?;
            found.extend(taken.into_iter().map(|entry| Delivery { event: entry.event, attempt: 1 }));
            // No event of this range matches the filter: continue after it.
            if !found.is_empty() || upto.is_none() {
                return Ok(found);
            }
        }
        Err(Error::Contended)
    }

    /// Events by their ids and attempts, in order.
    async fn delivered(
        &self,
        tx: &mut db::Tx,
        org: OrgId,
        due: Vec<(EventId, u8)>,
    ) -> Result<Vec<Delivery>, Error> {
        if due.is_empty() {
            return Ok(vec![]);
        }
        let ids: Vec<_> = due.iter().map(|(event, _)| event.uuid()).collect();
        let entries = store::log::find(tx, org, &ids).await?;
        let attempt =
            |id: EventId| due.iter().find(|(event, _)| *event == id).map_or(1, |(_, attempt)| *attempt);
        let deliver = |entry: Entry| Delivery { attempt: attempt(entry.event.id), event: entry.event };
        Ok(entries.into_iter().map(deliver).collect())
    }

    /// Acknowledges events. Returns how many were not acknowledged before.
    pub async fn ack(&self, org: OrgId, name: &str, events: &[EventId]) -> Result<u64, Error> {
        let mut tx = self.log.db().begin(org).await?;
        let group = found(&mut tx, org, name).await?;
        let acked = store::groups::ack(&mut tx, org, &group.name, events).await?;
        db::commit(tx).await?;
        Ok(acked)
    }

    /// Rejects events; they are delivered again after a delay, or become dead letters.
    pub async fn nack(&self, org: OrgId, name: &str, mut nack: Nack) -> Result<u64, Error> {
        // Redacted before it is truncated, because half a credential would not be recognized.
        let clean =
            |error: String| self.log.redactor().redact_text(&error).chars().take(MOST_ERROR_CHARS).collect();
        nack.error = nack.error.map(clean);
        let mut tx = self.log.db().begin(org).await?;
        let group = found(&mut tx, org, name).await?;
        let now = self.log.world().clock.now();
        let nacked = store::groups::nack(&mut tx, org, &group, &nack, now).await?;
        db::commit(tx).await?;
        Ok(nacked)
    }

    /// Takes over events that another consumer has had for longer than `idle`, before their timeout: that consumer is
    /// known to be dead. It counts as an attempt.
    pub async fn claim(
        &self,
        InOrg { org, id: name }: InOrg<&str>,
        takeover: Takeover<'_>,
    ) -> Result<Vec<Delivery>, Error> {
        let mut tx = self.log.db().begin(org).await?;
        let group = found(&mut tx, org, name).await?;
        let now = self.log.world().clock.now();
        let claimed = store::groups::claim(&mut tx, org, &group, takeover, now).await?;
        let found = self.delivered(&mut tx, org, claimed).await?;
        db::commit(tx).await?;
        Ok(found)
    }

    /// Dead letters, oldest first.
    pub async fn dead_letters(&self, org: OrgId, name: &str, most: usize) -> Result<Vec<DeadLetter>, Error> {
        let mut tx = self.log.db().begin(org).await?;
        let group = found(&mut tx, org, name).await?;
        let mut letters = store::groups::dead(&mut tx, org, &group.name, most).await?;
        let ids: Vec<_> = letters.iter().map(|letter| letter.id.uuid()).collect();
        let mut kept = store::log::find(&mut tx, org, &ids).await?;
        for letter in &mut letters {
            let found = kept.iter().position(|entry| entry.event.id == letter.id);
            letter.event = found.map(|index| kept.swap_remove(index).event);
        }
        Ok(letters)
    }

    /// Delivers dead letters again, all if none are given. Returns their number.
    pub async fn revive(&self, org: OrgId, name: &str, events: &[EventId]) -> Result<u64, Error> {
        let mut tx = self.log.db().begin(org).await?;
        let group = found(&mut tx, org, name).await?;
        let now = self.log.world().clock.now();
        let revived = store::groups::revive(&mut tx, org, &group.name, events, now).await?;
        db::commit(tx).await?;
        Ok(revived)
    }

    /// Moves a group to a position. Its deliveries after that position are deleted, because they are delivered again.
    pub async fn replay(&self, org: OrgId, name: &str, from: Replay) -> Result<Group, Error> {
        let position = self.position_of(org, from).await?;
        let mut tx = self.log.db().begin(org).await?;
        if !store::groups::rewind(&mut tx, org, name, position).await? {
            return Err(Error::NotFound("group"));
        }
        let group = found(&mut tx, org, name).await?;
        db::commit(tx).await?;
        Ok(group)
    }

    async fn position_of(&self, org: OrgId, place: Replay) -> Result<i64, Error> {
        match place {
            Replay::From(event) => Ok(self.log.position(org, event).await? - 1),
            Replay::At(at) => self.log.position_at(org, at).await,
            Replay::Start => Ok(0),
            Replay::End => self.log.end().await,
        }
    }
}

async fn found(tx: &mut db::Tx, org: OrgId, name: &str) -> Result<Group, Error> {
    store::groups::find(tx, org, name).await?.ok_or(Error::NotFound("group"))
}

fn parsed(filter: Option<&Value>) -> Result<Option<Filter>, Error> {
    filter.map(|filter| Filter::parse(filter).map_err(Error::Filter)).transpose()
}

/// The events of a range that match, up to a limit, and the position up to which the range is then processed.
fn chosen(fresh: Vec<Entry>, filter: Option<&Filter>, most: usize) -> (Vec<Entry>, Option<i64>) {
    let (mut taken, mut upto) = (Vec::new(), None);
    for entry in fresh {
        let is_meant = filter.is_none_or(|filter| filter.matches(&entry.event.to_cloud_event()));
        if is_meant && taken.len() == most {
            break;
        }
        upto = Some(entry.position);
        if is_meant {
            taken.push(entry);
        }
    }
    (taken, upto)
}
