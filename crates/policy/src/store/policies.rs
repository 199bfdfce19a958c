//! Rows of `policies`.

use changes::Recorded;
use jiff_sqlx::ToSqlx as _;
use model::{OrgId, PolicyId, UserId};
use platform::db::{Error, query};
use sqlx::PgConnection;

use crate::{cedar::Statement, policies::StoredPolicy};

/// The policies of an org, by name.
pub(crate) async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<StoredPolicy>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id, text, version, set_by, updated_at AS "updated_at: jiff_sqlx::Timestamp",
                   observing_since AS "observing_since: jiff_sqlx::Timestamp"
            FROM policies WHERE org_id = $1 ORDER BY name
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing policies"))?;
    let stored = rows.into_iter().map(|row| {
        // One that cannot be read must not be taken for none: that would allow what it forbids.
        let statement =
            Statement::parse(&row.text).map_err(|_| Error::Inconsistent { column: "policies.text" })?;
        Ok(StoredPolicy {
            id: PolicyId::from_uuid(row.id),
            statement,
            version: row.version,
            observing_since: row.observing_since.map(|at| at.to_jiff()),
            set_by: UserId::from_uuid(row.set_by),
            updated_at: row.updated_at.to_jiff(),
        })
    });
    stored.collect()
}

/// The organization's time zone.
pub(crate) async fn time_zone(conn: &mut PgConnection, org: OrgId) -> Result<String, Error> {
    sqlx::query_scalar!("SELECT time_zone FROM orgs WHERE id = $1", org.uuid())
        .fetch_one(conn)
        .await
        .map_err(query("reading the time zone of an org"))
}

/// Locks the policies of an org until the caller's transaction ends, so that two changes see each other.
pub(crate) async fn lock_all(conn: &mut PgConnection, org: OrgId) -> Result<(), Error> {
    sqlx::query_scalar!("SELECT id FROM orgs WHERE id = $1 FOR NO KEY UPDATE", org.uuid())
        .fetch_one(conn)
        .await
        .map(drop)
        .map_err(query("locking the policies of an org"))
}

pub(crate) async fn upsert(recorded: &mut Recorded<'_>, org: OrgId, new: &StoredPolicy) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO policies (org_id, id, name, text, state, version, observing_since, set_by, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
            ON CONFLICT ON CONSTRAINT policies_name_key DO UPDATE
                SET text = excluded.text, state = excluded.state, version = excluded.version,
                    observing_since = excluded.observing_since, set_by = excluded.set_by, updated_at = excluded.updated_at
        "#,
        org.uuid(),
        new.id.uuid(),
        new.statement.name,
        new.statement.text,
        new.state(),
        new.version,
        new.observing_since.map(|at| at.to_sqlx()) as _,
        new.set_by.uuid(),
        new.updated_at.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("setting a policy"))
}

pub(crate) async fn delete(recorded: &mut Recorded<'_>, org: OrgId, id: PolicyId) -> Result<(), Error> {
    sqlx::query!("DELETE FROM policies WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid())
        .execute(&mut **recorded)
        .await
        .map(drop)
        .map_err(query("deleting a policy"))
}
