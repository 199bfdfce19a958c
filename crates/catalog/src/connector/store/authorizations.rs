//! Rows of `connector_authorizations`. Encrypted values are returned encrypted.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ConnectorId, OrgId, UserId};
use platform::db::{self, query};
use sqlx::PgConnection;
use uuid::Uuid;

/// An authorization that was started.
#[derive(Debug, Clone)]
pub struct Authorization {
    pub id: Uuid,
    pub connector: ConnectorId,
    /// The encrypted data with which the code is exchanged.
    pub sealed: Vec<u8>,
    pub begun_by: UserId,
    pub expires_at: Timestamp,
}

/// Stores an authorization and deletes earlier ones of the same connector by the same person, who means the new one. Those of
/// others stay: nobody ends what somebody else began.
pub async fn begin(
    conn: &mut PgConnection,
    org: OrgId,
    begun: &Authorization,
    state_sha256: &[u8],
) -> Result<(), db::Error> {
    sqlx::query!(
        "DELETE FROM connector_authorizations WHERE org_id = $1 AND connector_id = $2 AND begun_by = $3",
        org.uuid(),
        begun.connector.uuid(),
        begun.begun_by.uuid(),
    )
    .execute(&mut *conn)
    .await
    .map_err(query("deleting an authorization"))?;
    sqlx::query!(
        r#"
            INSERT INTO connector_authorizations
                (org_id, id, connector_id, state_sha256, sealed, begun_by, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
        "#,
        org.uuid(),
        begun.id,
        begun.connector.uuid(),
        state_sha256,
        begun.sealed,
        begun.begun_by.uuid(),
        begun.expires_at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map_err(query("storing an authorization"))?;
    Ok(())
}

/// The organization and the id of the authorization with this state.
pub async fn whose(conn: &mut PgConnection, state_sha256: &[u8]) -> Result<Option<(OrgId, Uuid)>, db::Error> {
    let row =
        sqlx::query!(r#"SELECT org_id AS "org_id!", id AS "id!" FROM find_authorization($1)"#, state_sha256)
            .fetch_optional(conn)
            .await
            .map_err(query("finding an authorization"))?;
    Ok(row.map(|row| (OrgId::from_uuid(row.org_id), row.id)))
}

/// Deletes an authorization and returns it, so that it can be used only once.
pub async fn take(conn: &mut PgConnection, org: OrgId, id: Uuid) -> Result<Option<Authorization>, db::Error> {
    let row = sqlx::query!(
        r#"
            DELETE FROM connector_authorizations WHERE org_id = $1 AND id = $2
            RETURNING connector_id, sealed, begun_by, expires_at AS "expires_at: jiff_sqlx::Timestamp"
        "#,
        org.uuid(),
        id,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("taking an authorization"))?;
    Ok(row.map(|row| Authorization {
        id,
        connector: ConnectorId::from_uuid(row.connector_id),
        sealed: row.sealed,
        begun_by: UserId::from_uuid(row.begun_by),
        expires_at: row.expires_at.to_jiff(),
    }))
}
