//! Rows of `invocations`, `idempotency_keys` and `attempts`.

mod activity;
mod answers;
mod attempts;
mod overview;
mod usage;

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{
    ActionAddress, Decision, Digest, EffectClass, Failure, IdempotencyKey, InvocationId, OrgId, ReceiptId,
    Risk, SessionId, Status,
};
use platform::db::{Error, column, known, query};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use tenancy::SessionPlace;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{Invocation, state::Record};

pub(crate) use activity::{edge, search};
pub(crate) use answers::{Held, approve, begin, end, list_pending, list_unknown, lock, notify, overdue};
pub(crate) use attempts::{insert_tries, tries};
pub(crate) use overview::{Alike, count, waiting};
pub(crate) use usage::{Ended, by_action, by_source};

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

/// A record that is to be written.
pub(crate) struct Claiming {
    pub(crate) record: Record,
    /// In the clear, to be sealed; `None` for what ends at once.
    pub(crate) params: Option<Zeroizing<Vec<u8>>>,
    /// Of the policy it was decided by.
    pub(crate) policy_version: i64,
}

/// Writes those records of an org whose session lives and whose policy is still that version; says which it wrote.
/// `sealed` holds their parameters, in the same order.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    claims: &[Claiming],
    sealed: &[Option<Vec<u8>>],
) -> Result<HashSet<InvocationId>, Error> {
    let all = || claims.iter().map(|claim| (&claim.record, &claim.record.invocation));
    let inserted = sqlx::query_scalar!(
        r#"
            INSERT INTO invocations (
                org_id, id, session_id, space_id, agent, source, action, definition_hash, risk, effect,
                mode, mode_source, decision, status, dry_run, params, params_sealed, shown_digest, idempotency_key,
                trace_id, receipt_id, requested_at, started_at, finished_at, lease_until, expires_at
            )
            SELECT $1, c.id, c.session_id, c.space_id, c.agent, c.source, c.action, c.definition_hash, c.risk, c.effect,
                   c.mode, c.mode_source, c.decision, c.status, c.dry_run, c.params, c.params_sealed, c.shown_digest,
                   c.idempotency_key, c.trace_id, c.receipt_id, c.requested_at,
                   CASE WHEN c.status = 'executing' THEN c.requested_at END, c.finished_at, c.lease_until, c.expires_at
            FROM unnest(
                $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::text[], $10::text[],
                $11::text[], $12::text[], $13::jsonb[], $14::text[], $15::boolean[], $16::jsonb[], $17::bytea[], $18::bytea[],
                $19::text[], $20::text[], $21::uuid[], $22::timestamptz[], $23::timestamptz[], $24::timestamptz[],
                $25::timestamptz[], $26::bigint[]
            ) AS c (
                id, session_id, space_id, agent, source, action, definition_hash, risk, effect,
                mode, mode_source, decision, status, dry_run, params, params_sealed, shown_digest,
                idempotency_key, trace_id, receipt_id, requested_at, finished_at, lease_until,
                expires_at, policy_version
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
        &column(all(), |(_, invocation)| invocation.shown_digest.as_bytes().as_slice()) as _,
        &column(all(), |(_, invocation)| invocation.idempotency_key.as_deref()) as _,
        &column(all(), |(record, _)| record.trace_id.as_deref()) as _,
        &column(all(), |(_, invocation)| invocation.receipt.map(|receipt| receipt.uuid())) as _,
        &column(all(), |(_, invocation)| invocation.requested_at.to_sqlx()) as _,
        &column(all(), |(_, invocation)| invocation.finished_at.map(|at| at.to_sqlx())) as _,
        &column(all(), |(record, _)| record.lease_until.map(|at| at.to_sqlx())) as _,
        &column(all(), |(_, invocation)| invocation.expires_at.map(|at| at.to_sqlx())) as _,
        &column(claims.iter(), |claim| claim.policy_version),
    )
    .fetch_all(conn)
    .await
    .map_err(query("recording invocations"))?;
    Ok(inserted.into_iter().map(InvocationId::from_uuid).collect())
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

/// Invocations with where their sessions work: what was read of them, in the same order.
async fn placed(
    conn: &mut PgConnection,
    org: OrgId,
    rows: Vec<InvocationRow>,
) -> Result<Vec<Invocation>, Error> {
    let mut sessions: Vec<_> = rows.iter().map(|row| SessionId::from_uuid(row.session_id)).collect();
    sessions.sort_unstable();
    sessions.dedup();
    let places =
        if sessions.is_empty() { HashMap::new() } else { tenancy::places(conn, org, &sessions).await? };
    let invocations = rows.into_iter().map(|row| {
        let place = places.get(&SessionId::from_uuid(row.session_id)).cloned();
        row.into_invocation(place.unwrap_or_default())
    });
    invocations.collect()
}

impl InvocationRow {
    fn into_invocation(self, place: SessionPlace) -> Result<Invocation, Error> {
        let address = ActionAddress {
            source: known(self.source.parse().ok(), "invocations.source")?,
            action: known(self.action.parse().ok(), "invocations.action")?,
        };
        Ok(Invocation {
            id: InvocationId::from_uuid(self.id),
            session: SessionId::from_uuid(self.session_id),
            space: place.space,
            run: place.run,
            agent: self.agent,
            address,
            risk: known(Risk::parse(&self.risk), "invocations.risk")?,
            effect: known(EffectClass::parse(&self.effect), "invocations.effect")?,
            status: known(Status::parse(&self.status), "invocations.status")?,
            decision: self.decision.0,
            dry_run: self.dry_run,
            params: self.params,
            shown_digest: digest(&self.shown_digest, "invocations.shown_digest")?,
            idempotency_key: self.idempotency_key,
            result: self.result,
            failure: self.error.map(|error| error.0),
            attempts: self.attempts,
            receipt: self.receipt_id.map(ReceiptId::from_uuid),
            requested_at: self.requested_at.to_jiff(),
            finished_at: self.finished_at.map(|at| at.to_jiff()),
            expires_at: self.expires_at.map(|at| at.to_jiff()),
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
    .fetch_optional(&mut *conn)
    .await
    .map_err(query("finding an invocation"))?;
    Ok(placed(conn, org, row.into_iter().collect()).await?.pop())
}

/// The invocation of a session with a key; a run's session has few.
pub(crate) async fn find_keyed(
    conn: &mut PgConnection,
    (org, session): (OrgId, SessionId),
    key: &IdempotencyKey,
) -> Result<Option<Invocation>, Error> {
    let id = sqlx::query_scalar!(
        r#"
            SELECT id FROM invocations
            WHERE org_id = $1 AND session_id = $2 AND idempotency_key = $3 ORDER BY id DESC LIMIT 1
        "#,
        org.uuid(),
        session.uuid(),
        key.as_str(),
    )
    .fetch_optional(&mut *conn)
    .await
    .map_err(query("finding an invocation by its key"))?;
    match id {
        Some(id) => find(conn, org, InvocationId::from_uuid(id)).await,
        None => Ok(None),
    }
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
    .fetch_all(&mut *conn)
    .await
    .map_err(query("listing invocations"))?;
    placed(conn, org, rows).await
}

/// How an execution ended.
pub(crate) struct Settlement {
    pub(crate) invocation: InvocationId,
    pub(crate) lease_epoch: i32,
    pub(crate) status: Status,
    pub(crate) result: Option<Value>,
    pub(crate) failure: Option<Failure>,
    pub(crate) attempts: i32,
    pub(crate) receipt: ReceiptId,
    pub(crate) finished_at: Timestamp,
}

/// Makes those executions terminal that are still held by the lease they were performed under; says which.
pub(crate) async fn settle(
    conn: &mut PgConnection,
    org: OrgId,
    ends: impl Iterator<Item = &Settlement> + Clone,
) -> Result<HashSet<InvocationId>, Error> {
    let all = || ends.clone();
    let ids = column(all(), |end| end.invocation.uuid());
    let settled = sqlx::query_scalar!(
        r#"
            UPDATE invocations i SET
                status = e.status, result = e.result, error = e.error, attempts = e.attempts, receipt_id = e.receipt_id,
                finished_at = e.finished_at, params_sealed = NULL, lease_until = NULL
            FROM unnest(
                $2::uuid[], $3::integer[], $4::text[], $5::jsonb[], $6::jsonb[], $7::integer[], $8::uuid[],
                $9::timestamptz[]
            ) AS e (id, lease_epoch, status, result, error, attempts, receipt_id, finished_at)
            WHERE i.org_id = $1 AND i.id = e.id AND i.status = $10 AND i.lease_epoch = e.lease_epoch
                AND i.id BETWEEN $11 AND $12
            RETURNING i.id
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
    )
    .fetch_all(conn)
    .await
    .map_err(query("settling invocations"))?;
    Ok(settled.into_iter().map(InvocationId::from_uuid).collect())
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
) -> Result<Option<Held>, Error> {
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

/// Forgets keys past their end.
pub(crate) async fn purge_keys(conn: &mut PgConnection, now: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_idempotency_keys($1) AS "gone!""#, now.to_sqlx())
        .fetch_one(conn)
        .await
        .map_err(query("purging idempotency keys"))
}
