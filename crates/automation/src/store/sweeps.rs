//! Rows of `runs`, many at once: those that wait, are overdue, are open or ended long ago.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{InvocationId, OrgId, RunId};
use platform::db::{Error, query};
use sqlx::PgConnection;
use uuid::Uuid;

/// Makes the runs due that wait for these invocations, and returns them.
pub(crate) async fn call_waiting(
    conn: &mut PgConnection,
    org: OrgId,
    invocations: &[InvocationId],
    due_at: Timestamp,
) -> Result<Vec<(RunId, InvocationId)>, Error> {
    let ids: Vec<Uuid> = invocations.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"
            UPDATE runs SET due_at = least(due_at, $3) WHERE org_id = $1 AND awaits = ANY($2)
            RETURNING id, awaits AS "awaits!"
        "#,
        org.uuid(),
        &ids,
        due_at.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("calling runs that wait for invocations"))?;
    Ok(rows.into_iter().map(|row| (RunId::from_uuid(row.id), InvocationId::from_uuid(row.awaits))).collect())
}

/// Some runs of an organization that have not ended.
pub(crate) async fn open(conn: &mut PgConnection, org: OrgId, most: i32) -> Result<Vec<RunId>, Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM runs WHERE org_id = $1 AND finished_at IS NULL ORDER BY id LIMIT $2",
        org.uuid(),
        i64::from(most),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding open runs"))?;
    Ok(ids.into_iter().map(RunId::from_uuid).collect())
}

/// How many runs of an organization have not ended.
pub(crate) async fn count_open(conn: &mut PgConnection, org: OrgId) -> Result<i64, Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "open!" FROM runs WHERE org_id = $1 AND finished_at IS NULL"#,
        org.uuid(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting open runs"))
}

/// Runs of any org whose check is overdue.
pub(crate) async fn overdue(
    conn: &mut PgConnection,
    at: Timestamp,
    most: i32,
) -> Result<Vec<(OrgId, RunId)>, Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM overdue_runs($1, $2)"#,
        at.to_sqlx(),
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding runs to look after"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), RunId::from_uuid(row.id))).collect())
}

/// Deletes at most `most` runs that ended before `before`; returns how many.
pub(crate) async fn purge(
    conn: &mut PgConnection,
    before: Timestamp,
    now: Timestamp,
    most: i32,
) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_runs($1, $2, $3) AS "gone!""#, before.to_sqlx(), now.to_sqlx(), most,)
        .fetch_one(conn)
        .await
        .map_err(query("deleting old runs"))
}
