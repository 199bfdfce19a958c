//! Reading the past: rows of `invocations` for new facts and for backtests.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{
    ActionAddress, Decision, EffectClass, InvocationId, Mode, ModeSource, OrgId, Risk, SessionId, SpaceId,
    Status, StepOrigin,
};
use platform::db::{Error, column, known, query};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

pub(super) fn address(source: &str, action: &str) -> Result<ActionAddress, Error> {
    Ok(ActionAddress {
        source: known(source.parse().ok(), "invocations.source")?,
        action: known(action.parse().ok(), "invocations.action")?,
    })
}

/// A call of the past.
pub(crate) struct PastCall {
    pub(crate) id: InvocationId,
    pub(crate) session: SessionId,
    pub(crate) space: SpaceId,
    pub(crate) address: ActionAddress,
    pub(crate) risk: Risk,
    pub(crate) effect: EffectClass,
    pub(crate) status: Status,
    pub(crate) params: Value,
    pub(crate) result: Option<Value>,
    pub(crate) is_erased: bool,
    pub(crate) requested_at: Timestamp,
    /// When it began, or when it ended if it never did.
    pub(crate) happened_at: Timestamp,
}

/// Whether an invocation is executed whose ID is less than this one, by a process that is alive.
pub(crate) async fn is_any_executing(
    conn: &mut PgConnection,
    org: OrgId,
    before: Uuid,
    now: Timestamp,
) -> Result<bool, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT EXISTS (
                SELECT FROM invocations WHERE org_id = $1 AND id < $2 AND status = 'executing' AND lease_until > $3
            ) AS "is!"
        "#,
        org.uuid(),
        before,
        now.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
    .map_err(query("looking for what is executed"))
}

/// Locks a page of the calls between two IDs, the newest first. What was only tried is left out.
pub(crate) async fn lock_past(
    conn: &mut PgConnection,
    org: OrgId,
    (since, before): (Uuid, Uuid),
    most: i64,
) -> Result<Vec<PastCall>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id, session_id, space_id, source, action, risk, effect,
                   counted_status(status, source, error) AS "status!", params, result,
                   erased_at IS NOT NULL AS "is_erased!", requested_at AS "requested_at: jiff_sqlx::Timestamp",
                   coalesce(started_at, finished_at, requested_at) AS "happened_at!: jiff_sqlx::Timestamp"
            FROM invocations
            WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run AND status NOT IN ('skipped', 'quarantined')
            ORDER BY id DESC LIMIT $4 FOR UPDATE
        "#,
        org.uuid(),
        since,
        before,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading what happened before a fact"))?;
    let calls = rows.into_iter().map(|row| {
        let address = address(&row.source, &row.action)?;
        Ok(PastCall {
            id: InvocationId::from_uuid(row.id),
            session: SessionId::from_uuid(row.session_id),
            space: SpaceId::from_uuid(row.space_id),
            address,
            risk: known(Risk::parse(&row.risk), "invocations.risk")?,
            effect: known(EffectClass::parse(&row.effect), "invocations.effect")?,
            status: known(Status::parse(&row.status), "invocations.status")?,
            params: row.params,
            result: row.result,
            is_erased: row.is_erased,
            requested_at: row.requested_at.to_jiff(),
            happened_at: row.happened_at.to_jiff(),
        })
    });
    calls.collect()
}

/// A decided request of the past, for backtests.
#[derive(Debug)]
pub struct DecidedCall {
    pub id: InvocationId,
    pub session: SessionId,
    pub space: SpaceId,
    pub address: ActionAddress,
    pub status: Status,
    pub decision: Decision,
    /// Redacted.
    pub params: Value,
    pub result: Option<Value>,
    pub is_erased: bool,
    pub step: Option<StepOrigin>,
    pub requested_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// How many requests were decided between two IDs.
pub async fn count_decided(
    conn: &mut PgConnection,
    org: OrgId,
    (since, before): (Uuid, Uuid),
) -> Result<i64, Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM invocations WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run"#,
        org.uuid(),
        since,
        before,
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting what was decided"))
}

/// A page of the requests that were decided between two IDs, the oldest first.
pub async fn decided(
    conn: &mut PgConnection,
    org: OrgId,
    (since, before): (Uuid, Uuid),
    most: i64,
) -> Result<Vec<DecidedCall>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id, session_id, space_id, source, action,
                   counted_status(status, source, error) AS "status!", decision AS "decision: Json<Decision>", params,
                   result, erased_at IS NOT NULL AS "is_erased!", step AS "step: Json<StepOrigin>",
                   requested_at AS "requested_at: jiff_sqlx::Timestamp",
                   finished_at AS "finished_at: jiff_sqlx::Timestamp"
            FROM invocations WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run ORDER BY id LIMIT $4
        "#,
        org.uuid(),
        since,
        before,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading what was decided"))?;
    let calls = rows.into_iter().map(|row| {
        let address = address(&row.source, &row.action)?;
        Ok(DecidedCall {
            id: InvocationId::from_uuid(row.id),
            session: SessionId::from_uuid(row.session_id),
            space: SpaceId::from_uuid(row.space_id),
            address,
            status: known(Status::parse(&row.status), "invocations.status")?,
            decision: row.decision.0,
            params: row.params,
            result: row.result,
            is_erased: row.is_erased,
            step: row.step.map(|step| step.0),
            requested_at: row.requested_at.to_jiff(),
            finished_at: row.finished_at.map(|at| at.to_jiff()),
        })
    });
    calls.collect()
}

/// How often policies that observe would have given a stricter mode than there was.
#[derive(Debug)]
pub struct Observed {
    pub policy: String,
    pub action: String,
    /// The mode that there was, and the one that the policy would have given.
    pub mode: Mode,
    pub wanted: Mode,
    pub count: i64,
    /// The newest of them.
    pub examples: Vec<InvocationId>,
}

/// What policies that observe would have done since an ID.
pub async fn observed(conn: &mut PgConnection, org: OrgId, since: Uuid) -> Result<Vec<Observed>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT p.policy ->> 'name' AS "policy!", i.source, i.action, i.mode, p.policy ->> 'mode' AS "wanted!",
                   count(*) AS "count!", (array_agg(i.id ORDER BY i.id DESC))[1:10] AS "examples!"
            FROM invocations i, jsonb_array_elements(i.decision -> 'policies') AS p (policy)
            WHERE i.org_id = $1 AND i.id >= $2 AND i.decision ? 'policies' AND (p.policy ->> 'observing')::boolean
            GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 6 DESC
        "#,
        org.uuid(),
        since,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reporting on policies that observe"))?;
    let observed = rows.into_iter().map(|row| {
        Ok(Observed {
            policy: row.policy,
            action: format!("{}.{}", row.source, row.action),
            mode: known(Mode::parse(&row.mode), "invocations.mode")?,
            wanted: known(Mode::parse(&row.wanted), "invocations.decision")?,
            count: row.count,
            examples: row.examples.into_iter().map(InvocationId::from_uuid).collect(),
        })
    });
    observed.collect()
}

/// What was held of the flow of data, or would have been, counted.
#[derive(Debug)]
pub struct ObservedFlow {
    pub action: String,
    pub audience: String,
    pub chosen_by: String,
    pub mode: String,
    pub observing: bool,
    pub count: i64,
    /// Of these, how many nothing else held.
    pub alone: i64,
    /// Of those, how many came from runs.
    pub alone_in_runs: i64,
    /// How many people denied.
    pub denied: i64,
    pub examples: Vec<InvocationId>,
}

/// What was held of the flow of data since an ID, or would have been.
pub async fn observed_flows(
    conn: &mut PgConnection,
    org: OrgId,
    since: Uuid,
) -> Result<Vec<ObservedFlow>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT f.source, f.action, f.audience AS "audience!", f.chosen_by AS "chosen_by!", f.wanted AS "wanted!",
                   f.observing AS "observing!", count(*) AS "count!", count(*) FILTER (WHERE f.alone) AS "alone!",
                   count(*) FILTER (WHERE f.alone AND f.step IS NOT NULL) AS "alone_in_runs!",
                   count(*) FILTER (WHERE NOT f.observing AND f.status = 'denied' AND f.wanted <> 'deny') AS "denied!",
                   (array_agg(f.id ORDER BY f.id DESC))[1:10] AS "examples!"
            FROM (
                SELECT i.id, i.source, i.action, i.status, i.step, i.decision -> 'flow' ->> 'audience' AS audience,
                       i.decision -> 'flow' ->> 'chosen_by' AS chosen_by, i.decision -> 'flow' ->> 'mode' AS wanted,
                       coalesce((i.decision -> 'flow' ->> 'observing')::boolean, false) AS observing,
                       CASE WHEN coalesce((i.decision -> 'flow' ->> 'observing')::boolean, false) THEN i.mode = 'allow'
                            ELSE NOT EXISTS (
                                SELECT 1 FROM jsonb_array_elements(i.decision -> 'guardrails') AS g (change)
                                WHERE g.change ->> 'guardrail' <> 'flow'
                            ) AND i.decision -> 'guardrails' @> '[{"guardrail": "flow", "from": "allow"}]' END AS alone
                FROM invocations i
                WHERE i.org_id = $1 AND i.id >= $2 AND NOT i.dry_run AND i.decision ? 'flow'
                    AND i.decision -> 'flow' ->> 'mode' <> 'allow'
            ) AS f
            GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 7 DESC LIMIT 200
        "#,
        org.uuid(),
        since,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reporting on flows of data"))?;
    let observed = rows.into_iter().map(|row| ObservedFlow {
        action: format!("{}.{}", row.source, row.action),
        audience: row.audience,
        chosen_by: row.chosen_by,
        mode: row.wanted,
        observing: row.observing,
        count: row.count,
        alone: row.alone,
        alone_in_runs: row.alone_in_runs,
        denied: row.denied,
        examples: row.examples.into_iter().map(InvocationId::from_uuid).collect(),
    });
    Ok(observed.collect())
}

/// The actions that rules decided about since an ID, and whose rules these were.
pub async fn actions_by_rule(
    conn: &mut PgConnection,
    org: OrgId,
    since: Uuid,
) -> Result<Vec<(ActionAddress, ModeSource)>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT DISTINCT source, action, mode_source FROM invocations
            WHERE org_id = $1 AND id >= $2 AND mode_source IN ('org_rule', 'automation_rule')
        "#,
        org.uuid(),
        since,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading which rules were used"))?;
    let used = rows.into_iter().map(|row| {
        let address = address(&row.source, &row.action)?;
        Ok((address, known(ModeSource::parse(&row.mode_source), "invocations.mode_source")?))
    });
    used.collect()
}

/// The actions of invocations.
pub async fn addresses(
    conn: &mut PgConnection,
    org: OrgId,
    ids: &[InvocationId],
) -> Result<Vec<(InvocationId, ActionAddress)>, Error> {
    let rows = sqlx::query!(
        "SELECT id, source, action FROM invocations WHERE org_id = $1 AND id = ANY ($2)",
        org.uuid(),
        &column(ids.iter(), |id| id.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the actions of invocations"))?;
    let found = rows.into_iter().map(|row| {
        let address = address(&row.source, &row.action)?;
        Ok((InvocationId::from_uuid(row.id), address))
    });
    found.collect()
}

/// Notes that facts have entries of these invocations, so that they follow their states.
pub(crate) async fn set_counted(
    conn: &mut PgConnection,
    org: OrgId,
    ids: &[InvocationId],
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE invocations SET counted = true WHERE org_id = $1 AND id = ANY ($2) AND NOT counted",
        org.uuid(),
        &column(ids.iter(), |id| id.uuid()),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("noting that facts count an invocation"))
}
