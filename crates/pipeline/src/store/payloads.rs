//! Rows of `payloads`.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Digest, OrgId};
use platform::db::{Error, column, query};
use sqlx::PgConnection;
use uuid::Uuid;

/// Encrypted bytes.
pub(crate) struct PayloadRow {
    pub(crate) id: Uuid,
    pub(crate) digest: Digest,
    pub(crate) sealed: Vec<u8>,
}

/// Encrypted bytes to be stored.
pub(crate) struct NewPayload {
    pub(crate) id: Uuid,
    pub(crate) digest: Digest,
    pub(crate) sealed: Vec<u8>,
    pub(crate) used_at: Timestamp,
}

fn digest_of(bytes: &[u8]) -> Result<Digest, Error> {
    let bytes = bytes.try_into().map_err(|_| Error::Inconsistent { column: "payloads.digest" })?;
    Ok(Digest::from_bytes(bytes))
}

/// Keeps those that are stored for longer; returns them.
pub(crate) async fn touch_payloads(
    conn: &mut PgConnection,
    org: OrgId,
    digests: &[Digest],
    used_at: Timestamp,
) -> Result<HashSet<Digest>, Error> {
    // In one order, so that two prompts with the same parts do not wait for each other.
    let rows = sqlx::query_scalar!(
        r#"
            WITH held AS (
                SELECT id FROM payloads WHERE org_id = $1 AND digest = ANY($2) ORDER BY digest FOR UPDATE
            )
            UPDATE payloads p SET used_at = greatest(p.used_at, $3) FROM held h
            WHERE p.org_id = $1 AND p.id = h.id RETURNING p.digest
        "#,
        org.uuid(),
        &column(digests.iter(), |digest| digest.as_bytes().to_vec()),
        used_at.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("keeping payloads"))?;
    rows.iter().map(|digest| digest_of(digest)).collect()
}

pub(crate) async fn insert_payload(
    conn: &mut PgConnection,
    org: OrgId,
    new: &NewPayload,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO payloads (org_id, id, digest, sealed, used_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (org_id, digest) DO UPDATE SET used_at = greatest(payloads.used_at, $5)
        "#,
        org.uuid(),
        new.id,
        new.digest.as_bytes().as_slice(),
        new.sealed,
        new.used_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing a payload"))
}

pub(crate) async fn find_payloads(
    conn: &mut PgConnection,
    org: OrgId,
    digests: &[Digest],
) -> Result<Vec<PayloadRow>, Error> {
    let rows = sqlx::query!(
        "SELECT id, digest, sealed FROM payloads WHERE org_id = $1 AND digest = ANY($2)",
        org.uuid(),
        &column(digests.iter(), |digest| digest.as_bytes().to_vec()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading payloads"))?;
    rows.into_iter()
        .map(|row| Ok(PayloadRow { id: row.id, digest: digest_of(&row.digest)?, sealed: row.sealed }))
        .collect()
}

/// Deletes those of every org that were not used for long; returns how many.
pub(crate) async fn purge_payloads(conn: &mut PgConnection, now: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_payloads($1) AS "gone!""#, now.to_sqlx() as _)
        .fetch_one(conn)
        .await
        .map_err(query("deleting old payloads"))
}
