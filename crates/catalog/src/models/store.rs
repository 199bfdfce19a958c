//! Rows of `model_providers`.

use changes::Recorded;
use jiff_sqlx::ToSqlx as _;
use model::{ActionName, ModelProviderId, OrgId, UserId};
use platform::db::{self, known, query};
use sqlx::{PgConnection, types::Json};
use url::Url;
use uuid::Uuid;

use super::{Model, Probed, Provider, Quirks, Wire};
use crate::{connector::Auth, limits::models::MOST_PROVIDERS};

struct ProviderRow {
    id: Uuid,
    slug: String,
    wire: String,
    base_url: String,
    auth: String,
    auth_header: Option<String>,
    auth_secret: Option<String>,
    models: Json<Vec<Model>>,
    quirks: Json<Quirks>,
    may_see_private: bool,
    is_free: bool,
    enabled: bool,
    probed: Option<Json<Probed>>,
    created_by: Uuid,
    created_at: jiff_sqlx::Timestamp,
}

impl TryFrom<ProviderRow> for Provider {
    type Error = db::Error;

    fn try_from(row: ProviderRow) -> Result<Self, db::Error> {
        let auth = Auth::parse(&row.auth, row.auth_header, row.auth_secret);
        Ok(Self {
            id: ModelProviderId::from_uuid(row.id),
            slug: known(row.slug.parse::<ActionName>().ok(), "model_providers.slug")?,
            wire: known(Wire::parse(&row.wire), "model_providers.wire")?,
            base_url: known(Url::parse(&row.base_url).ok(), "model_providers.base_url")?,
            auth: known(auth.ok(), "model_providers.auth")?,
            models: row.models.0,
            quirks: row.quirks.0,
            may_see_private: row.may_see_private,
            is_free: row.is_free,
            enabled: row.enabled,
            probed: row.probed.map(|probed| probed.0),
            created_by: UserId::from_uuid(row.created_by),
            created_at: row.created_at.to_jiff(),
        })
    }
}

/// All providers of an org; there are few.
pub async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Provider>, db::Error> {
    let rows = sqlx::query_as!(
        ProviderRow,
        r#"
            SELECT id, slug, wire, base_url, auth, auth_header, auth_secret, models AS "models: _", quirks AS "quirks: _",
                   may_see_private, is_free, enabled, probed AS "probed: _", created_by, created_at AS "created_at: _"
            FROM model_providers WHERE org_id = $1 ORDER BY slug
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing model providers"))?;
    rows.into_iter().map(Provider::try_from).collect()
}

/// A provider, locked until the transaction ends.
pub async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    slug: &ActionName,
) -> Result<Option<Provider>, db::Error> {
    let row = sqlx::query_as!(
        ProviderRow,
        r#"
            SELECT id, slug, wire, base_url, auth, auth_header, auth_secret, models AS "models: _", quirks AS "quirks: _",
                   may_see_private, is_free, enabled, probed AS "probed: _", created_by, created_at AS "created_at: _"
            FROM model_providers WHERE org_id = $1 AND slug = $2 FOR UPDATE
        "#,
        org.uuid(),
        slug.as_str(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a model provider"))?;
    row.map(Provider::try_from).transpose()
}

/// Saves a provider; returns whether there was room for it.
pub async fn put(recorded: &mut Recorded<'_>, org: OrgId, new: &Provider) -> Result<bool, db::Error> {
    let done = sqlx::query!(
        r#"
            INSERT INTO model_providers (
                org_id, id, slug, wire, base_url, auth, auth_header, auth_secret, models, quirks, may_see_private,
                is_free, enabled, created_by, created_at
            )
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15
            WHERE EXISTS (SELECT FROM model_providers WHERE org_id = $1 AND id = $2)
               OR (SELECT count(*) FROM model_providers WHERE org_id = $1) < $16
            ON CONFLICT (org_id, id) DO UPDATE
            SET wire = $4, base_url = $5, auth = $6, auth_header = $7, auth_secret = $8, models = $9, quirks = $10,
                may_see_private = $11, is_free = $12, enabled = $13
        "#,
        org.uuid(),
        new.id.uuid(),
        new.slug.as_str(),
        new.wire.as_str(),
        new.base_url.as_str(),
        new.auth.as_str(),
        new.auth.header(),
        new.auth.secret(),
        Json(&new.models) as _,
        Json(&new.quirks) as _,
        new.may_see_private,
        new.is_free,
        new.enabled,
        new.created_by.uuid(),
        new.created_at.to_sqlx() as _,
        MOST_PROVIDERS,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("saving a model provider"))?;
    Ok(done.rows_affected() == 1)
}

/// Stores what a server could do. It is not authority: the quirks only say in which words it is asked.
pub async fn set_probed(
    conn: &mut PgConnection,
    org: OrgId,
    provider: ModelProviderId,
    (probed, quirks): (&Probed, &Quirks),
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE model_providers SET probed = $3, quirks = $4 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        provider.uuid(),
        Json(probed) as _,
        Json(quirks) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing what a model provider can do"))
}

/// Removes a provider; returns whether it existed.
pub async fn delete(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    provider: ModelProviderId,
) -> Result<bool, db::Error> {
    let done = sqlx::query!(
        "DELETE FROM model_providers WHERE org_id = $1 AND id = $2",
        org.uuid(),
        provider.uuid()
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("removing a model provider"))?;
    Ok(done.rows_affected() == 1)
}
