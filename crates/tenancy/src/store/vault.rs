//! Rows of `secrets` and `connections`. Values stay encrypted in this module.

use std::collections::HashMap;

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Actor, ConnectionId, OrgId, SecretId, SourceSlug, UserId};
use platform::db::{self, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Error, Page,
    vault::{ConnectionInfo, Keeper, SealedCredential, SecretInfo},
};

/// Finds or creates the row of this name and locks it; [`fill_secret`] sets its value.
pub(crate) async fn reserve_secret(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    name: &str,
    fresh: SecretId,
    now: Timestamp,
) -> Result<SecretId, Error> {
    let id = sqlx::query_scalar!(
        r#"
            INSERT INTO secrets (org_id, id, name, sealed, version, set_by, created_at, updated_at)
            VALUES ($1, $2, $3, '', 0, $4, $5, $5)
            ON CONFLICT (org_id, name) DO UPDATE SET updated_at = secrets.updated_at
            RETURNING id
        "#,
        org.uuid(),
        fresh.uuid(),
        name,
        user.uuid(),
        now.to_sqlx(),
    )
    .fetch_one(&mut **recorded)
    .await
    .map_err(query("reserving a secret"))
    .map_err(|error| {
        let rule = "a secret's name starts with a letter and has letters, digits, `_`, `.` and `-`";
        Error::named(error, &[("secrets_name_shape", Error::Invalid(rule))])
    })?;
    Ok(SecretId::from_uuid(id))
}

pub(crate) async fn fill_secret(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    id: SecretId,
    sealed: &[u8],
    now: Timestamp,
) -> Result<SecretInfo, db::Error> {
    let row = sqlx::query!(
        r#"
            UPDATE secrets SET sealed = $3, version = version + 1, set_by = $4, updated_at = $5
            WHERE org_id = $1 AND id = $2 RETURNING name, version
        "#,
        org.uuid(),
        id.uuid(),
        sealed,
        user.uuid(),
        now.to_sqlx(),
    )
    .fetch_one(&mut **recorded)
    .await
    .map_err(query("storing a secret"))?;
    let (name, version) = (row.name, row.version);
    Ok(SecretInfo { id, name, version, set_by: user, updated_at: now, audience: vec![] })
}

pub(crate) async fn find_secrets(
    conn: &mut PgConnection,
    org: OrgId,
    names: &[String],
) -> Result<HashMap<String, SealedCredential>, db::Error> {
    let rows = sqlx::query!(
        "SELECT name, id, version, sealed FROM secrets WHERE org_id = $1 AND name = ANY($2)",
        org.uuid(),
        names,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding secrets"))?;
    let kept = rows.into_iter().map(|row| {
        let keeper = Keeper::Secret(SecretId::from_uuid(row.id));
        (row.name, SealedCredential { keeper, version: row.version, sealed: row.sealed })
    });
    Ok(kept.collect())
}

/// Finds a secret and locks its row.
pub(crate) async fn lock_secret(
    conn: &mut PgConnection,
    org: OrgId,
    name: &str,
) -> Result<Option<SealedCredential>, db::Error> {
    let row = sqlx::query!(
        "SELECT id, version, sealed FROM secrets WHERE org_id = $1 AND name = $2 FOR UPDATE",
        org.uuid(),
        name,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a secret"))?;
    Ok(row.map(|row| SealedCredential {
        keeper: Keeper::Secret(SecretId::from_uuid(row.id)),
        version: row.version,
        sealed: row.sealed,
    }))
}

/// Replaces the value of the same credential.
pub(crate) async fn replace_sealed(
    conn: &mut PgConnection,
    org: OrgId,
    id: SecretId,
    sealed: &[u8],
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE secrets SET sealed = $3 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        sealed
    )
    .execute(conn)
    .await
    .map_err(query("renewing a secret"))?;
    Ok(())
}

pub(crate) async fn list_secrets(
    conn: &mut PgConnection,
    org: OrgId,
    page: Page,
) -> Result<Vec<SecretInfo>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id, name, version, set_by, updated_at FROM secrets
            WHERE org_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
        "#,
        org.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing secrets"))?;
    Ok(rows
        .into_iter()
        .map(|row| SecretInfo {
            id: SecretId::from_uuid(row.id),
            name: row.name,
            version: row.version,
            set_by: UserId::from_uuid(row.set_by),
            updated_at: row.updated_at.to_jiff(),
            audience: vec![],
        })
        .collect())
}

pub(crate) async fn delete_secret(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    name: &str,
) -> Result<bool, db::Error> {
    let done = sqlx::query!("DELETE FROM secrets WHERE org_id = $1 AND name = $2", org.uuid(), name)
        .execute(&mut **recorded)
        .await
        .map_err(query("deleting a secret"))?;
    Ok(done.rows_affected() == 1)
}

/// A connection to create, unless its source has one.
pub(crate) struct NewConnection<'a> {
    pub(crate) id: ConnectionId,
    pub(crate) provider: &'a SourceSlug,
    pub(crate) name: &'a str,
}

/// As [`reserve_secret`], for a source's connection.
pub(crate) async fn reserve_connection(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    new: &NewConnection<'_>,
    now: Timestamp,
) -> Result<ConnectionId, db::Error> {
    let id = sqlx::query_scalar!(
        r#"
            INSERT INTO connections (org_id, id, provider, name, sealed, version, set_by, created_at, updated_at)
            VALUES ($1, $2, $3, $4, '', 0, $5, $6, $6)
            ON CONFLICT (org_id, provider) DO UPDATE SET updated_at = connections.updated_at
            RETURNING id
        "#,
        org.uuid(),
        new.id.uuid(),
        new.provider.as_str(),
        new.name,
        user.uuid(),
        now.to_sqlx(),
    )
    .fetch_one(&mut **recorded)
    .await
    .map_err(query("reserving a connection"))?;
    Ok(ConnectionId::from_uuid(id))
}

/// The values of a reserved connection.
pub(crate) struct Filling<'a> {
    pub(crate) id: ConnectionId,
    pub(crate) name: &'a str,
    pub(crate) sealed: &'a [u8],
}

pub(crate) async fn fill_connection(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    Filling { id, name, sealed }: Filling<'_>,
    now: Timestamp,
) -> Result<ConnectionInfo, db::Error> {
    let row = sqlx::query!(
        r#"
            UPDATE connections SET sealed = $3, version = version + 1, set_by = $4, updated_at = $5, name = $6
            WHERE org_id = $1 AND id = $2 RETURNING provider, version
        "#,
        org.uuid(),
        id.uuid(),
        sealed,
        user.uuid(),
        now.to_sqlx(),
        name,
    )
    .fetch_one(&mut **recorded)
    .await
    .map_err(query("storing a connection"))?;
    let name = name.to_owned();
    Ok(ConnectionInfo {
        id,
        provider: row.provider,
        name,
        version: row.version,
        set_by: user,
        updated_at: now,
    })
}

pub(crate) async fn find_connection(
    conn: &mut PgConnection,
    org: OrgId,
    provider: &SourceSlug,
) -> Result<Option<SealedCredential>, db::Error> {
    let row = sqlx::query!(
        "SELECT id, version, sealed FROM connections WHERE org_id = $1 AND provider = $2",
        org.uuid(),
        provider.as_str(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a connection"))?;
    Ok(row.map(|row| SealedCredential {
        keeper: Keeper::Connection(ConnectionId::from_uuid(row.id)),
        version: row.version,
        sealed: row.sealed,
    }))
}

/// Finds a connection and locks its row.
pub(crate) async fn lock_connection(
    conn: &mut PgConnection,
    org: OrgId,
    provider: &SourceSlug,
) -> Result<Option<SealedCredential>, db::Error> {
    let row = sqlx::query!(
        "SELECT id, version, sealed FROM connections WHERE org_id = $1 AND provider = $2 FOR UPDATE",
        org.uuid(),
        provider.as_str(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a connection"))?;
    Ok(row.map(|row| SealedCredential {
        keeper: Keeper::Connection(ConnectionId::from_uuid(row.id)),
        version: row.version,
        sealed: row.sealed,
    }))
}

pub(crate) async fn list_connected(
    conn: &mut PgConnection,
    org: OrgId,
) -> Result<Vec<(String, SealedCredential)>, db::Error> {
    let rows =
        sqlx::query!("SELECT provider, id, version, sealed FROM connections WHERE org_id = $1", org.uuid())
            .fetch_all(conn)
            .await
            .map_err(query("listing connected sources"))?;
    let kept = rows.into_iter().map(|row| {
        let keeper = Keeper::Connection(ConnectionId::from_uuid(row.id));
        (row.provider, SealedCredential { keeper, version: row.version, sealed: row.sealed })
    });
    Ok(kept.collect())
}

pub(crate) async fn list_connections(
    conn: &mut PgConnection,
    org: OrgId,
    page: Page,
) -> Result<Vec<ConnectionInfo>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id, provider, name, version, set_by, updated_at FROM connections
            WHERE org_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
        "#,
        org.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing connections"))?;
    Ok(rows
        .into_iter()
        .map(|row| ConnectionInfo {
            id: ConnectionId::from_uuid(row.id),
            provider: row.provider,
            name: row.name,
            version: row.version,
            set_by: UserId::from_uuid(row.set_by),
            updated_at: row.updated_at.to_jiff(),
        })
        .collect())
}

pub(crate) async fn delete_connection(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    provider: &SourceSlug,
) -> Result<bool, db::Error> {
    let done = sqlx::query!(
        "DELETE FROM connections WHERE org_id = $1 AND provider = $2",
        org.uuid(),
        provider.as_str(),
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("deleting a connection"))?;
    Ok(done.rows_affected() == 1)
}

/// The names of connections and secrets.
pub(crate) async fn credential_names(
    conn: &mut PgConnection,
    org: OrgId,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, String>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id AS "id!", name AS "name!" FROM connections WHERE org_id = $1 AND id = ANY($2)
            UNION ALL
            SELECT id, 'secret ' || name FROM secrets WHERE org_id = $1 AND id = ANY($2)
        "#,
        org.uuid(),
        ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("naming credentials"))?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}
