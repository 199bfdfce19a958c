//! Rows of `identities`, and the organizations of a user. Neither belongs to an organization.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{OrgId, Role, UserId};
use platform::db::{self, known, query};
use sqlx::PgConnection;

use crate::{Identity, OrgChoice};

pub(crate) async fn find(conn: &mut PgConnection, identity: &Identity) -> Result<Option<UserId>, db::Error> {
    let found = sqlx::query_scalar!(
        "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2",
        identity.issuer,
        identity.subject
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding an identity"))?;
    Ok(found.map(UserId::from_uuid))
}

pub(crate) async fn find_user(conn: &mut PgConnection, email: &str) -> Result<Option<UserId>, db::Error> {
    let found = sqlx::query_scalar!("SELECT id FROM users WHERE email = $1", email)
        .fetch_optional(conn)
        .await
        .map_err(query("finding a user by their address"))?;
    Ok(found.map(UserId::from_uuid))
}

/// Links an identity to a user. Returns `false` if the user has another identity at the same provider.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    identity: &Identity,
    user: UserId,
    now: Timestamp,
) -> Result<bool, db::Error> {
    let done = sqlx::query!(
        "INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        identity.issuer,
        identity.subject,
        user.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut *conn)
    .await
    .map_err(query("storing an identity"))?;
    if done.rows_affected() == 1 {
        return Ok(true);
    }
    // A concurrent sign-in may have stored the same link.
    Ok(find(conn, identity).await? == Some(user))
}

pub(crate) async fn orgs_of(conn: &mut PgConnection, user: UserId) -> Result<Vec<OrgChoice>, db::Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", slug AS "slug!", name AS "name!", role AS "role!" FROM orgs_of($1)"#,
        user.uuid()
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding the organizations of a user"))?;
    rows.into_iter()
        .map(|row| {
            let role = known(Role::parse(&row.role), "memberships.role")?;
            Ok(OrgChoice { org: OrgId::from_uuid(row.org_id), slug: row.slug, name: row.name, role })
        })
        .collect()
}
