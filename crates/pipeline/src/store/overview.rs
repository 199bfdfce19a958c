//! Rows of `invocations`, counted over time. Dry runs are left out everywhere.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{OrgId, SpaceId};
use platform::{
    db::{Error, query},
    period::Period,
};
use sqlx::PgConnection;

use crate::overview::{AgentTally, SourceTally, Tally};

/// How many sources and agents are named.
const TOP: i64 = 10;

/// What was asked for in each bucket of a period in which something was, by the bucket's place; `None` for all together.
pub(crate) async fn by_bucket(
    conn: &mut PgConnection,
    (org, space): (OrgId, Option<SpaceId>),
    period: Period,
) -> Result<Vec<(Option<i64>, Tally)>, Error> {
    let (first, end) = period.ids();
    let rows = sqlx::query!(
        r#"
            SELECT bucket, count(*) AS "calls!", count(*) FILTER (WHERE status = 'succeeded') AS "succeeded!",
                   count(*) FILTER (WHERE status = 'failed') AS "failed!",
                   count(*) FILTER (WHERE status = 'denied') AS "denied!",
                   count(*) FILTER (WHERE status = 'expired') AS "expired!",
                   count(*) FILTER (WHERE status = 'unknown') AS "unknown!",
                   count(*) FILTER (WHERE status = 'quarantined') AS "quarantined!",
                   count(*) FILTER (WHERE status = 'reverted') AS "reverted!",
                   count(*) FILTER (WHERE mode = 'require_approval') AS "asked!",
                   count(waited_s) AS "answered!",
                   percentile_cont(ARRAY[0.5, 0.95]::float8[]) WITHIN GROUP (ORDER BY waited_s) AS waited
            FROM (
                SELECT status, mode,
                       greatest(floor(extract(epoch FROM requested_at - $5) / $6), 0)::bigint AS bucket,
                       CASE WHEN mode = 'require_approval' THEN extract(epoch FROM coalesce(
                           approved_at, CASE WHEN status = 'denied' THEN finished_at END
                       ) - requested_at)::float8 END AS waited_s
                FROM invocations
                WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run AND ($4::uuid IS NULL OR space_id = $4)
            ) AS asked
            GROUP BY ROLLUP (bucket)
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
    .map_err(query("counting invocations over time"))?;
    let tallies = rows.into_iter().map(|row| {
        let waited = |at: usize| row.waited.as_ref()?.get(at).copied();
        let tally = Tally {
            calls: row.calls,
            succeeded: row.succeeded,
            failed: row.failed,
            denied: row.denied,
            expired: row.expired,
            unknown: row.unknown,
            quarantined: row.quarantined,
            reverted: row.reverted,
            asked: row.asked,
            answered: row.answered,
            approval_p50_s: waited(0),
            approval_p95_s: waited(1),
        };
        (row.bucket, tally)
    });
    Ok(tallies.collect())
}

/// The sources that were asked the most.
pub(crate) async fn by_source(
    conn: &mut PgConnection,
    (org, space): (OrgId, Option<SpaceId>),
    period: Period,
) -> Result<Vec<SourceTally>, Error> {
    let (first, end) = period.ids();
    let rows = sqlx::query!(
        r#"
            SELECT source, count(*) AS "calls!", count(*) FILTER (WHERE status = 'succeeded') AS "succeeded!",
                   count(*) FILTER (WHERE status IN ('failed', 'reverted', 'unknown')) AS "failed!",
                   round((percentile_cont(0.5) WITHIN GROUP (
                       ORDER BY extract(epoch FROM finished_at - started_at)::float8
                   ) FILTER (WHERE status = 'succeeded')) * 1000)::bigint AS p50_ms
            FROM invocations
            WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run AND ($4::uuid IS NULL OR space_id = $4)
            GROUP BY source ORDER BY count(*) DESC, source LIMIT $5
        "#,
        org.uuid(),
        first,
        end,
        space.map(|space| space.uuid()),
        TOP,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting invocations by source"))?;
    let tallies = rows.into_iter().map(|row| SourceTally {
        source: row.source,
        calls: row.calls,
        succeeded: row.succeeded,
        failed: row.failed,
        p50_ms: row.p50_ms,
    });
    Ok(tallies.collect())
}

/// The agents that asked the most.
pub(crate) async fn by_agent(
    conn: &mut PgConnection,
    (org, space): (OrgId, Option<SpaceId>),
    period: Period,
) -> Result<Vec<AgentTally>, Error> {
    let (first, end) = period.ids();
    let rows = sqlx::query!(
        r#"
            SELECT agent, count(*) AS "calls!" FROM invocations
            WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run AND ($4::uuid IS NULL OR space_id = $4)
            GROUP BY agent ORDER BY count(*) DESC, agent LIMIT $5
        "#,
        org.uuid(),
        first,
        end,
        space.map(|space| space.uuid()),
        TOP,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting invocations by agent"))?;
    Ok(rows.into_iter().map(|row| AgentTally { agent: row.agent, calls: row.calls }).collect())
}

/// How many invocations wait for a person.
pub(crate) async fn waiting(
    conn: &mut PgConnection,
    (org, space): (OrgId, Option<SpaceId>),
    now: Timestamp,
) -> Result<i64, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT count(*) AS "waiting!" FROM invocations
            WHERE org_id = $1 AND status = 'pending' AND expires_at > $2 AND ($3::uuid IS NULL OR space_id = $3)
        "#,
        org.uuid(),
        now.to_sqlx() as _,
        space.map(|space| space.uuid()),
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting what waits"))
}
