//! Rows of `event_groups` and `group_entries`.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{EventId, OrgId};
use platform::db::{Error, column, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Entry,
    groups::{Backlog, DeadLetter, Group, GroupSettings, Nack, Takeover},
};

/// Creates a group or changes its settings. Returns whether it is new.
pub(crate) async fn put(conn: &mut PgConnection, org: OrgId, group: &Group) -> Result<bool, Error> {
    sqlx::query_scalar!(
        r#"
            INSERT INTO event_groups (org_id, name, position, filter, ack_timeout_s, max_attempts, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (org_id, name) DO UPDATE
                SET filter = $4, ack_timeout_s = $5, max_attempts = $6
            RETURNING xmax = 0 AS "is_new!"
        "#,
        org.uuid(),
        group.name,
        group.position,
        group.settings.filter.as_ref(),
        i32::try_from(group.settings.ack_timeout.as_secs()).unwrap_or(i32::MAX),
        i16::from(group.settings.max_attempts),
        group.created_at.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
    .map_err(query("making a group"))
}

struct GroupRow {
    name: String,
    position: i64,
    filter: Option<serde_json::Value>,
    ack_timeout_s: i32,
    max_attempts: i16,
    created_at: jiff_sqlx::Timestamp,
}

impl From<GroupRow> for Group {
    fn from(row: GroupRow) -> Self {
        Self {
            name: row.name,
            position: row.position,
            settings: GroupSettings {
                filter: row.filter,
                ack_timeout: Duration::from_secs(u64::try_from(row.ack_timeout_s).unwrap_or_default()),
                max_attempts: attempts(row.max_attempts),
            },
            created_at: row.created_at.to_jiff(),
        }
    }
}

/// One group.
pub(crate) async fn find(conn: &mut PgConnection, org: OrgId, name: &str) -> Result<Option<Group>, Error> {
    let row = sqlx::query_as!(
        GroupRow,
        r#"
            SELECT name, position, filter, ack_timeout_s, max_attempts,
                created_at AS "created_at: jiff_sqlx::Timestamp"
            FROM event_groups WHERE org_id = $1 AND name = $2
        "#,
        org.uuid(),
        name,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a group"))?;
    Ok(row.map(Group::from))
}

/// Every group of an org.
pub(crate) async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Group>, Error> {
    let rows = sqlx::query_as!(
        GroupRow,
        r#"
            SELECT name, position, filter, ack_timeout_s, max_attempts,
                created_at AS "created_at: jiff_sqlx::Timestamp"
            FROM event_groups WHERE org_id = $1 ORDER BY name
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing groups"))?;
    Ok(rows.into_iter().map(Group::from).collect())
}

/// The numbers of events of a group.
pub(crate) async fn backlog(conn: &mut PgConnection, org: OrgId, group: &Group) -> Result<Backlog, Error> {
    sqlx::query_as!(
        Backlog,
        r#"
            SELECT
                (SELECT count(*) FROM (
                    SELECT 1 FROM events WHERE org_id = $1 AND position > $3 ORDER BY position LIMIT 10000
                ) ahead) AS "ahead!",
                count(*) FILTER (WHERE dead_at IS NULL) AS "in_flight!",
                count(*) FILTER (WHERE dead_at IS NOT NULL) AS "dead!"
            FROM group_entries WHERE org_id = $1 AND group_name = $2
        "#,
        org.uuid(),
        group.name,
        group.position,
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting deliveries of a group"))
}

/// Deletes a group. Returns whether it existed.
pub(crate) async fn remove(conn: &mut PgConnection, org: OrgId, name: &str) -> Result<bool, Error> {
    let removed = sqlx::query!("DELETE FROM event_groups WHERE org_id = $1 AND name = $2", org.uuid(), name)
        .execute(conn)
        .await
        .map_err(query("removing a group"))?;
    Ok(removed.rows_affected() > 0)
}

/// A consumer of a group, which events are delivered to.
#[derive(Clone, Copy)]
pub(crate) struct Recipient<'a> {
    pub(crate) group: &'a Group,
    pub(crate) consumer: &'a str,
}

/// Takes deliveries that are due again; those with too many attempts, or whose event was deleted, become dead
/// letters.
pub(crate) async fn take_due(
    conn: &mut PgConnection,
    org: OrgId,
    Recipient { group, consumer }: Recipient<'_>,
    now: Timestamp,
    most: usize,
) -> Result<Vec<(EventId, u8)>, Error> {
    let rows = sqlx::query!(
        r#"
            WITH due AS (
                SELECT e.position, e.attempts >= $4
                    OR NOT EXISTS (SELECT 1 FROM events v WHERE v.org_id = $1 AND v.id = e.event_id) AS is_dead
                FROM group_entries e
                WHERE e.org_id = $1 AND e.group_name = $2 AND e.dead_at IS NULL AND e.due_at <= $3
                ORDER BY e.due_at LIMIT $5 FOR UPDATE OF e SKIP LOCKED
            )
            UPDATE group_entries e
            SET dead_at = CASE WHEN due.is_dead THEN $3::timestamptz END,
                error = CASE WHEN due.is_dead AND e.error IS NULL
                    THEN 'not acknowledged in time, or no longer kept' ELSE e.error END,
                attempts = e.attempts + CASE WHEN due.is_dead THEN 0 ELSE 1 END,
                consumer = CASE WHEN due.is_dead THEN e.consumer ELSE $6 END,
                due_at = $7
            FROM due
            WHERE e.org_id = $1 AND e.group_name = $2 AND e.position = due.position
            RETURNING e.event_id, e.attempts, due.is_dead AS "is_dead!"
        "#,
        org.uuid(),
        group.name,
        now.to_sqlx() as _,
        i16::from(group.settings.max_attempts),
        i64::try_from(most).unwrap_or(i64::MAX),
        consumer,
        (now + group.settings.ack_timeout).to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("handing events out again"))?;
    let alive = rows.into_iter().filter(|row| !row.is_dead);
    Ok(alive.map(|row| (EventId::from_uuid(row.event_id), attempts(row.attempts))).collect())
}

/// Moves a group; `false` if another process did meanwhile.
pub(crate) async fn advance(
    conn: &mut PgConnection,
    org: OrgId,
    group: &Group,
    to: i64,
) -> Result<bool, Error> {
    let moved = sqlx::query!(
        "UPDATE event_groups SET position = $4 WHERE org_id = $1 AND name = $2 AND position = $3",
        org.uuid(),
        group.name,
        group.position,
        to,
    )
    .execute(conn)
    .await
    .map_err(query("moving a group on"))?;
    Ok(moved.rows_affected() == 1)
}

/// Assigns events to a consumer.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    Recipient { group, consumer }: Recipient<'_>,
    entries: &[Entry],
    now: Timestamp,
) -> Result<(), Error> {
    if entries.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        r#"
            INSERT INTO group_entries (org_id, group_name, position, event_id, consumer, attempts, due_at)
            SELECT $1, $2, e.position, e.id, $5, 1, $6 FROM unnest($3::bigint[], $4::uuid[]) AS e (position, id)
        "#,
        org.uuid(),
        group.name,
        &column(entries.iter(), |entry| entry.position),
        &column(entries.iter(), |entry| entry.event.id.uuid()),
        consumer,
        (now + group.settings.ack_timeout).to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("handing events out"))
}

/// Deletes acknowledged deliveries. A dead letter stays; it is removed separately.
pub(crate) async fn ack(
    conn: &mut PgConnection,
    org: OrgId,
    name: &str,
    events: &[EventId],
) -> Result<u64, Error> {
    let acked = sqlx::query!(
        "DELETE FROM group_entries WHERE org_id = $1 AND group_name = $2 AND event_id = ANY($3)",
        org.uuid(),
        name,
        &uuids(events),
    )
    .execute(conn)
    .await
    .map_err(query("acknowledging events"))?;
    Ok(acked.rows_affected())
}

/// Schedules events for another delivery after a delay, or makes them dead letters after too many attempts.
pub(crate) async fn nack(
    conn: &mut PgConnection,
    org: OrgId,
    group: &Group,
    nack: &Nack,
    now: Timestamp,
) -> Result<u64, Error> {
    let nacked = sqlx::query!(
        r#"
            UPDATE group_entries
            SET due_at = $4, error = $5, consumer = '', dead_at = CASE WHEN attempts >= $6 THEN $7::timestamptz END
            WHERE org_id = $1 AND group_name = $2 AND event_id = ANY($3) AND dead_at IS NULL
        "#,
        org.uuid(),
        group.name,
        &uuids(&nack.events),
        (now + nack.delay).to_sqlx() as _,
        nack.error,
        i16::from(group.settings.max_attempts),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("handing events back"))?;
    Ok(nacked.rows_affected())
}

/// Takes over deliveries that other consumers have had for long.
pub(crate) async fn claim(
    conn: &mut PgConnection,
    org: OrgId,
    group: &Group,
    Takeover { consumer, from, idle, most }: Takeover<'_>,
    now: Timestamp,
) -> Result<Vec<(EventId, u8)>, Error> {
    // The time of a delivery is its due time minus the timeout.
    let had_since = now - idle + group.settings.ack_timeout;
    let rows = sqlx::query!(
        r#"
            WITH idle AS (
                SELECT position FROM group_entries
                WHERE org_id = $1 AND group_name = $2 AND dead_at IS NULL AND consumer NOT IN ('', $3)
                  AND ($4::text IS NULL OR consumer = $4) AND due_at <= $5 AND attempts < $6
                ORDER BY position LIMIT $7 FOR UPDATE SKIP LOCKED
            )
            UPDATE group_entries e SET consumer = $3, attempts = e.attempts + 1, due_at = $8
            FROM idle
            WHERE e.org_id = $1 AND e.group_name = $2 AND e.position = idle.position
            RETURNING e.event_id, e.attempts
        "#,
        org.uuid(),
        group.name,
        consumer,
        from,
        had_since.to_sqlx() as _,
        i16::from(group.settings.max_attempts),
        i64::try_from(most).unwrap_or(i64::MAX),
        (now + group.settings.ack_timeout).to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("taking events over"))?;
    Ok(rows.into_iter().map(|row| (EventId::from_uuid(row.event_id), attempts(row.attempts))).collect())
}

/// Dead letters, the oldest event first, without their events.
pub(crate) async fn dead(
    conn: &mut PgConnection,
    org: OrgId,
    name: &str,
    most: usize,
) -> Result<Vec<DeadLetter>, Error> {
    sqlx::query!(
        r#"
            SELECT event_id, attempts, error, dead_at AS "dead_at!: jiff_sqlx::Timestamp" FROM group_entries
            WHERE org_id = $1 AND group_name = $2 AND dead_at IS NOT NULL ORDER BY position LIMIT $3
        "#,
        org.uuid(),
        name,
        i64::try_from(most).unwrap_or(i64::MAX),
    )
    .map(|row| DeadLetter {
        event: None,
        id: EventId::from_uuid(row.event_id),
        attempts: attempts(row.attempts),
        error: row.error,
        dead_at: row.dead_at.to_jiff(),
    })
    .fetch_all(conn)
    .await
    .map_err(query("listing dead letters"))
}

/// Makes dead letters due immediately, with a full number of attempts.
pub(crate) async fn revive(
    conn: &mut PgConnection,
    org: OrgId,
    name: &str,
    events: &[EventId],
    now: Timestamp,
) -> Result<u64, Error> {
    let revived = sqlx::query!(
        r#"
            UPDATE group_entries SET dead_at = NULL, error = NULL, attempts = 0, consumer = '', due_at = $4
            WHERE org_id = $1 AND group_name = $2 AND dead_at IS NOT NULL
              AND (cardinality($3::uuid[]) = 0 OR event_id = ANY($3))
        "#,
        org.uuid(),
        name,
        &uuids(events),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("reviving dead letters"))?;
    Ok(revived.rows_affected())
}

/// Moves a group to a position and deletes its deliveries after it. Returns whether the group exists.
pub(crate) async fn rewind(
    conn: &mut PgConnection,
    org: OrgId,
    name: &str,
    position: i64,
) -> Result<bool, Error> {
    let moved = sqlx::query!(
        "UPDATE event_groups SET position = $3 WHERE org_id = $1 AND name = $2",
        org.uuid(),
        name,
        position,
    )
    .execute(&mut *conn)
    .await
    .map_err(query("setting a group's position"))?;
    sqlx::query!(
        "DELETE FROM group_entries WHERE org_id = $1 AND group_name = $2 AND position > $3",
        org.uuid(),
        name,
        position,
    )
    .execute(conn)
    .await
    .map_err(query("deleting deliveries of a group"))?;
    Ok(moved.rows_affected() > 0)
}

fn uuids(events: &[EventId]) -> Vec<Uuid> {
    column(events.iter(), |event| event.uuid())
}

fn attempts(stored: i16) -> u8 {
    u8::try_from(stored).unwrap_or(u8::MAX)
}
