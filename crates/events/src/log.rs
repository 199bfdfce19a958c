//! The log of an org's events: staging, reading in order, waiting for more.

use std::{sync::Arc, time::Duration};

use model::{EventId, OrgId};
use platform::{
    World,
    db::{
        self, Database,
        ear::{EVENTS, Hearing, STAGED},
    },
    period::Period,
    redact::Redactor,
    redis::Redis,
    shutdown::Shutdown,
};
use sqlx::PgConnection;
use tokio::{sync::Notify, time::Instant};
use uuid::Uuid;

use crate::{Entry, Error, Event, store, stream};

/// How close one after the other the relay is told that something is coming.
const TELL_EVERY: Duration = Duration::from_millis(10);
/// How long a reader trusts that it would have been told. Long, because many wait at once and each look asks the database;
/// a lost connection is noticed, and then everybody looks.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// The log. Cheap to clone.
#[derive(Clone)]
pub struct Log(Arc<Parts>);

struct Parts {
    db: Database,
    redis: Redis,
    world: World,
    shutdown: Shutdown,
    redactor: Redactor,
    /// Whether something was staged and the relay is not told yet.
    staged: Notify,
}

impl Log {
    /// Must be called within a Tokio runtime.
    pub fn new(db: Database, redis: Redis, world: World, shutdown: Shutdown) -> Self {
        let (redactor, staged) = (Redactor::new(), Notify::new());
        let log = Self(Arc::new(Parts { db, redis, world, shutdown: shutdown.clone(), redactor, staged }));
        let telling = log.clone();
        shutdown.spawn(async move { telling.tell_what_is_staged().await });
        log
    }

    /// Writes events of one org in the caller's transaction.
    pub async fn stage(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        events: impl Iterator<Item = &Event> + Clone,
    ) -> Result<(), db::Error> {
        store::log::stage(conn, org, events).await?;
        self.0.staged.notify_one();
        Ok(())
    }

    /// Wakes the relay. Not in the transactions of those who stage: a notice in them would have all commits of the database
    /// wait for each other. The relay sees that a position was drawn, and waits for its commit by itself.
    async fn tell_what_is_staged(&self) {
        let stop = self.shutdown();
        loop {
            tokio::select! {
                () = stop.begun() => return,
                () = self.0.staged.notified() => {}
            }
            if let Err(error) = self.db().tell(STAGED, "").await {
                tracing::debug!(
                    error = &error as &dyn std::error::Error,
                    "waking the relay; it looks by itself"
                );
            }
            tokio::time::sleep(TELL_EVERY).await;
        }
    }

    /// An org's events after a position, in order, at most so many.
    pub async fn after(&self, org: OrgId, after: i64, most: usize) -> Result<Vec<Entry>, Error> {
        if let Some(found) = stream::after(self.redis(), org, after, most).await
            && !found.is_empty()
        {
            return Ok(found);
        }
        // Nothing in the stream is no proof: Redis may have lost its newest second.
        let mut tx = self.db().begin(org).await?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(store::log::after(&mut tx, org, after, most).await?)
    }

    /// An org's newest events, in order, at most so many.
    pub async fn newest(&self, org: OrgId, most: usize) -> Result<Vec<Entry>, Error> {
        let mut tx = self.db().begin(org).await?;
        Ok(store::log::newest(&mut tx, org, i64::try_from(most).unwrap_or(i64::MAX)).await?)
    }

    /// The position of an event.
    pub async fn position(&self, org: OrgId, event: EventId) -> Result<i64, Error> {
        let found = self.find(org, &[event]).await?;
        found.first().map(|entry| entry.position).ok_or(Error::NotFound("event"))
    }

    /// These events, in order; what is no longer kept is left out.
    pub async fn find(&self, org: OrgId, events: &[EventId]) -> Result<Vec<Entry>, Error> {
        let ids: Vec<Uuid> = events.iter().map(|event| event.uuid()).collect();
        let mut tx = self.db().begin(org).await?;
        Ok(store::log::find(&mut tx, org, &ids).await?)
    }

    /// The position after which everything is yet to come.
    pub async fn end(&self) -> Result<i64, Error> {
        let mut conn = self.db().unscoped().await?;
        Ok(store::followers::relayed(&mut conn).await?)
    }

    /// The position before the first event of a moment.
    pub async fn position_at(&self, org: OrgId, at: jiff::Timestamp) -> Result<i64, Error> {
        let mut tx = self.db().begin(org).await?;
        Ok(store::log::position_at(&mut tx, org, at).await?)
    }

    /// How often a tool was found to be no longer what was reviewed, by the place of a bucket; buckets without any are left
    /// out, and so is what is no longer kept.
    pub async fn drift(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        period: Period,
    ) -> Result<Vec<(usize, i64)>, db::Error> {
        store::log::drift(conn, org, period).await
    }

    /// Listens for an org's events. To be had before looking, so that nothing is missed between looking and waiting.
    pub async fn news(&self, org: OrgId) -> News {
        let heard = self.db().hear(self.shutdown()).await;
        News { heard, org: org.uuid().to_string(), shutdown: self.shutdown().clone() }
    }

    /// Drops days of events that ended before a moment, and forgets who published what before it.
    pub async fn drop_before(&self, before: jiff::Timestamp) -> Result<i32, Error> {
        let mut conn = self.db().unscoped().await?;
        let dropped = store::log::drop_before(&mut conn, before).await?;
        store::published::purge(&mut conn, before).await?;
        Ok(dropped)
    }

    pub(crate) fn db(&self) -> &Database {
        &self.0.db
    }

    pub(crate) fn redis(&self) -> &Redis {
        &self.0.redis
    }

    pub(crate) fn shutdown(&self) -> &Shutdown {
        &self.0.shutdown
    }

    pub(crate) fn world(&self) -> &World {
        &self.0.world
    }

    pub(crate) fn redactor(&self) -> &Redactor {
        &self.0.redactor
    }

    pub(crate) fn uuid(&self) -> Uuid {
        self.0.world.uuid()
    }
}

/// Waits for an org's next events.
pub struct News {
    heard: Hearing,
    org: String,
    shutdown: Shutdown,
}

impl News {
    /// Resolves when there may be more to read; says `false` when patience ended first or this process stops.
    pub async fn wait(&mut self, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || self.shutdown.has_begun() {
            return false;
        }
        let (heard, org) = (&mut self.heard, self.org.as_str());
        let concerns = |payload: &str| payload == "*" || payload.split(',').any(|named| named == org);
        tokio::select! {
            () = self.shutdown.begun() => false,
            () = heard.until(|told| told.channel == EVENTS && concerns(&told.payload)) => true,
            () = tokio::time::sleep(left.min(LOOK_AGAIN)) => true,
        }
    }
}
