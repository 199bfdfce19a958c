//! A request that is given up while its transaction begins leaves nothing behind for whoever gets its connection next.

use std::time::Duration;

use futures::FutureExt as _;
use model::OrgId;
use platform::db::Database;
use sqlx::{AssertSqlSafe, PgPool, postgres::PgPoolOptions};
use testkit::TestDb;

const ORG: &str = "SELECT coalesce(current_setting('app.org', true), '')";

const NOW: &str = "SELECT now()::text";

/// Drops a future while it waits for the answer to its first statement; says whether that was on its way.
async fn give_up(begun: impl Future) -> bool {
    // Whoever had the connection before has given it back by then.
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
    for _ in 0..40 {
        given_up += u32::from(give_up(database.begin(org)).await);
        given_up += u32::from(give_up(database.begin_unscoped()).await);
        let mut conn = database.unscoped().await?;
        let seen: String = sqlx::query_scalar(ORG).fetch_one(&mut *conn).await?;
        assert_eq!(seen, "", "the org of the one who left");
        // Within a transaction the moment at which it began stays the same.
        let first: String = sqlx::query_scalar(NOW).fetch_one(&mut *conn).await?;
        let second: String = sqlx::query_scalar(NOW).fetch_one(&mut *conn).await?;
        assert_ne!(first, second, "a transaction that nobody knows of");
    }
    assert!(given_up > 10, "the server was faster than that could be: {given_up}");
    Ok(())
}

/// The library alone: the next one works within the org of the one who left.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "what is left to itself here")]
async fn control_without_the_guard_the_org_of_the_one_who_left_is_there() -> anyhow::Result<()> {
    let db = TestDb::create().await?;
    let pool: PgPool = PgPoolOptions::new().max_connections(1).connect(&db.service_url()).await?;
    sqlx::query("SELECT 1").execute(&pool).await?;
    let begin = "BEGIN; SET LOCAL app.org = '00000000-0000-0000-0000-000000000007'".to_owned();
    let mut seen = String::new();
    for _ in 0..40 {
        give_up(pool.begin_with(AssertSqlSafe(begin.clone()))).await;
        seen = sqlx::query_scalar(ORG).fetch_one(&pool).await?;
        if !seen.is_empty() {
            break;
        }
    }
    assert_eq!(seen, "00000000-0000-0000-0000-000000000007");
    Ok(())
}
