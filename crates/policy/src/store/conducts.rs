//! Rows of `conducts`.

use changes::Recorded;
use jiff_sqlx::ToSqlx as _;
use model::{Conduct, ConductScope, OrgId, UserId};
use platform::db::{Error, known, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::conduct::SetConduct;

struct Row {
    scope: String,
    subject: String,
    name: String,
    conduct: String,
    reason: String,
    set_by: Option<Uuid>,
    set_at: jiff_sqlx::Timestamp,
}

impl TryFrom<Row> for SetConduct {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            scope: known(ConductScope::parse(&row.scope, &row.subject), "conducts.scope")?,
            name: row.name,
            conduct: known(Conduct::parse(&row.conduct), "conducts.conduct")?,
            reason: row.reason,
            set_by: row.set_by.map(UserId::from_uuid),
            set_at: row.set_at.to_jiff(),
        })
    }
}

pub(crate) async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<SetConduct>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT scope, subject, name, conduct, reason, set_by, set_at AS "set_at: _" FROM conducts
            WHERE org_id = $1 ORDER BY set_at DESC, scope, subject
        "#,
        org.uuid()
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing conducts"))?;
    rows.into_iter().map(SetConduct::try_from).collect()
}

/// The conduct of a scope, locked until the caller's transaction ends.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    scope: &ConductScope,
) -> Result<Option<SetConduct>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"
            SELECT scope, subject, name, conduct, reason, set_by, set_at AS "set_at: _" FROM conducts
            WHERE org_id = $1 AND scope = $2 AND subject = $3 FOR UPDATE
        "#,
        org.uuid(),
        scope.kind(),
        scope.subject(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a conduct"))?;
    row.map(SetConduct::try_from).transpose()
}

/// Sets a conduct; the normal one has no row.
pub(crate) async fn put(recorded: &mut Recorded<'_>, org: OrgId, new: &SetConduct) -> Result<(), Error> {
    if new.conduct == Conduct::Normal {
        return sqlx::query!(
            "DELETE FROM conducts WHERE org_id = $1 AND scope = $2 AND subject = $3",
            org.uuid(),
            new.scope.kind(),
            new.scope.subject(),
        )
        .execute(&mut **recorded)
        .await
        .map(drop)
        .map_err(query("resuming"));
    }
    sqlx::query!(
        r#"
            INSERT INTO conducts (org_id, scope, subject, conduct, reason, set_by, set_at, name)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (org_id, scope, subject) DO UPDATE
                SET conduct = excluded.conduct, reason = excluded.reason, set_by = excluded.set_by,
                    set_at = excluded.set_at
        "#,
        org.uuid(),
        new.scope.kind(),
        new.scope.subject(),
        new.conduct.as_str(),
        new.reason,
        new.set_by.map(|user| user.uuid()),
        new.set_at.to_sqlx() as _,
        new.name,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("stopping"))
}
