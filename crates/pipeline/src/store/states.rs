//! Changes of state: rows of `invocations` on their way from a claim to an end.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Decision, Digest, EffectClass, InvocationId, OrgId, Risk, SpaceId, Status, StepOrigin};
use platform::db::{Error, column, known, listener, query};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::invocations::{digest, find};
use crate::{
    Frozen,
    approvals::{Edit, Release},
    flow::Given,
    stages::state::{Record, Settlement},
};

/// An invocation that no other transaction changes while this one lives.
pub(crate) struct LockedInvocation {
    pub(crate) record: Record,
    pub(crate) params_sealed: Option<Vec<u8>>,
    /// What the question was, for what waits for a person.
    pub(crate) subject: Option<Value>,
    pub(crate) started_at: Option<Timestamp>,
}

impl LockedInvocation {
    /// How often people were asked about it before, and the target changed after they had approved.
    pub(crate) fn asked_before(&self) -> u32 {
        let stored = self.subject.as_ref().and_then(|subject| subject.get("asked_before")?.as_u64());
        stored.and_then(|asked| u32::try_from(asked).ok()).unwrap_or(0)
    }
}

/// Some invocations that are open: they wait, are approved or are being executed.
pub(crate) async fn open(conn: &mut PgConnection, org: OrgId, most: i64) -> Result<Vec<InvocationId>, Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM invocations WHERE org_id = $1 AND status IN ('pending', 'approved', 'executing') LIMIT $2",
        org.uuid(),
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding open invocations"))?;
    Ok(ids.into_iter().map(InvocationId::from_uuid).collect())
}

/// How many invocations may have happened, and how many wait.
pub(crate) async fn count_open(conn: &mut PgConnection, org: OrgId) -> Result<Frozen, Error> {
    let row = sqlx::query!(
        r#"
            SELECT count(*) FILTER (WHERE status <> 'pending') AS "unknown!",
                   count(*) FILTER (WHERE status = 'pending') AS "expired!"
            FROM invocations WHERE org_id = $1 AND status IN ('pending', 'approved', 'executing')
        "#,
        org.uuid(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting open invocations"))?;
    let whole = |count: i64| usize::try_from(count).unwrap_or_default();
    Ok(Frozen { unknown: whole(row.unknown), expired: whole(row.expired) })
}

/// Locks an invocation. Its votes are not read.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
) -> Result<Option<LockedInvocation>, Error> {
    let row = sqlx::query!(
        r#"
            SELECT space_id, definition_hash, trace_id, params_sealed, started_at, lease_epoch, lease_until, subject,
                   step AS "step: Json<StepOrigin>", released AS "released: Json<Release>"
            FROM invocations WHERE org_id = $1 AND id = $2 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(&mut *conn)
    .await
    .map_err(query("locking an invocation"))?;
    let Some(row) = row else { return Ok(None) };
    let invocation = find(conn, org, id).await?;
    let record = Record {
        invocation: known(invocation, "invocations.id")?,
        org,
        space: SpaceId::from_uuid(row.space_id),
        definition_hash: digest(&row.definition_hash, "invocations.definition_hash")?,
        trace_id: row.trace_id,
        step: row.step.map(|step| step.0),
        released: row.released.map(|released| released.0),
        lease_epoch: row.lease_epoch,
        lease_until: row.lease_until.map(|at: jiff_sqlx::Timestamp| at.to_jiff()),
        votes: vec![],
        shown: vec![],
    };
    let started_at = row.started_at.map(|at: jiff_sqlx::Timestamp| at.to_jiff());
    Ok(Some(LockedInvocation { record, params_sealed: row.params_sealed, subject: row.subject, started_at }))
}

/// From `pending` to `approved`; returns whether it did.
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

/// From `approved` to `executing`, if the session is not over and the policy is still that version; returns whether it did.
pub(crate) async fn begin(
    conn: &mut PgConnection,
    record: &Record,
    now: Timestamp,
    lease_until: Timestamp,
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

/// From `executing` back to `approved`, by the process that holds the lease and sent nothing; returns whether it did.
pub(crate) async fn put_back(conn: &mut PgConnection, record: &Record) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE invocations SET status = 'approved', started_at = NULL, lease_until = NULL
            WHERE org_id = $1 AND id = $2 AND status = 'executing' AND lease_epoch = $3 AND approved_at IS NOT NULL
        "#,
        record.org.uuid(),
        record.invocation.id.uuid(),
        record.lease_epoch,
    )
    .execute(conn)
    .await
    .map_err(query("putting an approved invocation back"))?;
    Ok(done.rows_affected() == 1)
}

/// A question that is asked again, because its subject changed.
pub(crate) struct NewQuestion<'a> {
    pub(crate) subject: &'a Value,
    pub(crate) digest: &'a Digest,
    pub(crate) decision: &'a Decision,
    pub(crate) definition_hash: &'a Digest,
    pub(crate) risk: Risk,
    pub(crate) effect: EffectClass,
    /// What changed, in words.
    pub(crate) changed: &'a [String],
    /// The corrected parameters, redacted and sealed, and every correction; `None` where nobody corrected them.
    pub(crate) params: Option<&'a Value>,
    pub(crate) params_sealed: Option<&'a [u8]>,
    pub(crate) edits: Option<&'a [Edit]>,
    pub(crate) expires_at: Timestamp,
}

/// From `pending` or `approved` to `pending`, with another subject; returns whether it did.
pub(crate) async fn ask_again(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    question: &NewQuestion<'_>,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE invocations SET
                status = 'pending', approved_at = NULL, subject = $3, shown_digest = $4, decision = $5, mode = $6,
                mode_source = $7, definition_hash = $8, expires_at = $9, risk = $10, effect = $11, changed = $12,
                params = coalesce($13, params), params_sealed = coalesce($14, params_sealed), edits = coalesce($15, edits)
            WHERE org_id = $1 AND id = $2 AND status IN ('pending', 'approved')
        "#,
        org.uuid(),
        id.uuid(),
        question.subject,
        question.digest.as_bytes().as_slice(),
        Json(question.decision) as _,
        question.decision.mode.as_str(),
        question.decision.mode_source.as_str(),
        question.definition_hash.as_bytes().as_slice(),
        question.expires_at.to_sqlx() as _,
        question.risk.as_str(),
        question.effect.as_str(),
        question.changed,
        question.params,
        question.params_sealed,
        question.edits.map(Json) as _,
    )
    .execute(conn)
    .await
    .map_err(query("asking again"))?;
    Ok(done.rows_affected() == 1)
}

/// From a state to a terminal one, without executing it; returns whether it did.
pub(crate) async fn end(
    conn: &mut PgConnection,
    org: OrgId,
    from: Status,
    end: &Settlement,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE invocations SET
                status = $4, error = $5, receipt_id = $6, finished_at = $7, params_sealed = NULL, lease_until = NULL
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

/// Notifies all processes that an invocation changed, when this transaction is committed.
pub(crate) async fn notify(conn: &mut PgConnection, id: InvocationId) -> Result<(), Error> {
    sqlx::query!("SELECT pg_notify($1, $2)", listener::INVOCATIONS, id.to_string())
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("notifying of a change"))
}

/// Settles the executions whose lease this process still holds; returns which.
pub(crate) async fn settle(
    conn: &mut PgConnection,
    org: OrgId,
    ends: impl Iterator<Item = &Settlement> + Clone,
    given: &[(InvocationId, &Given)],
) -> Result<HashSet<InvocationId>, Error> {
    let all = || ends.clone();
    let ids = column(all(), |end| end.invocation.uuid());
    // When something was read last matters only while a question waits, and after an endorsement. In one order, so that two transactions do not wait for each
    // other. In one statement, because a session reads much and rarely something new.
    let settled = sqlx::query_scalar!(
        r#"
            WITH settled AS (
                UPDATE invocations i SET
                    status = e.status, result = e.result, error = e.error, attempts = e.attempts,
                    receipt_id = e.receipt_id, finished_at = e.finished_at, params_sealed = NULL, lease_until = NULL
                FROM unnest(
                    $2::uuid[], $3::integer[], $4::text[], $5::jsonb[], $6::jsonb[], $7::integer[], $8::uuid[],
                    $9::timestamptz[]
                ) AS e (id, lease_epoch, status, result, error, attempts, receipt_id, finished_at)
                WHERE i.org_id = $1 AND i.id = e.id AND i.status = $10 AND i.lease_epoch = e.lease_epoch
                    AND i.id BETWEEN $11 AND $12
                RETURNING i.id, i.session_id, i.finished_at
            ), noted AS (
                INSERT INTO session_reads (org_id, session_id, source, action, anything, read_at)
                SELECT $1::uuid, s.session_id, r.source, r.action, r.anything, max(s.finished_at)
                FROM unnest($13::uuid[], $14::text[], $15::text[], $16::boolean[]) AS r (id, source, action, anything)
                JOIN settled s ON s.id = r.id JOIN sessions q ON q.org_id = $1 AND q.id = s.session_id
                WHERE q.pending_count > 0 OR NOT EXISTS (
                    SELECT 1 FROM session_reads k
                    WHERE k.org_id = $1 AND k.session_id = s.session_id AND k.source = r.source
                        AND k.action = r.action AND k.anything = r.anything AND k.read_at > coalesce(
                            (SELECT max(n.covers_until) FROM flow_endorsements n
                             WHERE n.org_id = $1 AND n.session_id = s.session_id), '-infinity')
                )
                GROUP BY 2, 3, 4, 5 ORDER BY 2, 3, 4, 5
                ON CONFLICT (org_id, session_id, source, action, anything) DO UPDATE
                    SET read_at = greatest(session_reads.read_at, EXCLUDED.read_at)
            )
            SELECT id AS "id!" FROM settled
        "#,
        org.uuid(),
        &ids,
        &column(all(), |end| end.lease_epoch),
        &column(all(), |end| end.status.as_str()) as _,
        &column(all(), |end| end.result.as_ref().map(Json)) as _,
        &column(all(), |end| end.failure.as_ref().map(Json)) as _,
        &column(all(), |end| end.attempts),
        &column(all(), |end| end.receipt.uuid()),
        &column(all(), |end| end.finished_at.to_sqlx()) as _,
        // A parameter and not a literal: a literal lets the planner take the small index of leases for the primary key,
        // and walk all that settled since the last vacuum.
        Status::Executing.as_str(),
        // A plan made while a partition is new takes its rows for few, and walks those of the org to join them; between
        // these two it meets few that it does not look for.
        ids.iter().min(),
        ids.iter().max(),
        &column(given.iter(), |(id, _)| id.uuid()),
        &column(given.iter(), |(_, given)| given.address.source.as_str()) as _,
        &column(given.iter(), |(_, given)| given.address.action.as_str()) as _,
        &column(given.iter(), |(_, given)| given.anything),
    )
    .fetch_all(conn)
    .await
    .map_err(query("settling invocations"))?;
    Ok(settled.into_iter().map(InvocationId::from_uuid).collect())
}

/// Executions whose lease expired, in any org.
pub(crate) async fn expired_leases(
    conn: &mut PgConnection,
    now: Timestamp,
    most: i32,
) -> Result<Vec<(OrgId, InvocationId)>, Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM expired_leases($1, $2)"#,
        now.to_sqlx(),
        most
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding expired leases"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), InvocationId::from_uuid(row.id))).collect())
}

/// Takes over an execution whose lease expired. Of any number of processes that try, one succeeds.
pub(crate) async fn take_over(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Option<LockedInvocation>, Error> {
    let taken = sqlx::query!(
        r#"
            UPDATE invocations SET lease_epoch = lease_epoch + 1, lease_until = $4
            WHERE org_id = $1 AND id = $2 AND status = 'executing' AND lease_until < $3
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx(),
        lease_until.to_sqlx(),
    )
    .execute(&mut *conn)
    .await
    .map_err(query("taking over an execution"))?;
    if taken.rows_affected() == 0 {
        return Ok(None);
    }
    lock(conn, org, id).await
}

/// An invocation that is overdue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overdue {
    pub(crate) org: OrgId,
    pub(crate) id: InvocationId,
    pub(crate) status: Status,
}

/// Invocations that expired unanswered, and those approved before a moment and not begun; in any org.
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
    .map_err(query("finding overdue invocations"))?;
    let overdue = rows.into_iter().map(|row| {
        Ok(Overdue {
            org: OrgId::from_uuid(row.org_id),
            id: InvocationId::from_uuid(row.id),
            status: known(Status::parse(&row.status), "invocations.status")?,
        })
    });
    overdue.collect()
}
