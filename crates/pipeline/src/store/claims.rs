//! Writing claims: rows of `invocations` and `idempotency_keys`.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Digest, IdempotencyKey, InvocationId, OrgId, SessionId};
use platform::db::{Error, column, query};
use sqlx::{PgConnection, types::Json};

use super::invocations::digest;
use crate::stages::state::NewClaim;

/// An idempotency key that is about to be claimed.
pub(crate) struct NewKey<'a> {
    pub(crate) key: &'a IdempotencyKey,
    pub(crate) invocation: InvocationId,
    pub(crate) request_digest: &'a Digest,
    pub(crate) expires_at: Timestamp,
}

/// The owner of a key.
pub(crate) enum KeyClaim {
    /// This invocation, from now on.
    Taken,
    /// An earlier one whose key expired between two statements: claim again.
    Gone,
    /// An earlier one.
    Held { invocation: InvocationId, request_digest: Digest },
}

/// Claims the key for an invocation, unless an earlier one holds it. Waits for a claim of the same key that is not yet
/// committed, so of any number at once exactly one succeeds.
pub(crate) async fn claim_key(
    conn: &mut PgConnection,
    org: OrgId,
    new: &NewKey<'_>,
    now: Timestamp,
) -> Result<KeyClaim, Error> {
    let taken = sqlx::query!(
        r#"
            INSERT INTO idempotency_keys (org_id, key, invocation_id, request_digest, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (org_id, key) DO UPDATE
                SET invocation_id = excluded.invocation_id, request_digest = excluded.request_digest,
                    expires_at = excluded.expires_at
                WHERE idempotency_keys.expires_at <= $6
        "#,
        org.uuid(),
        new.key.as_str(),
        new.invocation.uuid(),
        new.request_digest.as_bytes().as_slice(),
        new.expires_at.to_sqlx(),
        now.to_sqlx(),
    )
    .execute(&mut *conn)
    .await
    .map_err(query("claiming an idempotency key"))?;
    if taken.rows_affected() == 1 {
        return Ok(KeyClaim::Taken);
    }
    let row = sqlx::query!(
        "SELECT invocation_id, request_digest FROM idempotency_keys WHERE org_id = $1 AND key = $2",
        org.uuid(),
        new.key.as_str(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding whose an idempotency key is"))?;
    let Some(row) = row else { return Ok(KeyClaim::Gone) };
    Ok(KeyClaim::Held {
        invocation: InvocationId::from_uuid(row.invocation_id),
        request_digest: digest(&row.request_digest, "idempotency_keys.request_digest")?,
    })
}

/// Whether the session is not over and the policy is still that version.
pub(crate) async fn snapshot_is_current(
    conn: &mut PgConnection,
    org: OrgId,
    session: SessionId,
    policy_version: i64,
    now: Timestamp,
) -> Result<bool, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT EXISTS (
                SELECT 1 FROM standings
                WHERE org_id = $1 AND session_id = $2 AND policy_version = $3 AND expires_at > $4
            ) AS "is_current!"
        "#,
        org.uuid(),
        session.uuid(),
        policy_version,
        now.to_sqlx(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("checking that a session lives"))
}

/// Writes those claims of an org whose session is not over and whose policy is still that version; returns which it
/// wrote. `sealed` holds their parameters, in the same order.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    claims: &[NewClaim],
    sealed: &[Option<Vec<u8>>],
) -> Result<HashSet<InvocationId>, Error> {
    let all = || claims.iter().map(|claim| (&claim.record, &claim.record.invocation));
    let inserted = sqlx::query_scalar!(
        r#"
            INSERT INTO invocations (
                org_id, id, session_id, space_id, agent, source, action, definition_hash, risk, effect,
                mode, mode_source, decision, status, dry_run, params, params_sealed, shown_digest, idempotency_key,
                trace_id, receipt_id, requested_at, started_at, finished_at, lease_until, expires_at, subject, step,
                reason, opener, turn, released, counted
            )
            SELECT $1, c.id, c.session_id, c.space_id, c.agent, c.source, c.action, c.definition_hash, c.risk, c.effect,
                   c.mode, c.mode_source, c.decision, c.status, c.dry_run, c.params, c.params_sealed, c.shown_digest,
                   c.idempotency_key, c.trace_id, c.receipt_id, c.requested_at,
                   CASE WHEN c.status = 'executing' THEN c.requested_at END, c.finished_at, c.lease_until, c.expires_at,
                   c.subject, c.step, c.reason, c.opener, c.turn, c.released, c.counted
            FROM unnest(
                $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::text[], $10::text[],
                $11::text[], $12::text[], $13::jsonb[], $14::text[], $15::boolean[], $16::jsonb[], $17::bytea[], $18::bytea[],
                $19::text[], $20::text[], $21::uuid[], $22::timestamptz[], $23::timestamptz[], $24::timestamptz[],
                $25::timestamptz[], $26::bigint[], $27::jsonb[], $28::jsonb[], $29::text[],
                $30::uuid[], $31::smallint[], $32::jsonb[], $33::boolean[]
            ) AS c (
                id, session_id, space_id, agent, source, action, definition_hash, risk, effect,
                mode, mode_source, decision, status, dry_run, params, params_sealed, shown_digest,
                idempotency_key, trace_id, receipt_id, requested_at, finished_at, lease_until,
                expires_at, policy_version, subject, step, reason, opener, turn, released, counted
            )
            JOIN standings s ON s.org_id = $1 AND s.session_id = c.session_id
                AND s.policy_version = c.policy_version AND s.expires_at > c.requested_at
            RETURNING id
        "#,
        org.uuid(),
        &column(all(), |(_, invocation)| invocation.id.uuid()),
        &column(all(), |(_, invocation)| invocation.session.uuid()),
        &column(all(), |(record, _)| record.space.uuid()),
        &column(all(), |(_, invocation)| invocation.agent.as_str()) as _,
        &column(all(), |(_, invocation)| invocation.address.source.as_str()) as _,
        &column(all(), |(_, invocation)| invocation.address.action.as_str()) as _,
        &column(all(), |(record, _)| record.definition_hash.as_bytes().as_slice()) as _,
        &column(all(), |(_, invocation)| invocation.risk.as_str()) as _,
        &column(all(), |(_, invocation)| invocation.effect.as_str()) as _,
        &column(all(), |(_, invocation)| invocation.decision.mode.as_str()) as _,
        &column(all(), |(_, invocation)| invocation.decision.mode_source.as_str()) as _,
        &column(all(), |(_, invocation)| Json(&invocation.decision)) as _,
        &column(all(), |(_, invocation)| invocation.status.as_str()) as _,
        &column(all(), |(_, invocation)| invocation.dry_run),
        &column(all(), |(_, invocation)| Json(&invocation.params)) as _,
        sealed as _,
        &column(all(), |(_, invocation)| invocation.subject_digest.as_bytes().as_slice()) as _,
        &column(all(), |(_, invocation)| invocation.idempotency_key.as_deref()) as _,
        &column(all(), |(record, _)| record.trace_id.as_deref()) as _,
        &column(all(), |(_, invocation)| invocation.receipt.map(|receipt| receipt.uuid())) as _,
        &column(all(), |(_, invocation)| invocation.requested_at.to_sqlx()) as _,
        &column(all(), |(_, invocation)| invocation.finished_at.map(|at| at.to_sqlx())) as _,
        &column(all(), |(record, _)| record.lease_until.map(|at| at.to_sqlx())) as _,
        &column(all(), |(_, invocation)| invocation.expires_at.map(|at| at.to_sqlx())) as _,
        &column(claims.iter(), |claim| claim.policy_version),
        &column(claims.iter(), |claim| claim.subject.as_ref().map(Json)) as _,
        &column(all(), |(record, _)| record.step.as_ref().map(Json)) as _,
        &column(all(), |(_, invocation)| invocation.reason.as_str()) as _,
        &column(claims.iter(), |claim| claim.place.opener),
        &column(claims.iter(), |claim| claim.place.turn),
        &column(all(), |(record, _)| record.released.as_ref().map(Json)) as _,
        &column(claims.iter(), |claim| !claim.entries.is_empty()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("recording invocations"))?;
    Ok(inserted.into_iter().map(InvocationId::from_uuid).collect())
}

/// Deletes expired keys.
pub(crate) async fn purge_keys(conn: &mut PgConnection, now: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_idempotency_keys($1) AS "gone!""#, now.to_sqlx())
        .fetch_one(conn)
        .await
        .map_err(query("purging idempotency keys"))
}
