//! Rows of `receipts`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ActionAddress, InOrg, InvocationId, OrgId, ReceiptId, SessionId, Status};
use platform::db::{Error, column, query};
use receipt::{Kept, Seed};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{Body, Entry, Filter, Signed, Stored, envelope};

pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    receipts: impl Iterator<Item = &(Entry, Signed)> + Clone,
) -> Result<(), Error> {
    let all = || receipts.clone();
    sqlx::query!(
        r#"
            INSERT INTO receipts
                (org_id, id, invocation_id, session_id, source, action, status, payload, keyid, signature, finished_at,
                 commitment, seed)
            SELECT $1, r.* FROM unnest(
                $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::text[], $10::bytea[],
                $11::timestamptz[], $12::bytea[], $13::bytea[]
            ) AS r
        "#,
        org.uuid(),
        &column(all(), |(entry, _)| entry.id.uuid()),
        &column(all(), |(entry, _)| entry.invocation.uuid()),
        &column(all(), |(entry, _)| entry.session.uuid()),
        &column(all(), |(entry, _)| entry.action.source.as_str()) as _,
        &column(all(), |(entry, _)| entry.action.action.as_str()) as _,
        &column(all(), |(entry, _)| entry.status.as_str()) as _,
        &column(all(), |(_, signed)| signed.payload.as_slice()) as _,
        &column(all(), |(_, signed)| signed.keyid.as_str()) as _,
        &column(all(), |(_, signed)| signed.signature.as_slice()) as _,
        &column(all(), |(entry, _)| entry.finished_at.to_sqlx()) as _,
        &column(all(), |(_, signed)| signed.commitment.as_slice()) as _,
        &column(all(), |(_, signed)| signed.seed.0.as_slice()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("appending receipts"))
}

struct ReceiptRow {
    id: Uuid,
    invocation_id: Uuid,
    session_id: Uuid,
    source: String,
    action: String,
    status: String,
    payload: Option<Vec<u8>>,
    keyid: String,
    signature: Option<Vec<u8>>,
    seed: Option<Vec<u8>>,
    kept: Option<Json<Kept>>,
    finished_at: jiff_sqlx::Timestamp,
}

impl ReceiptRow {
    fn into_stored(self, org: OrgId) -> Result<Stored, Error> {
        let address = ActionAddress {
            source: self.source.parse().map_err(|_| Error::Inconsistent { column: "receipts.source" })?,
            action: self.action.parse().map_err(|_| Error::Inconsistent { column: "receipts.action" })?,
        };
        let entry = Entry {
            id: ReceiptId::from_uuid(self.id),
            org,
            invocation: InvocationId::from_uuid(self.invocation_id),
            session: SessionId::from_uuid(self.session_id),
            action: address,
            status: Status::parse(&self.status).ok_or(Error::Inconsistent { column: "receipts.status" })?,
            finished_at: self.finished_at.to_jiff(),
        };
        let seed = self.seed.map(|seed| {
            let seed =
                <[u8; 32]>::try_from(seed).map_err(|_| Error::Inconsistent { column: "receipts.seed" })?;
            Ok(Seed(seed))
        });
        let body = match (self.payload, self.signature, self.kept) {
            (Some(payload), Some(signature), _) => Body::Whole {
                envelope: envelope(&payload, self.keyid, &signature),
                payload,
                seed: seed.transpose()?,
            },
            (.., Some(Json(kept))) => Body::Erased(kept),
            _ => return Err(Error::Inconsistent { column: "receipts.payload" }),
        };
        Ok(Stored { entry, body })
    }
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: ReceiptId,
) -> Result<Option<Stored>, Error> {
    let row = sqlx::query_as!(
        ReceiptRow,
        r#"
            SELECT id, invocation_id, session_id, source, action, status, payload, keyid, signature, seed,
                kept AS "kept: Json<Kept>", finished_at
            FROM receipts WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a receipt"))?;
    row.map(|row| row.into_stored(org)).transpose()
}

pub(crate) async fn list(conn: &mut PgConnection, org: OrgId, filter: Filter) -> Result<Vec<Stored>, Error> {
    let rows = sqlx::query_as!(
        ReceiptRow,
        r#"
            SELECT id, invocation_id, session_id, source, action, status, payload, keyid, signature, seed,
                kept AS "kept: Json<Kept>", finished_at
            FROM receipts
            WHERE org_id = $1 AND ($2::uuid IS NULL OR session_id = $2) AND ($3::uuid IS NULL OR id < $3)
              AND ($5::timestamptz IS NULL OR finished_at >= $5) AND ($6::timestamptz IS NULL OR finished_at < $6)
            ORDER BY id DESC LIMIT $4
        "#,
        org.uuid(),
        filter.session.map(|session| session.uuid()),
        filter.before.map(|id| id.uuid()),
        filter.limit,
        filter.from.map(|from| from.to_sqlx()) as _,
        filter.to.map(|to| to.to_sqlx()) as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing receipts"))?;
    rows.into_iter().map(|row| row.into_stored(org)).collect()
}

/// Receipts of the org by their ids.
pub(crate) async fn find_many(
    conn: &mut PgConnection,
    org: OrgId,
    ids: &[Uuid],
) -> Result<Vec<Stored>, Error> {
    let rows = sqlx::query_as!(
        ReceiptRow,
        r#"
            SELECT id, invocation_id, session_id, source, action, status, payload, keyid, signature, seed,
                kept AS "kept: Json<Kept>", finished_at
            FROM receipts WHERE org_id = $1 AND id = ANY ($2)
        "#,
        org.uuid(),
        ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding receipts"))?;
    rows.into_iter().map(|row| row.into_stored(org)).collect()
}

/// Receipts that ended before a time and still have their bodies, oldest first.
pub(crate) async fn overdue(
    conn: &mut PgConnection,
    org: OrgId,
    before: Timestamp,
    most: i64,
) -> Result<Vec<Stored>, Error> {
    let rows = sqlx::query_as!(
        ReceiptRow,
        r#"
            SELECT r.id, r.invocation_id, r.session_id, r.source, r.action, r.status, r.payload, r.keyid, r.signature, r.seed,
                r.kept AS "kept: Json<Kept>", r.finished_at
            FROM receipts r
            WHERE r.org_id = $1 AND r.id < uuid_at($2) AND r.finished_at < $2 AND r.seed IS NOT NULL
              AND may_erase_call($1, r.invocation_id, $2)
            ORDER BY r.id LIMIT $3
        "#,
        org.uuid(),
        before.to_sqlx() as _,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding receipts whose time is over"))?;
    rows.into_iter().map(|row| row.into_stored(org)).collect()
}

/// Erases what runs and dead letters hold, if their retention is over. Returns of how many.
pub(crate) async fn erase_rest(
    conn: &mut PgConnection,
    org: OrgId,
    at: Timestamp,
    most: i32,
) -> Result<i64, Error> {
    sqlx::query_scalar!(
        r#"SELECT erase_overdue($1, $2, $3) AS "erased!""#,
        org.uuid(),
        at.to_sqlx() as _,
        most
    )
    .fetch_one(conn)
    .await
    .map_err(query("erasing what runs hold"))
}

/// Erases a body if its retention is over. Returns whether it was erased.
pub(crate) async fn erase(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<ReceiptId>,
    kept: &Kept,
    at: Timestamp,
) -> Result<bool, Error> {
    sqlx::query_scalar!(
        r#"SELECT erase_receipt($1, $2, $3, $4) AS "erased!""#,
        org.uuid(),
        id.uuid(),
        Json(kept) as _,
        at.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
    .map_err(query("erasing a receipt's body"))
}
