//! Rows of `grants` and `grant_requests`.

use std::time::Duration;

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{AutomationId, GrantId, GrantRequestId, InvocationId, OrgId, SessionId, UserId};
use platform::db::{Error, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Condition, Position, Waiting,
    grants::{Grant, GrantRequest, GrantScope},
};

/// A query for complete grants: the text before the columns, and the text after them.
macro_rules! grants {
    ($before:literal, $after:literal, $($arguments:tt)*) => {
        sqlx::query_as!(
            GrantRow,
            $before
                + " id, session_id, automation_id, source, action, max_calls, used_calls, expires_at, revoked_at, \
                   created_by, created_at, from_invocation, from_request, reason, condition, step "
                + $after,
            $($arguments)*
        )
    };
}

struct GrantRow {
    id: Uuid,
    session_id: Option<Uuid>,
    automation_id: Option<Uuid>,
    source: String,
    action: String,
    max_calls: i32,
    used_calls: i32,
    expires_at: jiff_sqlx::Timestamp,
    revoked_at: Option<jiff_sqlx::Timestamp>,
    created_by: Uuid,
    created_at: jiff_sqlx::Timestamp,
    from_invocation: Option<Uuid>,
    from_request: Option<Uuid>,
    reason: String,
    condition: String,
    step: Option<Vec<u8>>,
}

impl TryFrom<GrantRow> for Grant {
    type Error = Error;

    fn try_from(row: GrantRow) -> Result<Self, Error> {
        let scope = match (row.session_id, row.automation_id) {
            (Some(session), _) => GrantScope::Session(SessionId::from_uuid(session)),
            (None, Some(automation)) => GrantScope::Automation(AutomationId::from_uuid(automation)),
            (None, None) => GrantScope::Org,
        };
        Ok(Self {
            id: GrantId::from_uuid(row.id),
            scope,
            source: row.source,
            action: row.action,
            max_calls: u32::try_from(row.max_calls).unwrap_or_default(),
            used_calls: u32::try_from(row.used_calls).unwrap_or_default(),
            expires_at: row.expires_at.to_jiff(),
            revoked_at: row.revoked_at.map(|at| at.to_jiff()),
            created_by: UserId::from_uuid(row.created_by),
            created_at: row.created_at.to_jiff(),
            from_invocation: row.from_invocation.map(InvocationId::from_uuid),
            from_request: row.from_request.map(GrantRequestId::from_uuid),
            reason: row.reason,
            condition: super::condition(&row.condition, "grants.condition")?,
            step: super::step(row.step, "grants.step")?,
        })
    }
}

pub(crate) async fn insert(recorded: &mut Recorded<'_>, org: OrgId, grant: &Grant) -> Result<(), Error> {
    let (session, automation) = match grant.scope {
        GrantScope::Org => (None, None),
        GrantScope::Session(session) => (Some(session.uuid()), None),
        GrantScope::Automation(automation) => (None, Some(automation.uuid())),
    };
    sqlx::query!(
        r#"
            INSERT INTO grants (
                org_id, id, session_id, automation_id, source, action, max_calls, expires_at, created_by, created_at,
                from_invocation, from_request, reason, condition, step
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        "#,
        org.uuid(),
        grant.id.uuid(),
        session,
        automation,
        grant.source,
        grant.action,
        i32::try_from(grant.max_calls).unwrap_or(i32::MAX),
        grant.expires_at.to_sqlx() as _,
        grant.created_by.uuid(),
        grant.created_at.to_sqlx() as _,
        grant.from_invocation.map(|id| id.uuid()),
        grant.from_request.map(|id| id.uuid()),
        grant.reason,
        grant.condition.as_ref().map(Condition::as_text).unwrap_or_default(),
        grant.step.as_ref().map(|step| step.as_bytes().as_slice()),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("giving a grant"))
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Grant>, Error> {
    let rows = grants!(
        "SELECT",
        "FROM grants WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
        org.uuid(),
        before,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing grants"))?;
    rows.into_iter().map(Grant::try_from).collect()
}

/// In the order in which they are used: the one that expires first comes first.
pub(crate) async fn list_usable(
    conn: &mut PgConnection,
    org: OrgId,
    now: Timestamp,
) -> Result<Vec<Grant>, Error> {
    let rows = grants!(
        "SELECT",
        "FROM grants
         WHERE org_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND used_calls < max_calls
         ORDER BY expires_at, id",
        org.uuid(),
        now.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing grants that can be used"))?;
    rows.into_iter().map(Grant::try_from).collect()
}

pub(crate) async fn find(conn: &mut PgConnection, org: OrgId, id: GrantId) -> Result<Option<Grant>, Error> {
    let row = grants!("SELECT", "FROM grants WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid(),)
        .fetch_optional(conn)
        .await
        .map_err(query("finding a grant"))?;
    row.map(Grant::try_from).transpose()
}

pub(crate) async fn consume(
    conn: &mut PgConnection,
    org: OrgId,
    id: GrantId,
    now: Timestamp,
) -> Result<bool, Error> {
    let used = sqlx::query!(
        r#"
            UPDATE grants SET used_calls = used_calls + 1
            WHERE org_id = $1 AND id = $2 AND used_calls < max_calls AND revoked_at IS NULL AND expires_at > $3
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("using a grant"))?;
    Ok(used.rows_affected() == 1)
}

/// A grant, locked until the caller's transaction ends.
pub(crate) async fn lock(conn: &mut PgConnection, org: OrgId, id: GrantId) -> Result<Option<Grant>, Error> {
    let row =
        grants!("SELECT", "FROM grants WHERE org_id = $1 AND id = $2 FOR UPDATE", org.uuid(), id.uuid())
            .fetch_optional(conn)
            .await
            .map_err(query("locking a grant"))?;
    row.map(Grant::try_from).transpose()
}

pub(crate) async fn revoke(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    id: GrantId,
    (by, now): (Option<UserId>, Timestamp),
) -> Result<Option<Grant>, Error> {
    let row = grants!(
        "UPDATE grants SET revoked_at = coalesce(revoked_at, $3), revoked_by = coalesce(revoked_by, $4)
         WHERE org_id = $1 AND id = $2
         RETURNING",
        "",
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
        by.map(|by| by.uuid()),
    )
    .fetch_optional(&mut **recorded)
    .await
    .map_err(query("revoking a grant"))?;
    row.map(Grant::try_from).transpose()
}

pub(crate) async fn purge(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_grants($1) AS "gone!""#, before.to_sqlx() as _)
        .fetch_one(conn)
        .await
        .map_err(query("sweeping grants"))
}

/// A query for complete requests, with the text after the columns.
macro_rules! requests {
    ($after:literal, $($arguments:tt)*) => {
        sqlx::query_as!(
            RequestRow,
            "SELECT id, session_id, source, action, max_calls, lifetime_s, reason, status, requested_at, expires_at, \
                    note, grant_id, turn \
             FROM grant_requests "
                + $after,
            $($arguments)*
        )
    };
}

struct RequestRow {
    id: Uuid,
    session_id: Uuid,
    source: String,
    action: String,
    max_calls: i32,
    lifetime_s: i64,
    reason: String,
    status: String,
    requested_at: jiff_sqlx::Timestamp,
    expires_at: jiff_sqlx::Timestamp,
    note: Option<String>,
    grant_id: Option<Uuid>,
    turn: i16,
}

impl From<RequestRow> for GrantRequest {
    fn from(row: RequestRow) -> Self {
        Self {
            id: GrantRequestId::from_uuid(row.id),
            session: SessionId::from_uuid(row.session_id),
            source: row.source,
            action: row.action,
            max_calls: u32::try_from(row.max_calls).unwrap_or_default(),
            lifetime: Duration::from_secs(u64::try_from(row.lifetime_s).unwrap_or_default()),
            reason: row.reason,
            status: row.status,
            requested_at: row.requested_at.to_jiff(),
            expires_at: row.expires_at.to_jiff(),
            note: row.note,
            grant: row.grant_id.map(GrantId::from_uuid),
            turn: row.turn,
        }
    }
}

pub(crate) async fn count_waiting(
    conn: &mut PgConnection,
    org: OrgId,
    (session, opener): (SessionId, Uuid),
    now: Timestamp,
) -> Result<Waiting, Error> {
    sqlx::query_as!(
        Waiting,
        r#"
            SELECT count(*) FILTER (WHERE session_id = $2) AS "session!", count(*) FILTER (WHERE opener = $3) AS "opener!",
                   count(*) AS "org!"
            FROM grant_requests WHERE org_id = $1 AND status = 'pending' AND expires_at > $4
        "#,
        org.uuid(),
        session.uuid(),
        opener,
        now.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting requests"))
}

pub(crate) async fn insert_request(
    conn: &mut PgConnection,
    org: OrgId,
    request: &GrantRequest,
    opener: Uuid,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO grant_requests
                (org_id, id, session_id, source, action, max_calls, lifetime_s, reason, requested_at, expires_at,
                 opener, turn)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        "#,
        org.uuid(),
        request.id.uuid(),
        request.session.uuid(),
        request.source,
        request.action,
        i32::try_from(request.max_calls).unwrap_or(i32::MAX),
        i64::try_from(request.lifetime.as_secs()).unwrap_or(i64::MAX),
        request.reason,
        request.requested_at.to_sqlx() as _,
        request.expires_at.to_sqlx() as _,
        opener,
        request.turn,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("asking for a grant"))
}

pub(crate) async fn find_request(
    conn: &mut PgConnection,
    org: OrgId,
    id: GrantRequestId,
) -> Result<Option<GrantRequest>, Error> {
    let row = requests!("WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid(),)
        .fetch_optional(conn)
        .await
        .map_err(query("finding a request"))?;
    Ok(row.map(GrantRequest::from))
}

pub(crate) async fn lock_request(
    conn: &mut PgConnection,
    org: OrgId,
    id: GrantRequestId,
) -> Result<Option<GrantRequest>, Error> {
    let row = requests!("WHERE org_id = $1 AND id = $2 FOR UPDATE", org.uuid(), id.uuid(),)
        .fetch_optional(conn)
        .await
        .map_err(query("locking a request"))?;
    Ok(row.map(GrantRequest::from))
}

pub(crate) async fn list_waiting(
    conn: &mut PgConnection,
    org: OrgId,
    now: Timestamp,
    before: Option<Position>,
    limit: i64,
) -> Result<Vec<GrantRequest>, Error> {
    let rows = requests!(
        "WHERE org_id = $1 AND status = 'pending' AND expires_at > $2
            AND ($3::uuid IS NULL OR turn > $5 OR (turn = $5 AND id < $3))
         ORDER BY turn, id DESC LIMIT $4",
        org.uuid(),
        now.to_sqlx() as _,
        before.map(|before| before.id),
        limit,
        before.map(|before| before.turn),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing requests"))?;
    Ok(rows.into_iter().map(GrantRequest::from).collect())
}

pub(crate) async fn answer_request(
    conn: &mut PgConnection,
    org: OrgId,
    request: &GrantRequest,
    by: UserId,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE grant_requests
            SET status = $3, note = $4, grant_id = $5, answered_by = $6, answered_at = $7
            WHERE org_id = $1 AND id = $2 AND status = 'pending'
        "#,
        org.uuid(),
        request.id.uuid(),
        request.status,
        request.note,
        request.grant.map(|grant| grant.uuid()),
        by.uuid(),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("answering a request"))
}
