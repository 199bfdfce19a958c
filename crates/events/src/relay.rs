//! The relay: determines how far the log can be read without a gap, keeps its newest part in streams, and notifies
//! readers.
//!
//! Positions are taken from a sequence before their transactions commit; `platform::db::order` explains how they are
//! read without a gap.

use std::collections::HashMap;

use futures::StreamExt as _;
use model::OrgId;
use platform::db::{listener::STAGED, order};

use crate::{
    Error, Log,
    follow::{Place, Stretch, by_org},
    limits::{
        follow::{BATCH, BEAT},
        relay::{AT_ONCE, FIRST_WAIT, LONG, LONGEST_WAIT, MOST_NAMED, REST},
    },
    store, stream,
};

/// The last position in each organization's stream, as far as this process wrote it.
type Streams = HashMap<OrgId, i64>;

impl Log {
    /// Relays events, in one process at a time, until shutdown.
    pub async fn relay(&self) {
        let (holder, stop) = (self.uuid(), self.shutdown());
        while !stop.has_begun() {
            match Place::take(self, "relay", holder).await {
                Ok(Some(place)) => {
                    tracing::info!("relaying events");
                    if let Err(error) = self.lead(place).await {
                        tracing::warn!(error = &error as &dyn std::error::Error, "relaying events failed");
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "finding the relaying process failed"
                    );
                }
            }
            tokio::select! {
                () = stop.begun() => {}
                () = tokio::time::sleep(BEAT) => {}
            }
        }
    }

    /// Relays while this process holds the lease.
    async fn lead(&self, mut place: Place<'_>) -> Result<(), Error> {
        let stop = self.shutdown();
        let mut staged = self.db().subscribe(stop).await;
        let mut streams = Streams::new();
        while !stop.has_begun() {
            let before = place.position;
            let kept = self.relay_on(&mut place, &mut streams).await? && place.keep().await?;
            if !kept {
                return Ok(());
            }
            if place.position > before {
                tokio::time::sleep(REST).await;
            }
            tokio::select! {
                () = stop.begun() => {}
                () = staged.until(|told| told.channel == STAGED) => {}
                () = tokio::time::sleep(BEAT) => {}
            }
        }
        place.release().await
    }

    /// Relays the positions taken so far. Returns whether the lease is still held.
    async fn relay_on(&self, place: &mut Place<'_>, streams: &mut Streams) -> Result<bool, Error> {
        let mut conn = self.db().unscoped().await?;
        let upto = store::log::last_drawn(&mut conn).await?;
        #[expect(clippy::cast_precision_loss, reason = "a backlog is far below 2^52")]
        metrics::gauge!("countersign_events_waiting").set((upto - place.position) as f64);
        if upto <= place.position {
            return Ok(true);
        }
        let newest = order::newest_transaction(&mut conn).await?;
        drop(conn);
        if !self.all_over_before(&newest, place).await? {
            return Ok(false);
        }
        while place.position < upto {
            let batch = self.batch(place, upto).await?;
            let to = batch.last().filter(|_| batch.len() == BATCH).map_or(upto, |(_, _, last)| *last);
            let orgs = by_org(&batch);
            self.stream(&orgs, streams).await?;
            if !place.advance(to, told(&orgs).as_deref()).await? {
                return Ok(false);
            }
            metrics::counter!("countersign_events_relayed_total")
                .increment(u64::try_from(batch.len()).unwrap_or_default());
        }
        Ok(true)
    }

    /// Waits until all transactions up to a number have ended. Returns whether the lease is still held.
    async fn all_over_before(&self, newest: &str, place: &mut Place<'_>) -> Result<bool, Error> {
        let since = tokio::time::Instant::now();
        let (mut wait, mut is_told) = (FIRST_WAIT, false);
        loop {
            let mut conn = self.db().unscoped().await?;
            if order::all_over_before(&mut conn, newest).await? {
                return Ok(true);
            }
            drop(conn);
            if since.elapsed() > LONG && !is_told {
                is_told = true;
                tracing::warn!(
                    "a transaction has been open for long on this PostgreSQL server; events wait for its end"
                );
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
            if self.shutdown().has_begun() || !place.keep().await? {
                return Ok(false);
            }
        }
    }

    /// Writes events to the streams of their organizations. A stream that cannot be continued is started again;
    /// without Redis there are no streams, and readers use the database.
    async fn stream(&self, orgs: &[Stretch], streams: &mut Streams) -> Result<(), Error> {
        if self.redis().is_resting() {
            streams.clear();
            return Ok(());
        }
        let before = &*streams;
        let ended: Vec<Result<(OrgId, Option<i64>), Error>> = futures::stream::iter(orgs.to_vec())
            .map(|stretch| async move {
                let entries = self.find(stretch.org, &stretch.events).await?;
                let last = before.get(&stretch.org).copied();
                Ok((stretch.org, stream::append(self.redis(), stretch.org, last, &entries).await))
            })
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        for end in ended {
            match end? {
                (org, Some(last)) => streams.insert(org, last),
                (org, None) => streams.remove(&org),
            };
        }
        Ok(())
    }
}

/// The organizations of a batch, for the notification.
fn told(orgs: &[Stretch]) -> Option<String> {
    let name = |stretch: &Stretch| stretch.org.uuid().to_string();
    match orgs.len() {
        0 => None,
        1..=MOST_NAMED => Some(orgs.iter().map(name).collect::<Vec<_>>().join(",")),
        _ => Some("*".to_owned()),
    }
}
