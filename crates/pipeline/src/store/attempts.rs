//! Rows of `attempts`: the attempts that failed.

use jiff_sqlx::ToSqlx as _;
use model::{ErrorClass, Failure, InvocationId, OrgId};
use platform::db::{Error, known, query};
use sqlx::PgConnection;

use crate::stages::state::FailedTry;

/// Adds the failed attempts. An invocation is settled once, so they are written once.
pub(crate) async fn insert_tries(
    conn: &mut PgConnection,
    org: OrgId,
    invocation: InvocationId,
    tries: &[FailedTry],
) -> Result<(), Error> {
    for (number, failed) in (1..).zip(tries) {
        sqlx::query!(
            r#"
                INSERT INTO attempts
                    (org_id, invocation_id, number, started_at, ended_at, error_class, message, sent, retried)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            "#,
            org.uuid(),
            invocation.uuid(),
            number,
            failed.started_at.to_sqlx(),
            failed.ended_at.to_sqlx(),
            failed.failure.class.as_str(),
            failed.failure.message,
            failed.failure.sent,
            failed.retried,
        )
        .execute(&mut *conn)
        .await
        .map_err(query("recording a failed try"))?;
    }
    Ok(())
}

/// The failed attempts of an invocation, in order.
pub async fn tries(
    conn: &mut PgConnection,
    org: OrgId,
    invocation: InvocationId,
) -> Result<Vec<FailedTry>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT started_at AS "started_at: jiff_sqlx::Timestamp", ended_at AS "ended_at: jiff_sqlx::Timestamp",
                   error_class, message, sent, retried
            FROM attempts WHERE org_id = $1 AND invocation_id = $2 ORDER BY number
        "#,
        org.uuid(),
        invocation.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing failed tries"))?;
    let tries = rows.into_iter().map(|row| {
        let class = known(ErrorClass::parse(&row.error_class), "attempts.error_class")?;
        Ok(FailedTry {
            started_at: row.started_at.to_jiff(),
            ended_at: row.ended_at.to_jiff(),
            failure: Failure { class, message: row.message, sent: row.sent, retry_after_ms: None },
            retried: row.retried,
        })
    });
    tries.collect()
}
