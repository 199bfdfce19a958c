//! Rows of `event_followers`. Leases are by the clock of the database, which all processes share.

use platform::db::{Error, ear, query};
use sqlx::PgConnection;
use uuid::Uuid;

/// Takes a follower's place, if it is ours or its lease is over; says how far it had come.
pub(crate) async fn take(
    conn: &mut PgConnection,
    name: &str,
    holder: Uuid,
    lease_ms: i32,
) -> Result<Option<i64>, Error> {
    sqlx::query_scalar!(
        r#"
            UPDATE event_followers
            SET holder = $2, lease_until = clock_timestamp() + make_interval(secs => $3::int / 1000.0)
            WHERE name = $1 AND (holder = $2 OR lease_until < clock_timestamp())
            RETURNING position
        "#,
        name,
        holder,
        lease_ms,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("taking a follower's place"))
}

/// Moves a follower on and tells it on the events channel, if its place is still ours; says whether it was.
pub(crate) async fn advance(
    conn: &mut PgConnection,
    (name, holder): (&str, Uuid),
    (from, to): (i64, i64),
    lease_ms: i32,
    tell: Option<&str>,
) -> Result<bool, Error> {
    let moved = sqlx::query_scalar!(
        r#"
            WITH moved AS (
                UPDATE event_followers
                SET position = $4, lease_until = clock_timestamp() + make_interval(secs => $5::int / 1000.0)
                WHERE name = $1 AND holder = $2 AND position = $3
                RETURNING 1
            )
            SELECT CASE WHEN $6::text IS NULL THEN '' ELSE pg_notify($7, $6)::text END FROM moved
        "#,
        name,
        holder,
        from,
        to,
        lease_ms,
        tell,
        ear::EVENTS,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("moving a follower on"))?;
    Ok(moved.is_some())
}

/// Gives a follower's place up, so that another takes it at once.
pub(crate) async fn release(conn: &mut PgConnection, name: &str, holder: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE event_followers SET lease_until = '-infinity' WHERE name = $1 AND holder = $2",
        name,
        holder
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("giving a follower's place up"))
}

/// How far the relay has come.
pub(crate) async fn relayed(conn: &mut PgConnection) -> Result<i64, Error> {
    sqlx::query_scalar!("SELECT position FROM event_followers WHERE name = 'relay'")
        .fetch_one(conn)
        .await
        .map_err(query("reading the relay's position"))
}
