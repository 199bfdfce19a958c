//! The log of an org's events: staging, reading in order, waiting for more.

use std::sync::Arc;

use model::{EventId, OrgId};
use platform::{
    World,
    db::{
        self, Database,
        listener::{EVENTS, STAGED, Subscription},
    },
    period::Period,
    redact::Redactor,
    redis::Redis,
    shutdown::Shutdown,
};
use sqlx::PgConnection;
use tokio::{sync::Notify, time::Instant};
use uuid::Uuid;

use crate::{
    Entry, Error, Event,
    limits::log::{LOOK_AGAIN, TELL_EVERY},
    store, stream,
};

/// The log. Cheap to clone.
#[derive(Clone)]
pub struct Log(Arc<Parts>);

struct Parts {
    db: Database,
    redis: Redis,
    world: World,
    shutdown: Shutdown,
    redactor: Redactor,
    /// Whether something was staged and the relay has not been notified yet.
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

    /// Wakes the relay. This is not part of the staging transactions, because a notification would serialize all
    /// commits of the database. The relay sees that a position was taken and waits for its commit.
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
                    "waking the relay failed; it checks at intervals"
                );
            }
            tokio::time::sleep(TELL_EVERY).await;
        }
    }

    /// An organization's events after a position, in order, up to a limit.
    pub async fn after(&self, org: OrgId, after: i64, most: usize) -> Result<Vec<Entry>, Error> {
        if let Some(found) = stream::after(self.redis(), org, after, most).await
            && !found.is_empty()
        {
            return Ok(found);
        }
        // An empty stream proves nothing: Redis may have lost its newest second.
        let mut tx = self.db().begin(org).await?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(store::log::after(&mut tx, org, after, most).await?)
    }

    /// An organization's newest events, in order, up to a limit.
    pub async fn newest(&self, org: OrgId, most: usize) -> Result<Vec<Entry>, Error> {
        let mut tx = self.db().begin(org).await?;
        Ok(store::log::newest(&mut tx, org, i64::try_from(most).unwrap_or(i64::MAX)).await?)
    }

    /// The position of an event.
    pub async fn position(&self, org: OrgId, event: EventId) -> Result<i64, Error> {
        let found = self.find(org, &[event]).await?;
        found.first().map(|entry| entry.position).ok_or(Error::NotFound("event"))
    }

    /// These events, in order, without deleted ones.
    pub async fn find(&self, org: OrgId, events: &[EventId]) -> Result<Vec<Entry>, Error> {
        let ids: Vec<Uuid> = events.iter().map(|event| event.uuid()).collect();
        let mut tx = self.db().begin(org).await?;
        Ok(store::log::find(&mut tx, org, &ids).await?)
    }

    /// The current end of the log.
    pub async fn end(&self) -> Result<i64, Error> {
        let mut conn = self.db().unscoped().await?;
        Ok(store::followers::relayed(&mut conn).await?)
    }

    /// Moves every follower to the end of the log, after a restore: what the events before led to has happened.
    pub async fn skip_all(&self) -> Result<(), Error> {
        let mut conn = self.db().unscoped().await?;
        Ok(store::followers::skip_all(&mut conn).await?)
    }

    /// The position before the first event at or after a time.
    pub async fn position_at(&self, org: OrgId, at: jiff::Timestamp) -> Result<i64, Error> {
        let mut tx = self.db().begin(org).await?;
        Ok(store::log::position_at(&mut tx, org, at).await?)
    }

    /// Number of times that a tool was found new, changed, gone or back, by bucket; empty buckets and deleted events
    /// are left out.
    pub async fn drift(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        period: Period,
    ) -> Result<Vec<(usize, i64)>, db::Error> {
        store::log::drift(conn, org, period).await
    }

    /// Listens for an organization's events. Call it before reading, so that nothing is missed between reading and
    /// waiting.
    pub async fn news(&self, org: OrgId) -> News {
        let heard = self.db().subscribe(self.shutdown()).await;
        News { heard, org: org.uuid().to_string(), shutdown: self.shutdown().clone() }
    }

    /// Drops days of events that ended before a time, with the records of their publication.
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
    heard: Subscription,
    org: String,
    shutdown: Shutdown,
}

impl News {
    /// Resolves when there may be more to read. Returns `false` on timeout or shutdown.
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
