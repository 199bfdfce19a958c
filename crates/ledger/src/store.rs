//! Rows of `receipts` and `signing_keys`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ActionAddress, InvocationId, OrgId, ReceiptId, SessionId, Status};
use platform::db::{Error, column, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Entry, Filter, Signed, Stored, envelope, keys::StoredKey};

pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    receipts: impl Iterator<Item = &(Entry, Signed)> + Clone,
) -> Result<(), Error> {
    let all = || receipts.clone();
    sqlx::query!(
        r#"
            INSERT INTO receipts
                (org_id, id, invocation_id, session_id, source, action, status, payload, keyid, signature, finished_at)
            SELECT $1, r.* FROM unnest(
                $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::text[], $10::bytea[],
                $11::timestamptz[]
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
    payload: Vec<u8>,
    keyid: String,
    signature: Vec<u8>,
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
        Ok(Stored { entry, envelope: envelope(&self.payload, self.keyid, &self.signature) })
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
            SELECT id, invocation_id, session_id, source, action, status, payload, keyid, signature, finished_at
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
            SELECT id, invocation_id, session_id, source, action, status, payload, keyid, signature, finished_at
            FROM receipts
            WHERE org_id = $1 AND ($2::uuid IS NULL OR session_id = $2) AND ($3::uuid IS NULL OR id < $3)
            ORDER BY id DESC LIMIT $4
        "#,
        org.uuid(),
        filter.session.map(|session| session.uuid()),
        filter.before.map(|id| id.uuid()),
        filter.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing receipts"))?;
    rows.into_iter().map(|row| row.into_stored(org)).collect()
}

struct KeyRow {
    keyid: String,
    public_key: Vec<u8>,
    master_key: String,
    wrapped: Vec<u8>,
    not_before: jiff_sqlx::Timestamp,
    not_after: Option<jiff_sqlx::Timestamp>,
}

impl From<KeyRow> for StoredKey {
    fn from(row: KeyRow) -> Self {
        Self {
            keyid: row.keyid,
            public_key: row.public_key,
            master_key: row.master_key,
            wrapped: row.wrapped,
            not_before: row.not_before.to_jiff(),
            not_after: row.not_after.map(|at| at.to_jiff()),
        }
    }
}

pub(crate) async fn newest_key(conn: &mut PgConnection) -> Result<Option<StoredKey>, Error> {
    let row = sqlx::query_as!(
        KeyRow,
        r#"
            SELECT keyid, public_key, master_key, wrapped, not_before, not_after
            FROM signing_keys WHERE not_after IS NULL ORDER BY created_at DESC, keyid LIMIT 1
        "#
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding the newest signing key"))?;
    Ok(row.map(StoredKey::from))
}

pub(crate) async fn list_keys(conn: &mut PgConnection) -> Result<Vec<StoredKey>, Error> {
    let rows = sqlx::query_as!(
        KeyRow,
        "SELECT keyid, public_key, master_key, wrapped, not_before, not_after FROM signing_keys ORDER BY created_at, keyid"
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing signing keys"))?;
    Ok(rows.into_iter().map(StoredKey::from).collect())
}

pub(crate) async fn insert_key(
    conn: &mut PgConnection,
    key: &StoredKey,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO signing_keys (keyid, public_key, master_key, wrapped, not_before, not_after, created_at)
            VALUES ($1, $2, $3, $4, $5, NULL, $6)
        "#,
        key.keyid,
        key.public_key,
        key.master_key,
        key.wrapped,
        key.not_before.to_sqlx(),
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a signing key"))
}

pub(crate) async fn end_other_keys(conn: &mut PgConnection, keyid: &str, at: Timestamp) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE signing_keys SET not_after = $2 WHERE keyid <> $1 AND not_after IS NULL",
        keyid,
        at.to_sqlx()
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("letting older signing keys run out"))
}
