//! Rows of `signing_keys`, joined with `ledger_keys`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use platform::db::{Error, query};
use sqlx::PgConnection;

use crate::keys::StoredKey;
use receipt::Logged;

struct KeyRow {
    keyid: String,
    public_key: Vec<u8>,
    master_key: String,
    wrapped: Vec<u8>,
    not_before: jiff_sqlx::Timestamp,
    not_after: Option<jiff_sqlx::Timestamp>,
    begun_index: Option<i64>,
    begun_at: Option<jiff_sqlx::Timestamp>,
    ended_index: Option<i64>,
    ended_at: Option<jiff_sqlx::Timestamp>,
    ml_dsa_65: Option<Vec<u8>>,
}

impl From<KeyRow> for StoredKey {
    fn from(row: KeyRow) -> Self {
        Self {
            keyid: row.keyid,
            public_key: row.public_key,
            master_key: row.master_key,
            wrapped: row.wrapped,
            not_before: row.not_before.to_jiff(),
            not_after: row.not_after.map(|at| at.to_jiff()),
            begun: logged(row.begun_index, row.begun_at),
            ended: logged(row.ended_index, row.ended_at),
            ml_dsa_65: row.ml_dsa_65,
        }
    }
}

fn logged(index: Option<i64>, at: Option<jiff_sqlx::Timestamp>) -> Option<Logged> {
    let index = u64::try_from(index?).ok()?;
    Some(Logged { index, at: at?.to_jiff().to_string() })
}

/// Only one process at a time creates keys and ends others. Until the transaction ends.
pub(crate) async fn lock(conn: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('signing keys', 0))")
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("waiting for another process that replaces the signing key"))
}

pub(crate) async fn newest_key(conn: &mut PgConnection) -> Result<Option<StoredKey>, Error> {
    let row = sqlx::query_as!(
        KeyRow,
        r#"
            SELECT k.keyid, public_key, master_key, wrapped, not_before, not_after,
                begun_index AS "begun_index?", begun_at AS "begun_at?", ended_index, ended_at,
                CASE WHEN l.keyid IS NULL THEN k.ml_dsa_65 ELSE l.ml_dsa_65 END AS ml_dsa_65
            FROM signing_keys k LEFT JOIN ledger_keys l ON l.keyid = k.keyid
            WHERE not_after IS NULL ORDER BY created_at DESC, k.keyid LIMIT 1
        "#
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding the newest signing key"))?;
    Ok(row.map(StoredKey::from))
}

pub(crate) async fn list_keys(conn: &mut PgConnection) -> Result<Vec<StoredKey>, Error> {
    let rows = sqlx::query_as!(
        KeyRow,
        r#"
            SELECT k.keyid, public_key, master_key, wrapped, not_before, not_after,
                begun_index AS "begun_index?", begun_at AS "begun_at?", ended_index, ended_at,
                CASE WHEN l.keyid IS NULL THEN k.ml_dsa_65 ELSE l.ml_dsa_65 END AS ml_dsa_65
            FROM signing_keys k LEFT JOIN ledger_keys l ON l.keyid = k.keyid
            ORDER BY created_at, k.keyid
        "#
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing signing keys"))?;
    Ok(rows.into_iter().map(StoredKey::from).collect())
}

pub(crate) async fn insert_key(
    conn: &mut PgConnection,
    key: &StoredKey,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO signing_keys (keyid, public_key, master_key, wrapped, not_before, not_after, created_at, ml_dsa_65)
            VALUES ($1, $2, $3, $4, $5, NULL, $6, $7)
        "#,
        key.keyid,
        key.public_key,
        key.master_key,
        key.wrapped,
        key.not_before.to_sqlx(),
        now.to_sqlx(),
        key.ml_dsa_65,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a signing key"))
}

pub(crate) async fn end_other_keys(conn: &mut PgConnection, keyid: &str, at: Timestamp) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE signing_keys SET not_after = $2 WHERE keyid <> $1 AND not_after IS NULL",
        keyid,
        at.to_sqlx()
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("letting older signing keys run out"))
}

pub(crate) async fn rewrap_key(
    conn: &mut PgConnection,
    keyid: &str,
    master_key: &str,
    wrapped: &[u8],
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE signing_keys SET master_key = $2, wrapped = $3 WHERE keyid = $1",
        keyid,
        master_key,
        wrapped,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("encrypting a signing key again"))
}

/// Stores the position at which a key begins.
pub(crate) async fn note_begin(
    conn: &mut PgConnection,
    keyid: &str,
    ml_dsa_65: Option<&[u8]>,
    index: i64,
    at: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO ledger_keys (keyid, ml_dsa_65, begun_index, begun_at) VALUES ($1, $2, $3, $4)",
        keyid,
        ml_dsa_65,
        index,
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing the beginning of a key"))
}

/// Stores the position at which a key has ended.
pub(crate) async fn note_end(
    conn: &mut PgConnection,
    keyid: &str,
    index: i64,
    at: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE ledger_keys SET ended_index = $2, ended_at = $3 WHERE keyid = $1",
        keyid,
        index,
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing the end of a key"))
}
