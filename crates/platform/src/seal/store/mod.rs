//! Rows of `data_keys` and `pseudonym_keys`, and the master key that the deployment uses.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{DataKeyId, OrgId};
use sqlx::PgConnection;

pub(super) mod values;

use super::rotation::Process;
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

/// The data keys that another master key encrypts; locked, so that two rotations do not encrypt them at once.
pub(super) async fn wrapped_otherwise(
    conn: &mut PgConnection,
    org: OrgId,
    master_key: &str,
) -> Result<Vec<DataKeyRow>, Error> {
    sqlx::query_as!(
        DataKeyRow,
        "SELECT id, master_key, wrapped FROM data_keys WHERE org_id = $1 AND master_key <> $2 ORDER BY id FOR UPDATE",
        org.uuid(),
        master_key,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing data keys"))
}

pub(super) async fn rewrap(conn: &mut PgConnection, org: OrgId, row: &DataKeyRow) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE data_keys SET master_key = $3, wrapped = $4 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        row.id,
        row.master_key,
        row.wrapped,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("encrypting a data key again"))
}

pub(super) async fn find_pseudonym_key(
    conn: &mut PgConnection,
    org: OrgId,
) -> Result<Option<Vec<u8>>, Error> {
    sqlx::query_scalar!("SELECT sealed FROM pseudonym_keys WHERE org_id = $1", org.uuid())
        .fetch_optional(conn)
        .await
        .map_err(query("finding the key of pseudonyms"))
}

pub(super) async fn insert_pseudonym_key(
    conn: &mut PgConnection,
    org: OrgId,
    sealed: &[u8],
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO pseudonym_keys (org_id, sealed, created_at) VALUES ($1, $2, $3) ON CONFLICT (org_id) DO NOTHING",
        org.uuid(),
        sealed,
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a key of pseudonyms"))
}

/// The master key that encrypts new keys; `None` if the deployment never rotated.
pub(super) async fn master_key(conn: &mut PgConnection) -> Result<Option<String>, Error> {
    sqlx::query_scalar!("SELECT master_key FROM deployment")
        .fetch_one(conn)
        .await
        .map_err(query("reading which master key is used"))
}

pub(super) async fn use_master_key(conn: &mut PgConnection, name: &str) -> Result<(), Error> {
    sqlx::query!("UPDATE deployment SET master_key = $1 WHERE master_key IS DISTINCT FROM $1", name)
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("setting which master key is used"))
}

/// Connections of this role to this database, except the caller's. Those of other roles show no name, and can decrypt
/// nothing.
pub(super) async fn processes(conn: &mut PgConnection) -> Result<Vec<Process>, Error> {
    sqlx::query_as!(
        Process,
        r#"
            SELECT host(client_addr) AS address, application_name AS "name!", count(*) AS "connections!"
            FROM pg_stat_activity
            WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
              AND (application_name = 'countersign' OR application_name LIKE 'countersign %')
            GROUP BY 1, 2 ORDER BY 1, 2
        "#
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading which processes are connected"))
}
