//! Rows of `invocations`, `idempotency_keys` and `attempts`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{
    ActionAddress, Decision, Digest, EffectClass, Failure, IdempotencyKey, InvocationId, OrgId, ReceiptId,
    Risk, SessionId, SpaceId, Status,
};
use platform::db::{Error, known, query};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{
    Invocation,
    state::{FailedTry, Record},
};

/// Whose key it is.
pub(crate) enum KeyClaim {
    /// This invocation's, from now on.
    Taken,
    /// It was an earlier one's, and its day ended between two statements: ask again.
    Gone,
    /// An earlier one's.
    Held { invocation: InvocationId, request_digest: Digest },
}

/// Takes the key for an invocation, unless an earlier one holds it. Waits for a claim of the same key that is not yet
/// committed, so of any number at once exactly one takes it.
pub(crate) async fn claim_key(
    conn: &mut PgConnection,
    (org, key): (OrgId, &IdempotencyKey),
    (invocation, request_digest): (InvocationId, &Digest),
    (now, expires_at): (Timestamp, Timestamp),
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
        key.as_str(),
        invocation.uuid(),
        request_digest.as_bytes().as_slice(),
        expires_at.to_sqlx(),
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
        key.as_str(),
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

fn digest(bytes: &[u8], column: &'static str) -> Result<Digest, Error> {
    bytes.try_into().map(Digest::from_bytes).map_err(|_| Error::Inconsistent { column })
}

/// Whether the session lives and the policy is still that version.
pub(crate) async fn standing_is_current(
    conn: &mut PgConnection,
    (org, session): (OrgId, SessionId),
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

/// Writes the record, if the session lives and the policy is still that version; says whether it did.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    record: &Record,
    params_sealed: Option<Vec<u8>>,
    policy_version: i64,
) -> Result<bool, Error> {
    let invocation = &record.invocation;
    let inserted = sqlx::query!(
        r#"
            INSERT INTO invocations (
                org_id, id, session_id, space_id, agent, source, action, definition_hash, risk, effect,
                mode, mode_source, decision, status, dry_run, params, params_sealed, shown_digest, idempotency_key,
                trace_id, receipt_id, requested_at, started_at, finished_at, lease_until, expires_at
            )
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                   CASE WHEN $14 = 'executing' THEN $22::timestamptz END, $23, $24, $25
            WHERE EXISTS (
                SELECT 1 FROM standings
                WHERE org_id = $1 AND session_id = $3 AND policy_version = $26 AND expires_at > $22
            )
        "#,
        record.org.uuid(),
        invocation.id.uuid(),
        invocation.session.uuid(),
        record.space.uuid(),
        invocation.agent,
        invocation.address.source.as_str(),
        invocation.address.action.as_str(),
        record.definition_hash.as_bytes().as_slice(),
        invocation.risk.as_str(),
        invocation.effect.as_str(),
        invocation.decision.mode.as_str(),
        invocation.decision.mode_source.as_str(),
        Json(&invocation.decision) as _,
        invocation.status.as_str(),
        invocation.dry_run,
        invocation.params,
        params_sealed,
        invocation.shown_digest.as_bytes().as_slice(),
        invocation.idempotency_key,
        record.trace_id,
        invocation.receipt.map(|receipt| receipt.uuid()),
        invocation.requested_at.to_sqlx(),
        invocation.finished_at.map(|at| at.to_sqlx()) as _,
        record.lease_until.map(|at| at.to_sqlx()) as _,
        invocation.expires_at.map(|at| at.to_sqlx()) as _,
        policy_version,
    )
    .execute(conn)
    .await
    .map_err(query("recording an invocation"))?;
    Ok(inserted.rows_affected() == 1)
}

struct InvocationRow {
    id: Uuid,
    session_id: Uuid,
    agent: String,
    source: String,
    action: String,
    risk: String,
    effect: String,
    status: String,
    decision: Json<Decision>,
    dry_run: bool,
    params: Value,
    shown_digest: Vec<u8>,
    idempotency_key: Option<String>,
    result: Option<Value>,
    error: Option<Json<Failure>>,
    attempts: i32,
    receipt_id: Option<Uuid>,
    requested_at: jiff_sqlx::Timestamp,
    finished_at: Option<jiff_sqlx::Timestamp>,
    expires_at: Option<jiff_sqlx::Timestamp>,
}

impl TryFrom<InvocationRow> for Invocation {
    type Error = Error;

    fn try_from(row: InvocationRow) -> Result<Self, Error> {
        let address = ActionAddress {
            source: known(row.source.parse().ok(), "invocations.source")?,
            action: known(row.action.parse().ok(), "invocations.action")?,
        };
        Ok(Self {
            id: InvocationId::from_uuid(row.id),
            session: SessionId::from_uuid(row.session_id),
            agent: row.agent,
            address,
            risk: known(Risk::parse(&row.risk), "invocations.risk")?,
            effect: known(EffectClass::parse(&row.effect), "invocations.effect")?,
            status: known(Status::parse(&row.status), "invocations.status")?,
            decision: row.decision.0,
            dry_run: row.dry_run,
            params: row.params,
            shown_digest: digest(&row.shown_digest, "invocations.shown_digest")?,
            idempotency_key: row.idempotency_key,
            result: row.result,
            failure: row.error.map(|error| error.0),
            attempts: row.attempts,
            receipt: row.receipt_id.map(ReceiptId::from_uuid),
            requested_at: row.requested_at.to_jiff(),
            finished_at: row.finished_at.map(|at| at.to_jiff()),
            expires_at: row.expires_at.map(|at| at.to_jiff()),
            preview: None,
            replayed: false,
        })
    }
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
) -> Result<Option<Invocation>, Error> {
    let row = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at
            FROM invocations WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding an invocation"))?;
    row.map(Invocation::try_from).transpose()
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    (org, session): (OrgId, SessionId),
    before: Option<InvocationId>,
    limit: i64,
) -> Result<Vec<Invocation>, Error> {
    let rows = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at
            FROM invocations
            WHERE org_id = $1 AND session_id = $2 AND ($3::uuid IS NULL OR id < $3)
            ORDER BY id DESC LIMIT $4
        "#,
        org.uuid(),
        session.uuid(),
        before.map(|id| id.uuid()),
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing invocations"))?;
    rows.into_iter().map(Invocation::try_from).collect()
}

/// How an invocation ended, for [`settle`].
pub(crate) struct Settlement<'a> {
    pub(crate) status: Status,
    pub(crate) result: Option<&'a Value>,
    pub(crate) failure: Option<&'a Failure>,
    pub(crate) attempts: i32,
    pub(crate) receipt: ReceiptId,
    pub(crate) finished_at: Timestamp,
}

/// Makes an execution terminal, if this lease is still the one that holds it; says whether it did.
pub(crate) async fn settle(
    conn: &mut PgConnection,
    record: &Record,
    end: &Settlement<'_>,
) -> Result<bool, Error> {
    let settled = sqlx::query!(
        r#"
            UPDATE invocations SET
                status = $4, result = $5, error = $6, attempts = $7, receipt_id = $8, finished_at = $9,
                params_sealed = NULL, lease_until = NULL
            WHERE org_id = $1 AND id = $2 AND status = $10 AND lease_epoch = $3
        "#,
        record.org.uuid(),
        record.invocation.id.uuid(),
        record.lease_epoch,
        end.status.as_str(),
        end.result,
        end.failure.map(Json) as _,
        end.attempts,
        end.receipt.uuid(),
        end.finished_at.to_sqlx(),
        // A parameter and not a literal: a literal lets the planner take the small index of leases for the primary key,
        // and walk all that settled since the last vacuum.
        Status::Executing.as_str(),
    )
    .execute(conn)
    .await
    .map_err(query("settling an invocation"))?;
    Ok(settled.rows_affected() == 1)
}

/// Adds the tries that failed. An invocation is settled once, so its tries are written once.
pub(crate) async fn insert_tries(
    conn: &mut PgConnection,
    (org, invocation): (OrgId, InvocationId),
    tries: &[FailedTry],
) -> Result<(), Error> {
    for (number, failed) in (1..).zip(tries) {
        sqlx::query!(
            r#"
                INSERT INTO attempts
                    (org_id, invocation_id, number, started_at, ended_at, error_class, message, sent, retried)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            "#,
            org.uuid(),
            invocation.uuid(),
            number,
            failed.started_at.to_sqlx(),
            failed.ended_at.to_sqlx(),
            failed.failure.class.as_str(),
            failed.failure.message,
            failed.failure.sent,
            failed.retried,
        )
        .execute(&mut *conn)
        .await
        .map_err(query("recording a failed try"))?;
    }
    Ok(())
}

/// An execution whose process died, now held by this one.
pub(crate) struct Orphan {
    pub(crate) record: Record,
    pub(crate) params_sealed: Vec<u8>,
    pub(crate) started_at: Timestamp,
}

/// Which executions outlived their lease, in any org.
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

/// Takes over an execution whose lease ran out. Of any number that try, one gets it.
pub(crate) async fn take_over(
    conn: &mut PgConnection,
    (org, id): (OrgId, InvocationId),
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Option<Orphan>, Error> {
    let row = sqlx::query!(
        r#"
            UPDATE invocations SET lease_epoch = lease_epoch + 1, lease_until = $4
            WHERE org_id = $1 AND id = $2 AND status = 'executing' AND lease_until < $3
            RETURNING lease_epoch, space_id, definition_hash, trace_id, params_sealed, started_at
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx(),
        lease_until.to_sqlx(),
    )
    .fetch_optional(&mut *conn)
    .await
    .map_err(query("taking over an execution"))?;
    let Some(row) = row else { return Ok(None) };
    let invocation = find(conn, org, id).await?.ok_or(Error::Inconsistent { column: "invocations.id" })?;
    let record = Record {
        invocation,
        org,
        space: SpaceId::from_uuid(row.space_id),
        definition_hash: digest(&row.definition_hash, "invocations.definition_hash")?,
        trace_id: row.trace_id,
        lease_epoch: row.lease_epoch,
        lease_until: Some(lease_until),
    };
    Ok(Some(Orphan {
        record,
        params_sealed: known(row.params_sealed, "invocations.params_sealed")?,
        started_at: known(row.started_at, "invocations.started_at")?.to_jiff(),
    }))
}

/// Forgets keys past their end.
pub(crate) async fn purge_keys(conn: &mut PgConnection, now: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_idempotency_keys($1) AS "gone!""#, now.to_sqlx())
        .fetch_one(conn)
        .await
        .map_err(query("purging idempotency keys"))
}
