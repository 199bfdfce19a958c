//! Rows of `published_events`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{EventId, OrgId};
use platform::db::{Error, query};
use sqlx::PgConnection;

/// Notes that an application published something; `false` when it did before.
pub(crate) async fn note(
    conn: &mut PgConnection,
    org: OrgId,
    (source, id): (&str, &str),
    (event, sha256): (EventId, &[u8]),
    now: Timestamp,
) -> Result<bool, Error> {
    let noted = sqlx::query!(
        r#"
            INSERT INTO published_events (org_id, source, source_id, event_id, sha256, published_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
        "#,
        org.uuid(),
        source,
        id,
        event.uuid(),
        sha256,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("noting what was published"))?;
    Ok(noted.rows_affected() == 1)
}

/// What an application published under a name, with its hash.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    (source, id): (&str, &str),
) -> Result<Option<(EventId, Vec<u8>)>, Error> {
    let row = sqlx::query!(
        "SELECT event_id, sha256 FROM published_events WHERE org_id = $1 AND source = $2 AND source_id = $3",
        org.uuid(),
        source,
        id,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding what was published"))?;
    Ok(row.map(|row| (EventId::from_uuid(row.event_id), row.sha256)))
}

/// Forgets what was published before a moment.
pub(crate) async fn purge(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar("SELECT purge_published_events($1)")
        .bind(before.to_sqlx())
        .fetch_one(conn)
        .await
        .map_err(query("forgetting what was published"))
}
