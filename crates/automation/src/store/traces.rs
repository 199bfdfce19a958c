//! Rows of `run_traces`, and the columns of `runs` that help to recognize an echo.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{AutomationId, InOrg, OrgId, RunId};
use platform::db::{Error, query};
use sqlx::PgConnection;

/// An object that a run created or touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) hash: i64,
    pub(crate) run: RunId,
    /// Whether the payload that started the run already named it.
    pub(crate) carried: bool,
}

/// Stores the traces of a run.
pub(crate) async fn put(
    conn: &mut PgConnection,
    org: OrgId,
    traces: &[Trace],
    until: Timestamp,
) -> Result<(), Error> {
    let hashes: Vec<i64> = traces.iter().map(|trace| trace.hash).collect();
    let runs: Vec<_> = traces.iter().map(|trace| trace.run.uuid()).collect();
    let carried: Vec<bool> = traces.iter().map(|trace| trace.carried).collect();
    sqlx::query!(
        r#"
            INSERT INTO run_traces (org_id, hash, run_id, carried, expires_at)
            SELECT $1, t.hash, t.run_id, t.carried, $5
            FROM unnest($2::bigint[], $3::uuid[], $4::boolean[]) AS t (hash, run_id, carried)
            ON CONFLICT (org_id, hash) DO UPDATE
                SET run_id = excluded.run_id, carried = excluded.carried, expires_at = excluded.expires_at
        "#,
        org.uuid(),
        &hashes,
        &runs,
        &carried,
        until.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing traces of a run"))
}

/// The traces with these hashes: objects that were created before objects that were only touched, newest first.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    hashes: &[i64],
    now: Timestamp,
) -> Result<Vec<Trace>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT hash, run_id, carried FROM run_traces
            WHERE org_id = $1 AND hash = ANY($2) AND expires_at > $3 ORDER BY carried, expires_at DESC LIMIT 64
        "#,
        org.uuid(),
        hashes,
        now.to_sqlx(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding traces of runs"))?;
    let trace =
        |row: (i64, uuid::Uuid, bool)| Trace { hash: row.0, run: RunId::from_uuid(row.1), carried: row.2 };
    Ok(rows.into_iter().map(|row| trace((row.hash, row.run_id, row.carried))).collect())
}

/// The newest run of an automation since `since` that was started by a payload that names one of these.
pub(crate) async fn named_since(
    conn: &mut PgConnection,
    InOrg { org, id: automation }: InOrg<AutomationId>,
    hashes: &[i64],
    since: Timestamp,
) -> Result<Option<RunId>, Error> {
    let found = sqlx::query_scalar!(
        r#"
            SELECT id FROM runs
            WHERE org_id = $1 AND automation_id = $2 AND id >= uuid_at($3) AND session_id IS NOT NULL AND named && $4
            ORDER BY id DESC LIMIT 1
        "#,
        org.uuid(),
        automation.uuid(),
        since.to_sqlx() as _,
        hashes,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding recent runs with the same names"))?;
    Ok(found.map(RunId::from_uuid))
}
