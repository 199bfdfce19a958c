//! Rows of `spending` and `model_reservations`.

use jiff::civil::Date;
use jiff_sqlx::ToSqlx as _;
use model::{InvocationId, OrgId};
use platform::db::{Error, column, query};
use sqlx::PgConnection;

use crate::models::budgets::{Cap, Counted, DaySpent, Reserve, Spent};

fn amount(value: i64) -> u64 {
    // A check of the table keeps it from being negative.
    u64::try_from(value).unwrap_or_default()
}

fn bigint(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// What an organization may spend in a day.
pub(crate) async fn org_cap(conn: &mut PgConnection, org: OrgId) -> Result<Cap, Error> {
    let row = sqlx::query!(
        "SELECT model_nano_usd_per_day, model_tokens_per_day FROM orgs WHERE id = $1",
        org.uuid()
    )
    .fetch_one(conn)
    .await
    .map_err(query("reading the budget of an organization"))?;
    Ok(Cap { nano_usd: row.model_nano_usd_per_day.map(amount), tokens: row.model_tokens_per_day.map(amount) })
}

/// Locks the rows that a call counts towards until the transaction ends, in their order, which is the same for all calls.
pub(crate) async fn lock_spending(
    conn: &mut PgConnection,
    org: OrgId,
    counted: &[Counted],
) -> Result<Vec<Spent>, Error> {
    let mut rows = Vec::with_capacity(counted.len());
    for one in counted {
        let row = sqlx::query!(
            r#"
                INSERT INTO spending (org_id, scope, scope_id, day) VALUES ($1, $2, $3, $4)
                ON CONFLICT (org_id, scope, scope_id, day) DO UPDATE SET spent_nano = spending.spent_nano
                RETURNING spent_nano, reserved_nano, spent_tokens, reserved_tokens
            "#,
            org.uuid(),
            one.scope.as_str(),
            one.id,
            one.day.to_sqlx() as _,
        )
        .fetch_one(&mut *conn)
        .await
        .map_err(query("locking spending"))?;
        rows.push(Spent {
            spent_nano_usd: amount(row.spent_nano),
            reserved_nano_usd: amount(row.reserved_nano),
            spent_tokens: amount(row.spent_tokens),
            reserved_tokens: amount(row.reserved_tokens),
        });
    }
    Ok(rows)
}

/// Reserves for an invocation in rows that are locked.
pub(crate) async fn reserve(
    conn: &mut PgConnection,
    org: OrgId,
    invocation: InvocationId,
    (counted, wanted): (&[Counted], Reserve),
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            WITH reserved AS (
                INSERT INTO model_reservations (org_id, invocation_id, nano, tokens, scopes, scope_ids, days)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
            ), counted AS (
                UPDATE spending s SET reserved_nano = s.reserved_nano + $3, reserved_tokens = s.reserved_tokens + $4
                FROM unnest($5::text[], $6::uuid[], $7::date[]) AS c (scope, scope_id, day)
                WHERE s.org_id = $1 AND s.scope = c.scope AND s.scope_id = c.scope_id AND s.day = c.day
            )
            UPDATE invocations SET reserved = true WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        invocation.uuid(),
        bigint(wanted.nano_usd.unwrap_or_default()),
        bigint(wanted.tokens),
        &column(counted.iter(), |one| one.scope.as_str().to_owned()),
        &column(counted.iter(), |one| one.id),
        &column(counted.iter(), |one| one.day.to_sqlx()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("reserving money"))
}

/// What an organization spent on each day since this one, newest first.
pub(crate) async fn spending(
    conn: &mut PgConnection,
    org: OrgId,
    since: Date,
) -> Result<Vec<DaySpent>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT day AS "day: jiff_sqlx::Date", spent_nano, reserved_nano, spent_tokens, reserved_tokens
            FROM spending WHERE org_id = $1 AND scope = 'org' AND day > $2 ORDER BY day DESC
        "#,
        org.uuid(),
        since.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading spending"))?;
    let days = rows.into_iter().map(|row| DaySpent {
        day: row.day.to_jiff(),
        spent: Spent {
            spent_nano_usd: amount(row.spent_nano),
            reserved_nano_usd: amount(row.reserved_nano),
            spent_tokens: amount(row.spent_tokens),
            reserved_tokens: amount(row.reserved_tokens),
        },
    });
    Ok(days.collect())
}

pub(crate) async fn reserved(
    conn: &mut PgConnection,
    org: OrgId,
    invocation: InvocationId,
) -> Result<Option<u64>, Error> {
    let nano = sqlx::query_scalar!(
        "SELECT nano FROM model_reservations WHERE org_id = $1 AND invocation_id = $2",
        org.uuid(),
        invocation.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("reading a reservation"))?;
    Ok(nano.map(amount))
}
