//! Reading rows of `invocations`.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{
    ActionAddress, Decision, Digest, EffectClass, Failure, IdempotencyKey, InvocationId, OrgId, ReceiptId,
    Risk, SessionId, Status,
};
use platform::db::{Error, known, query};
use policy::{Position, Waiting};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use tenancy::SessionPlace;
use uuid::Uuid;

use crate::{approvals::Edit, invocation::Invocation};

pub(super) fn digest(bytes: &[u8], column: &'static str) -> Result<Digest, Error> {
    bytes.try_into().map(Digest::from_bytes).map_err(|_| Error::Inconsistent { column })
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
    reason: String,
    shown_digest: Vec<u8>,
    changed: Vec<String>,
    edits: Json<Vec<Edit>>,
    idempotency_key: Option<String>,
    result: Option<Value>,
    error: Option<Json<Failure>>,
    attempts: i32,
    receipt_id: Option<Uuid>,
    requested_at: jiff_sqlx::Timestamp,
    finished_at: Option<jiff_sqlx::Timestamp>,
    expires_at: Option<jiff_sqlx::Timestamp>,
    turn: i16,
    released_as: Option<Uuid>,
    erased_at: Option<jiff_sqlx::Timestamp>,
}

/// Invocations with the place of their sessions, in the order of the rows.
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
            reason: self.reason,
            subject_digest: digest(&self.shown_digest, "invocations.shown_digest")?,
            changed: self.changed,
            edits: self.edits.0,
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
            turn: self.turn,
            released_as: self.released_as.map(InvocationId::from_uuid),
            erased_at: self.erased_at.map(|at| at.to_jiff()),
        })
    }
}

/// One invocation of an org.
pub async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
) -> Result<Option<Invocation>, Error> {
    let row = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at, changed, reason, edits AS "edits: _", turn, released_as, erased_at
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
    org: OrgId,
    session: SessionId,
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

/// A session's invocations, newest first.
pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    session: SessionId,
    before: Option<InvocationId>,
    limit: i64,
) -> Result<Vec<Invocation>, Error> {
    let rows = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at, changed, reason, edits AS "edits: _", turn, released_as, erased_at
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

/// Invocations that wait for approval, by turn, newest first.
pub async fn list_pending(
    conn: &mut PgConnection,
    org: OrgId,
    now: Timestamp,
    before: Option<Position>,
    limit: i64,
) -> Result<Vec<Invocation>, Error> {
    let rows = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at, changed, reason, edits AS "edits: _", turn, released_as, erased_at
            FROM invocations
            WHERE org_id = $1 AND status = 'pending' AND expires_at > $4
                AND ($2::uuid IS NULL OR turn > $5 OR (turn = $5 AND id < $2))
            ORDER BY turn, id DESC LIMIT $3
        "#,
        org.uuid(),
        before.map(|before| before.id),
        limit,
        now.to_sqlx() as _,
        before.map(|before| before.turn),
    )
    .fetch_all(&mut *conn)
    .await
    .map_err(query("listing pending invocations"))?;
    placed(conn, org, rows).await
}

/// Invocations whose outcome is unknown, newest first. They all have turn 0 in the inbox.
pub async fn list_unknown(
    conn: &mut PgConnection,
    org: OrgId,
    before: Option<Position>,
    limit: i64,
) -> Result<Vec<Invocation>, Error> {
    let rows = sqlx::query_as!(
        InvocationRow,
        r#"
            SELECT id, session_id, agent, source, action, risk, effect, status, decision AS "decision: _", dry_run, params,
                   shown_digest, idempotency_key, result, error AS "error: _", attempts, receipt_id, requested_at,
                   finished_at, expires_at, changed, reason, edits AS "edits: _", turn, released_as, erased_at
            FROM invocations
            WHERE org_id = $1 AND status = 'unknown' AND ($2::uuid IS NULL OR ($4::smallint = 0 AND id < $2))
            ORDER BY id DESC LIMIT $3
        "#,
        org.uuid(),
        before.map(|before| before.id),
        limit,
        before.map(|before| before.turn),
    )
    .fetch_all(&mut *conn)
    .await
    .map_err(query("listing unknown outcomes"))?;
    placed(conn, org, rows).await
}

/// Locks the places of an org in the inbox until the transaction ends.
pub(crate) async fn lock_places(conn: &mut PgConnection, org: OrgId) -> Result<(), Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('places ' || $1, 0))", org.to_string())
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("locking the places of an org"))
}

/// How many invocations wait for a person or are held: of a session, of an opener, and in all.
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
            FROM (
                SELECT session_id, opener FROM invocations
                WHERE org_id = $1 AND status = 'pending' AND expires_at > $4
                UNION ALL
                SELECT session_id, opener FROM quarantined WHERE org_id = $1 AND expires_at > $4
            ) AS waiting
        "#,
        org.uuid(),
        session.uuid(),
        opener,
        now.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
    .map_err(query("counting what waits for a person"))
}
