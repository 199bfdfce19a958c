//! Rows of `invocations`, counted by source and by action.

use std::collections::HashMap;

use model::OrgId;
use platform::db::{Error, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::sources::Usage;

struct Row {
    name: String,
    calls: i64,
    succeeded: i64,
    failed: i64,
    unknown: i64,
    denied: i64,
    took_ms: Option<Vec<f64>>,
    last_at: Option<jiff_sqlx::Timestamp>,
}

fn usages(rows: Vec<Row>) -> HashMap<String, Usage> {
    let usage = |row: Row| {
        #[expect(clippy::cast_possible_truncation, reason = "no execution takes 2^53 milliseconds")]
        let took = |at: usize| row.took_ms.as_ref()?.get(at).map(|millis| millis.round() as i64);
        let usage = Usage {
            calls: row.calls,
            succeeded: row.succeeded,
            failed: row.failed,
            unknown: row.unknown,
            denied: row.denied,
            p50_ms: took(0),
            p95_ms: took(1),
            last_at: row.last_at.map(|at| at.to_jiff()),
        };
        (row.name, usage)
    };
    rows.into_iter().map(usage).collect()
}

/// How every source went since an id.
pub(crate) async fn by_source(
    conn: &mut PgConnection,
    org: OrgId,
    since: Uuid,
) -> Result<HashMap<String, Usage>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT source AS name, count(*) AS "calls!", count(*) FILTER (WHERE status = 'succeeded') AS "succeeded!",
                   count(*) FILTER (WHERE status IN ('failed', 'reverted')) AS "failed!",
                   count(*) FILTER (WHERE status = 'unknown') AS "unknown!",
                   count(*) FILTER (WHERE status IN ('denied', 'quarantined', 'expired')) AS "denied!",
                   percentile_cont(ARRAY[0.5, 0.95]::float8[]) WITHIN GROUP (
                       ORDER BY extract(epoch FROM finished_at - started_at)::float8 * 1000
                   ) FILTER (WHERE status = 'succeeded') AS took_ms,
                   max(requested_at) AS "last_at: _"
            FROM invocations WHERE org_id = $1 AND id >= $2 AND NOT dry_run GROUP BY source
        "#,
        org.uuid(),
        since,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting by source"))?;
    Ok(usages(rows))
}

/// How every action of a source went since an id.
pub(crate) async fn by_action(
    conn: &mut PgConnection,
    (org, source): (OrgId, &str),
    since: Uuid,
) -> Result<HashMap<String, Usage>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT action AS name, count(*) AS "calls!", count(*) FILTER (WHERE status = 'succeeded') AS "succeeded!",
                   count(*) FILTER (WHERE status IN ('failed', 'reverted')) AS "failed!",
                   count(*) FILTER (WHERE status = 'unknown') AS "unknown!",
                   count(*) FILTER (WHERE status IN ('denied', 'quarantined', 'expired')) AS "denied!",
                   percentile_cont(ARRAY[0.5, 0.95]::float8[]) WITHIN GROUP (
                       ORDER BY extract(epoch FROM finished_at - started_at)::float8 * 1000
                   ) FILTER (WHERE status = 'succeeded') AS took_ms,
                   max(requested_at) AS "last_at: _"
            FROM invocations WHERE org_id = $1 AND id >= $2 AND source = $3 AND NOT dry_run GROUP BY action
        "#,
        org.uuid(),
        since,
        source,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting by action"))?;
    Ok(usages(rows))
}
