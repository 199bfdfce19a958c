//! Followers: reading the logs of all organizations in order, one process at a time by a lease, from a stored
//! position.

use std::future::Future;

use model::{EventId, OrgId};
use platform::db::listener::EVENTS;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    Error, Log,
    limits::follow::{BATCH, BEAT, LEASE, REST},
    store::{self, followers::Step},
};

/// A follower's position in the log, leased by this process.
pub(crate) struct Place<'a> {
    log: &'a Log,
    name: &'static str,
    holder: Uuid,
    pub(crate) position: i64,
    said_at: Instant,
}

impl<'a> Place<'a> {
    /// Takes the lease if it is free.
    pub(crate) async fn take(log: &'a Log, name: &'static str, holder: Uuid) -> Result<Option<Self>, Error> {
        let mut conn = log.db().unscoped().await?;
        let position = store::followers::take(&mut conn, name, holder, lease_ms()).await?;
        Ok(position.map(|position| Self { log, name, holder, position, said_at: Instant::now() }))
    }

    /// Renews the lease if it is time to. Returns whether it is still held.
    pub(crate) async fn keep(&mut self) -> Result<bool, Error> {
        if self.said_at.elapsed() < BEAT / 2 {
            return Ok(true);
        }
        let mut conn = self.log.db().unscoped().await?;
        let position = store::followers::take(&mut conn, self.name, self.holder, lease_ms()).await?;
        self.said_at = Instant::now();
        // Another process may have held the lease in between and moved the position.
        Ok(position == Some(self.position))
    }

    /// Moves the position and notifies the affected organizations. Returns whether the lease was still held.
    pub(crate) async fn advance(&mut self, to: i64, tell: Option<&str>) -> Result<bool, Error> {
        let mut conn = self.log.db().unscoped().await?;
        let step = Step { name: self.name, holder: self.holder, from: self.position, to };
        let moved = store::followers::advance(&mut conn, step, lease_ms(), tell).await?;
        (self.position, self.said_at) = (to, Instant::now());
        Ok(moved)
    }

    /// Releases the lease.
    pub(crate) async fn release(self) -> Result<(), Error> {
        let mut conn = self.log.db().unscoped().await?;
        Ok(store::followers::release(&mut conn, self.name, self.holder).await?)
    }
}

fn lease_ms() -> i32 {
    i32::try_from(LEASE.as_millis()).unwrap_or(i32::MAX)
}

/// Consecutive events of one organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    pub org: OrgId,
    pub events: Vec<EventId>,
}

/// The events of a batch, grouped by organization, in order.
pub(crate) fn by_org(batch: &[(OrgId, EventId, i64)]) -> Vec<Stretch> {
    let mut orgs: Vec<Stretch> = Vec::new();
    for (org, event, _) in batch {
        match orgs.iter_mut().find(|stretch| stretch.org == *org) {
            Some(stretch) => stretch.events.push(*event),
            None => orgs.push(Stretch { org: *org, events: vec![*event] }),
        }
    }
    orgs
}

impl Log {
    /// Processes every event, in order and at least once, in one process at a time, until shutdown. A failed event is
    /// retried and blocks later ones, so the processing function must not fail for an event that can never succeed.
    pub async fn follow<F, W>(&self, name: &'static str, see_to: W)
    where
        W: Fn(Stretch) -> F,
        F: Future<Output = Result<(), Error>>,
    {
        let (holder, stop) = (self.uuid(), self.shutdown());
        let mut news = self.db().subscribe(stop).await;
        while !stop.has_begun() {
            if let Err(error) = self.hold(name, holder, &see_to).await {
                tracing::warn!(
                    follower = name,
                    error = &error as &dyn std::error::Error,
                    "following events failed"
                );
            }
            let wait = async {
                tokio::time::sleep(REST).await;
                tokio::select! {
                    () = news.until(|told| told.channel == EVENTS) => {}
                    () = tokio::time::sleep(BEAT) => {}
                }
            };
            tokio::select! {
                () = stop.begun() => {}
                () = wait => {}
            }
        }
        if let Ok(Some(place)) = Place::take(self, name, holder).await {
            let _ = place.release().await;
        }
    }

    /// Processes new events, if this process holds the lease.
    async fn hold<F, W>(&self, name: &'static str, holder: Uuid, see_to: &W) -> Result<(), Error>
    where
        W: Fn(Stretch) -> F,
        F: Future<Output = Result<(), Error>>,
    {
        let Some(mut place) = Place::take(self, name, holder).await? else { return Ok(()) };
        while self.follow_on(&mut place, see_to).await? && !self.shutdown().has_begun() {}
        Ok(())
    }

    /// The next events after a position, of any organization, up to another position.
    pub(crate) async fn batch(
        &self,
        place: &Place<'_>,
        upto: i64,
    ) -> Result<Vec<(OrgId, EventId, i64)>, Error> {
        let mut conn = self.db().unscoped().await?;
        let most = i32::try_from(BATCH).unwrap_or(i32::MAX);
        Ok(store::log::stretch(&mut conn, place.position, upto, most).await?)
    }

    /// Processes one batch. Returns whether there may be more.
    async fn follow_on<F, W>(&self, place: &mut Place<'_>, see_to: &W) -> Result<bool, Error>
    where
        W: Fn(Stretch) -> F,
        F: Future<Output = Result<(), Error>>,
    {
        let batch = self.batch(place, self.end().await?).await?;
        let Some((_, _, last)) = batch.last() else { return Ok(false) };
        for stretch in by_org(&batch) {
            see_to(stretch).await?;
            if !place.keep().await? {
                return Ok(false);
            }
        }
        place.advance(*last, None).await
    }
}
