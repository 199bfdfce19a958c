//! Following the logs of all orgs from end to end: one process at a time, by a lease, from a position that is kept.

use std::{future::Future, time::Duration};

use model::{EventId, OrgId};
use platform::db::ear::EVENTS;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{Error, Log, store};

/// How long a process may be silent before another takes its place.
pub(crate) const LEASE: Duration = Duration::from_millis(2_500);
/// How often one that has nothing to do says that it is there, and others ask whether it still is.
pub(crate) const BEAT: Duration = Duration::from_millis(1_000);
/// How long a follower rests after it looked: what follows from events may come a moment later, and each look costs a commit.
const REST: Duration = Duration::from_millis(200);
/// How many events are taken up at once.
pub(crate) const BATCH: usize = 500;

/// A follower's place in the log, held by this process.
pub(crate) struct Place<'a> {
    log: &'a Log,
    name: &'static str,
    holder: Uuid,
    pub(crate) position: i64,
    said_at: Instant,
}

impl<'a> Place<'a> {
    /// Takes the place if nobody holds it.
    pub(crate) async fn take(log: &'a Log, name: &'static str, holder: Uuid) -> Result<Option<Self>, Error> {
        let mut conn = log.db().unscoped().await?;
        let position = store::followers::take(&mut conn, name, holder, lease_ms()).await?;
        Ok(position.map(|position| Self { log, name, holder, position, said_at: Instant::now() }))
    }

    /// Says that this process is there, if it has not lately; says whether the place is still held.
    pub(crate) async fn keep(&mut self) -> Result<bool, Error> {
        if self.said_at.elapsed() < BEAT / 2 {
            return Ok(true);
        }
        let mut conn = self.log.db().unscoped().await?;
        let position = store::followers::take(&mut conn, self.name, self.holder, lease_ms()).await?;
        self.said_at = Instant::now();
        // Somebody who had the place in between may have moved it.
        Ok(position == Some(self.position))
    }

    /// Moves on, telling whom it concerns; says whether the place was still held.
    pub(crate) async fn advance(&mut self, to: i64, tell: Option<&str>) -> Result<bool, Error> {
        let mut conn = self.log.db().unscoped().await?;
        let (own, way) = ((self.name, self.holder), (self.position, to));
        let moved = store::followers::advance(&mut conn, own, way, lease_ms(), tell).await?;
        (self.position, self.said_at) = (to, Instant::now());
        Ok(moved)
    }

    /// Gives the place up.
    pub(crate) async fn release(self) -> Result<(), Error> {
        let mut conn = self.log.db().unscoped().await?;
        Ok(store::followers::release(&mut conn, self.name, self.holder).await?)
    }
}

fn lease_ms() -> i32 {
    i32::try_from(LEASE.as_millis()).unwrap_or(i32::MAX)
}

/// Events of one org that come one after the other in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    pub org: OrgId,
    pub events: Vec<EventId>,
}

/// The events of a batch by their orgs, each org's in order.
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
    /// Has every event seen to, in order and at least once, by one process at a time, until this one stops. What fails is
    /// tried again, and nothing after it is seen to meanwhile: whoever sees to events must not fail for what will never
    /// succeed.
    pub async fn follow<F, W>(&self, name: &'static str, see_to: W)
    where
        W: Fn(Stretch) -> F,
        F: Future<Output = Result<(), Error>>,
    {
        let (holder, stop) = (self.uuid(), self.shutdown());
        let mut news = self.db().hear(stop).await;
        while !stop.has_begun() {
            if let Err(error) = self.hold(name, holder, &see_to).await {
                tracing::warn!(follower = name, error = &error as &dyn std::error::Error, "following events");
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

    /// Sees to what is new, if the place is ours.
    async fn hold<F, W>(&self, name: &'static str, holder: Uuid, see_to: &W) -> Result<(), Error>
    where
        W: Fn(Stretch) -> F,
        F: Future<Output = Result<(), Error>>,
    {
        let Some(mut place) = Place::take(self, name, holder).await? else { return Ok(()) };
        while self.follow_on(&mut place, see_to).await? && !self.shutdown().has_begun() {}
        Ok(())
    }

    /// The next events behind a place, of any org, up to a position.
    pub(crate) async fn batch(
        &self,
        place: &Place<'_>,
        upto: i64,
    ) -> Result<Vec<(OrgId, EventId, i64)>, Error> {
        let mut conn = self.db().unscoped().await?;
        let most = i32::try_from(BATCH).unwrap_or(i32::MAX);
        Ok(store::log::stretch(&mut conn, (place.position, upto), most).await?)
    }

    /// Sees to one batch; says whether there may be more.
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
