//! Encrypted values in the columns of all crates, which a rotation encrypts again.

use model::{DataKeyId, OrgId};
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use super::super::rotation::Column;
use crate::db::{Error, Tx, query};

/// Number of values that are encrypted in one transaction. Requests for one of them wait that long.
pub(in crate::seal) const AT_ONCE: usize = 200;

/// Another number than other locks.
const LOCK: i64 = 0x726f_7461_7465_0001;

/// Takes the lock that one rotation holds, until the connection ends.
pub(in crate::seal) async fn try_lock(conn: &mut PgConnection) -> Result<bool, Error> {
    let taken = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
    taken.fetch_one(conn).await.map_err(query("locking the rotation"))
}

/// How many values of a column an older data key encrypts.
pub(in crate::seal) async fn count_older(
    tx: &mut Tx,
    org: OrgId,
    Column { table, field, .. }: &Column,
    newest: DataKeyId,
) -> Result<u64, Error> {
    let statement = format!("SELECT count(*) FROM {table} WHERE org_id = $1 AND {}", is_older(field));
    let counted = sqlx::query_scalar::<_, i64>(AssertSqlSafe(statement))
        .bind(org.uuid())
        .bind(newest.uuid().as_bytes().to_vec());
    let counted = counted.fetch_one(&mut **tx).await.map_err(query("counting encrypted values"))?;
    Ok(u64::try_from(counted).unwrap_or_default())
}

/// The data key's ID follows the first byte of a value. An empty one was erased.
fn is_older(field: &str) -> String {
    format!("length({field}) > 0 AND substring({field} FROM 2 FOR 16) <> $2")
}

/// Values that an older data key encrypts, behind a row, locked until the transaction ends. Rows that others have locked are
/// left out.
pub(in crate::seal) async fn older(
    tx: &mut Tx,
    org: OrgId,
    Column { table, id, field }: &Column,
    (newest, after): (DataKeyId, Uuid),
) -> Result<Vec<(Uuid, Vec<u8>)>, Error> {
    let statement = format!(
        "SELECT {id}, {field} FROM {table} WHERE org_id = $1 AND {} AND {id} > $3
         ORDER BY {id} LIMIT {AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED",
        is_older(field)
    );
    let rows = sqlx::query_as::<_, (Uuid, Vec<u8>)>(AssertSqlSafe(statement))
        .bind(org.uuid())
        .bind(newest.uuid().as_bytes().to_vec())
        .bind(after);
    rows.fetch_all(&mut **tx).await.map_err(query("reading encrypted values"))
}

/// Replaces values; returns how many there still were.
pub(in crate::seal) async fn replace(
    tx: &mut Tx,
    org: OrgId,
    Column { table, id, field }: &Column,
    values: Vec<(Uuid, Vec<u8>)>,
) -> Result<u64, Error> {
    let statement = format!(
        "UPDATE {table} t SET {field} = n.sealed FROM unnest($2::uuid[], $3::bytea[]) n (row, sealed)
         WHERE t.org_id = $1 AND t.{id} = n.row"
    );
    let (rows, sealed): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    let written = sqlx::query(AssertSqlSafe(statement)).bind(org.uuid()).bind(rows).bind(sealed);
    let written = written.execute(&mut **tx).await.map_err(query("replacing encrypted values"))?;
    Ok(written.rows_affected())
}
