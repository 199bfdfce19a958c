//! Rows of `webhook_deliveries`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{DeliveryId, EventId, InOrg, OrgId, WebhookId};
use platform::db::{Error, column, known, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::webhooks::{Attempt, Delivery, DeliveryStatus};

/// Creates deliveries. Returns the new ones.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    new: &[(DeliveryId, WebhookId, EventId)],
    now: Timestamp,
) -> Result<Vec<DeliveryId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"
            INSERT INTO webhook_deliveries (org_id, id, webhook_id, event_id, next_at, created_at)
            SELECT $1, d.id, d.webhook_id, d.event_id, $5, $5
            FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS d (id, webhook_id, event_id)
            ON CONFLICT (org_id, webhook_id, event_id) DO NOTHING
            RETURNING id
        "#,
        org.uuid(),
        &column(new.iter(), |(id, ..)| id.uuid()),
        &column(new.iter(), |(_, webhook, _)| webhook.uuid()),
        &column(new.iter(), |(.., event)| event.uuid()),
        now.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("making deliveries"))?;
    Ok(ids.into_iter().map(DeliveryId::from_uuid).collect())
}

struct DeliveryRow {
    id: Uuid,
    webhook_id: Uuid,
    event_id: Uuid,
    status: String,
    round: i32,
    attempts: i16,
    last_status: Option<i16>,
    last_error: Option<String>,
    next_at: jiff_sqlx::Timestamp,
    created_at: jiff_sqlx::Timestamp,
    delivered_at: Option<jiff_sqlx::Timestamp>,
}

impl TryFrom<DeliveryRow> for Delivery {
    type Error = Error;

    fn try_from(row: DeliveryRow) -> Result<Self, Error> {
        Ok(Self {
            id: DeliveryId::from_uuid(row.id),
            webhook: WebhookId::from_uuid(row.webhook_id),
            event: EventId::from_uuid(row.event_id),
            status: known(DeliveryStatus::parse(&row.status), "webhook_deliveries.status")?,
            round: row.round,
            attempts: u8::try_from(row.attempts).unwrap_or(u8::MAX),
            last_status: row.last_status.and_then(|status| u16::try_from(status).ok()),
            last_error: row.last_error,
            next_at: row.next_at.to_jiff(),
            created_at: row.created_at.to_jiff(),
            delivered_at: row.delivered_at.map(jiff_sqlx::Timestamp::to_jiff),
        })
    }
}

/// One delivery.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: DeliveryId,
) -> Result<Option<Delivery>, Error> {
    let row = sqlx::query_as!(
        DeliveryRow,
        r#"
            SELECT id, webhook_id, event_id, status, round, attempts, last_status, last_error,
                next_at AS "next_at: jiff_sqlx::Timestamp", created_at AS "created_at: jiff_sqlx::Timestamp",
                delivered_at AS "delivered_at: jiff_sqlx::Timestamp"
            FROM webhook_deliveries WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a delivery"))?;
    row.map(Delivery::try_from).transpose()
}

/// A webhook's deliveries, newest first.
pub(crate) async fn list(
    conn: &mut PgConnection,
    InOrg { org, id: webhook }: InOrg<WebhookId>,
    before: Option<DeliveryId>,
    most: i64,
) -> Result<Vec<Delivery>, Error> {
    let rows = sqlx::query_as!(
        DeliveryRow,
        r#"
            SELECT id, webhook_id, event_id, status, round, attempts, last_status, last_error,
                next_at AS "next_at: jiff_sqlx::Timestamp", created_at AS "created_at: jiff_sqlx::Timestamp",
                delivered_at AS "delivered_at: jiff_sqlx::Timestamp"
            FROM webhook_deliveries
            WHERE org_id = $1 AND webhook_id = $2 AND ($3::uuid IS NULL OR id < $3)
            ORDER BY id DESC LIMIT $4
        "#,
        org.uuid(),
        webhook.uuid(),
        before.map(|before| before.uuid()),
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing deliveries"))?;
    rows.into_iter().map(Delivery::try_from).collect()
}

/// Claims the next attempt, if it is due and not claimed. Returns its number. A concurrent process waits for this row
/// and then finds that the attempt is not due.
pub(crate) async fn claim(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<DeliveryId>,
    round: i32,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<u8>, Error> {
    let number = sqlx::query_scalar!(
        r#"
            UPDATE webhook_deliveries SET attempts = attempts + 1, next_at = $5
            WHERE org_id = $1 AND id = $2 AND status = 'pending' AND round = $3 AND next_at <= $4
            RETURNING attempts
        "#,
        org.uuid(),
        id.uuid(),
        round,
        now.to_sqlx() as _,
        until.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("claiming an attempt"))?;
    Ok(number.map(|number| u8::try_from(number).unwrap_or(u8::MAX)))
}

/// Records that a delivery succeeded, even if another process attempts it again meanwhile.
pub(crate) async fn arrived(
    conn: &mut PgConnection,
    org: OrgId,
    attempt: &Attempt,
    status: u16,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE webhook_deliveries
            SET status = 'delivered', last_status = $4, last_error = NULL, delivered_at = $5
            WHERE org_id = $1 AND id = $2 AND round = $3 AND status = 'pending'
        "#,
        org.uuid(),
        attempt.delivery.uuid(),
        attempt.round,
        i16::try_from(status).ok(),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording an arrival"))
}

/// How an attempt failed, and when the next is due; without a next one the delivery has failed for good.
pub(crate) struct Failure<'a> {
    pub(crate) status: Option<u16>,
    pub(crate) error: &'a str,
    pub(crate) next_at: Option<Timestamp>,
}

/// Records that an attempt failed, and when the next one is due; without a next one the delivery has failed
/// permanently.
pub(crate) async fn failed(
    conn: &mut PgConnection,
    org: OrgId,
    attempt: &Attempt,
    Failure { status, error, next_at }: Failure<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE webhook_deliveries
            SET status = CASE WHEN $7::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
                last_status = $5, last_error = $6, next_at = coalesce($7, next_at)
            WHERE org_id = $1 AND id = $2 AND round = $3 AND attempts = $4 AND status = 'pending'
        "#,
        org.uuid(),
        attempt.delivery.uuid(),
        attempt.round,
        i16::from(attempt.number),
        status.and_then(|status| i16::try_from(status).ok()),
        error,
        next_at.map(|at| at.to_sqlx()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording a failed attempt"))
}

/// Ends a delivery that cannot be attempted.
pub(crate) async fn fail(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<DeliveryId>,
    error: &str,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE webhook_deliveries SET status = 'failed', last_error = $3
            WHERE org_id = $1 AND id = $2 AND status = 'pending'
        "#,
        org.uuid(),
        id.uuid(),
        error,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("ending a delivery"))
}

/// Ends all pending deliveries of a webhook.
pub(crate) async fn give_up(
    conn: &mut PgConnection,
    org: OrgId,
    webhook: WebhookId,
    error: &str,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE webhook_deliveries SET status = 'failed', last_error = $3
            WHERE org_id = $1 AND webhook_id = $2 AND status = 'pending'
        "#,
        org.uuid(),
        webhook.uuid(),
        error,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("cancelling the deliveries of a webhook"))
}

/// Starts the next round of a delivery.
pub(crate) async fn begin_anew(
    conn: &mut PgConnection,
    org: OrgId,
    id: DeliveryId,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE webhook_deliveries
            SET status = 'pending', round = round + 1, attempts = 0, last_status = NULL, last_error = NULL,
                next_at = $3, delivered_at = NULL
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("beginning a delivery anew"))
}

/// Deliveries of all organizations that were due before a time.
pub(crate) async fn overdue(
    conn: &mut PgConnection,
    before: Timestamp,
    most: i32,
) -> Result<Vec<(OrgId, DeliveryId)>, Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM overdue_deliveries($1, $2)"#,
        before.to_sqlx() as _,
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding overdue deliveries"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), DeliveryId::from_uuid(row.id))).collect())
}

/// Deletes deliveries that were created before a time. Returns their number.
pub(crate) async fn purge(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_deliveries($1) AS "gone!""#, before.to_sqlx() as _)
        .fetch_one(conn)
        .await
        .map_err(query("deleting old deliveries"))
}

/// Ends what is not delivered yet; returns how much.
pub(crate) async fn give_up_all(conn: &mut PgConnection, org: OrgId) -> Result<u64, Error> {
    let done = sqlx::query!(
        "UPDATE webhook_deliveries SET status = 'failed', last_error = 'restored; may have been delivered'
         WHERE org_id = $1 AND status = 'pending'",
        org.uuid(),
    )
    .execute(conn)
    .await
    .map_err(query("giving up deliveries"))?;
    Ok(done.rows_affected())
}
