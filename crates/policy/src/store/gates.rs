//! Rows of `org_gates`.

use changes::Recorded;
use jiff_sqlx::ToSqlx as _;
use model::{OrgId, UserId};
use platform::db::{Error, query};
use sqlx::{PgConnection, types::Json};

use crate::gates::{GateSettings, StoredGates};

/// The gate settings of an org; the empty ones before they are set.
pub(crate) async fn read(conn: &mut PgConnection, org: OrgId) -> Result<StoredGates, Error> {
    let row = sqlx::query!(
        r#"
            SELECT document, version, set_by, updated_at AS "updated_at: jiff_sqlx::Timestamp"
            FROM org_gates WHERE org_id = $1
        "#,
        org.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("reading the gate settings of an org"))?;
    let Some(row) = row else {
        let settings = GateSettings::default();
        return Ok(StoredGates { settings, version: 0, set_by: None, updated_at: None });
    };
    // Settings that cannot be read must not be taken for none: that would let through what they stop.
    let settings = serde_json::from_value(row.document)
        .map_err(|_| Error::Inconsistent { column: "org_gates.document" })?;
    Ok(StoredGates {
        settings,
        version: row.version,
        set_by: Some(UserId::from_uuid(row.set_by)),
        updated_at: Some(row.updated_at.to_jiff()),
    })
}

pub(crate) async fn upsert(recorded: &mut Recorded<'_>, org: OrgId, new: &StoredGates) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO org_gates (org_id, document, version, set_by, updated_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (org_id) DO UPDATE
                SET document = excluded.document, version = excluded.version, set_by = excluded.set_by,
                    updated_at = excluded.updated_at
        "#,
        org.uuid(),
        Json(&new.settings) as _,
        new.version,
        new.set_by.map(UserId::uuid),
        new.updated_at.map(|at| at.to_sqlx()) as _,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("setting the gate settings of an org"))
}
