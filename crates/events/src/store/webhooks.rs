//! Rows of `webhooks`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{InOrg, OrgId, UserId, WebhookId};
use platform::db::{Error, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::webhooks::{Sealed, Webhook, WebhookSettings};

/// Adds a webhook.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    webhook: &Webhook,
    sealed: &[u8],
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO webhooks (org_id, id, url, types, filter, sealed, created_by, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        "#,
        org.uuid(),
        webhook.id.uuid(),
        webhook.settings.url,
        &webhook.settings.types,
        webhook.settings.filter.as_ref(),
        sealed,
        webhook.created_by.uuid(),
        webhook.created_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a webhook"))
}

struct WebhookRow {
    id: Uuid,
    url: String,
    types: Vec<String>,
    filter: Option<serde_json::Value>,
    previous_until: Option<jiff_sqlx::Timestamp>,
    enabled: bool,
    failing_since: Option<jiff_sqlx::Timestamp>,
    disabled_reason: Option<String>,
    created_by: Uuid,
    created_at: jiff_sqlx::Timestamp,
}

impl From<WebhookRow> for Webhook {
    fn from(row: WebhookRow) -> Self {
        Self {
            id: WebhookId::from_uuid(row.id),
            settings: WebhookSettings { url: row.url, types: row.types, filter: row.filter },
            enabled: row.enabled,
            failing_since: row.failing_since.map(jiff_sqlx::Timestamp::to_jiff),
            disabled_reason: row.disabled_reason,
            previous_until: row.previous_until.map(jiff_sqlx::Timestamp::to_jiff),
            created_by: UserId::from_uuid(row.created_by),
            created_at: row.created_at.to_jiff(),
        }
    }
}

/// Every webhook of an org, the oldest first.
pub(crate) async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Webhook>, Error> {
    let rows = sqlx::query_as!(
        WebhookRow,
        r#"
            SELECT id, url, types, filter, enabled, disabled_reason, created_by,
                previous_until AS "previous_until: jiff_sqlx::Timestamp",
                failing_since AS "failing_since: jiff_sqlx::Timestamp",
                created_at AS "created_at: jiff_sqlx::Timestamp"
            FROM webhooks WHERE org_id = $1 ORDER BY id
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing webhooks"))?;
    Ok(rows.into_iter().map(Webhook::from).collect())
}

/// One webhook.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: WebhookId,
) -> Result<Option<Webhook>, Error> {
    let row = sqlx::query_as!(
        WebhookRow,
        r#"
            SELECT id, url, types, filter, enabled, disabled_reason, created_by,
                previous_until AS "previous_until: jiff_sqlx::Timestamp",
                failing_since AS "failing_since: jiff_sqlx::Timestamp",
                created_at AS "created_at: jiff_sqlx::Timestamp"
            FROM webhooks WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a webhook"))?;
    Ok(row.map(Webhook::from))
}

/// Updates the settings of a webhook.
pub(crate) async fn update(conn: &mut PgConnection, org: OrgId, webhook: &Webhook) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE webhooks
            SET url = $3, types = $4, filter = $5, enabled = $6, failing_since = $7, disabled_reason = $8
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        webhook.id.uuid(),
        webhook.settings.url,
        &webhook.settings.types,
        webhook.settings.filter.as_ref(),
        webhook.enabled,
        webhook.failing_since.map(|at| at.to_sqlx()) as _,
        webhook.disabled_reason,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("changing a webhook"))
}

/// Deletes a webhook. Returns whether it existed.
pub(crate) async fn delete(conn: &mut PgConnection, org: OrgId, id: WebhookId) -> Result<bool, Error> {
    let removed = sqlx::query!("DELETE FROM webhooks WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid())
        .execute(conn)
        .await
        .map_err(query("removing a webhook"))?;
    Ok(removed.rows_affected() > 0)
}

struct SealedRow {
    sealed: Vec<u8>,
    previous_sealed: Option<Vec<u8>>,
    previous_until: Option<jiff_sqlx::Timestamp>,
}

impl From<SealedRow> for Sealed {
    fn from(row: SealedRow) -> Self {
        let until = row.previous_until.map(jiff_sqlx::Timestamp::to_jiff);
        Self { current: row.sealed, previous: row.previous_sealed.zip(until) }
    }
}

/// The encrypted secrets of a webhook.
pub(crate) async fn find_sealed(
    conn: &mut PgConnection,
    org: OrgId,
    id: WebhookId,
) -> Result<Option<Sealed>, Error> {
    let row = sqlx::query_as!(
        SealedRow,
        r#"
            SELECT sealed, previous_sealed, previous_until AS "previous_until: jiff_sqlx::Timestamp"
            FROM webhooks WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("reading the secrets of a webhook"))?;
    Ok(row.map(Sealed::from))
}

/// Locks a webhook until this transaction ends. Returns whether it exists. A change of a webhook and its deliveries
/// locks the webhook first, to avoid deadlocks.
pub(crate) async fn lock(conn: &mut PgConnection, org: OrgId, id: WebhookId) -> Result<bool, Error> {
    let locked = sqlx::query_scalar!(
        "SELECT id FROM webhooks WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE",
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a webhook"))?;
    Ok(locked.is_some())
}

/// Replaces the secrets of a webhook.
pub(crate) async fn set_sealed(
    conn: &mut PgConnection,
    org: OrgId,
    id: WebhookId,
    sealed: &Sealed,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE webhooks SET sealed = $3, previous_sealed = $4, previous_until = $5
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
        sealed.current,
        sealed.previous.as_ref().map(|(previous, _)| previous.as_slice()),
        sealed.previous.as_ref().map(|(_, until)| until.to_sqlx()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("rotating the secret of a webhook"))
}

/// Records a failure at this time. Returns since when all deliveries have failed.
pub(crate) async fn set_failing(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<WebhookId>,
    at: Timestamp,
) -> Result<Option<Timestamp>, Error> {
    let since = sqlx::query_scalar!(
        r#"
            UPDATE webhooks SET failing_since = coalesce(failing_since, $3)
            WHERE org_id = $1 AND id = $2
            RETURNING failing_since AS "since: jiff_sqlx::Timestamp"
        "#,
        org.uuid(),
        id.uuid(),
        at.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("storing that a webhook fails"))?;
    Ok(since.flatten().map(jiff_sqlx::Timestamp::to_jiff))
}

/// Records a success. Usually nothing changes, and then nothing is written.
pub(crate) async fn end_failing(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<WebhookId>,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE webhooks SET failing_since = NULL WHERE org_id = $1 AND id = $2 AND failing_since IS NOT NULL",
        org.uuid(),
        id.uuid(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing that a webhook works again"))
}

/// Disables a webhook. Returns whether it was enabled.
pub(crate) async fn disable(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<WebhookId>,
    reason: &str,
) -> Result<bool, Error> {
    let disabled = sqlx::query!(
        "UPDATE webhooks SET enabled = false, disabled_reason = $3 WHERE org_id = $1 AND id = $2 AND enabled",
        org.uuid(),
        id.uuid(),
        reason,
    )
    .execute(conn)
    .await
    .map_err(query("disabling a webhook"))?;
    Ok(disabled.rows_affected() > 0)
}
