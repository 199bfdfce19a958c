//! Rows of `artifacts`: which receipt names which.

use jiff_sqlx::ToSqlx as _;
use model::{Digest, OrgId, SessionId};
use platform::db::{Error, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Artifact, Entry};

pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    entry: &Entry,
    artifact: &Artifact,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO artifacts (org_id, digest, invocation_id, session_id, receipt_id, size, media_type, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        "#,
        org.uuid(),
        artifact.digest.as_bytes().as_slice(),
        entry.invocation.uuid(),
        entry.session.uuid(),
        entry.id.uuid(),
        i64::try_from(artifact.bytes).unwrap_or(i64::MAX),
        artifact.media_type,
        entry.finished_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing an artifact"))
}

/// The media type of an artifact of the organization or of one session; `None` if no receipt with a body names it.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    digest: &Digest,
    session: Option<SessionId>,
) -> Result<Option<String>, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT a.media_type FROM artifacts a
            WHERE a.org_id = $1 AND a.digest = $2 AND ($3::uuid IS NULL OR a.session_id = $3)
              AND NOT EXISTS (SELECT FROM erasures e WHERE e.org_id = a.org_id AND e.receipt_id = a.receipt_id)
            LIMIT 1
        "#,
        org.uuid(),
        digest.as_bytes().as_slice(),
        session.map(|session| session.uuid()),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding an artifact"))
}

/// An artifact of a receipt whose body was erased.
pub(crate) struct Erased {
    pub(crate) digest: Vec<u8>,
    pub(crate) invocation_id: Uuid,
    /// Whether a receipt with a body names the same artifact.
    pub(crate) shared: bool,
}

pub(crate) async fn erased(conn: &mut PgConnection, org: OrgId, most: i64) -> Result<Vec<Erased>, Error> {
    sqlx::query_as!(
        Erased,
        r#"
            SELECT a.digest, a.invocation_id, EXISTS (
                SELECT FROM artifacts o
                WHERE o.org_id = a.org_id AND o.digest = a.digest
                  AND NOT EXISTS (SELECT FROM erasures n WHERE n.org_id = o.org_id AND n.receipt_id = o.receipt_id)
            ) AS "shared!"
            FROM artifacts a JOIN erasures e ON e.org_id = a.org_id AND e.receipt_id = a.receipt_id
            WHERE a.org_id = $1
            ORDER BY a.invocation_id LIMIT $2
        "#,
        org.uuid(),
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing artifacts of erased receipts"))
}

pub(crate) async fn delete(conn: &mut PgConnection, org: OrgId, erased: &Erased) -> Result<(), Error> {
    sqlx::query!(
        "DELETE FROM artifacts WHERE org_id = $1 AND digest = $2 AND invocation_id = $3",
        org.uuid(),
        erased.digest,
        erased.invocation_id,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("removing an artifact"))
}

/// Digests of the artifacts that receipts with a body name, after one of them, in order.
pub(crate) async fn digests(
    conn: &mut PgConnection,
    org: OrgId,
    after: &[u8],
    most: i64,
) -> Result<Vec<Vec<u8>>, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT DISTINCT a.digest FROM artifacts a
            WHERE a.org_id = $1 AND a.digest > $2
              AND NOT EXISTS (SELECT FROM erasures e WHERE e.org_id = a.org_id AND e.receipt_id = a.receipt_id)
            ORDER BY a.digest LIMIT $3
        "#,
        org.uuid(),
        after,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing artifacts"))
}
