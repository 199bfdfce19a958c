//! Rows of `quarantined`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{InvocationId, OrgId, SessionId};
use platform::db::{Error, query};
use policy::{Place, Position};
use sqlx::PgConnection;

/// The parameters of an invocation that was quarantined.
pub(crate) struct Held {
    pub(crate) invocation: InvocationId,
    pub(crate) session: SessionId,
    pub(crate) place: Place,
    pub(crate) params_sealed: Vec<u8>,
    pub(crate) expires_at: Timestamp,
}

/// Holds the parameters of an invocation.
pub(crate) async fn hold(conn: &mut PgConnection, org: OrgId, held: &Held) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO quarantined (org_id, invocation_id, session_id, opener, turn, params_sealed, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
        "#,
        org.uuid(),
        held.invocation.uuid(),
        held.session.uuid(),
        held.place.opener,
        held.place.turn,
        held.params_sealed,
        held.expires_at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("holding what was quarantined"))
}

/// Locks what is held and returns its sealed parameters, unless it was held long enough.
pub(crate) async fn lock_held(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    now: Timestamp,
) -> Result<Option<Vec<u8>>, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT params_sealed FROM quarantined
            WHERE org_id = $1 AND invocation_id = $2 AND expires_at > $3 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking what was quarantined"))
}

/// Deletes what is held.
pub(crate) async fn delete_held(conn: &mut PgConnection, org: OrgId, id: InvocationId) -> Result<(), Error> {
    sqlx::query!("DELETE FROM quarantined WHERE org_id = $1 AND invocation_id = $2", org.uuid(), id.uuid())
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("deleting what was quarantined"))
}

/// Deletes what was held long enough.
pub(crate) async fn purge_held(conn: &mut PgConnection, now: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_quarantined($1) AS "gone!""#, now.to_sqlx())
        .fetch_one(conn)
        .await
        .map_err(query("purging what was quarantined"))
}

/// An invocation that is held: where it stands in the inbox, and until when.
#[derive(Debug, Clone, Copy)]
pub struct HeldItem {
    pub position: Position,
    pub until: Timestamp,
}

/// Those that are held, in the order of the inbox.
pub async fn list_held(
    conn: &mut PgConnection,
    org: OrgId,
    now: Timestamp,
    before: Option<Position>,
    limit: i64,
) -> Result<Vec<HeldItem>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT invocation_id, turn, expires_at FROM quarantined
            WHERE org_id = $1 AND expires_at > $4
                AND ($2::uuid IS NULL OR turn > $5 OR (turn = $5 AND invocation_id < $2))
            ORDER BY turn, invocation_id DESC LIMIT $3
        "#,
        org.uuid(),
        before.map(|before| before.id),
        limit,
        now.to_sqlx() as _,
        before.map(|before| before.turn),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing what was quarantined"))?;
    let items = rows.into_iter().map(|row| HeldItem {
        position: Position { turn: row.turn, id: row.invocation_id },
        until: row.expires_at.to_jiff(),
    });
    Ok(items.collect())
}

/// One that is held; `None` if it is not.
pub async fn find_held(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    now: Timestamp,
) -> Result<Option<HeldItem>, Error> {
    let row = sqlx::query!(
        "SELECT turn, expires_at FROM quarantined WHERE org_id = $1 AND invocation_id = $2 AND expires_at > $3",
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding what was quarantined"))?;
    Ok(row.map(|row| HeldItem {
        position: Position { turn: row.turn, id: id.uuid() },
        until: row.expires_at.to_jiff(),
    }))
}

/// Records the invocation that was made when this one was released.
pub(crate) async fn set_released_as(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    new: InvocationId,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE invocations SET released_as = $3 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        new.uuid(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording a release"))
}
