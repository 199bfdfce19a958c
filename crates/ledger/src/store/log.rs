//! Rows of the log: its head, tiles, checkpoints and entries.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ChangeId, OrgId, ReceiptId};
use platform::db::{Error, column, known, query};
use receipt::{
    merkle::Hash,
    tile::{self, Tile},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// The head of the log.
pub(crate) struct Head {
    pub(crate) origin: Option<String>,
    pub(crate) size: i64,
    pub(crate) position: i64,
    pub(crate) checkpoint: Option<String>,
    pub(crate) signed_at: Option<jiff_sqlx::Timestamp>,
}

/// Reads the head of the log.
pub(crate) async fn head(conn: &mut PgConnection) -> Result<Head, Error> {
    sqlx::query_as!(
        Head,
        r#"
            SELECT origin, size, position, checkpoint, nullif(signed_at, '-infinity') AS "signed_at: jiff_sqlx::Timestamp"
            FROM ledger_head
        "#
    )
    .fetch_one(conn)
    .await
    .map_err(query("reading how far the ledger is"))
}

/// Locks the head of the log; `None` if another process holds it.
pub(crate) async fn hold_head(conn: &mut PgConnection) -> Result<Option<Head>, Error> {
    sqlx::query_as!(
        Head,
        r#"
            SELECT origin, size, position, checkpoint, nullif(signed_at, '-infinity') AS "signed_at: jiff_sqlx::Timestamp"
            FROM ledger_head FOR UPDATE SKIP LOCKED
        "#
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking the head of the ledger"))
}

/// How far the log is after a batch.
pub(crate) struct NewHead<'a> {
    pub(crate) origin: &'a str,
    pub(crate) size: i64,
    pub(crate) position: i64,
    pub(crate) checkpoint: &'a str,
    pub(crate) signed_at: Timestamp,
}

/// Lets the log go on under the origin of this epoch.
pub(crate) async fn begin_epoch(conn: &mut PgConnection, epoch: i32) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE ledger_head SET origin = regexp_replace(origin, '/epoch-[0-9]+$', '') || '/epoch-' || $1::integer
         WHERE origin IS NOT NULL",
        epoch,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("beginning another log"))
}

pub(crate) async fn put_head(
    conn: &mut PgConnection,
    NewHead { origin, size, position, checkpoint, signed_at }: NewHead<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE ledger_head SET origin = $1, checkpoint = $2, size = $3, position = $4, signed_at = $5",
        origin,
        checkpoint,
        size,
        position,
        signed_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("continuing the ledger"))
}

/// The last position taken from the sequence.
pub(crate) async fn last_drawn(conn: &mut PgConnection) -> Result<i64, Error> {
    sqlx::query_scalar("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ledger_positions")
        .fetch_one(conn)
        .await
        .map_err(query("reading the last position"))
}

/// What an entry of an org is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    Receipt(ReceiptId),
    Change(ChangeId),
    /// That the body of this receipt was erased.
    Erasure(ReceiptId),
}

impl About {
    fn parse(kind: &str, id: Uuid) -> Result<Self, Error> {
        let about = match kind {
            "receipt" => Some(Self::Receipt(ReceiptId::from_uuid(id))),
            "change" => Some(Self::Change(ChangeId::from_uuid(id))),
            "erasure" => Some(Self::Erasure(ReceiptId::from_uuid(id))),
            _ => None,
        };
        known(about, "ledger_entries.kind")
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Receipt(_) => "receipt",
            Self::Change(_) => "change",
            Self::Erasure(_) => "erasure",
        }
    }

    pub(crate) const fn uuid(self) -> Uuid {
        match self {
            Self::Receipt(id) | Self::Erasure(id) => id.uuid(),
            Self::Change(id) => id.uuid(),
        }
    }
}

/// A record that has no position in the log yet.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub(crate) org: OrgId,
    pub(crate) about: About,
    pub(crate) position: i64,
    /// The key that signed the record, and the commitment; `None` for an erasure.
    pub(crate) signed: Option<(String, Vec<u8>)>,
}

pub(crate) async fn waiting(
    conn: &mut PgConnection,
    after: i64,
    upto: i64,
    most: i32,
) -> Result<Vec<Waiting>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT org_id AS "org_id!", record_id AS "record_id!", kind AS "kind!", "position" AS "position!",
                keyid, commitment
            FROM ledger_waiting($1, $2, $3)
        "#,
        after,
        upto,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading records for the ledger"))?;
    let waiting = rows.into_iter().map(|row| {
        Ok(Waiting {
            org: OrgId::from_uuid(row.org_id),
            about: About::parse(&row.kind, row.record_id)?,
            position: row.position,
            signed: row.keyid.zip(row.commitment),
        })
    });
    waiting.collect()
}

/// Number of entries of each organization.
pub(crate) async fn sizes(conn: &mut PgConnection, orgs: &[Uuid]) -> Result<HashMap<OrgId, i64>, Error> {
    let rows = sqlx::query!(r#"SELECT org_id AS "org_id!", size AS "size!" FROM ledger_sizes($1)"#, orgs)
        .fetch_all(conn)
        .await
        .map_err(query("counting an org's entries"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), row.size)).collect())
}

/// Writes entries: the record, its number within the organization, and its position in the log.
pub(crate) async fn write(
    conn: &mut PgConnection,
    entries: &[(Waiting, i64, i64)],
    at: Timestamp,
) -> Result<(), Error> {
    let all = || entries.iter();
    let signed = |entry: &Waiting| entry.signed.clone().unzip();
    sqlx::query!(
        "SELECT ledger_put($1, $2, $3, $4, $5, $6, $7, $8)",
        &column(all(), |(entry, ..)| entry.org.uuid()),
        &column(all(), |(entry, ..)| entry.about.uuid()),
        &column(all(), |(entry, ..)| entry.about.kind()) as _,
        &column(all(), |(_, number, _)| *number),
        &column(all(), |(.., index)| *index),
        &column(all(), |(entry, ..)| signed(entry).0) as _,
        &column(all(), |(entry, ..)| signed(entry).1) as _,
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("writing entries of the ledger"))
}

pub(crate) async fn tiles(
    conn: &mut PgConnection,
    tiles: &[Tile],
) -> Result<HashMap<Tile, Vec<Hash>>, Error> {
    let place = |tile: &Tile| i64::try_from(tile.index).unwrap_or(i64::MAX);
    let rows = sqlx::query!(
        r#"
            SELECT t.level, t.index, t.hashes
            FROM unnest($1::smallint[], $2::bigint[]) AS w (level, index)
            JOIN ledger_tiles t ON t.level = w.level AND t.index = w.index
        "#,
        &column(tiles.iter(), |tile| i16::try_from(tile.level).unwrap_or(i16::MAX)),
        &column(tiles.iter(), place),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading hashes of the ledger"))?;
    rows.into_iter()
        .map(|row| {
            let inconsistent = || Error::Inconsistent { column: "ledger_tiles.hashes" };
            let tile = Tile {
                level: u32::try_from(row.level).map_err(|_| inconsistent())?,
                index: u64::try_from(row.index).map_err(|_| inconsistent())?,
            };
            Ok((tile, tile::hashes(&row.hashes).ok_or_else(inconsistent)?))
        })
        .collect()
}

pub(crate) async fn put_tiles(conn: &mut PgConnection, tiles: &[(Tile, Vec<Hash>)]) -> Result<(), Error> {
    let all = || tiles.iter();
    sqlx::query!(
        r#"
            INSERT INTO ledger_tiles (level, index, hashes)
            SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bytea[])
            ON CONFLICT (level, index) DO UPDATE SET hashes = excluded.hashes
        "#,
        &column(all(), |(tile, _)| i16::try_from(tile.level).unwrap_or(i16::MAX)),
        &column(all(), |(tile, _)| i64::try_from(tile.index).unwrap_or(i64::MAX)),
        &column(all(), |(_, hashes)| hashes.concat()),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("writing hashes of the ledger"))
}

pub(crate) async fn keep_checkpoint(
    conn: &mut PgConnection,
    size: i64,
    checkpoint: &str,
    at: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO ledger_checkpoints (signed_at, size, checkpoint) VALUES ($1, $2, $3)",
        at.to_sqlx() as _,
        size,
        checkpoint,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing a checkpoint"))
}

/// Stored checkpoints, newest first.
pub(crate) async fn checkpoints(
    conn: &mut PgConnection,
    before: Option<Timestamp>,
    most: i64,
) -> Result<Vec<(Timestamp, String)>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT signed_at AS "signed_at: jiff_sqlx::Timestamp", checkpoint FROM ledger_checkpoints
            WHERE $1::timestamptz IS NULL OR signed_at < $1
            ORDER BY signed_at DESC LIMIT $2
        "#,
        before.map(|before| before.to_sqlx()) as _,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing checkpoints"))?;
    Ok(rows.into_iter().map(|row| (row.signed_at.to_jiff(), row.checkpoint)).collect())
}

/// An entry of an org as it is stored.
pub(crate) struct EntryRow {
    receipt_id: Uuid,
    kind: String,
    pub(crate) number: i64,
    pub(crate) index: i64,
    pub(crate) keyid: Option<String>,
    pub(crate) commitment: Option<Vec<u8>>,
    pub(crate) logged_at: jiff_sqlx::Timestamp,
}

impl EntryRow {
    pub(crate) fn about(&self) -> Result<About, Error> {
        About::parse(&self.kind, self.receipt_id)
    }
}

/// The entries of these records, including erasures.
pub(crate) async fn entries_of(
    conn: &mut PgConnection,
    org: OrgId,
    records: &[Uuid],
) -> Result<Vec<EntryRow>, Error> {
    sqlx::query_as!(
        EntryRow,
        r#"
            SELECT receipt_id, kind, number, index, keyid, commitment, logged_at AS "logged_at: jiff_sqlx::Timestamp"
            FROM ledger_entries WHERE org_id = $1 AND receipt_id = ANY ($2) ORDER BY index
        "#,
        org.uuid(),
        records,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding entries of the ledger"))
}

/// Entries of the organization after a number, in order.
pub(crate) async fn entries(
    conn: &mut PgConnection,
    org: OrgId,
    after: i64,
    most: i64,
) -> Result<Vec<EntryRow>, Error> {
    sqlx::query_as!(
        EntryRow,
        r#"
            SELECT receipt_id, kind, number, index, keyid, commitment, logged_at AS "logged_at: jiff_sqlx::Timestamp"
            FROM ledger_entries WHERE org_id = $1 AND number > $2 ORDER BY number LIMIT $3
        "#,
        org.uuid(),
        after,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing entries of the ledger"))
}
