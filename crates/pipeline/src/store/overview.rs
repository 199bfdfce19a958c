//! Rows of `invocations`, counted over time. Dry runs are left out everywhere.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ActionAddress, InvocationId, OrgId, SpaceId, Status};
use platform::{
    db::{Error, column, known, query},
    period::Period,
};
use serde_json::Value;
use sqlx::PgConnection;

use super::durations::CLASSES;

/// How many agents are named.
const AGENTS: i64 = 10;

/// What the counted invocations have in common.
pub enum Group {
    /// Requested in this bucket. `waited` is the class of the time until a person answered.
    InBucket { bucket: i64, status: Status, asked: bool, waited: Option<i32> },
    /// Of this source. `took` is the class of the duration of those that succeeded.
    OfSource { source: String, status: Status, took: Option<i32> },
    /// By this agent, one of those with the most requests.
    ByAgent(String),
}

/// The invocations of a period, counted in three ways while they are read once.
pub async fn count(
    conn: &mut PgConnection,
    org: OrgId,
    space: Option<SpaceId>,
    period: Period,
) -> Result<Vec<(Group, i64)>, Error> {
    let (first, end) = period.ids();
    let rows = sqlx::query!(
        r#"
            SELECT bucket AS "bucket?", source AS "source?", agent AS "agent?", status AS "status?", asked AS "asked?", waited AS "waited?",
                   took AS "took?", calls AS "calls!" FROM (
                SELECT bucket, source, agent, status, asked, waited, took, count(*) AS calls,
                       row_number() OVER (PARTITION BY grouping(agent) ORDER BY count(*) DESC, agent) AS place
                FROM (
                    SELECT greatest(floor(date_part('epoch', requested_at - $5) / $6::float8), 0)::bigint AS bucket,
                           source, agent, status, mode = 'require_approval' AS asked,
                           CASE WHEN answered_at IS NOT NULL THEN round(
                               ln(greatest(date_part('epoch', answered_at - requested_at) * 1000, 1)) * $7::float8
                           )::integer END AS waited,
                           CASE WHEN status = 'succeeded' AND started_at IS NOT NULL THEN round(
                               ln(greatest(date_part('epoch', finished_at - started_at) * 1000, 1)) * $7
                           )::integer END AS took
                    FROM invocations, LATERAL (
                        SELECT CASE WHEN mode = 'require_approval' THEN
                            coalesce(approved_at, CASE WHEN status = 'denied' THEN finished_at END)
                        END AS answered_at
                    ) AS answers
                    WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run AND ($4::uuid IS NULL OR space_id = $4)
                ) AS one
                GROUP BY GROUPING SETS ((bucket, status, asked, waited), (source, status, took), (agent))
            ) AS alike
            WHERE agent IS NULL OR place <= $8
        "#,
        org.uuid(),
        first,
        end,
        space.map(|space| space.uuid()),
        period.since().to_sqlx() as _,
        period.bucket_s() as _,
        CLASSES,
        AGENTS,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting invocations over time"))?;
    let groups = rows.into_iter().map(|row| {
        let status = row.status.as_deref().and_then(Status::parse);
        let group = match (row.bucket, row.source, row.agent) {
            (Some(bucket), ..) => Group::InBucket {
                bucket,
                status: known(status, "invocations.status")?,
                asked: row.asked.unwrap_or_default(),
                waited: row.waited,
            },
            (None, Some(source), _) => {
                Group::OfSource { source, status: known(status, "invocations.status")?, took: row.took }
            }
            (None, None, agent) => Group::ByAgent(agent.unwrap_or_default()),
        };
        Ok((group, row.calls))
    });
    groups.collect()
}

/// Invocations of an agent at a source that are alike.
#[derive(Debug, Clone)]
pub struct AgentCount {
    pub agent: String,
    pub source: String,
    pub status: Status,
    /// Whether they needed approval.
    pub asked: bool,
    pub calls: i64,
    pub last: Timestamp,
}

/// The invocations of a period by agent, or those of one agent.
pub async fn count_by_agent(
    conn: &mut PgConnection,
    org: OrgId,
    agent: Option<&str>,
    period: Period,
) -> Result<Vec<AgentCount>, Error> {
    let (first, end) = period.ids();
    let rows = sqlx::query!(
        r#"
            SELECT agent, source, status, mode = 'require_approval' AS "asked!", count(*) AS "calls!",
                   max(requested_at) AS "last!: jiff_sqlx::Timestamp"
            FROM invocations
            WHERE org_id = $1 AND id >= $2 AND id < $3 AND NOT dry_run AND ($4::text IS NULL OR agent = $4)
            GROUP BY 1, 2, 3, 4
        "#,
        org.uuid(),
        first,
        end,
        agent,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting the invocations of agents"))?;
    let counts = rows.into_iter().map(|row| {
        Ok(AgentCount {
            agent: row.agent,
            source: row.source,
            status: known(Status::parse(&row.status), "invocations.status")?,
            asked: row.asked,
            calls: row.calls,
            last: row.last.to_jiff(),
        })
    });
    counts.collect()
}

/// The number of invocations that wait for approval.
pub async fn count_pending(
    conn: &mut PgConnection,
    org: OrgId,
    space: Option<SpaceId>,
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
    .map_err(query("counting pending invocations"))
}

/// A parameter of something that people were asked about.
#[derive(Debug, Clone)]
pub struct AskedParam {
    pub invocation: InvocationId,
    pub address: ActionAddress,
    pub name: String,
    pub value: Value,
}

/// The short parameters of those of these invocations that a rule or a grant could allow.
pub async fn asked_params(
    conn: &mut PgConnection,
    org: OrgId,
    invocations: &[InvocationId],
) -> Result<Vec<AskedParam>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT i.id, i.source, i.action, p.key AS "name!", p.value AS "value!"
            FROM invocations i,
                 LATERAL jsonb_each(CASE jsonb_typeof(i.params) WHEN 'object' THEN i.params ELSE '{}' END) AS p
            WHERE i.org_id = $1 AND i.id = ANY($2) AND i.risk IN ('R0', 'R1', 'R2') AND i.source <> 'batch'
                AND i.decision -> 'guardrails' = '[]'
                AND jsonb_typeof(p.value) IN ('string', 'number', 'boolean') AND octet_length(p.value::text) <= 100
            LIMIT 20000
        "#,
        org.uuid(),
        &column(invocations.iter(), |id| id.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the parameters of questions"))?;
    let params = rows.into_iter().map(|row| {
        Ok(AskedParam {
            invocation: InvocationId::from_uuid(row.id),
            address: ActionAddress {
                source: known(row.source.parse().ok(), "invocations.source")?,
                action: known(row.action.parse().ok(), "invocations.action")?,
            },
            name: row.name,
            value: row.value,
        })
    });
    params.collect()
}
