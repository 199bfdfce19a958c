//! Rows of `event_followers`. Leases use the clock of the database, which all processes share.

use platform::db::{Error, listener, query};
use sqlx::PgConnection;
use uuid::Uuid;

/// Takes a follower's lease, if this process holds it or it has expired. Returns the follower's position.
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
    .map_err(query("taking a follower's lease"))
}

/// A step of a follower through the log.
pub(crate) struct Step<'a> {
    pub(crate) name: &'a str,
    pub(crate) holder: Uuid,
    pub(crate) from: i64,
    pub(crate) to: i64,
}

/// Moves a follower and notifies the events channel, if this process still holds the lease. Returns whether it did.
pub(crate) async fn advance(
    conn: &mut PgConnection,
    Step { name, holder, from, to }: Step<'_>,
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
        listener::EVENTS,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("moving a follower on"))?;
    Ok(moved.is_some())
}

/// Releases a follower's lease, so that another process takes it immediately.
pub(crate) async fn release(conn: &mut PgConnection, name: &str, holder: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE event_followers SET lease_until = '-infinity' WHERE name = $1 AND holder = $2",
        name,
        holder
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("releasing a follower's lease"))
}

/// The position of the relay.
pub(crate) async fn relayed(conn: &mut PgConnection) -> Result<i64, Error> {
    sqlx::query_scalar!("SELECT position FROM event_followers WHERE name = 'relay'")
        .fetch_one(conn)
        .await
        .map_err(query("reading the relay's position"))
}

/// Moves every follower to the end of the log.
pub(crate) async fn skip_all(conn: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("SELECT skip_events()")
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("moving the followers to the end of the log"))
}
