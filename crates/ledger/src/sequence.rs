//! The sequencer: gives new records a position in the log, and signs checkpoints.
//!
//! Every process tries about once a second. The one that locks the head row extends the log from its stored state;
//! the others find the row locked, or a recent checkpoint, and do nothing. A process that dies in between leaves
//! nothing behind, because entries, hashes and checkpoint are one transaction.

use std::time::Duration;

use jiff::{Timestamp, Unit};
use model::OrgId;
use platform::{
    db::{self, order},
    shutdown::Shutdown,
};
use receipt::{Checkpoint, ENTRY_VERSION, Entry, SigningKey, merkle::Hash};
use sqlx::PgConnection;

use crate::{
    Error, Ledger,
    keys::{self, StoredKey},
    store::{
        self,
        log::{About, Head, NewHead, Waiting},
    },
    tree::Edge,
};

/// How often the log is extended.
const BEAT: Duration = Duration::from_secs(1);
/// A checkpoint newer than this is kept: another process has just extended the log.
const FRESH: Duration = Duration::from_millis(800);
/// An idle log is signed this often.
const IDLE: Duration = Duration::from_secs(60);
/// Maximum number of entries in one transaction.
const MOST: i32 = 5_000;
/// How long to wait for open transactions. Records behind them are taken in the next round.
const PATIENCE: Duration = Duration::from_millis(1_500);
const PAUSE: Duration = Duration::from_millis(5);
/// How much clocks of gateways may differ.
const SKEW: Duration = Duration::from_secs(2);
/// How long after its expiry a key is considered unused: longer than any process holds a signed receipt before
/// storing it.
const KEY_ENDS_AFTER: Duration = Duration::from_secs(3_600);

/// The result of one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequenced {
    /// Nothing: another process is active or was a moment ago, or there is no new record.
    Nothing,
    /// The log was extended and signed.
    Signed {
        /// The new number of entries.
        size: u64,
        /// Whether there are more records.
        more: bool,
    },
}

impl Ledger {
    /// Extends the log about once a second until shutdown.
    pub async fn keep_sequencing(&self, stop: &Shutdown) {
        while !stop.has_begun() {
            let more = match self.sequence().await {
                Ok(Sequenced::Signed { more, .. }) => more,
                Ok(Sequenced::Nothing) => false,
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "extending the ledger failed");
                    false
                }
            };
            if !more {
                tokio::select! {
                    () = stop.begun() => {}
                    () = tokio::time::sleep(BEAT) => {}
                }
            }
        }
    }

    /// One round: new records get a position, and the log is signed. Without new records it is signed once a minute.
    pub async fn sequence(&self) -> Result<Sequenced, Error> {
        let mut conn = self.db.unscoped().await?;
        let head = store::log::head(&mut conn).await?;
        let upto = store::log::last_drawn(&mut conn).await?;
        #[expect(clippy::cast_precision_loss, reason = "a backlog is far below 2^52")]
        metrics::gauge!("countersign_ledger_waiting").set((upto - head.position) as f64);
        let now = self.now();
        let stored = store::keys::list_keys(&mut conn).await?;
        let news = upto > head.position || stored.iter().any(|key| key_is_news(key, now));
        let age = age(&head, now);
        if age.is_some_and(|age| age < if news { FRESH } else { IDLE })
            && upto - head.position < i64::from(MOST)
        {
            return Ok(Sequenced::Nothing);
        }
        let newest = order::newest_transaction(&mut conn).await?;
        if !all_over_before(&mut conn, &newest).await? {
            return Ok(Sequenced::Nothing);
        }
        drop(conn);
        self.continue_log(upto, head.position).await
    }

    /// Writes one batch in one transaction. `seen` is the head of the log at the time when the end of the batch was
    /// determined.
    async fn continue_log(&self, upto: i64, seen: i64) -> Result<Sequenced, Error> {
        let mut tx = self.db.begin_unscoped().await?;
        let Some(head) = store::log::hold_head(&mut tx).await?.filter(|head| head.position == seen) else {
            return Ok(Sequenced::Nothing);
        };
        let at = self.now();
        let waiting = store::log::waiting(&mut tx, head.position, upto, MOST).await?;
        let more = waiting.len() == usize::try_from(MOST).unwrap_or_default();
        let position = waiting.last().filter(|_| more).map_or(upto, |last| last.position);
        let mut batch = Batch { at, edge: Edge::load(&mut tx, unsigned(head.size)).await?, leaves: vec![] };

        let all = store::keys::list_keys(&mut tx).await?;
        for key in all.iter().filter(|key| key.begun.is_none()) {
            let place = batch.begin_key(key)?;
            store::keys::note_begin(&mut tx, &key.keyid, key.ml_dsa_65.as_deref(), place, at).await?;
        }
        let entries = batch.number(&mut tx, waiting).await?;
        if !more {
            for key in all.iter().filter(|key| has_ended(key, at)) {
                let place = batch.push(&Entry::KeyEnd {
                    version: ENTRY_VERSION.to_owned(),
                    keyid: key.keyid.clone(),
                    at: at.to_string(),
                })?;
                store::keys::note_end(&mut tx, &key.keyid, place, at).await?;
            }
        }
        let tiles = batch.edge.grow(&batch.leaves);
        let origin =
            match head.origin.clone().or_else(|| all.first().map(|key| format!("countersign/{}", key.keyid)))
            {
                Some(origin) => origin,
                None => return Ok(Sequenced::Nothing),
            };
        let size = batch.edge.size();
        let checkpoint = Checkpoint { origin, size, root: batch.edge.root(), time: at.to_string() };
        let note = self.sign_checkpoint(&checkpoint, &all, at)?;

        store::log::put_tiles(&mut tx, &tiles).await?;
        store::log::write(&mut tx, &entries, at).await?;
        let new_head = NewHead {
            origin: &checkpoint.origin,
            size: signed(size),
            position,
            checkpoint: &note,
            signed_at: at,
        };
        store::log::put_head(&mut tx, new_head).await?;
        if age(&head, at).is_none() || minute(&head) != Some(at.as_second() / 60) {
            store::log::keep_checkpoint(&mut tx, signed(size), &note, at).await?;
        }
        db::commit(tx).await?;
        metrics::counter!("countersign_ledger_entries_total").increment(batch.leaves.len() as u64);
        Ok(Sequenced::Signed { size, more })
    }

    /// All valid keys sign, so that anyone who trusts one of them learns the next from the log itself.
    fn sign_checkpoint(
        &self,
        checkpoint: &Checkpoint,
        all: &[StoredKey],
        at: Timestamp,
    ) -> Result<String, Error> {
        let is_valid = |key: &&StoredKey| key.not_before <= at && key.not_after.is_none_or(|end| at <= end);
        let (twice, once): (Vec<_>, Vec<_>) =
            all.iter().filter(is_valid).partition(|key| key.ml_dsa_65.is_some());
        let open = |keys: Vec<&StoredKey>| -> Result<Vec<SigningKey>, Error> {
            keys.into_iter().map(|key| keys::open(&self.sealer, key)).collect()
        };
        let (twice, once) = (open(twice)?, open(once)?);
        if twice.is_empty() && once.is_empty() {
            return Err(Error::NoKey);
        }
        let note = checkpoint.sign(once.iter().chain(&twice));
        Ok(note + &checkpoint.ml_dsa_lines(&twice).map_err(Error::MlDsa)?)
    }

    /// In the precision of the database, so that an entry built from its row is identical.
    fn now(&self) -> Timestamp {
        let now = self.world.clock.now();
        now.round(Unit::Microsecond).unwrap_or(now)
    }
}

/// What one round adds.
struct Batch {
    at: Timestamp,
    edge: Edge,
    leaves: Vec<Hash>,
}

impl Batch {
    fn push(&mut self, entry: &Entry) -> Result<i64, Error> {
        let index = self.edge.size() + self.leaves.len() as u64;
        self.leaves.push(entry.leaf().map_err(Error::Canonical)?);
        Ok(signed(index))
    }

    fn begin_key(&mut self, key: &StoredKey) -> Result<i64, Error> {
        let mut document = key.document().ok_or(Error::Key(platform::seal::Error::Broken))?;
        document.begun = Some(receipt::Logged { index: 0, at: self.at.to_string() });
        let (_, entry) =
            document.entries().into_iter().next().ok_or(Error::Key(platform::seal::Error::Broken))?;
        self.push(&entry)
    }

    /// Assigns each record its number within the organization and its position in the log.
    async fn number(
        &mut self,
        conn: &mut PgConnection,
        waiting: Vec<Waiting>,
    ) -> Result<Vec<(Waiting, i64, i64)>, Error> {
        let mut orgs: Vec<_> = waiting.iter().map(|waiting| waiting.org.uuid()).collect();
        orgs.sort_unstable();
        orgs.dedup();
        let mut sizes = store::log::sizes(conn, &orgs).await?;
        let mut entries = Vec::with_capacity(waiting.len());
        for waiting in waiting {
            let number = sizes.entry(waiting.org).or_default();
            *number += 1;
            let number = *number;
            let signed =
                waiting.signed.as_ref().map(|(keyid, commitment)| (keyid.as_str(), commitment.as_slice()));
            let index = self.push(&entry(waiting.org, waiting.about, number, signed, self.at))?;
            entries.push((waiting, number, index));
        }
        Ok(entries)
    }
}

/// The entry of a receipt, of its erasure, or of a change record.
pub(crate) fn entry(
    org: OrgId,
    about: About,
    number: i64,
    signed: Option<(&str, &[u8])>,
    at: Timestamp,
) -> Entry {
    let (version, org, number) = (ENTRY_VERSION.to_owned(), org.to_string(), unsigned(number));
    let (keyid, commitment) = signed.unwrap_or_default();
    let (keyid, commitment, at) = (keyid.to_owned(), hex::encode(commitment), at.to_string());
    match about {
        About::Erasure(id) => Entry::Erasure { version, org, number, id: id.to_string(), at },
        About::Receipt(id) => {
            Entry::Receipt { version, org, number, id: id.to_string(), keyid, commitment, at }
        }
        About::Change(id) => {
            Entry::Change { version, org, number, id: id.to_string(), keyid, commitment, at }
        }
    }
}

fn has_ended(key: &StoredKey, now: Timestamp) -> bool {
    key.begun.is_some() && key.ended.is_none() && key.not_after.is_some_and(|end| end + KEY_ENDS_AFTER < now)
}

fn key_is_news(key: &StoredKey, now: Timestamp) -> bool {
    key.begun.is_none() || has_ended(key, now)
}

/// The age of the newest checkpoint. A checkpoint from the future, beyond the tolerated clock difference, counts as
/// old: the log continues after a clock was set back.
fn age(head: &Head, now: Timestamp) -> Option<Duration> {
    Some(age_of(head.signed_at?.to_jiff(), now))
}

fn age_of(signed_at: Timestamp, now: Timestamp) -> Duration {
    if signed_at > now + SKEW {
        return Duration::MAX;
    }
    Duration::try_from(now.duration_since(signed_at)).unwrap_or_default()
}

fn minute(head: &Head) -> Option<i64> {
    head.signed_at.map(|at| at.to_jiff().as_second() / 60)
}

pub(crate) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Waits a short time for open transactions.
async fn all_over_before(conn: &mut PgConnection, newest: &str) -> Result<bool, Error> {
    let until = tokio::time::Instant::now() + PATIENCE;
    while !order::all_over_before(conn, newest).await? {
        if tokio::time::Instant::now() > until {
            tracing::warn!(
                "a transaction is open for long on this PostgreSQL server; the ledger waits for its end"
            );
            return Ok(false);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_from_the_future_is_not_fresh() {
        let now: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        for (signed_at, age) in [
            ("2026-11-15T11:59:50Z", Duration::from_secs(10)),
            ("2026-11-15T12:00:00Z", Duration::ZERO),
            ("2026-11-15T12:00:02Z", Duration::ZERO),
            ("2026-11-15T12:00:03Z", Duration::MAX),
            ("2027-11-15T12:00:00Z", Duration::MAX),
        ] {
            assert_eq!(age_of(signed_at.parse().unwrap(), now), age, "{signed_at}");
        }
    }
}
