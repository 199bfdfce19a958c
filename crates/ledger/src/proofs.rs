//! Public queries of the log, and queries of an organization for its own receipts.

use std::collections::HashMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::Timestamp;
use model::{ChangeId, OrgId};
use platform::db;
use receipt::{
    Bundle, Entry, ProvenErasure, Record,
    merkle::{self, Hash},
    tile::Tile,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Body, Error, Ledger, Stored,
    sequence::{self, signed, unsigned},
    store::{
        self,
        log::{About, EntryRow},
    },
    tree,
};

impl Ledger {
    /// The newest checkpoint; `None` if the log is empty.
    pub async fn checkpoint(&self) -> Result<Option<String>, Error> {
        let mut conn = self.db.unscoped().await?;
        Ok(store::log::head(&mut conn).await?.checkpoint)
    }

    /// Stored checkpoints, one per minute, newest first.
    pub async fn checkpoints(
        &self,
        before: Option<Timestamp>,
        most: i64,
    ) -> Result<Vec<(Timestamp, String)>, Error> {
        let mut conn = self.db.unscoped().await?;
        Ok(store::log::checkpoints(&mut conn, before, most).await?)
    }

    /// The first hashes of a tile; `None` if it has fewer.
    pub async fn tile(&self, tile: Tile, width: u64) -> Result<Option<Vec<u8>>, Error> {
        let mut conn = self.db.unscoped().await?;
        let found = store::log::tiles(&mut conn, &[tile]).await?.remove(&tile);
        let width = usize::try_from(width).unwrap_or(usize::MAX);
        Ok(found.and_then(|hashes| hashes.get(..width).map(<[Hash]>::concat)))
    }

    /// The proof that an entry is in the log of a given size; `None` if it is not.
    pub async fn inclusion(&self, index: u64, size: u64) -> Result<Option<Vec<Hash>>, Error> {
        self.proof(merkle::inclusion(index, size), size).await
    }

    /// The proof that the log of one size continues that of another; `None` if there is none.
    pub async fn consistency(&self, first: u64, second: u64) -> Result<Option<Vec<Hash>>, Error> {
        self.proof(merkle::consistency(first, second), second).await
    }

    async fn proof(
        &self,
        path: Option<Vec<std::ops::Range<u64>>>,
        size: u64,
    ) -> Result<Option<Vec<Hash>>, Error> {
        let mut conn = self.db.unscoped().await?;
        let reached = unsigned(store::log::head(&mut conn).await?.size);
        let Some(path) = path.filter(|_| size <= reached) else { return Ok(None) };
        let hashes = tree::roots(&mut conn, &[path]).await?.pop().unwrap_or_default();
        Ok(Some(hashes))
    }

    /// Receipts with proofs against one checkpoint. Receipts without a position yet are left out.
    pub async fn bundles(&self, org: OrgId, stored: Vec<Stored>) -> Result<Vec<Bundle>, Error> {
        let bodies = stored.into_iter().map(|stored| (About::Receipt(stored.entry.id), stored.body));
        let mut tx = self.db.begin(org).await?;
        bundles(&mut tx, org, bodies.collect()).await
    }

    /// Change records with proofs against one checkpoint. Those without a position yet are left out.
    pub async fn change_bundles(
        &self,
        org: OrgId,
        stored: Vec<changes::Stored>,
    ) -> Result<Vec<Bundle>, Error> {
        let bodies = stored.into_iter().map(|stored| (About::Change(stored.id), Body::from(stored)));
        let mut tx = self.db.begin(org).await?;
        bundles(&mut tx, org, bodies.collect()).await
    }

    /// Change records of the org, newest first.
    pub async fn changes(&self, org: OrgId, filter: &changes::Filter) -> Result<Vec<changes::Stored>, Error> {
        let mut tx = self.db.begin(org).await?;
        Ok(changes::list(&mut tx, org, filter).await?)
    }

    /// One change record of the org.
    pub async fn change(&self, org: OrgId, id: ChangeId) -> Result<changes::Stored, Error> {
        let mut tx = self.db.begin(org).await?;
        changes::find_many(&mut tx, org, &[id.uuid()]).await?.pop().ok_or(Error::NotFound)
    }

    /// Entries of the organization after a number, in order, with their records.
    pub async fn records(&self, org: OrgId, after: u64, most: i64) -> Result<Vec<Record>, Error> {
        let mut tx = self.db.begin(org).await?;
        let rows = store::log::entries(&mut tx, org, signed(after), most).await?;
        let rows: Vec<(About, EntryRow)> =
            rows.into_iter().map(|row| Ok((row.about()?, row))).collect::<Result<_, db::Error>>()?;
        let of = |wanted: fn(&About) -> bool| -> Vec<Uuid> {
            rows.iter().filter(|(about, _)| wanted(about)).map(|(about, _)| about.uuid()).collect()
        };
        let receipts =
            store::receipts::find_many(&mut tx, org, &of(|about| matches!(about, About::Receipt(_)))).await?;
        let changes =
            changes::find_many(&mut tx, org, &of(|about| matches!(about, About::Change(_)))).await?;
        let receipts = receipts.into_iter().map(|stored| (stored.entry.id.uuid(), stored.body));
        let changes = changes.into_iter().map(|stored| (stored.id.uuid(), Body::from(stored)));
        let mut bodies: HashMap<Uuid, Body> = receipts.chain(changes).collect();
        let mut body = |about: &About| match about {
            About::Erasure(_) => None,
            About::Receipt(_) | About::Change(_) => bodies.remove(&about.uuid()),
        };
        Ok(rows.iter().map(|(about, row)| record(org, *about, row, body(about))).collect())
    }
}

impl From<changes::Stored> for Body {
    fn from(stored: changes::Stored) -> Self {
        Self::Whole { payload: stored.payload, envelope: stored.envelope, seed: Some(stored.seed) }
    }
}

async fn bundles(
    conn: &mut PgConnection,
    org: OrgId,
    bodies: Vec<(About, Body)>,
) -> Result<Vec<Bundle>, Error> {
    let ids: Vec<Uuid> = bodies.iter().map(|(about, _)| about.uuid()).collect();
    let rows = store::log::entries_of(conn, org, &ids).await?;
    // Read after the entries, so that it covers them.
    let head = store::log::head(conn).await?;
    let (size, Some(checkpoint)) = (unsigned(head.size), head.checkpoint) else { return Ok(vec![]) };
    let of = |row: &EntryRow| merkle::inclusion(unsigned(row.index), size).unwrap_or_default();
    let paths: Vec<_> = rows.iter().map(of).collect();
    let proofs = tree::roots(conn, &paths).await?;
    let mut placed: HashMap<Uuid, (&EntryRow, Vec<String>)> = HashMap::new();
    let mut erasures: HashMap<Uuid, ProvenErasure> = HashMap::new();
    for (row, proof) in rows.iter().zip(proofs) {
        let proof: Vec<String> = proof.iter().map(|hash| BASE64_STANDARD.encode(hash)).collect();
        let about = row.about()?;
        if let About::Erasure(_) = about {
            let erasure = ProvenErasure { index: unsigned(row.index), entry: entry(org, about, row), proof };
            erasures.insert(about.uuid(), erasure);
        } else {
            placed.insert(about.uuid(), (row, proof));
        }
    }
    let bundles = bodies.into_iter().filter_map(|(about, body)| {
        let (row, proof) = placed.remove(&about.uuid())?;
        let erasure = erasures.remove(&about.uuid());
        // The erasure has no position yet; it gets one a moment later.
        if matches!(body, Body::Erased(_)) && erasure.is_none() {
            return None;
        }
        let record = record(org, about, row, Some(body));
        Some(Bundle { record, proof, erasure, checkpoint: checkpoint.clone() })
    });
    Ok(bundles.collect())
}

fn entry(org: OrgId, about: About, row: &EntryRow) -> Entry {
    let signed = row.keyid.as_deref().zip(row.commitment.as_deref());
    sequence::entry(org, about, row.number, signed, row.logged_at.to_jiff())
}

fn record(org: OrgId, about: About, row: &EntryRow, body: Option<Body>) -> Record {
    let (envelope, seed, kept) = match body {
        Some(Body::Whole { envelope, seed, .. }) => (Some(envelope), seed.map(|seed| seed.encode()), None),
        Some(Body::Erased(kept)) => (None, None, Some(kept)),
        None => (None, None, None),
    };
    Record { index: unsigned(row.index), entry: entry(org, about, row), envelope, seed, kept }
}
