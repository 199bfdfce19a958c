//! Rows of `policy_cases`.

use jiff_sqlx::ToSqlx as _;
use model::OrgId;
use platform::db::{Error, query};
use sqlx::{PgConnection, types::Json};

use crate::{Case, policies::StoredCase};

pub(crate) async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<StoredCase>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT definition AS "definition: Json<Case>", updated_at AS "updated_at: jiff_sqlx::Timestamp"
            FROM policy_cases WHERE org_id = $1 ORDER BY name
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing cases of policies"))?;
    let stored = |case, at: jiff_sqlx::Timestamp| StoredCase { case, updated_at: at.to_jiff() };
    Ok(rows.into_iter().map(|row| stored(row.definition.0, row.updated_at)).collect())
}

pub(crate) async fn upsert(conn: &mut PgConnection, org: OrgId, new: &StoredCase) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO policy_cases (org_id, name, definition, updated_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (org_id, name) DO UPDATE SET definition = excluded.definition, updated_at = excluded.updated_at
        "#,
        org.uuid(),
        new.case.name,
        Json(&new.case) as _,
        new.updated_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("setting a case of policies"))
}

pub(crate) async fn delete(conn: &mut PgConnection, org: OrgId, name: &str) -> Result<bool, Error> {
    let done = sqlx::query!("DELETE FROM policy_cases WHERE org_id = $1 AND name = $2", org.uuid(), name)
        .execute(conn)
        .await
        .map_err(query("deleting a case of policies"))?;
    Ok(done.rows_affected() == 1)
}
