//! Rows of `published_events`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{EventId, OrgId, UserId};
use platform::db::{Error, query};
use sqlx::PgConnection;

/// The source and the ID under which an application published an event.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    pub(crate) source: &'a str,
    pub(crate) id: &'a str,
}

/// The record of an event that an application published.
pub(crate) struct Note<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) event: EventId,
    pub(crate) sha256: &'a [u8],
    pub(crate) by: UserId,
}

/// Stores that an application published an event; `false` if it had before.
pub(crate) async fn note(
    conn: &mut PgConnection,
    org: OrgId,
    Note { name, event, sha256, by }: Note<'_>,
    now: Timestamp,
) -> Result<bool, Error> {
    let noted = sqlx::query!(
        r#"
            INSERT INTO published_events (org_id, source, source_id, event_id, sha256, published_at, published_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
        "#,
        org.uuid(),
        name.source,
        name.id,
        event.uuid(),
        sha256,
        now.to_sqlx() as _,
        by.uuid(),
    )
    .execute(conn)
    .await
    .map_err(query("storing a publication"))?;
    Ok(noted.rows_affected() == 1)
}

/// The event that an application published under an ID, with its hash.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    Name { source, id }: Name<'_>,
) -> Result<Option<(EventId, Vec<u8>)>, Error> {
    let row = sqlx::query!(
        "SELECT event_id, sha256 FROM published_events WHERE org_id = $1 AND source = $2 AND source_id = $3",
        org.uuid(),
        source,
        id,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a publication"))?;
    Ok(row.map(|row| (EventId::from_uuid(row.event_id), row.sha256)))
}

/// Who published an event; `None` for one of before this was stored, or that is not stored any more.
pub(crate) async fn publisher(
    conn: &mut PgConnection,
    org: OrgId,
    Name { source, id }: Name<'_>,
) -> Result<Option<UserId>, Error> {
    let found = sqlx::query_scalar!(
        "SELECT published_by FROM published_events WHERE org_id = $1 AND source = $2 AND source_id = $3",
        org.uuid(),
        source,
        id,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding who published an event"))?;
    Ok(found.flatten().map(UserId::from_uuid))
}

/// Deletes records of publications before a time.
pub(crate) async fn purge(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar("SELECT purge_published_events($1)")
        .bind(before.to_sqlx())
        .fetch_one(conn)
        .await
        .map_err(query("deleting publications"))
}
