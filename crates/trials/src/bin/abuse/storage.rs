//! Every place that something could have leaked to: the database as a superuser sees it, Redis, and the log.

use anyhow::Context as _;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use testkit::Deployment;

use crate::canary_search::Place;

/// Every row of every table, without row-level security; binary columns also as bytes.
pub(crate) async fn database(deployment: &Deployment) -> anyhow::Result<Vec<Place>> {
    // The local cluster trusts loopback (scripts/services); row-level security does not apply to its superuser.
    let url = deployment.db.owner_url();
    let (_, address) = url.rsplit_once('@').context("an address with a role in it")?;
    let mut conn = PgConnection::connect(&format!("postgres://postgres@{address}")).await?;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
           AND NOT relispartition ORDER BY 1",
    )
    .fetch_all(&mut conn)
    .await?;
    let mut places = Vec::new();
    for table in tables {
        let rows: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(format!("SELECT to_jsonb(t)::text FROM {table} t")))
                .fetch_all(&mut conn)
                .await?;
        places.push(Place { name: format!("table {table}"), bytes: rows.join("\n").into_bytes() });
        let columns: Vec<String> = sqlx::query_scalar(
            "SELECT attname::text FROM pg_attribute
             WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND atttypid = 'bytea'::regtype",
        )
        .bind(&table)
        .fetch_all(&mut conn)
        .await?;
        for column in columns {
            let values: Vec<Option<Vec<u8>>> =
                sqlx::query_scalar(AssertSqlSafe(format!("SELECT {column} FROM {table}")))
                    .fetch_all(&mut conn)
                    .await?;
            let bytes = values.into_iter().flatten().collect::<Vec<_>>().join(&b'\n');
            places.push(Place { name: format!("column {table}.{column}"), bytes });
        }
    }
    Ok(places)
}

/// Every key of ours with its value.
pub(crate) async fn redis(deployment: &Deployment) -> anyhow::Result<Place> {
    let mut conn = testkit::connect_redis(&deployment.db.servers.redis_url).await?;
    let keys: Vec<String> = redis::cmd("KEYS").arg("cs:*").query_async(&mut conn).await?;
    let mut bytes = Vec::new();
    for key in keys {
        bytes.extend_from_slice(key.as_bytes());
        bytes.push(b'\n');
        let value: Option<Vec<u8>> = redis::cmd("DUMP").arg(&key).query_async(&mut conn).await?;
        bytes.extend(value.unwrap_or_default());
        bytes.push(b'\n');
    }
    Ok(Place { name: "redis".to_owned(), bytes })
}

/// The log of the process, at its configured level.
pub(crate) fn log(deployment: &Deployment) -> anyhow::Result<Place> {
    Ok(Place { name: "log".to_owned(), bytes: std::fs::read(&deployment.log)? })
}

/// The payloads of the envelopes in the answers, decoded.
pub(crate) fn payloads(answers: &[Place]) -> Place {
    let mut bytes = Vec::new();
    for answer in answers {
        let text = String::from_utf8_lossy(&answer.bytes);
        for part in text.split("\"payload\":\"").skip(1) {
            let payload = part.split('"').next().unwrap_or_default();
            bytes.extend(STANDARD.decode(payload).unwrap_or_default());
            bytes.push(b'\n');
        }
    }
    Place { name: "receipts, decoded".to_owned(), bytes }
}
