//! Rows of `automations` and `automation_versions`.

use changes::Recorded;
use jiff_sqlx::ToSqlx as _;
use model::{AutomationId, AutomationStatus, InOrg, OrgId, SpaceId, UserId};
use platform::db::{Error, known, query};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::automations::{Automation, Version};

struct Row {
    id: Uuid,
    space_id: Uuid,
    name: String,
    status: String,
    version: i32,
    runs: i64,
    created_by: Uuid,
    created_at: jiff_sqlx::Timestamp,
    updated_at: jiff_sqlx::Timestamp,
    definition: Value,
    saved_by: Uuid,
}

impl TryFrom<Row> for Automation {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: AutomationId::from_uuid(row.id),
            space: SpaceId::from_uuid(row.space_id),
            name: row.name,
            status: known(AutomationStatus::parse(&row.status), "automations.status")?,
            version: row.version,
            runs: row.runs,
            created_by: UserId::from_uuid(row.created_by),
            created_at: row.created_at.to_jiff(),
            updated_at: row.updated_at.to_jiff(),
            definition: row.definition,
            saved_by: UserId::from_uuid(row.saved_by),
        })
    }
}

pub(crate) async fn insert(recorded: &mut Recorded<'_>, org: OrgId, new: &Automation) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO automations (org_id, id, space_id, name, created_by, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6)
        "#,
        org.uuid(),
        new.id.uuid(),
        new.space.uuid(),
        new.name,
        new.created_by.uuid(),
        new.created_at.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("adding an automation"))
}

pub(crate) async fn insert_version(
    recorded: &mut Recorded<'_>,
    InOrg { org, id }: InOrg<AutomationId>,
    version: &Version,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO automation_versions (org_id, automation_id, version, definition, saved_by, saved_at)
            VALUES ($1, $2, $3, $4, $5, $6)
        "#,
        org.uuid(),
        id.uuid(),
        version.version,
        version.definition,
        version.saved_by.uuid(),
        version.saved_at.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("adding a version of an automation"))
}

/// These automations, oldest first.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    ids: &[AutomationId],
) -> Result<Vec<Automation>, Error> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT a.id, a.space_id, a.name, a.status, a.version, a.runs, a.created_by, a.created_at, a.updated_at,
                   v.definition, v.saved_by
            FROM automations a
            JOIN automation_versions v ON v.org_id = a.org_id AND v.automation_id = a.id AND v.version = a.version
            WHERE a.org_id = $1 AND a.id = ANY($2) ORDER BY a.id
        "#,
        org.uuid(),
        &ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding automations"))?;
    rows.into_iter().map(Automation::try_from).collect()
}

/// The ids of a page of automations that are not archived.
pub(crate) async fn page(
    conn: &mut PgConnection,
    org: OrgId,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<AutomationId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"
            SELECT id FROM automations
            WHERE org_id = $1 AND status <> 'archived' AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
        "#,
        org.uuid(),
        after,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing automations"))?;
    Ok(ids.into_iter().map(AutomationId::from_uuid).collect())
}

/// Locks an automation's row against changes and starts; waits for the current holder.
pub(crate) async fn lock(conn: &mut PgConnection, org: OrgId, id: AutomationId) -> Result<bool, Error> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM automations WHERE org_id = $1 AND id = $2 FOR UPDATE",
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking an automation"))?;
    Ok(found.is_some())
}

/// Increments the run count of an automation, which locks its row against other starts; returns the new count.
pub(crate) async fn count_run(
    conn: &mut PgConnection,
    org: OrgId,
    id: AutomationId,
) -> Result<Option<i64>, Error> {
    sqlx::query_scalar!(
        "UPDATE automations SET runs = runs + 1 WHERE org_id = $1 AND id = $2 RETURNING runs",
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("counting a run"))
}

pub(crate) async fn update(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    automation: &Automation,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE automations SET name = $3, status = $4, version = $5, updated_at = $6
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        automation.id.uuid(),
        automation.name,
        automation.status.as_str(),
        automation.version,
        automation.updated_at.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("changing an automation"))
}

/// Versions before `before`, newest first.
pub(crate) async fn versions(
    conn: &mut PgConnection,
    InOrg { org, id }: InOrg<AutomationId>,
    before: Option<i32>,
    limit: i64,
) -> Result<Vec<Version>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT version, definition, saved_by, saved_at FROM automation_versions
            WHERE org_id = $1 AND automation_id = $2 AND ($3::integer IS NULL OR version < $3)
            ORDER BY version DESC LIMIT $4
        "#,
        org.uuid(),
        id.uuid(),
        before,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing versions of an automation"))?;
    let versions = rows.into_iter().map(|row| Version {
        version: row.version,
        definition: row.definition,
        saved_by: UserId::from_uuid(row.saved_by),
        saved_at: row.saved_at.to_jiff(),
    });
    Ok(versions.collect())
}
