//! Mirrors: external storage for checkpoints, ideally storage that the operator cannot rewrite.
//!
//! Before a mirror gets a newer checkpoint, its current one is compared with the log: the root over the same number
//! of entries must be equal. A log that was rewritten or restored from a backup fails this check.
//!
//! INVARIANT: a checkpoint of a mirror is never deleted, and `checkpoints/<size>` is never overwritten. A mismatch is
//! reported and left in place as evidence.

mod error;
mod git;

use std::time::Duration;

use jiff::Timestamp;
use platform::{
    objects::{Found, Objects},
    shutdown::Shutdown,
};
use receipt::{Checkpoint, KeySet};

pub use error::{Divergence, Error};

use crate::{Ledger, keys::StoredKey, sequence::unsigned, store, tree};

/// How often each mirror gets the newest checkpoint.
const BEAT: Duration = Duration::from_secs(60);
/// Waiting time for the first checkpoint of a new log.
const SOON: Duration = Duration::from_secs(2);
/// How often an idle log is reported, so that a stopped mirror can be distinguished from an idle log.
const AGAIN: Duration = Duration::from_secs(3_600);
/// Number of attempts if others push at the same time.
const TRIES: u32 = 3;
const MAX_NOTE_BYTES: u64 = receipt::MAX_NOTE_BYTES as u64;
/// The object that `doctor` writes and deletes.
const PROBE: &str = "countersign-doctor";

/// A mirror. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mirror {
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    Objects(Objects),
    Git(git::Repository),
}

/// The result of updating a mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushed {
    /// The mirror already has the newest checkpoint.
    Nothing,
    /// The log has no checkpoint yet.
    NotYet,
    /// The mirror got the checkpoint with this many entries.
    Upto(u64),
}

impl Mirror {
    /// A mirror by its address: `file:///directory`, `s3://bucket/prefix` or `git:///path/to/clone`.
    pub fn parse(address: &str) -> Result<Self, Error> {
        let place = match git::Repository::parse(address) {
            Some(clone) => Place::Git(clone),
            None => Place::Objects(Objects::parse(address).map_err(Error::Address)?),
        };
        Ok(Self { place })
    }

    /// A mirror over existing storage.
    pub const fn of(objects: Objects) -> Self {
        Self { place: Place::Objects(objects) }
    }

    /// Parses several addresses, separated by commas.
    pub fn parse_list(addresses: &str) -> Result<Vec<Self>, Error> {
        addresses.split(',').map(str::trim).filter(|one| !one.is_empty()).map(Self::parse).collect()
    }

    /// The address; it holds no secret.
    pub fn name(&self) -> &str {
        match &self.place {
            Place::Objects(objects) => objects.place(),
            Place::Git(clone) => clone.address(),
        }
    }

    /// Checks that the mirror can be read and written. Nothing is written to a git remote: it is fetched, and a push
    /// is tried with `--dry-run`.
    pub async fn probe(&self) -> Result<(), Error> {
        match &self.place {
            Place::Objects(objects) => {
                objects.get(&Names::of("").latest, MAX_NOTE_BYTES).await?;
                objects.create(PROBE, "").await?;
                // Storage that forbids deletion is even better: the object is empty, and the next check finds it.
                let _ = objects.delete(PROBE).await;
                Ok(())
            }
            Place::Git(clone) => clone.probe().await,
        }
    }

    async fn look(&self, names: Names) -> Result<Seen<'_>, Error> {
        let place = match &self.place {
            Place::Objects(objects) => {
                SeenPlace::Objects(objects, objects.get(&names.latest, MAX_NOTE_BYTES).await?)
            }
            Place::Git(clone) => SeenPlace::Git(clone.fetch().await?),
        };
        Ok(Seen { place, names })
    }
}

/// The names of what a mirror holds of one log. After a restore the log goes on under another origin, and what the mirror
/// holds of the earlier one stays.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Names {
    /// The newest checkpoint.
    latest: String,
    /// All that are kept.
    directory: String,
}

impl Names {
    fn of(origin: &str) -> Self {
        let epoch = origin.rsplit_once("/epoch-").map_or_else(String::new, |(_, epoch)| format!("-{epoch}"));
        Self { latest: format!("checkpoint{epoch}"), directory: format!("checkpoints{epoch}") }
    }

    /// Padded, so that names sort by size.
    fn kept(&self, size: u64) -> String {
        format!("{}/{size:020}", self.directory)
    }
}

/// The checkpoint that a mirror held when it was read.
struct Seen<'m> {
    place: SeenPlace<'m>,
    names: Names,
}

enum SeenPlace<'m> {
    Objects(&'m Objects, Option<Found>),
    Git(git::Snapshot<'m>),
}

impl Seen<'_> {
    async fn held(&self, name: &str) -> Result<Option<String>, Error> {
        let bytes = match &self.place {
            SeenPlace::Objects(_, latest) if name == self.names.latest => {
                latest.as_ref().map(|found| found.bytes.to_vec())
            }
            SeenPlace::Objects(objects, _) => {
                objects.get(name, MAX_NOTE_BYTES).await?.map(|found| found.bytes.to_vec())
            }
            SeenPlace::Git(snapshot) => snapshot.held(name, MAX_NOTE_BYTES).await?,
        };
        let text = bytes.map(String::from_utf8).transpose();
        text.map_err(|_| Divergence::NotOurs(receipt::CheckpointError::Malformed).into())
    }

    /// Stores a checkpoint. Returns `false` if another process has stored one since the mirror was read. The
    /// permanent object is written first: after an interruption the newest one is merely older, and still valid.
    async fn push(&self, newest: &Checkpoint, note: &str, is_new: bool) -> Result<bool, Error> {
        let kept = is_new.then(|| self.names.kept(newest.size));
        match &self.place {
            SeenPlace::Objects(objects, latest) => {
                if let Some(kept) = &kept {
                    objects.create(kept, note.to_owned()).await?;
                }
                Ok(objects.replace(&self.names.latest, note.to_owned(), latest.as_ref()).await?)
            }
            SeenPlace::Git(snapshot) => snapshot.push(&self.names, kept.as_deref(), (note, newest)).await,
        }
    }
}

impl Ledger {
    /// Updates a mirror now and every minute, until shutdown.
    pub async fn keep_mirroring(&self, mirror: &Mirror, stop: &Shutdown) {
        let name = mirror.name().to_owned();
        while !stop.has_begun() {
            let pushed = tokio::select! {
                () = stop.begun() => return,
                pushed = self.mirror(mirror) => pushed,
            };
            let wait = match pushed {
                Ok(Pushed::Upto(size)) => {
                    #[expect(clippy::cast_precision_loss, reason = "a log is far shorter than 2^52")]
                    metrics::gauge!("countersign_ledger_mirror_size", "mirror" => name.clone())
                        .set(size as f64);
                    BEAT
                }
                Ok(Pushed::Nothing) => BEAT,
                Ok(Pushed::NotYet) => SOON,
                Err(error) => {
                    tell(&name, &error);
                    BEAT
                }
            };
            tokio::select! {
                () = stop.begun() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Updates a mirror, if the log continues the mirror's checkpoint.
    pub async fn mirror(&self, mirror: &Mirror) -> Result<Pushed, Error> {
        for _ in 0..TRIES {
            // The mirror is read first, then the log: whatever others push meanwhile, the log is at least as long as
            // the checkpoint that was read.
            let seen = mirror.look(self.names().await?).await?;
            let (newest, note) =
                match self.next_after(seen.held(&seen.names.latest).await?.as_deref()).await? {
                    Next::Push(newest, note) => (newest, note),
                    Next::Nothing => return Ok(Pushed::Nothing),
                    Next::NotYet => return Ok(Pushed::NotYet),
                };
            let kept = seen.held(&seen.names.kept(newest.size)).await?;
            if let Some(kept) = &kept {
                self.check_held(kept, newest.size).await?;
            }
            if seen.push(&newest, &note, kept.is_none()).await? {
                return Ok(Pushed::Upto(newest.size));
            }
        }
        Err(Error::Contended)
    }

    /// Checks that the log continues what a mirror holds. Nothing is written.
    pub async fn compare(&self, mirror: &Mirror) -> Result<(), Error> {
        let seen = mirror.look(self.names().await?).await?;
        self.next_after(seen.held(&seen.names.latest).await?.as_deref()).await.map(drop)
    }

    /// Where mirrors keep the checkpoints of the present log.
    async fn names(&self) -> Result<Names, Error> {
        let mut conn = self.db.unscoped().await?;
        Ok(Names::of(&store::log::head(&mut conn).await?.origin.unwrap_or_default()))
    }

    /// The checkpoint to store after this one.
    async fn next_after(&self, held: Option<&str>) -> Result<Next, Error> {
        let mut conn = self.db.unscoped().await?;
        let head = store::log::head(&mut conn).await?;
        drop(conn);
        let held = match held {
            Some(held) => Some(self.check_held(held, unsigned(head.size)).await?),
            None => None,
        };
        let Some(note) = head.checkpoint else { return Ok(Next::NotYet) };
        let newest = Checkpoint::verify(&note, &self.trusted().await?).map_err(Divergence::NotOurs)?;
        if head.origin.as_deref() != Some(&newest.origin) {
            // After a restore, until the first checkpoint of the new log.
            return Ok(Next::NotYet);
        }
        let is_news = held.is_none_or(|held| newest.size > held.size || is_due(&held.time, &newest.time));
        Ok(if is_news { Next::Push(newest, note) } else { Next::Nothing })
    }

    /// Checks that the log, which has this many entries, continues a checkpoint.
    async fn check_held(&self, held: &str, size: u64) -> Result<Checkpoint, Error> {
        let held = Checkpoint::verify(held, &self.trusted().await?).map_err(Divergence::NotOurs)?;
        let mut conn = self.db.unscoped().await?;
        let origin = store::log::head(&mut conn).await?.origin;
        if origin.as_deref() != Some(&held.origin) {
            return Err(Divergence::AnotherLog(held.origin).into());
        }
        if held.size > size {
            return Err(Divergence::Shorter { held: held.size, log: size }.into());
        }
        if tree::root_at(&mut conn, held.size).await? != held.root {
            return Err(Divergence::Rewritten { size: held.size }.into());
        }
        Ok(held)
    }

    async fn trusted(&self) -> Result<KeySet, Error> {
        let mut conn = self.db.unscoped().await?;
        let keys = store::keys::list_keys(&mut conn).await?;
        let documents: Vec<_> = keys.iter().filter_map(StoredKey::document).collect();
        KeySet::new(&documents).map_err(Error::Keys)
    }
}

enum Next {
    Push(Checkpoint, String),
    Nothing,
    NotYet,
}

fn tell(mirror: &str, error: &Error) {
    let cause = error as &dyn std::error::Error;
    if let Error::Diverged(_) = error {
        metrics::counter!("countersign_ledger_mirror_diverged_total", "mirror" => mirror.to_owned())
            .increment(1);
        tracing::error!(
            mirror,
            error = cause,
            "a mirror holds a checkpoint that the ledger does not continue: the log was rewritten or restored from a backup"
        );
    } else {
        metrics::counter!("countersign_ledger_mirror_failed_total", "mirror" => mirror.to_owned())
            .increment(1);
        tracing::warn!(mirror, error = cause, "pushing a checkpoint to a mirror failed; it will be retried");
    }
}

fn is_due(held: &str, newest: &str) -> bool {
    match (held.parse::<Timestamp>(), newest.parse::<Timestamp>()) {
        (Ok(held), Ok(newest)) => newest >= held + AGAIN,
        _ => false,
    }
}
