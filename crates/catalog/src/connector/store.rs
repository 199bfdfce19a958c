//! Rows of `connectors` and `connector_tools`.

pub mod authorizations;

use std::collections::HashMap;

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ConnectorId, EffectClass, InOrg, OrgId, Risk, SourceSlug, UserId};
use platform::db::{self, known, query};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Auth, Connector, Error, Kind, MOST_CONNECTORS, Review, Reviewed, Tool};

struct ConnectorRow {
    id: Uuid,
    slug: String,
    kind: String,
    place: String,
    base_url: Option<String>,
    auth: String,
    auth_header: Option<String>,
    auth_secret: Option<String>,
    enabled: bool,
    server: Option<String>,
    last_harvested_at: Option<jiff_sqlx::Timestamp>,
    last_error: Option<String>,
    created_by: Uuid,
    created_at: jiff_sqlx::Timestamp,
}

impl TryFrom<ConnectorRow> for Connector {
    type Error = db::Error;

    fn try_from(row: ConnectorRow) -> Result<Self, db::Error> {
        let kind = Kind::parse(&row.kind, &row.place, row.base_url.as_deref()).ok();
        Ok(Self {
            id: ConnectorId::from_uuid(row.id),
            slug: known(row.slug.parse::<SourceSlug>().ok(), "connectors.slug")?,
            kind: known(kind, "connectors.kind")?,
            auth: known(Auth::parse(&row.auth, row.auth_header, row.auth_secret).ok(), "connectors.auth")?,
            enabled: row.enabled,
            server: row.server,
            last_harvested_at: row.last_harvested_at.map(|at| at.to_jiff()),
            last_error: row.last_error,
            created_by: UserId::from_uuid(row.created_by),
            created_at: row.created_at.to_jiff(),
        })
    }
}

/// Adds a connector.
pub async fn insert(recorded: &mut Recorded<'_>, org: OrgId, new: &Connector) -> Result<(), Error> {
    let done = sqlx::query!(
        r#"
            INSERT INTO connectors
                (org_id, id, slug, kind, place, base_url, auth, auth_header, auth_secret, created_by, created_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
            WHERE (SELECT count(*) FROM connectors WHERE org_id = $1) < $12
        "#,
        org.uuid(),
        new.id.uuid(),
        new.slug.as_str(),
        new.kind.as_str(),
        new.kind.place(),
        new.kind.base(),
        new.auth.as_str(),
        new.auth.header(),
        new.auth.secret(),
        new.created_by.uuid(),
        new.created_at.to_sqlx(),
        MOST_CONNECTORS,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("adding a connector"))
    .map_err(|error| match error.constraint() {
        Some("connectors_slug_key") => Error::Exists(format!("the connector `{}` already exists", new.slug)),
        _ => error.into(),
    })?;
    if done.rows_affected() == 0 {
        return Err(Error::Invalid(format!("an organization can have at most {MOST_CONNECTORS} connectors")));
    }
    Ok(())
}

/// Updates the location, the authentication and the enabled flag of a connector. Returns whether it exists.
pub async fn update(recorded: &mut Recorded<'_>, org: OrgId, to: &Connector) -> Result<bool, db::Error> {
    let done = sqlx::query!(
        r#"
            UPDATE connectors
            SET place = $3, base_url = $4, auth = $5, auth_header = $6, auth_secret = $7, enabled = $8
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        to.id.uuid(),
        to.kind.place(),
        to.kind.base(),
        to.auth.as_str(),
        to.auth.header(),
        to.auth.secret(),
        to.enabled,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("changing a connector"))?;
    Ok(done.rows_affected() == 1)
}

/// The connector with this slug.
pub async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    slug: &SourceSlug,
) -> Result<Option<Connector>, db::Error> {
    let row = sqlx::query_as!(
        ConnectorRow,
        r#"
            SELECT id, slug, kind, place, base_url, auth, auth_header, auth_secret, enabled, server,
                   last_harvested_at AS "last_harvested_at: _", last_error, created_by, created_at AS "created_at: _"
            FROM connectors WHERE org_id = $1 AND slug = $2
        "#,
        org.uuid(),
        slug.as_str(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a connector"))?;
    row.map(Connector::try_from).transpose()
}

/// Locks a connector until the transaction ends, so that two harvests do not interleave. Returns whether it exists.
pub async fn lock(conn: &mut PgConnection, org: OrgId, connector: ConnectorId) -> Result<bool, db::Error> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM connectors WHERE org_id = $1 AND id = $2 FOR UPDATE",
        org.uuid(),
        connector.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("holding a connector"))?;
    Ok(found.is_some())
}

/// All connectors of an org; there are few.
pub async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Connector>, db::Error> {
    let rows = sqlx::query_as!(
        ConnectorRow,
        r#"
            SELECT id, slug, kind, place, base_url, auth, auth_header, auth_secret, enabled, server,
                   last_harvested_at AS "last_harvested_at: _", last_error, created_by, created_at AS "created_at: _"
            FROM connectors WHERE org_id = $1 ORDER BY slug
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing connectors"))?;
    rows.into_iter().map(Connector::try_from).collect()
}

/// The number of tools that each connector lists, and how many of them wait for a review.
pub async fn counts(
    conn: &mut PgConnection,
    org: OrgId,
) -> Result<HashMap<ConnectorId, (i64, i64)>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT t.connector_id, count(*) AS "tools!",
                   count(*) FILTER (
                       WHERE t.action IS NOT NULL AND (
                           t.reviewed_text IS DISTINCT FROM t.text_hash
                           OR t.reviewed_destination IS DISTINCT FROM connector_destination(c)
                       )
                   ) AS "to_review!"
            FROM connector_tools t JOIN connectors c ON c.org_id = t.org_id AND c.id = t.connector_id
            WHERE t.org_id = $1 AND t.gone_at IS NULL GROUP BY t.connector_id
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting tools"))?;
    let counts =
        rows.into_iter().map(|row| (ConnectorId::from_uuid(row.connector_id), (row.tools, row.to_review)));
    Ok(counts.collect())
}

/// Removes a connector with its tools.
pub async fn delete(recorded: &mut Recorded<'_>, org: OrgId, slug: &SourceSlug) -> Result<bool, db::Error> {
    let done =
        sqlx::query!("DELETE FROM connectors WHERE org_id = $1 AND slug = $2", org.uuid(), slug.as_str())
            .execute(&mut **recorded)
            .await
            .map_err(query("removing a connector"))?;
    Ok(done.rows_affected() == 1)
}

/// Records an attempted harvest: the name that the server reported, or why it failed.
pub(crate) async fn harvested(
    conn: &mut PgConnection,
    InOrg { org, id: connector }: InOrg<ConnectorId>,
    harvest: Result<Option<&str>, &str>,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE connectors SET server = coalesce($3, server), last_error = $4, last_harvested_at = $5
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        connector.uuid(),
        harvest.ok().flatten(),
        harvest.err(),
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map_err(query("storing a harvest"))?;
    Ok(())
}

/// The version of an organization's catalog. A compiled catalog is valid as long as the version does not change.
pub async fn version(conn: &mut PgConnection, org: OrgId) -> Result<i64, db::Error> {
    sqlx::query_scalar!("SELECT catalog_version FROM orgs WHERE id = $1", org.uuid())
        .fetch_one(conn)
        .await
        .map_err(query("reading the version of a catalog"))
}

/// Connectors of all organizations that were not harvested since a time.
pub async fn overdue(
    conn: &mut PgConnection,
    before: Timestamp,
    most: i32,
) -> Result<Vec<(OrgId, ConnectorId)>, db::Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM overdue_harvests($1, $2)"#,
        before.to_sqlx() as _,
        most
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding overdue harvests"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), ConnectorId::from_uuid(row.id))).collect())
}

struct ToolRow {
    connector_id: Uuid,
    name: String,
    action: Option<String>,
    unusable: Option<String>,
    offer: Value,
    shape_hash: String,
    text_hash: String,
    first_seen_at: jiff_sqlx::Timestamp,
    gone_at: Option<jiff_sqlx::Timestamp>,
    reviewed: Option<Value>,
    reviewed_shape: Option<String>,
    reviewed_text: Option<String>,
    reviewed_by: Option<Uuid>,
    reviewed_at: Option<jiff_sqlx::Timestamp>,
    risk: Option<String>,
    effect: Option<String>,
    note: String,
    reviewed_destination: Option<String>,
    destination: String,
}

impl TryFrom<ToolRow> for Tool {
    type Error = db::Error;

    fn try_from(row: ToolRow) -> Result<Self, db::Error> {
        let offer = |value: Value| known(serde_json::from_value(value).ok(), "connector_tools.offer");
        let action = match (row.action, row.unusable) {
            (Some(action), _) => Ok(known(action.parse().ok(), "connector_tools.action")?),
            (None, why) => Err(why.unwrap_or_default()),
        };
        let reviewed =
            match (row.reviewed, row.reviewed_shape, row.reviewed_text, row.reviewed_by, row.reviewed_at) {
                (Some(value), Some(shape_hash), Some(text_hash), Some(by), Some(at)) => Some(Reviewed {
                    offer: offer(value)?,
                    shape_hash,
                    text_hash,
                    destination: row.reviewed_destination,
                    by: UserId::from_uuid(by),
                    at: at.to_jiff(),
                }),
                _ => None,
            };
        let risk = row.risk.map(|risk| known(Risk::parse(&risk), "connector_tools.risk")).transpose()?;
        let effect = row
            .effect
            .map(|effect| known(EffectClass::parse(&effect), "connector_tools.effect"))
            .transpose()?;
        Ok(Self {
            name: row.name,
            action,
            offer: offer(row.offer)?,
            shape_hash: row.shape_hash,
            text_hash: row.text_hash,
            first_seen_at: row.first_seen_at.to_jiff(),
            gone_at: row.gone_at.map(|at| at.to_jiff()),
            reviewed,
            risk,
            effect,
            note: row.note,
            destination: row.destination,
        })
    }
}

/// The tools of one connector, or of all if none is given, with the ids of their connectors.
async fn rows(
    conn: &mut PgConnection,
    org: OrgId,
    connector: Option<ConnectorId>,
    name: Option<&str>,
) -> Result<Vec<ToolRow>, db::Error> {
    sqlx::query_as!(
        ToolRow,
        r#"
            SELECT t.connector_id, t.name, t.action, t.unusable, t.offer, t.shape_hash, t.text_hash,
                   t.first_seen_at AS "first_seen_at: _", t.gone_at AS "gone_at: _", t.reviewed, t.reviewed_shape,
                   t.reviewed_text, t.reviewed_by, t.reviewed_at AS "reviewed_at: _", t.risk, t.effect, t.note,
                   t.reviewed_destination, connector_destination(c) AS "destination!"
            FROM connector_tools t JOIN connectors c ON c.org_id = t.org_id AND c.id = t.connector_id
            WHERE t.org_id = $1 AND ($2::uuid IS NULL OR t.connector_id = $2) AND ($3::text IS NULL OR t.name = $3)
            ORDER BY t.connector_id, t.name
        "#,
        org.uuid(),
        connector.map(ConnectorId::uuid),
        name,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing tools"))
}

/// The tools of one connector, by name.
pub async fn tools(
    conn: &mut PgConnection,
    org: OrgId,
    connector: ConnectorId,
) -> Result<Vec<Tool>, db::Error> {
    rows(conn, org, Some(connector), None).await?.into_iter().map(Tool::try_from).collect()
}

/// One tool.
pub async fn tool(
    conn: &mut PgConnection,
    org: OrgId,
    connector: ConnectorId,
    name: &str,
) -> Result<Option<Tool>, db::Error> {
    rows(conn, org, Some(connector), Some(name)).await?.pop().map(Tool::try_from).transpose()
}

/// All tools of an org with their connectors.
pub(crate) async fn all_tools(
    conn: &mut PgConnection,
    org: OrgId,
) -> Result<Vec<(ConnectorId, Tool)>, db::Error> {
    let rows = rows(conn, org, None, None).await?.into_iter();
    rows.map(|row| Ok((ConnectorId::from_uuid(row.connector_id), Tool::try_from(row)?))).collect()
}

/// Stores a tool as it was seen. What people decided about it is not changed.
pub(crate) async fn upsert(
    conn: &mut PgConnection,
    InOrg { org, id: connector }: InOrg<ConnectorId>,
    tool: &Tool,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            INSERT INTO connector_tools
                (org_id, connector_id, name, action, unusable, offer, shape_hash, text_hash, first_seen_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (org_id, connector_id, name) DO UPDATE
                SET action = excluded.action, unusable = excluded.unusable, offer = excluded.offer,
                    shape_hash = excluded.shape_hash, text_hash = excluded.text_hash, gone_at = NULL
        "#,
        org.uuid(),
        connector.uuid(),
        tool.name,
        tool.action.as_ref().ok().map(|action| action.as_str()),
        tool.action.as_ref().err(),
        serde_json::to_value(&tool.offer).unwrap_or_default(),
        tool.shape_hash,
        tool.text_hash,
        tool.first_seen_at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map_err(query("storing a tool"))?;
    Ok(())
}

/// Removes a tool's address.
pub(crate) async fn release(
    conn: &mut PgConnection,
    InOrg { org, id: connector }: InOrg<ConnectorId>,
    name: &str,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE connector_tools SET action = NULL, unusable = ''
            WHERE org_id = $1 AND connector_id = $2 AND name = $3
        "#,
        org.uuid(),
        connector.uuid(),
        name,
    )
    .execute(conn)
    .await
    .map_err(query("taking a tool's address"))?;
    Ok(())
}

pub(crate) async fn mark_gone(
    conn: &mut PgConnection,
    InOrg { org, id: connector }: InOrg<ConnectorId>,
    names: &[String],
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE connector_tools SET gone_at = $4
            WHERE org_id = $1 AND connector_id = $2 AND name = ANY($3) AND gone_at IS NULL
        "#,
        org.uuid(),
        connector.uuid(),
        names,
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map_err(query("marking tools that are gone"))?;
    Ok(())
}

/// Accepts a tool as it was read, if it is still the same.
pub(crate) async fn review(
    recorded: &mut Recorded<'_>,
    InOrg { org, id: connector }: InOrg<ConnectorId>,
    tool: &Tool,
    review: &Review,
    now: Timestamp,
) -> Result<bool, db::Error> {
    let done = sqlx::query!(
        r#"
            UPDATE connector_tools
            SET reviewed = offer, reviewed_shape = shape_hash, reviewed_text = text_hash, reviewed_by = $6,
                reviewed_at = $7, risk = coalesce($8, risk), note = $10, reviewed_destination = $11,
                effect = CASE WHEN $9::text IS NOT NULL THEN $9 WHEN reviewed_shape = shape_hash THEN effect END
            WHERE org_id = $1 AND connector_id = $2 AND name = $3 AND shape_hash = $4 AND text_hash = $5
                AND action IS NOT NULL
        "#,
        org.uuid(),
        connector.uuid(),
        tool.name,
        tool.shape_hash,
        tool.text_hash,
        review.by.uuid(),
        now.to_sqlx(),
        review.risk.map(Risk::as_str),
        review.effect.map(EffectClass::as_str),
        review.note,
        tool.destination,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("reviewing a tool"))?;
    Ok(done.rows_affected() == 1)
}
