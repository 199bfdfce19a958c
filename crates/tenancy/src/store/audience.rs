//! Rows of `secret_audiences`.

use std::collections::HashMap;

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Actor, OrgId, SecretId, UserId};
use platform::db::{Error, column, query};
use sqlx::PgConnection;

use crate::{
    audience::{AllowedUse, SecretAt, SecretUse},
    vault::{Keeper, SealedCredential},
};

/// A secret, and who set it.
pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    name: &str,
) -> Result<Option<(SecretId, UserId)>, Error> {
    let row =
        sqlx::query!("SELECT id, set_by FROM secrets WHERE org_id = $1 AND name = $2", org.uuid(), name)
            .fetch_optional(conn)
            .await
            .map_err(query("finding who set a secret"))?;
    Ok(row.map(|row| (SecretId::from_uuid(row.id), UserId::from_uuid(row.set_by))))
}

pub(crate) async fn is_allowed(
    conn: &mut PgConnection,
    org: OrgId,
    secret: SecretId,
    wanted: &SecretUse,
) -> Result<bool, Error> {
    sqlx::query_scalar!(
        r#"
            SELECT EXISTS (
                SELECT 1 FROM secret_audiences
                WHERE org_id = $1 AND secret_id = $2 AND source = $3 AND origin = $4
            ) AS "is_allowed!"
        "#,
        org.uuid(),
        secret.uuid(),
        wanted.source,
        wanted.origin,
    )
    .fetch_one(conn)
    .await
    .map_err(query("reading the audience of a secret"))
}

pub(crate) async fn insert(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    secret: SecretId,
    wanted: &SecretUse,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO secret_audiences (org_id, secret_id, source, origin, allowed_by, allowed_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
        "#,
        org.uuid(),
        secret.uuid(),
        wanted.source,
        wanted.origin,
        user.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("widening the audience of a secret"))
}

pub(crate) async fn delete(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    name: &str,
    source: &str,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            DELETE FROM secret_audiences a USING secrets s
            WHERE a.org_id = $1 AND s.org_id = $1 AND a.secret_id = s.id AND s.name = $2 AND a.source = $3
        "#,
        org.uuid(),
        name,
        source,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("narrowing the audience of a secret"))?;
    Ok(done.rows_affected() > 0)
}

/// The encrypted secrets for uses that are allowed, by source.
pub(crate) async fn sealed(
    conn: &mut PgConnection,
    org: OrgId,
    uses: &[SecretUse],
) -> Result<HashMap<String, SealedCredential>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT w.source AS "source!", s.id, s.version, s.sealed
            FROM unnest($2::text[], $3::text[], $4::text[]) AS w (name, source, origin)
            JOIN secrets s ON s.org_id = $1 AND s.name = w.name
            JOIN secret_audiences a
                ON a.org_id = $1 AND a.secret_id = s.id AND a.source = w.source AND a.origin = w.origin
        "#,
        org.uuid(),
        &column(uses.iter(), |wanted| wanted.secret.as_str()) as _,
        &column(uses.iter(), |wanted| wanted.source.as_str()) as _,
        &column(uses.iter(), |wanted| wanted.origin.as_str()) as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding secrets for their uses"))?;
    let kept = rows.into_iter().map(|row| {
        let keeper = Keeper::Secret(SecretId::from_uuid(row.id));
        (row.source, SealedCredential { keeper, version: row.version, sealed: row.sealed })
    });
    Ok(kept.collect())
}

/// The encrypted secrets that these sources may send to these origins.
pub(crate) async fn sealed_at(
    conn: &mut PgConnection,
    org: OrgId,
    places: &[(String, String)],
) -> Result<Vec<SecretAt>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT a.source, s.name, s.id, s.version, s.sealed
            FROM unnest($2::text[], $3::text[]) AS w (source, origin)
            JOIN secret_audiences a ON a.org_id = $1 AND a.source = w.source AND a.origin = w.origin
            JOIN secrets s ON s.org_id = $1 AND s.id = a.secret_id
        "#,
        org.uuid(),
        &column(places.iter(), |(source, _)| source.as_str()) as _,
        &column(places.iter(), |(_, origin)| origin.as_str()) as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding the secrets that sources may send"))?;
    let found = rows.into_iter().map(|row| {
        let keeper = Keeper::Secret(SecretId::from_uuid(row.id));
        let sealed = SealedCredential { keeper, version: row.version, sealed: row.sealed };
        SecretAt { source: row.source, name: row.name, sealed }
    });
    Ok(found.collect())
}

/// The allowed uses of secrets.
pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    secrets: &[SecretId],
) -> Result<HashMap<SecretId, Vec<AllowedUse>>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT secret_id, source, origin, allowed_by FROM secret_audiences
            WHERE org_id = $1 AND secret_id = ANY($2) ORDER BY secret_id, source, origin
        "#,
        org.uuid(),
        &column(secrets.iter(), |secret| secret.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the audiences of secrets"))?;
    let mut all: HashMap<SecretId, Vec<AllowedUse>> = HashMap::new();
    for row in rows {
        all.entry(SecretId::from_uuid(row.secret_id)).or_default().push(AllowedUse {
            source: row.source,
            origin: row.origin,
            allowed_by: row.allowed_by.map(UserId::from_uuid),
        });
    }
    Ok(all)
}
