//! Rows of `data_keys`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{DataKeyId, OrgId};
use sqlx::PgConnection;

use crate::db::{Error, query};

/// A wrapped data key.
pub(super) struct DataKeyRow {
    pub(super) id: uuid::Uuid,
    pub(super) master_key: String,
    pub(super) wrapped: Vec<u8>,
}

pub(super) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    row: &DataKeyRow,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO data_keys (org_id, id, master_key, wrapped, created_at) VALUES ($1, $2, $3, $4, $5)",
        org.uuid(),
        row.id,
        row.master_key,
        row.wrapped,
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a data key"))
}

pub(super) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: DataKeyId,
) -> Result<Option<DataKeyRow>, Error> {
    sqlx::query_as!(
        DataKeyRow,
        "SELECT id, master_key, wrapped FROM data_keys WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a data key"))
}

pub(super) async fn find_newest(conn: &mut PgConnection, org: OrgId) -> Result<Option<DataKeyRow>, Error> {
    sqlx::query_as!(
        DataKeyRow,
        "SELECT id, master_key, wrapped FROM data_keys WHERE org_id = $1 ORDER BY id DESC LIMIT 1",
        org.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding the newest data key"))
}
