//! Rows of `events`.

use jiff_sqlx::ToSqlx as _;
use model::{EventId, OrgId, SessionId, SpaceId};
use platform::{
    db::{Error, column, query},
    period::Period,
};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{Entry, Event, OURSELVES, Origin};

/// Writes events of one org in the caller's transaction. [`crate::Log::stage`] also wakes the relay.
pub async fn stage(
    conn: &mut PgConnection,
    org: OrgId,
    events: impl Iterator<Item = &Event> + Clone,
) -> Result<(), Error> {
    let all = || events.clone();
    let source = |event: &Event| {
        event.origin.application.as_ref().map_or_else(|| OURSELVES.to_owned(), |(source, _)| source.clone())
    };
    sqlx::query!(
        r#"
            INSERT INTO events (org_id, id, type, subject, space_id, session_id, data, at,
                source, source_id, depth, origin_chain)
            SELECT $1, e.id, e.type, e.subject, e.space_id, e.session_id, e.data, e.at,
                e.source, e.source_id, e.depth, string_to_array(e.chain, ',')
            FROM unnest(
                $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::jsonb[], $8::timestamptz[],
                $9::text[], $10::text[], $11::smallint[], $12::text[]
            ) AS e (id, type, subject, space_id, session_id, data, at, source, source_id, depth, chain)
        "#,
        org.uuid(),
        &column(all(), |event| event.id.uuid()),
        &column(all(), |event| event.event_type.as_ref()) as _,
        &column(all(), |event| event.subject.as_str()) as _,
        &column(all(), |event| event.space.map(|space| space.uuid())) as _,
        &column(all(), |event| event.session.map(|session| session.uuid())) as _,
        &column(all(), |event| Json(&event.data)) as _,
        &column(all(), |event| event.at.to_sqlx()) as _,
        &column(all(), source),
        &column(all(), |event| event.origin.application.as_ref().map(|(_, id)| id.as_str())) as _,
        &column(all(), |event| i16::from(event.origin.depth)),
        &column(all(), |event| event.origin.chain.join(",")),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("staging events"))
}

struct EntryRow {
    position: i64,
    id: Uuid,
    r#type: String,
    subject: String,
    space_id: Option<Uuid>,
    session_id: Option<Uuid>,
    data: serde_json::Value,
    at: jiff_sqlx::Timestamp,
    source: String,
    source_id: Option<String>,
    depth: i16,
    origin_chain: Vec<String>,
}

impl From<EntryRow> for Entry {
    fn from(row: EntryRow) -> Self {
        Self {
            position: row.position,
            event: Event {
                id: EventId::from_uuid(row.id),
                event_type: row.r#type.into(),
                subject: row.subject,
                space: row.space_id.map(SpaceId::from_uuid),
                session: row.session_id.map(SessionId::from_uuid),
                data: row.data,
                at: row.at.to_jiff(),
                origin: Origin {
                    application: row.source_id.map(|id| (row.source, id)),
                    depth: u8::try_from(row.depth).unwrap_or(u8::MAX),
                    chain: row.origin_chain,
                },
            },
        }
    }
}

/// Events after a position, in order, up to the relay's position.
pub(crate) async fn after(
    conn: &mut PgConnection,
    org: OrgId,
    after: i64,
    most: i64,
) -> Result<Vec<Entry>, Error> {
    let rows = sqlx::query_as!(
        EntryRow,
        r#"
            SELECT position, id, type, subject, space_id, session_id, data,
                at AS "at: jiff_sqlx::Timestamp", source, source_id, depth, origin_chain
            FROM events
            WHERE org_id = $1 AND position > $2
              AND position <= (SELECT f.position FROM event_followers f WHERE f.name = 'relay')
            ORDER BY position LIMIT $3
        "#,
        org.uuid(),
        after,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading events"))?;
    Ok(rows.into_iter().map(Entry::from).collect())
}

/// The newest events, in order, up to the relay's position.
pub(crate) async fn newest(conn: &mut PgConnection, org: OrgId, most: i64) -> Result<Vec<Entry>, Error> {
    let rows = sqlx::query_as!(
        EntryRow,
        r#"
            SELECT position, id, type, subject, space_id, session_id, data,
                at AS "at: jiff_sqlx::Timestamp", source, source_id, depth, origin_chain
            FROM events
            WHERE org_id = $1 AND position <= (SELECT f.position FROM event_followers f WHERE f.name = 'relay')
            ORDER BY position DESC LIMIT $2
        "#,
        org.uuid(),
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the newest events"))?;
    Ok(rows.into_iter().rev().map(Entry::from).collect())
}

/// These events, in order, without deleted ones.
pub(crate) async fn find(conn: &mut PgConnection, org: OrgId, ids: &[Uuid]) -> Result<Vec<Entry>, Error> {
    let rows = sqlx::query_as!(
        EntryRow,
        r#"
            SELECT position, id, type, subject, space_id, session_id, data,
                at AS "at: jiff_sqlx::Timestamp", source, source_id, depth, origin_chain
            FROM events WHERE org_id = $1 AND id = ANY($2) ORDER BY position
        "#,
        org.uuid(),
        ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding events"))?;
    Ok(rows.into_iter().map(Entry::from).collect())
}

/// The position before the first event at or after a time, or the relay's position if there is none. IDs are ordered
/// by clocks, positions almost so; the search starts early enough to miss nothing.
pub(crate) async fn position_at(
    conn: &mut PgConnection,
    org: OrgId,
    at: jiff::Timestamp,
) -> Result<i64, Error> {
    let found = sqlx::query_scalar!(
        r#"
            SELECT min(e.position) - 1 FROM (
                SELECT position FROM events WHERE org_id = $1 AND id >= uuid_at($2) ORDER BY id LIMIT 1000
            ) e
        "#,
        org.uuid(),
        at.to_sqlx() as _,
    )
    .fetch_one(&mut *conn)
    .await
    .map_err(query("finding a moment among events"))?;
    match found {
        Some(position) => Ok(position),
        None => super::followers::relayed(conn).await,
    }
}

/// Number of drifted tools in each bucket of a period. The type is a literal, so that its index is used.
pub(crate) async fn drift(
    conn: &mut PgConnection,
    org: OrgId,
    period: Period,
) -> Result<Vec<(usize, i64)>, Error> {
    let (first, end) = period.ids();
    let rows = sqlx::query!(
        r#"
            SELECT greatest(floor(extract(epoch FROM at - $4) / $5), 0)::bigint AS "bucket!", count(*) AS "drifted!"
            FROM events
            WHERE org_id = $1 AND id >= $2 AND id < $3 AND type = 'connector.tool_drifted'
            GROUP BY 1
        "#,
        org.uuid(),
        first,
        end,
        period.since().to_sqlx() as _,
        period.bucket_s() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting drift"))?;
    Ok(rows.into_iter().map(|row| (usize::try_from(row.bucket).unwrap_or_default(), row.drifted)).collect())
}

/// The greatest position taken from the sequence, committed or not.
pub(crate) async fn last_drawn(conn: &mut PgConnection) -> Result<i64, Error> {
    sqlx::query_scalar("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_positions")
        .fetch_one(conn)
        .await
        .map_err(query("reading the last position"))
}

/// The events in a range of the log, with their organizations.
pub(crate) async fn stretch(
    conn: &mut PgConnection,
    after: i64,
    upto: i64,
    most: i32,
) -> Result<Vec<(OrgId, EventId, i64)>, Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!", "position" AS "position!" FROM events_after($1, $2, $3)"#,
        after,
        upto,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the log"))?;
    let stretch = rows.into_iter();
    Ok(stretch.map(|row| (OrgId::from_uuid(row.org_id), EventId::from_uuid(row.id), row.position)).collect())
}

/// Drops days that ended before a time and were processed by all followers. Returns their number.
pub(crate) async fn drop_before(conn: &mut PgConnection, before: jiff::Timestamp) -> Result<i32, Error> {
    sqlx::query_scalar("SELECT drop_events($1)")
        .bind(before.to_sqlx())
        .fetch_one(&mut *conn)
        .await
        .map_err(query("dropping old events"))
}
