//! Reading rows in the order of a sequence number that their transactions took.
//!
//! A number is taken before its transaction commits, so a greater number may become visible before a smaller one. A
//! reader therefore notes the last number taken and then takes a transaction ID: every transaction that took a number
//! up to the noted one has a smaller ID. When all those transactions have ended, nothing can appear up to the noted
//! number any more.

use sqlx::PgConnection;

use super::{Error, query};

/// A transaction ID greater than that of every transaction that has one. It must be read after the last number, in a
/// separate statement.
pub async fn newest_transaction(conn: &mut PgConnection) -> Result<String, Error> {
    sqlx::query_scalar("SELECT pg_current_xact_id()::text")
        .fetch_one(conn)
        .await
        .map_err(query("drawing a transaction's number"))
}

/// Whether every transaction with a smaller ID has ended.
pub async fn all_over_before(conn: &mut PgConnection, transaction: &str) -> Result<bool, Error> {
    sqlx::query_scalar("SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8")
        .bind(transaction)
        .fetch_one(conn)
        .await
        .map_err(query("waiting for transactions under way"))
}
