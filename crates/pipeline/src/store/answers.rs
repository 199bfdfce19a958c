//! Rows of `invocations` that wait for a person, or for what a person decided.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{InvocationId, OrgId, SpaceId, Status};
use platform::db::{Error, ear, known, query};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use super::{InvocationRow, Settlement, digest, placed};
use crate::{Invocation, state::Record};

/// An invocation that nobody else changes while this transaction lives.
pub(crate) struct Held {
    pub(crate) record: Record,
    pub(crate) params_sealed: Option<Vec<u8>>,
    pub(crate) started_at: Option<Timestamp>,
}

/// Finds an invocation and locks it. Its votes are not read.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
) -> Result<Option<Held>, Error> {
    let row = sqlx::query!(
        r#"
            SELECT space_id, definition_hash, trace_id, params_sealed, started_at, lease_epoch, lease_until
            FROM invocations WHERE org_id = $1 AND id = $2 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(&mut *conn)
    .await
    .map_err(query("locking an invocation"))?;
    let Some(row) = row else { return Ok(None) };
    let invocation = super::find(conn, org, id).await?;
    let record = Record {
        invocation: known(invocation, "invocations.id")?,
        org,
        space: SpaceId::from_uuid(row.space_id),
        definition_hash: digest(&row.definition_hash, "invocations.definition_hash")?,
        trace_id: row.trace_id,
        lease_epoch: row.lease_epoch,
        lease_until: row.lease_until.map(|at: jiff_sqlx::Timestamp| at.to_jiff()),
        votes: vec![],
    };
    let started_at = row.started_at.map(|at: jiff_sqlx::Timestamp| at.to_jiff());
    Ok(Some(Held { record, params_sealed: row.params_sealed, started_at }))
}

/// From `pending` to `approved`; says whether it did.
pub(crate) async fn approve(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    now: Timestamp,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "UPDATE invocations SET status = 'approved', approved_at = $3 WHERE org_id = $1 AND id = $2 AND status = 'pending'",
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("approving an invocation"))?;
    Ok(done.rows_affected() == 1)
}

/// From `approved` to `executing`, if the session lives and the policy is still that version; says whether it did.
pub(crate) async fn begin(
    conn: &mut PgConnection,
    record: &Record,
    (now, lease_until): (Timestamp, Timestamp),
    policy_version: i64,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE invocations SET status = 'executing', started_at = $4, lease_until = $5
            WHERE org_id = $1 AND id = $2 AND status = 'approved' AND EXISTS (
                SELECT 1 FROM standings
                WHERE org_id = $1 AND session_id = $3 AND policy_version = $6 AND expires_at > $4
            )
        "#,
        record.org.uuid(),
        record.invocation.id.uuid(),
        record.invocation.session.uuid(),
        now.to_sqlx() as _,
        lease_until.to_sqlx() as _,
        policy_version,
    )
    .execute(conn)
    .await
    .map_err(query("beginning an approved invocation"))?;
    Ok(done.rows_affected() == 1)
}

/// From a state that nobody executes to a terminal one; says whether it did.
pub(crate) async fn end(
    conn: &mut PgConnection,
    org: OrgId,
    from: Status,
    end: &Settlement,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE invocations SET
                status = $4, error = $5, receipt_id = $6, finished_at = $7, params_sealed = NULL
            WHERE org_id = $1 AND id = $2 AND status = $3
        "#,
        org.uuid(),
        end.invocation.uuid(),
        from.as_str(),
        end.status.as_str(),
        end.failure.as_ref().map(Json) as _,
        end.receipt.uuid(),
        end.finished_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("ending an invocation"))?;
    Ok(done.rows_affected() == 1)
}

/// Tells all processes that an invocation changed, when this transaction is committed.
pub(crate) async fn notify(conn: &mut PgConnection, id: InvocationId) -> Result<(), Error> {
    sqlx::query!("SELECT pg_notify($1, $2)", ear::INVOCATIONS, id.to_string())
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("telling of a change"))
}

/// What waits for a person's yes, newest first.
pub(crate) async fn list_pending(
    conn: &mut PgConnection,
    org: OrgId,
    now: Timestamp,
    (before, limit): (Option<Uuid>, i64),
) -> Result<Vec<Invocation>, Error> {
    let rows = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at
            FROM invocations
            WHERE org_id = $1 AND status = 'pending' AND ($2::uuid IS NULL OR id < $2) AND expires_at > $4
            ORDER BY id DESC LIMIT $3
        "#,
        org.uuid(),
        before,
        limit,
        now.to_sqlx() as _,
    )
    .fetch_all(&mut *conn)
    .await
    .map_err(query("listing what waits for a yes"))?;
    placed(conn, org, rows).await
}

/// What a person must find out about, newest first.
pub(crate) async fn list_unknown(
    conn: &mut PgConnection,
    org: OrgId,
    (before, limit): (Option<Uuid>, i64),
) -> Result<Vec<Invocation>, Error> {
    let rows = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at
            FROM invocations
            WHERE org_id = $1 AND status = 'unknown' AND ($2::uuid IS NULL OR id < $2)
            ORDER BY id DESC LIMIT $3
        "#,
        org.uuid(),
        before,
        limit,
    )
    .fetch_all(&mut *conn)
    .await
    .map_err(query("listing what nobody knows"))?;
    placed(conn, org, rows).await
}

/// Something that is late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overdue {
    pub(crate) org: OrgId,
    pub(crate) id: InvocationId,
    pub(crate) status: Status,
}

/// What nobody answered in time, and what was approved before that moment and is not begun; in any org.
pub(crate) async fn overdue(
    conn: &mut PgConnection,
    now: Timestamp,
    approved_before: Timestamp,
    most: i32,
) -> Result<Vec<Overdue>, Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!", status AS "status!" FROM overdue_invocations($1, $2, $3)"#,
        now.to_sqlx() as _,
        approved_before.to_sqlx() as _,
        most
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding what is overdue"))?;
    let overdue = rows.into_iter().map(|row| {
        Ok(Overdue {
            org: OrgId::from_uuid(row.org_id),
            id: InvocationId::from_uuid(row.id),
            status: known(Status::parse(&row.status), "invocations.status")?,
        })
    });
    overdue.collect()
}
