//! A request that is dropped while its transaction begins leaves no state on the connection for the next request.

use std::time::Duration;

use futures::FutureExt as _;
use model::OrgId;
use platform::db::Database;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool, postgres::PgPoolOptions};
use testkit::TestDb;

const ORG: &str = "SELECT coalesce(current_setting('app.org', true), '')";

const NOW: &str = "SELECT now()::text";

/// Drops a future while it waits for the answer to its first statement; returns whether the statement was in progress.
async fn give_up(begun: impl Future) -> bool {
    // The connection's previous user has returned it by then.
    tokio::time::sleep(Duration::from_millis(5)).await;
    begun.now_or_never().is_none()
}

#[tokio::test]
async fn whoever_gives_up_while_a_transaction_begins_leaves_no_org_behind() -> anyhow::Result<()> {
    let db = TestDb::create().await?;
    let database = Database::open(&db.service_url(), 1)?;
    let org = OrgId::from_uuid(uuid::Uuid::from_u128(7));
    database.ping().await?;
    let mut given_up = 0;
    // On a busy machine few requests are in progress at the right moment.
    for round in 0..4_000 {
        if round >= 40 && given_up > 10 {
            break;
        }
        given_up += u32::from(give_up(database.begin(org)).await);
        given_up += u32::from(give_up(database.begin_unscoped()).await);
        let mut conn = database.unscoped().await?;
        let seen: String = sqlx::query_scalar(ORG).fetch_one(&mut *conn).await?;
        assert_eq!(seen, "", "the organization of the dropped request");
        // `now()` stays the same within a transaction, so different values show that none is open.
        let first: String = sqlx::query_scalar(NOW).fetch_one(&mut *conn).await?;
        let second: String = sqlx::query_scalar(NOW).fetch_one(&mut *conn).await?;
        assert_ne!(first, second, "a transaction was left open");
    }
    assert!(given_up > 10, "too few requests were dropped in time: {given_up}");
    Ok(())
}

/// The library without the guard: the next request works within the organization of the dropped one.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "what is left to itself here")]
async fn control_without_the_guard_the_org_of_the_one_who_left_is_there() -> anyhow::Result<()> {
    let db = TestDb::create().await?;
    let pool: PgPool = PgPoolOptions::new().max_connections(1).connect(&db.service_url()).await?;
    let mut outside = PgConnection::connect(&db.service_url()).await?;
    // The statement waits for a lock, so that the transaction is certainly still beginning when it is dropped.
    sqlx::query("SELECT pg_advisory_lock(7)").execute(&mut outside).await?;
    let begin =
        format!("BEGIN; SET LOCAL app.org = '{}'; SELECT pg_advisory_xact_lock(7)", uuid::Uuid::from_u128(7));
    let leaving = tokio::spawn({
        let pool = pool.clone();
        async move { pool.begin_with(AssertSqlSafe(begin)).await.map(drop) }
    });
    wait_for_a_lock(&mut outside).await?;
    leaving.abort();
    assert!(leaving.await.is_err_and(|e| e.is_cancelled()), "the task was cancelled");
    sqlx::query("SELECT pg_advisory_unlock(7)").execute(&mut outside).await?;
    let seen: String = sqlx::query_scalar(ORG).fetch_one(&pool).await?;
    assert_eq!(seen, "00000000-0000-0000-0000-000000000007");
    Ok(())
}

/// Waits until a connection of this database waits for an advisory lock.
async fn wait_for_a_lock(outside: &mut PgConnection) -> anyhow::Result<()> {
    let asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    for _ in 0..6_000 {
        if sqlx::query_scalar::<_, i64>(asked).fetch_one(&mut *outside).await? > 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    anyhow::bail!("no connection waited for the lock within a minute");
}
