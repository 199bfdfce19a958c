//! Rows of `triggers`.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{AutomationId, InOrg, OrgId, TriggerId, TriggerType, UserId};
use platform::{
    db::{Error, known, query},
    token::Hash,
};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::triggers::TriggerRow;

struct Row {
    id: Uuid,
    automation_id: Uuid,
    ordinal: i16,
    r#type: String,
    config: Value,
    enabled: bool,
    has_token: bool,
    token_by: Option<Uuid>,
    sealed: Option<Vec<u8>>,
    next_at: Option<jiff_sqlx::Timestamp>,
    last_fired_at: Option<jiff_sqlx::Timestamp>,
    created_at: jiff_sqlx::Timestamp,
}

impl TryFrom<Row> for TriggerRow {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: TriggerId::from_uuid(row.id),
            automation: AutomationId::from_uuid(row.automation_id),
            ordinal: row.ordinal,
            trigger_type: known(TriggerType::parse(&row.r#type), "triggers.type")?,
            config: row.config,
            enabled: row.enabled,
            has_token: row.has_token,
            token_by: row.token_by.map(UserId::from_uuid),
            sealed: row.sealed,
            next_at: row.next_at.map(|at| at.to_jiff()),
            last_fired_at: row.last_fired_at.map(|at| at.to_jiff()),
            created_at: row.created_at.to_jiff(),
        })
    }
}

/// Selects triggers.
pub(crate) enum Which<'a> {
    /// The triggers of these automations.
    Of(&'a [AutomationId]),
    One(TriggerId),
    /// The event triggers.
    Events,
    /// The schedules.
    Schedules,
}

/// Finds the ids of triggers first, then their rows. Each selection has its own statement: PostgreSQL would plan a
/// common one once for all of them, and a search for one trigger would scan all event triggers.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    which: Which<'_>,
) -> Result<Vec<TriggerRow>, Error> {
    let ids = match which {
        Which::One(id) => vec![id.uuid()],
        Which::Of(automations) => of(conn, org, automations).await?,
        Which::Events => on_events(conn, org).await?,
        Which::Schedules => schedules(conn, org).await?,
    };
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT id, automation_id, ordinal, type, config, enabled, token_sha256 IS NOT NULL AS "has_token!", token_by,
                   sealed, next_at, last_fired_at, created_at
            FROM triggers WHERE org_id = $1 AND id = ANY($2) ORDER BY automation_id, ordinal
        "#,
        org.uuid(),
        &ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding triggers"))?;
    rows.into_iter().map(TriggerRow::try_from).collect()
}

async fn of(conn: &mut PgConnection, org: OrgId, automations: &[AutomationId]) -> Result<Vec<Uuid>, Error> {
    let automations: Vec<Uuid> = automations.iter().map(|id| id.uuid()).collect();
    sqlx::query_scalar!(
        "SELECT id FROM triggers WHERE org_id = $1 AND automation_id = ANY($2)",
        org.uuid(),
        &automations,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding the triggers of automations"))
}

async fn on_events(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Uuid>, Error> {
    sqlx::query_scalar!(
        "SELECT id FROM triggers WHERE org_id = $1 AND type = 'event' AND enabled",
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding event triggers"))
}

async fn schedules(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Uuid>, Error> {
    sqlx::query_scalar!("SELECT id FROM triggers WHERE org_id = $1 AND next_at IS NOT NULL", org.uuid())
        .fetch_all(conn)
        .await
        .map_err(query("finding schedules"))
}

/// Inserts a trigger, or updates the one with the same id; its token and its last fire stay.
pub(crate) async fn put(recorded: &mut Recorded<'_>, org: OrgId, trigger: &TriggerRow) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO triggers (org_id, id, automation_id, ordinal, type, config, enabled, next_at, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (org_id, id) DO UPDATE
                SET ordinal = excluded.ordinal, config = excluded.config, enabled = excluded.enabled,
                    next_at = excluded.next_at
        "#,
        org.uuid(),
        trigger.id.uuid(),
        trigger.automation.uuid(),
        trigger.ordinal,
        trigger.trigger_type.as_str(),
        trigger.config,
        trigger.enabled,
        trigger.next_at.map(|at| at.to_sqlx()) as _,
        trigger.created_at.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("setting a trigger"))
}

pub(crate) async fn delete(recorded: &mut Recorded<'_>, org: OrgId, id: TriggerId) -> Result<(), Error> {
    sqlx::query!("DELETE FROM triggers WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid())
        .execute(&mut **recorded)
        .await
        .map(drop)
        .map_err(query("removing a trigger"))
}

/// Sets or removes the token and the key of a webhook; returns whether the webhook exists.
pub(crate) async fn set_token(
    recorded: &mut Recorded<'_>,
    InOrg { org, id }: InOrg<TriggerId>,
    (hash, by): (Option<&Hash>, Option<UserId>),
    sealed: Option<&[u8]>,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE triggers SET token_sha256 = $3, sealed = $4, token_by = $5
            WHERE org_id = $1 AND id = $2 AND type = 'webhook'
        "#,
        org.uuid(),
        id.uuid(),
        hash.map(|hash| hash.as_bytes().as_slice()),
        sealed,
        by.map(|user| user.uuid()),
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("setting the token of a trigger"))?;
    Ok(done.rows_affected() == 1)
}

/// Advances a schedule from the time it was due; of any number of concurrent calls, one succeeds.
pub(crate) async fn advance(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<TriggerId>,
    due: Timestamp,
    next: Timestamp,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "UPDATE triggers SET next_at = $4 WHERE org_id = $1 AND id = $2 AND next_at = $3 AND enabled",
        org.uuid(),
        id.uuid(),
        due.to_sqlx() as _,
        next.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("moving a schedule on"))?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn note_fired(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<TriggerId>,
    at: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE triggers SET last_fired_at = $3 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing that a trigger fired"))
}

/// The webhooks that have a token.
pub(crate) async fn with_token(conn: &mut PgConnection, org: OrgId) -> Result<Vec<TriggerId>, Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM triggers WHERE org_id = $1 AND token_sha256 IS NOT NULL",
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding webhooks with a token"))?;
    Ok(ids.into_iter().map(TriggerId::from_uuid).collect())
}

/// The trigger that a token belongs to.
pub(crate) async fn find_token(
    conn: &mut PgConnection,
    hash: &Hash,
) -> Result<Option<(OrgId, TriggerId)>, Error> {
    let row = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM find_hook_token($1)"#,
        hash.as_bytes().as_slice(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding whose a token is"))?;
    Ok(row.map(|row| (OrgId::from_uuid(row.org_id), TriggerId::from_uuid(row.id))))
}

/// Schedules of any org that were due before `before`.
pub(crate) async fn overdue(
    conn: &mut PgConnection,
    before: Timestamp,
    most: i32,
) -> Result<Vec<(OrgId, TriggerId)>, Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM overdue_triggers($1, $2)"#,
        before.to_sqlx(),
        most,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding overdue schedules"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), TriggerId::from_uuid(row.id))).collect())
}

/// The version of an org's event triggers.
pub(crate) async fn version(conn: &mut PgConnection, org: OrgId) -> Result<i64, Error> {
    sqlx::query_scalar!("SELECT triggers_version FROM orgs WHERE id = $1", org.uuid())
        .fetch_one(conn)
        .await
        .map_err(query("reading the version of an org's triggers"))
}
