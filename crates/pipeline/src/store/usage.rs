//! Rows of `invocations`, counted by source and by action.

use std::collections::HashMap;

use jiff::Timestamp;
use model::{OrgId, Status};
use platform::db::{Error, known, query};
use sqlx::PgConnection;
use uuid::Uuid;

use super::durations::CLASSES;

/// The number of invocations that ended in the same way.
pub struct Ended {
    pub status: Status,
    /// The class of the duration of those that succeeded.
    pub took: Option<i32>,
    pub calls: i64,
    pub last_at: Timestamp,
}

struct Row {
    name: String,
    status: String,
    took: Option<i32>,
    calls: i64,
    last_at: jiff_sqlx::Timestamp,
}

fn by_name(rows: Vec<Row>) -> Result<HashMap<String, Vec<Ended>>, Error> {
    let mut all: HashMap<String, Vec<Ended>> = HashMap::new();
    for row in rows {
        let status = known(Status::parse(&row.status), "invocations.status")?;
        let ended = Ended { status, took: row.took, calls: row.calls, last_at: row.last_at.to_jiff() };
        all.entry(row.name).or_default().push(ended);
    }
    Ok(all)
}

/// How the invocations of each source ended since an id.
pub async fn by_source(
    conn: &mut PgConnection,
    org: OrgId,
    since: Uuid,
) -> Result<HashMap<String, Vec<Ended>>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT source AS name, status, CASE WHEN status = 'succeeded' AND started_at IS NOT NULL THEN
                       round(ln(greatest(date_part('epoch', finished_at - started_at) * 1000, 1)) * $3::float8)::integer
                   END AS took, count(*) AS "calls!", max(requested_at) AS "last_at!: _"
            FROM invocations WHERE org_id = $1 AND id >= $2 AND NOT dry_run GROUP BY 1, 2, 3
        "#,
        org.uuid(),
        since,
        CLASSES,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting by source"))?;
    by_name(rows)
}

/// How the invocations of each action of a source ended since an id.
pub async fn by_action(
    conn: &mut PgConnection,
    org: OrgId,
    source: &str,
    since: Uuid,
) -> Result<HashMap<String, Vec<Ended>>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT action AS name, status, CASE WHEN status = 'succeeded' AND started_at IS NOT NULL THEN
                       round(ln(greatest(date_part('epoch', finished_at - started_at) * 1000, 1)) * $4::float8)::integer
                   END AS took, count(*) AS "calls!", max(requested_at) AS "last_at!: _"
            FROM invocations WHERE org_id = $1 AND id >= $2 AND source = $3 AND NOT dry_run GROUP BY 1, 2, 3
        "#,
        org.uuid(),
        since,
        source,
        CLASSES,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting by action"))?;
    by_name(rows)
}
