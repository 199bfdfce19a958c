//! Rows of `run_steps`.

use jiff_sqlx::ToSqlx as _;
use model::{InOrg, InvocationId, OrgId, RunId, StepStatus};
use platform::db::{Error, column, known, query};
use sqlx::{PgConnection, types::Json};

use crate::run::{RunError, RunStep};

/// Writes attempts of steps. An attempt that has ended is not changed.
pub(crate) async fn put(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
    steps: &[&RunStep],
) -> Result<(), Error> {
    let all = || steps.iter();
    sqlx::query!(
        r#"
            INSERT INTO run_steps
                (org_id, run_id, ordinal, attempt, step_id, action, status, invocation_id, error, started_at, finished_at)
            SELECT $1, $2, s.*
            FROM unnest(
                $3::smallint[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::uuid[], $9::jsonb[],
                $10::timestamptz[], $11::timestamptz[]
            ) AS s (ordinal, attempt, step_id, action, status, invocation_id, error, started_at, finished_at)
            ON CONFLICT (org_id, run_id, ordinal, attempt) DO UPDATE
                SET status = excluded.status, invocation_id = excluded.invocation_id, error = excluded.error,
                    finished_at = excluded.finished_at
                WHERE run_steps.finished_at IS NULL
        "#,
        org.uuid(),
        run.uuid(),
        &column(all(), |step| step.ordinal),
        &column(all(), |step| step.attempt),
        &column(all(), |step| step.step_id.as_str()) as _,
        &column(all(), |step| step.action.as_str()) as _,
        &column(all(), |step| step.status.as_str()) as _,
        &column(all(), |step| step.invocation.map(|id| id.uuid())) as _,
        &column(all(), |step| step.error.as_ref().map(Json)) as _,
        &column(all(), |step| step.started_at.to_sqlx()) as _,
        &column(all(), |step| step.finished_at.map(|at| at.to_sqlx())) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("writing steps of a run"))
}

/// All attempts of a run's steps, in order.
pub(crate) async fn list(conn: &mut PgConnection, org: OrgId, run: RunId) -> Result<Vec<RunStep>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT ordinal, attempt, step_id, action, status, invocation_id, error AS "error: Json<RunError>",
                   started_at, finished_at
            FROM run_steps WHERE org_id = $1 AND run_id = $2 ORDER BY ordinal, attempt
        "#,
        org.uuid(),
        run.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the steps of a run"))?;
    let steps = rows.into_iter().map(|row| {
        Ok(RunStep {
            ordinal: row.ordinal,
            attempt: row.attempt,
            step_id: row.step_id,
            action: row.action,
            status: known(StepStatus::parse(&row.status), "run_steps.status")?,
            invocation: row.invocation_id.map(InvocationId::from_uuid),
            error: row.error.map(|error| error.0),
            started_at: row.started_at.to_jiff(),
            finished_at: row.finished_at.map(|at: jiff_sqlx::Timestamp| at.to_jiff()),
        })
    });
    steps.collect()
}
