//! The relay: finds out how far the log can be read without a gap, keeps its newest part in streams, and tells.
//!
//! Positions are drawn before their transactions commit; `platform::db::order` says how they are read without a gap.

use std::{collections::HashMap, time::Duration};

use futures::StreamExt as _;
use model::OrgId;
use platform::db::{ear::STAGED, order};

use crate::{
    Error, Log,
    follow::{BATCH, BEAT, Place, Stretch, by_org},
    store, stream,
};

/// How many orgs a notice names; beyond, everybody looks.
const MOST_NAMED: usize = 100;
/// How many orgs are seen to at once.
const AT_ONCE: usize = 4;
/// How long to wait for transactions under way before looking again.
const FIRST_WAIT: Duration = Duration::from_millis(2);
const LONGEST_WAIT: Duration = Duration::from_millis(50);
/// When somebody ought to look who keeps a transaction open.
const LONG: Duration = Duration::from_secs(10);

/// How long to rest after relaying. Each round costs commits and a dozen round trips whatever it relays, so under load many
/// events share one; the first after a silence is relayed at once.
const REST: Duration = Duration::from_millis(50);

/// The last position in each org's stream, as far as this process put it there.
type Streams = HashMap<OrgId, i64>;

impl Log {
    /// Relays, one process at a time, until this one stops.
    pub async fn relay(&self) {
        let (holder, stop) = (self.uuid(), self.shutdown());
        while !stop.has_begun() {
            match Place::take(self, "relay", holder).await {
                Ok(Some(place)) => {
                    tracing::info!("relaying events");
                    if let Err(error) = self.lead(place).await {
                        tracing::warn!(error = &error as &dyn std::error::Error, "relaying events");
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "asking who relays events");
                }
            }
            tokio::select! {
                () = stop.begun() => {}
                () = tokio::time::sleep(BEAT) => {}
            }
        }
    }

    /// Relays for as long as the place is ours.
    async fn lead(&self, mut place: Place<'_>) -> Result<(), Error> {
        let stop = self.shutdown();
        let mut staged = self.db().hear(stop).await;
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

    /// Relays what was drawn up to now; says whether the place is still ours.
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

    /// Waits until all transactions up to a number are over; says whether the place is still ours.
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

    /// Puts events into the streams of their orgs. A stream that cannot be continued begins anew; without Redis there are
    /// none, and readers find everything in the database.
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

/// Whom a batch concerns, for the notice.
fn told(orgs: &[Stretch]) -> Option<String> {
    let name = |stretch: &Stretch| stretch.org.uuid().to_string();
    match orgs.len() {
        0 => None,
        1..=MOST_NAMED => Some(orgs.iter().map(name).collect::<Vec<_>>().join(",")),
        _ => Some("*".to_owned()),
    }
}
