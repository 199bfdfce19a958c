//! Reading rows in the order of a number that their transactions drew.
//!
//! A number is drawn before its transaction commits, so a greater one may be seen before a smaller. Whoever reads in that
//! order notes the last number drawn, then draws a transaction's number: whoever drew up to the noted one has a smaller.
//! When all those transactions are over, nothing can appear up to the noted number any more.

use sqlx::PgConnection;

use super::{Error, query};

/// A number greater than that of every transaction that has one. It must be asked for after the last number drawn, in a
/// statement of its own.
pub async fn newest_transaction(conn: &mut PgConnection) -> Result<String, Error> {
    sqlx::query_scalar("SELECT pg_current_xact_id()::text")
        .fetch_one(conn)
        .await
        .map_err(query("drawing a transaction's number"))
}

/// Whether every transaction with a smaller number is over.
pub async fn all_over_before(conn: &mut PgConnection, transaction: &str) -> Result<bool, Error> {
    sqlx::query_scalar("SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8")
        .bind(transaction)
        .fetch_one(conn)
        .await
        .map_err(query("waiting for transactions under way"))
}
