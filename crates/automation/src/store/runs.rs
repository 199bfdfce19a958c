//! Rows of `runs`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{
    AutomationId, InOrg, InvocationId, Lane, OrgId, RunId, RunStatus, SessionId, SpaceId, TriggerId,
    TriggerType, UserId,
};
use platform::{
    db::{Error, known, query},
    period::Period,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{
    RunFilter,
    run::{Recent, Run, RunError, RunTally},
};

struct Row {
    id: Uuid,
    automation_id: Uuid,
    automation_name: String,
    number: i64,
    version: i32,
    trigger_id: Option<Uuid>,
    trigger_type: String,
    cause: String,
    started_by: Option<Uuid>,
    caused_by: Option<Uuid>,
    status: String,
    lane: String,
    session_id: Option<Uuid>,
    inputs: Value,
    depth: i16,
    origin_chain: Vec<String>,
    named: Vec<i64>,
    echo_of: Option<Uuid>,
    rerun_of: Option<Uuid>,
    awaits: Option<Uuid>,
    waiting_since: Option<jiff_sqlx::Timestamp>,
    waited_ms: i64,
    cancel_requested_at: Option<jiff_sqlx::Timestamp>,
    error: Option<Json<RunError>>,
    cost_usd: f64,
    revision: i32,
    created_at: jiff_sqlx::Timestamp,
    started_at: Option<jiff_sqlx::Timestamp>,
    finished_at: Option<jiff_sqlx::Timestamp>,
    erased_at: Option<jiff_sqlx::Timestamp>,
}

impl TryFrom<Row> for Run {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let at = |at: Option<jiff_sqlx::Timestamp>| at.map(|at| at.to_jiff());
        Ok(Self {
            id: RunId::from_uuid(row.id),
            automation: AutomationId::from_uuid(row.automation_id),
            automation_name: row.automation_name,
            number: row.number,
            version: row.version,
            trigger: row.trigger_id.map(TriggerId::from_uuid),
            trigger_type: known(TriggerType::parse(&row.trigger_type), "runs.trigger_type")?,
            cause: row.cause,
            started_by: row.started_by.map(UserId::from_uuid),
            caused_by: row.caused_by.map(UserId::from_uuid),
            status: known(RunStatus::parse(&row.status), "runs.status")?,
            lane: known(Lane::parse(&row.lane), "runs.lane")?,
            session: row.session_id.map(SessionId::from_uuid),
            inputs: row.inputs,
            depth: u8::try_from(row.depth).unwrap_or(u8::MAX),
            chain: row.origin_chain,
            named: row.named,
            echo_of: row.echo_of.map(RunId::from_uuid),
            rerun_of: row.rerun_of.map(RunId::from_uuid),
            awaits: row.awaits.map(InvocationId::from_uuid),
            waiting_since: at(row.waiting_since),
            waited_ms: row.waited_ms,
            cancel_requested_at: at(row.cancel_requested_at),
            error: row.error.map(|error| error.0),
            cost_usd: row.cost_usd,
            revision: row.revision,
            created_at: row.created_at.to_jiff(),
            started_at: at(row.started_at),
            finished_at: at(row.finished_at),
            erased_at: at(row.erased_at),
        })
    }
}

/// A new run with the columns that are not part of [`Run`].
pub(crate) struct NewRun<'a> {
    pub(crate) run: &'a Run,
    pub(crate) cause_digest: Option<&'a [u8]>,
    pub(crate) inputs_sealed: Option<Vec<u8>>,
    pub(crate) due_at: Option<Timestamp>,
}

pub(crate) async fn insert(conn: &mut PgConnection, org: OrgId, new: &NewRun<'_>) -> Result<(), Error> {
    let run = new.run;
    sqlx::query!(
        r#"
            INSERT INTO runs (
                org_id, id, automation_id, number, version, trigger_id, trigger_type, cause, cause_digest, started_by,
                status, lane, session_id, inputs, inputs_sealed, depth, origin_chain, named, echo_of, rerun_of, error,
                due_at, created_at, finished_at, caused_by
            ) VALUES (
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
                $25
            )
        "#,
        org.uuid(),
        run.id.uuid(),
        run.automation.uuid(),
        run.number,
        run.version,
        run.trigger.map(|id| id.uuid()),
        run.trigger_type.as_str(),
        run.cause,
        new.cause_digest,
        run.started_by.map(|id| id.uuid()),
        run.status.as_str(),
        run.lane.as_str(),
        run.session.map(|id| id.uuid()),
        run.inputs,
        new.inputs_sealed.as_deref(),
        i16::from(run.depth),
        &run.chain,
        &run.named,
        run.echo_of.map(|id| id.uuid()),
        run.rerun_of.map(|id| id.uuid()),
        run.error.as_ref().map(Json) as _,
        new.due_at.map(|at| at.to_sqlx()) as _,
        run.created_at.to_sqlx(),
        run.finished_at.map(|at| at.to_sqlx()) as _,
        run.caused_by.map(|id| id.uuid()),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a run"))
}

/// These runs, newest first.
pub(crate) async fn find(conn: &mut PgConnection, org: OrgId, ids: &[RunId]) -> Result<Vec<Run>, Error> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT r.id, r.automation_id, a.name AS automation_name, r.number, r.version, r.trigger_id, r.trigger_type,
                   r.cause, r.started_by, r.caused_by, r.status, r.lane, r.session_id, r.inputs, r.depth, r.origin_chain, r.named,
                   r.echo_of, r.rerun_of, r.awaits, r.waiting_since, r.waited_ms, r.cancel_requested_at,
                   r.error AS "error: _", r.cost_usd, r.revision, r.created_at, r.started_at, r.finished_at,
                   r.erased_at
            FROM runs r JOIN automations a ON a.org_id = r.org_id AND a.id = r.automation_id
            WHERE r.org_id = $1 AND r.id = ANY($2) ORDER BY r.id DESC
        "#,
        org.uuid(),
        &ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding runs"))?;
    rows.into_iter().map(Run::try_from).collect()
}

/// Locks a run's row.
pub(crate) async fn lock(conn: &mut PgConnection, org: OrgId, id: RunId) -> Result<(), Error> {
    sqlx::query!("SELECT 1 AS one FROM runs WHERE org_id = $1 AND id = $2 FOR UPDATE", org.uuid(), id.uuid())
        .fetch_optional(conn)
        .await
        .map(drop)
        .map_err(query("locking a run"))
}

/// The ids of a page of runs, newest first.
pub(crate) async fn page(
    conn: &mut PgConnection,
    org: OrgId,
    RunFilter { automation, status }: RunFilter,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<RunId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"
            SELECT id FROM runs
            WHERE org_id = $1 AND ($2::uuid IS NULL OR automation_id = $2) AND ($3::text IS NULL OR status = $3)
                AND ($4::uuid IS NULL OR id < $4)
            ORDER BY id DESC LIMIT $5
        "#,
        org.uuid(),
        automation.map(|id| id.uuid()),
        status.map(RunStatus::as_str),
        before,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing runs"))?;
    Ok(ids.into_iter().map(RunId::from_uuid).collect())
}

/// The newest runs of each of these automations, newest first, at most `most` of each.
pub(crate) async fn newest(
    conn: &mut PgConnection,
    org: OrgId,
    automations: &[AutomationId],
    most: i64,
) -> Result<Vec<Recent>, Error> {
    let automations: Vec<Uuid> = automations.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"
            SELECT a.id AS "automation_id!", r.id, r.status, r.created_at AS "created_at: jiff_sqlx::Timestamp",
                   (extract(epoch FROM r.finished_at - r.started_at) * 1000)::bigint AS took_ms
            FROM unnest($2::uuid[]) AS a (id)
            CROSS JOIN LATERAL (
                SELECT id, status, created_at, started_at, finished_at
                FROM runs WHERE org_id = $1 AND automation_id = a.id ORDER BY id DESC LIMIT $3
            ) r
            ORDER BY r.id DESC
        "#,
        org.uuid(),
        &automations,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding the newest runs of automations"))?;
    let recent = rows.into_iter().map(|row| {
        Ok(Recent {
            automation: AutomationId::from_uuid(row.automation_id),
            run: RunId::from_uuid(row.id),
            status: known(RunStatus::parse(&row.status), "runs.status")?,
            created_at: row.created_at.to_jiff(),
            took_ms: row.took_ms,
        })
    });
    recent.collect()
}

/// How the runs that were created in each bucket of a period ended, and what they cost, by the index of the bucket.
pub(crate) async fn tally(
    conn: &mut PgConnection,
    org: OrgId,
    space: Option<SpaceId>,
    period: Period,
) -> Result<Vec<(usize, RunTally)>, Error> {
    let (first, end) = period.ids();
    let rows = sqlx::query!(
        r#"
            SELECT greatest(floor(extract(epoch FROM r.created_at - $5) / $6), 0)::bigint AS "bucket!",
                   count(*) FILTER (WHERE r.status = 'succeeded') AS "succeeded!",
                   count(*) FILTER (WHERE r.status IN ('failed', 'timed_out')) AS "failed!",
                   coalesce(sum(r.cost_usd), 0) AS "cost_usd!"
            FROM runs r JOIN automations a ON a.org_id = r.org_id AND a.id = r.automation_id
            WHERE r.org_id = $1 AND r.id >= $2 AND r.id < $3 AND ($4::uuid IS NULL OR a.space_id = $4)
            GROUP BY 1
        "#,
        org.uuid(),
        first,
        end,
        space.map(|space| space.uuid()),
        period.since().to_sqlx() as _,
        period.bucket_s() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting runs over time"))?;
    let tallies = rows.into_iter().map(|row| {
        let tally = RunTally { succeeded: row.succeeded, failed: row.failed, cost_usd: row.cost_usd };
        (usize::try_from(row.bucket).unwrap_or_default(), tally)
    });
    Ok(tallies.collect())
}

/// The run that a cause started earlier, with the digest of the data that came with the cause.
pub(crate) async fn of_cause(
    conn: &mut PgConnection,
    InOrg { org, id: automation }: InOrg<AutomationId>,
    cause: &str,
) -> Result<Option<(RunId, Option<Vec<u8>>)>, Error> {
    let row = sqlx::query!(
        "SELECT id, cause_digest FROM runs WHERE org_id = $1 AND automation_id = $2 AND cause = $3",
        org.uuid(),
        automation.uuid(),
        cause,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding the run of a cause"))?;
    Ok(row.map(|row| (RunId::from_uuid(row.id), row.cause_digest)))
}

/// How many runs of an automation have not ended.
pub(crate) async fn active(
    conn: &mut PgConnection,
    org: OrgId,
    automation: AutomationId,
) -> Result<i64, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT count(*) AS "count!" FROM runs
            WHERE org_id = $1 AND automation_id = $2 AND finished_at IS NULL
        "#,
        org.uuid(),
        automation.uuid(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting the runs of an automation"))
}

/// Whether every earlier run of the same automation has ended.
pub(crate) async fn is_first(conn: &mut PgConnection, org: OrgId, run: &Run) -> Result<bool, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT NOT EXISTS (
                SELECT 1 FROM runs
                WHERE org_id = $1 AND automation_id = $2 AND finished_at IS NULL AND number < $3
            ) AS "is_first!"
        "#,
        org.uuid(),
        run.automation.uuid(),
        run.number,
    )
    .fetch_one(conn)
    .await
    .map_err(query("finding earlier runs in the queue"))
}

/// How many runs of an automation were caused by its own runs since `since`.
pub(crate) async fn own_since(
    conn: &mut PgConnection,
    InOrg { org, id: automation }: InOrg<AutomationId>,
    since: Timestamp,
) -> Result<i64, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT count(*) AS "count!" FROM runs
            WHERE org_id = $1 AND automation_id = $2 AND id >= uuid_at($3) AND session_id IS NOT NULL
                AND (echo_of IS NOT NULL OR $4 = ANY(origin_chain))
        "#,
        org.uuid(),
        automation.uuid(),
        since.to_sqlx() as _,
        automation.to_string(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting runs that an automation triggered itself"))
}

/// The average duration of the last runs of an automation, in milliseconds, not counting the time they waited for
/// people.
pub(crate) async fn usual_ms(
    conn: &mut PgConnection,
    org: OrgId,
    automation: AutomationId,
) -> Result<Option<f64>, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT avg(extract(epoch FROM finished_at - started_at)::float8 * 1000 - waited_ms) AS usual
            FROM (
                SELECT finished_at, started_at, waited_ms FROM runs
                WHERE org_id = $1 AND automation_id = $2 AND started_at IS NOT NULL AND finished_at IS NOT NULL
                ORDER BY id DESC LIMIT 10
            ) last
        "#,
        org.uuid(),
        automation.uuid(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("measuring an automation"))
}

pub(crate) async fn sealed_inputs(
    conn: &mut PgConnection,
    org: OrgId,
    id: RunId,
) -> Result<Option<Vec<u8>>, Error> {
    let sealed = sqlx::query_scalar!(
        "SELECT inputs_sealed FROM runs WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("reading the inputs of a run"))?;
    Ok(sealed.flatten())
}

/// The progress of a run. The time it waited is added when it no longer waits.
pub(crate) struct Progress {
    pub(crate) awaits: Option<InvocationId>,
    pub(crate) due_at: Timestamp,
    /// When it started, if that is not recorded yet.
    pub(crate) began: Timestamp,
    pub(crate) now: Timestamp,
}

/// Records the progress of a run, unless it has ended (`None`); returns when a person requested its end, if one did.
pub(crate) async fn progress(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<RunId>,
    progress: &Progress,
) -> Result<Option<Option<Timestamp>>, Error> {
    let row = sqlx::query!(
        r#"
            UPDATE runs SET
                status = CASE WHEN $3::uuid IS NULL THEN 'running' ELSE 'waiting' END,
                awaits = $3, due_at = $4, revision = revision + 1, started_at = coalesce(started_at, $6),
                waiting_since = CASE WHEN $3::uuid IS NULL THEN NULL ELSE coalesce(waiting_since, $5) END,
                waited_ms = waited_ms + CASE WHEN $3::uuid IS NULL AND waiting_since IS NOT NULL
                    THEN greatest(extract(epoch FROM $5 - waiting_since) * 1000, 0)::bigint ELSE 0 END
            WHERE org_id = $1 AND id = $2 AND finished_at IS NULL
            RETURNING cancel_requested_at
        "#,
        org.uuid(),
        id.uuid(),
        progress.awaits.map(|id| id.uuid()),
        progress.due_at.to_sqlx() as _,
        progress.now.to_sqlx() as _,
        progress.began.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("storing the progress of a run"))?;
    Ok(row.map(|row| row.cancel_requested_at.map(|at: jiff_sqlx::Timestamp| at.to_jiff())))
}

pub(crate) struct End<'a> {
    pub(crate) status: RunStatus,
    pub(crate) error: Option<&'a RunError>,
    /// When it started, if that is not recorded yet.
    pub(crate) began: Option<Timestamp>,
    pub(crate) at: Timestamp,
}

/// Ends a run; returns `false` if it had already ended.
pub(crate) async fn finish(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<RunId>,
    End { status, error, began, at }: End<'_>,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE runs SET
                status = $3, error = $4, finished_at = $5, revision = revision + 1, due_at = NULL, awaits = NULL,
                waiting_since = NULL, started_at = coalesce(started_at, $6),
                waited_ms = waited_ms + CASE WHEN waiting_since IS NOT NULL
                    THEN greatest(extract(epoch FROM $5 - waiting_since) * 1000, 0)::bigint ELSE 0 END
            WHERE org_id = $1 AND id = $2 AND finished_at IS NULL
        "#,
        org.uuid(),
        id.uuid(),
        status.as_str(),
        error.map(Json) as _,
        at.to_sqlx() as _,
        began.map(|at| at.to_sqlx()) as _,
    )
    .execute(conn)
    .await
    .map_err(query("ending a run"))?;
    Ok(done.rows_affected() == 1)
}

/// Records that a person requested the end of a run.
pub(crate) async fn request_cancel(
    conn: &mut PgConnection,
    org: OrgId,
    id: RunId,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE runs SET cancel_requested_at = coalesce(cancel_requested_at, $3), revision = revision + 1
            WHERE org_id = $1 AND id = $2 AND finished_at IS NULL
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("requesting the end of a run"))
}

/// When a person requested the end of a run, if one did; `None` for a run that has ended.
pub(crate) async fn cancel_requested(
    conn: &mut PgConnection,
    org: OrgId,
    id: RunId,
) -> Result<Option<Option<Timestamp>>, Error> {
    let found = sqlx::query_scalar!(
        r#"
            SELECT cancel_requested_at AS "at: jiff_sqlx::Timestamp"
            FROM runs WHERE org_id = $1 AND id = $2 AND finished_at IS NULL
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("looking whether a run is to end"))?;
    Ok(found.map(|at| at.map(|at| at.to_jiff())))
}

/// Sets when a run is due for a check.
pub(crate) async fn set_due(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<RunId>,
    due_at: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE runs SET due_at = $3 WHERE org_id = $1 AND id = $2 AND finished_at IS NULL",
        org.uuid(),
        id.uuid(),
        due_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("scheduling the next check of a run"))
}

/// Makes the first queued run due, if no earlier run is active; returns its id.
pub(crate) async fn call_up(
    conn: &mut PgConnection,
    InOrg { org, id: automation }: InOrg<AutomationId>,
    due_at: Timestamp,
) -> Result<Option<RunId>, Error> {
    let id = sqlx::query_scalar!(
        r#"
            UPDATE runs SET due_at = $3
            WHERE org_id = $1 AND status = 'pending' AND id = (
                SELECT id FROM runs WHERE org_id = $1 AND automation_id = $2 AND finished_at IS NULL
                ORDER BY number LIMIT 1
            )
            RETURNING id
        "#,
        org.uuid(),
        automation.uuid(),
        due_at.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("calling up the next run"))?;
    Ok(id.map(RunId::from_uuid))
}
