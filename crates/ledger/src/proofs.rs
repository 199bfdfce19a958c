//! Public queries of the log, and queries of an organization for its own receipts.

use std::collections::HashMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::Timestamp;
use model::{OrgId, ReceiptId};
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
    store::{self, log::EntryRow},
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
        let mut tx = self.db.begin(org).await?;
        bundles(&mut tx, org, stored).await
    }

    /// Entries of the organization after a number, in order, with their records.
    pub async fn records(&self, org: OrgId, after: u64, most: i64) -> Result<Vec<Record>, Error> {
        let mut tx = self.db.begin(org).await?;
        let rows = store::log::entries(&mut tx, org, signed(after), most).await?;
        let ids: Vec<Uuid> =
            rows.iter().filter(|row| row.keyid.is_some()).map(|row| row.receipt_id).collect();
        let stored = store::receipts::find_many(&mut tx, org, &ids).await?;
        let mut stored: HashMap<Uuid, Stored> =
            stored.into_iter().map(|stored| (stored.entry.id.uuid(), stored)).collect();
        Ok(rows
            .iter()
            .map(|row| record(org, row, stored.remove(&row.receipt_id).filter(|_| row.keyid.is_some())))
            .collect())
    }
}

async fn bundles(conn: &mut PgConnection, org: OrgId, stored: Vec<Stored>) -> Result<Vec<Bundle>, Error> {
    let ids: Vec<Uuid> = stored.iter().map(|stored| stored.entry.id.uuid()).collect();
    let rows = store::log::entries_of(conn, org, &ids).await?;
    // Read after the entries, so that it covers them.
    let head = store::log::head(conn).await?;
    let (size, Some(checkpoint)) = (unsigned(head.size), head.checkpoint) else { return Ok(vec![]) };
    let of = |row: &EntryRow| merkle::inclusion(unsigned(row.index), size).unwrap_or_default();
    let paths: Vec<_> = rows.iter().map(of).collect();
    let proofs = tree::roots(conn, &paths).await?;
    let mut receipts: HashMap<Uuid, (&EntryRow, Vec<String>)> = HashMap::new();
    let mut erasures: HashMap<Uuid, ProvenErasure> = HashMap::new();
    for (row, proof) in rows.iter().zip(proofs) {
        let proof: Vec<String> = proof.iter().map(|hash| BASE64_STANDARD.encode(hash)).collect();
        if row.keyid.is_some() {
            receipts.insert(row.receipt_id, (row, proof));
        } else {
            let erasure = ProvenErasure { index: unsigned(row.index), entry: entry(org, row), proof };
            erasures.insert(row.receipt_id, erasure);
        }
    }
    let bundles = stored.into_iter().filter_map(|stored| {
        let id = stored.entry.id.uuid();
        let (row, proof) = receipts.remove(&id)?;
        let erasure = erasures.remove(&id);
        // The erasure has no position yet; it gets one a moment later.
        if matches!(stored.body, Body::Erased(_)) && erasure.is_none() {
            return None;
        }
        Some(Bundle {
            record: record(org, row, Some(stored)),
            proof,
            erasure,
            checkpoint: checkpoint.clone(),
        })
    });
    Ok(bundles.collect())
}

fn entry(org: OrgId, row: &EntryRow) -> Entry {
    let signed = row.keyid.as_deref().zip(row.commitment.as_deref());
    sequence::entry(org, ReceiptId::from_uuid(row.receipt_id), row.number, signed, row.logged_at.to_jiff())
}

fn record(org: OrgId, row: &EntryRow, stored: Option<Stored>) -> Record {
    let (envelope, seed, kept) = match stored.map(|stored| stored.body) {
        Some(Body::Whole { envelope, seed, .. }) => (Some(envelope), seed.map(|seed| seed.encode()), None),
        Some(Body::Erased(kept)) => (None, None, Some(kept)),
        None => (None, None, None),
    };
    Record { index: unsigned(row.index), entry: entry(org, row), envelope, seed, kept }
}
