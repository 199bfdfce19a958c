//! Rows of `spaces` and `space_members`.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Actor, InOrg, MemberKind, OpenTo, OrgId, RiskBand, Role, SessionId, SpaceId, UserId};
use platform::db::{self, known, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Error, Page,
    spaces::{Reach, Space, SpaceChange, SpaceMember},
};

struct SpaceRow {
    id: Uuid,
    slug: String,
    name: String,
    risk_band: String,
    outbound_redaction: bool,
    open_to: String,
}

impl TryFrom<SpaceRow> for Space {
    type Error = db::Error;

    fn try_from(row: SpaceRow) -> Result<Self, db::Error> {
        Ok(Self {
            id: SpaceId::from_uuid(row.id),
            slug: row.slug,
            name: row.name,
            risk_band: known(RiskBand::parse(&row.risk_band), "spaces.risk_band")?,
            outbound_redaction: row.outbound_redaction,
            open_to: known(OpenTo::parse(&row.open_to), "spaces.open_to")?,
        })
    }
}

pub(crate) async fn insert(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    space: &Space,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO spaces (org_id, id, slug, name, risk_band, outbound_redaction, created_at, open_to)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        "#,
        org.uuid(),
        space.id.uuid(),
        space.slug,
        space.name,
        space.risk_band.as_str(),
        space.outbound_redaction,
        now.to_sqlx(),
        space.open_to.as_str(),
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("adding a space"))
    .map_err(|error| {
        Error::named(
            error,
            &[
                ("spaces_slug_key", Error::Exists("a space with this slug")),
                ("spaces_slug_shape", Error::Invalid("a slug is lower-case letters, digits and hyphens")),
            ],
        )
    })?;
    Ok(())
}

pub(crate) async fn list(conn: &mut PgConnection, org: OrgId, page: Page) -> Result<Vec<Space>, db::Error> {
    let rows = sqlx::query_as!(
        SpaceRow,
        r#"
            SELECT id, slug, name, risk_band, outbound_redaction, open_to FROM spaces
            WHERE org_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
        "#,
        org.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing spaces"))?;
    rows.into_iter().map(Space::try_from).collect()
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: SpaceId,
) -> Result<Option<Space>, db::Error> {
    let row = sqlx::query_as!(
        SpaceRow,
        "SELECT id, slug, name, risk_band, outbound_redaction, open_to FROM spaces WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a space"))?;
    row.map(Space::try_from).transpose()
}

/// A space, locked until the caller's transaction ends.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: SpaceId,
) -> Result<Option<Space>, db::Error> {
    let row = sqlx::query_as!(
        SpaceRow,
        r#"
            SELECT id, slug, name, risk_band, outbound_redaction, open_to FROM spaces
            WHERE org_id = $1 AND id = $2 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a space"))?;
    row.map(Space::try_from).transpose()
}

pub(crate) async fn find_of_slug(
    conn: &mut PgConnection,
    org: OrgId,
    slug: &str,
) -> Result<Option<Space>, db::Error> {
    let row = sqlx::query_as!(
        SpaceRow,
        "SELECT id, slug, name, risk_band, outbound_redaction, open_to FROM spaces WHERE org_id = $1 AND slug = $2",
        org.uuid(),
        slug,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a space by its slug"))?;
    row.map(Space::try_from).transpose()
}

pub(crate) async fn find_first(conn: &mut PgConnection, org: OrgId) -> Result<Option<SpaceId>, db::Error> {
    let id = sqlx::query_scalar!("SELECT id FROM spaces WHERE org_id = $1 ORDER BY id LIMIT 1", org.uuid())
        .fetch_optional(conn)
        .await
        .map_err(query("finding the first space"))?;
    Ok(id.map(SpaceId::from_uuid))
}

pub(crate) async fn update(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    id: SpaceId,
    change: &SpaceChange,
) -> Result<Option<Space>, db::Error> {
    let row = sqlx::query_as!(
        SpaceRow,
        r#"
            UPDATE spaces SET
                name = coalesce($3, name),
                risk_band = coalesce($4, risk_band),
                outbound_redaction = coalesce($5, outbound_redaction),
                open_to = coalesce($6, open_to)
            WHERE org_id = $1 AND id = $2
            RETURNING id, slug, name, risk_band, outbound_redaction, open_to
        "#,
        org.uuid(),
        id.uuid(),
        change.name.as_deref(),
        change.risk_band.map(RiskBand::as_str),
        change.outbound_redaction,
        change.open_to.map(OpenTo::as_str),
    )
    .fetch_optional(&mut **recorded)
    .await
    .map_err(query("changing a space"))?;
    row.map(Space::try_from).transpose()
}

struct MemberRow {
    user_id: Uuid,
    name: String,
    role: String,
    kind: String,
    capabilities: Vec<String>,
    added_at: jiff_sqlx::Timestamp,
}

impl TryFrom<MemberRow> for SpaceMember {
    type Error = db::Error;

    fn try_from(row: MemberRow) -> Result<Self, db::Error> {
        Ok(Self {
            user: UserId::from_uuid(row.user_id),
            name: row.name,
            role: known(Role::parse(&row.role), "memberships.role")?,
            kind: known(MemberKind::parse(&row.kind), "memberships.kind")?,
            capabilities: row.capabilities,
            added_at: row.added_at.to_jiff(),
        })
    }
}

pub(crate) async fn list_members(
    conn: &mut PgConnection,
    InOrg { org, id: space }: InOrg<SpaceId>,
    page: Page,
) -> Result<Vec<SpaceMember>, db::Error> {
    let rows = sqlx::query_as!(
        MemberRow,
        r#"
            SELECT s.user_id, m.name, m.role, m.kind, s.capabilities, s.added_at AS "added_at: _"
            FROM space_members s JOIN memberships m ON m.org_id = s.org_id AND m.user_id = s.user_id
            WHERE s.org_id = $1 AND s.space_id = $2 AND ($3::uuid IS NULL OR s.user_id > $3)
            ORDER BY s.user_id LIMIT $4
        "#,
        org.uuid(),
        space.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the members of a space"))?;
    rows.into_iter().map(SpaceMember::try_from).collect()
}

pub(crate) async fn find_member(
    conn: &mut PgConnection,
    InOrg { org, id: space }: InOrg<SpaceId>,
    user: UserId,
) -> Result<Option<SpaceMember>, db::Error> {
    let row = sqlx::query_as!(
        MemberRow,
        r#"
            SELECT s.user_id, m.name, m.role, m.kind, s.capabilities, s.added_at AS "added_at: _"
            FROM space_members s JOIN memberships m ON m.org_id = s.org_id AND m.user_id = s.user_id
            WHERE s.org_id = $1 AND s.space_id = $2 AND s.user_id = $3
        "#,
        org.uuid(),
        space.uuid(),
        user.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a member of a space"))?;
    row.map(SpaceMember::try_from).transpose()
}

pub(crate) async fn put_member(
    recorded: &mut Recorded<'_>,
    InOrg { org, id: space }: InOrg<SpaceId>,
    user: UserId,
    (capabilities, now): (&[String], Timestamp),
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            INSERT INTO space_members (org_id, space_id, user_id, capabilities, added_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (org_id, space_id, user_id) DO UPDATE SET capabilities = excluded.capabilities
        "#,
        org.uuid(),
        space.uuid(),
        user.uuid(),
        capabilities,
        now.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("setting a member of a space"))
}

pub(crate) async fn delete_member(
    recorded: &mut Recorded<'_>,
    InOrg { org, id: space }: InOrg<SpaceId>,
    user: UserId,
) -> Result<(), db::Error> {
    sqlx::query!(
        "DELETE FROM space_members WHERE org_id = $1 AND space_id = $2 AND user_id = $3",
        org.uuid(),
        space.uuid(),
        user.uuid(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("removing a member of a space"))
}

fn reach_of(role: &str, open_to: &str, listed: Option<Vec<String>>) -> Result<Option<Reach>, db::Error> {
    let role = known(Role::parse(role), "memberships.role")?;
    Ok(Reach::new(role, known(OpenTo::parse(open_to), "spaces.open_to")?, listed))
}

/// What a person may use in a space; `None` if there is no such space or member, and `Some(None)` if they do not belong
/// to it. The rows stay locked against changes.
pub(crate) async fn reach(
    conn: &mut PgConnection,
    Actor { org, user }: Actor,
    space: SpaceId,
) -> Result<Option<Option<Reach>>, db::Error> {
    let row = sqlx::query!(
        r#"
            SELECT m.role, s.open_to,
                   (SELECT l.capabilities FROM space_members l
                    WHERE l.org_id = s.org_id AND l.space_id = s.id AND l.user_id = m.user_id) AS listed
            FROM spaces s JOIN memberships m ON m.org_id = s.org_id AND m.user_id = $3
            WHERE s.org_id = $1 AND s.id = $2
            FOR KEY SHARE OF s, m
        "#,
        org.uuid(),
        space.uuid(),
        user.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("reading what a person may use in a space"))?;
    row.map(|row| reach_of(&row.role, &row.open_to, row.listed)).transpose()
}

/// The spaces of these that a person belongs to.
pub(crate) async fn own(
    conn: &mut PgConnection,
    Actor { org, user }: Actor,
    spaces: &[SpaceId],
) -> Result<Vec<SpaceId>, db::Error> {
    let ids: Vec<Uuid> = spaces.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"
            SELECT s.id, m.role, s.open_to, l.capabilities AS "listed?"
            FROM spaces s JOIN memberships m ON m.org_id = s.org_id AND m.user_id = $2
            LEFT JOIN space_members l ON l.org_id = s.org_id AND l.space_id = s.id AND l.user_id = m.user_id
            WHERE s.org_id = $1 AND s.id = ANY($3)
        "#,
        org.uuid(),
        user.uuid(),
        &ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the spaces of a person"))?;
    let mut own = Vec::new();
    for row in rows {
        if reach_of(&row.role, &row.open_to, row.listed)?.is_some() {
            own.push(SpaceId::from_uuid(row.id));
        }
    }
    Ok(own)
}

/// An open session, and what its opener may use in its space by now.
pub(crate) struct OpenSession {
    pub(crate) id: SessionId,
    pub(crate) capabilities: Vec<String>,
    pub(crate) reach: Option<Reach>,
}

/// The open sessions in a space, or of a person, or both.
pub(crate) async fn open_sessions(
    conn: &mut PgConnection,
    org: OrgId,
    (space, user): (Option<SpaceId>, Option<UserId>),
    now: Timestamp,
) -> Result<Vec<OpenSession>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT s.id, s.capabilities, m.role, p.open_to, l.capabilities AS "listed?"
            FROM sessions s
            JOIN memberships m ON m.org_id = s.org_id AND m.user_id = s.created_by
            JOIN spaces p ON p.org_id = s.org_id AND p.id = s.space_id
            LEFT JOIN space_members l ON l.org_id = s.org_id AND l.space_id = s.space_id AND l.user_id = s.created_by
            WHERE s.org_id = $1 AND s.ended_at IS NULL AND s.expires_at > $2
              AND ($3::uuid IS NULL OR s.space_id = $3) AND ($4::uuid IS NULL OR s.created_by = $4)
        "#,
        org.uuid(),
        now.to_sqlx() as _,
        space.map(|id| id.uuid()),
        user.map(|id| id.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding open sessions"))?;
    let each = rows.into_iter().map(|row| {
        let reach = reach_of(&row.role, &row.open_to, row.listed)?;
        Ok(OpenSession { id: SessionId::from_uuid(row.id), capabilities: row.capabilities, reach })
    });
    each.collect()
}

pub(crate) async fn end_sessions(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    sessions: &[SessionId],
    now: Timestamp,
) -> Result<(), db::Error> {
    let ids: Vec<Uuid> = sessions.iter().map(|id| id.uuid()).collect();
    sqlx::query!(
        "UPDATE sessions SET ended_at = $3 WHERE org_id = $1 AND id = ANY($2) AND ended_at IS NULL",
        org.uuid(),
        &ids,
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("ending sessions"))
}
