//! Rows of `orgs`, `users`, `memberships` and `spaces`.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Actor, OrgId, RiskBand, Role, SpaceId, UserId};
use platform::db::{self, known, query};
use sqlx::PgConnection;

use crate::{
    Error, Page,
    people::{ApprovalSettings, Founding, Member, MemberChange, OrgInfo, Space, SpaceChange},
};

pub(crate) async fn insert_org(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    founding: &Founding,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO orgs (id, slug, name, created_at) VALUES ($1, $2, $3, $4)",
        org.uuid(),
        founding.slug,
        founding.name,
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("adding an org"))
    .map_err(|error| {
        Error::named(
            error,
            &[
                ("orgs_slug_key", Error::Exists("an org with this slug")),
                ("orgs_slug_shape", Error::Invalid("a slug is lower-case letters, digits and hyphens")),
            ],
        )
    })?;
    Ok(())
}

/// A user is the same in every organization, identified by e-mail address.
pub(crate) async fn find_or_insert_user(
    conn: &mut PgConnection,
    fresh: UserId,
    email: &str,
    now: Timestamp,
) -> Result<UserId, db::Error> {
    sqlx::query!(
        "INSERT INTO users (id, email, created_at) VALUES ($1, $2, $3) ON CONFLICT (email) DO NOTHING",
        fresh.uuid(),
        email,
        now.to_sqlx(),
    )
    .execute(&mut *conn)
    .await
    .map_err(query("adding a user"))?;
    let id = sqlx::query_scalar!("SELECT id FROM users WHERE email = $1", email)
        .fetch_one(conn)
        .await
        .map_err(query("finding a user"))?;
    Ok(UserId::from_uuid(id))
}

pub(crate) async fn insert_membership(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    name: &str,
    role: Role,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO memberships (org_id, user_id, name, role, created_at) VALUES ($1, $2, $3, $4, $5)",
        org.uuid(),
        user.uuid(),
        name,
        role.as_str(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("adding a member"))
    .map_err(|error| Error::named(error, &[("memberships_pkey", Error::Exists("this member"))]))?;
    Ok(())
}

fn member(user: UserId, email: String, name: String, role: &str) -> Result<Member, db::Error> {
    Ok(Member { user, email, name, role: known(Role::parse(role), "memberships.role")? })
}

pub(crate) async fn list_members(
    conn: &mut PgConnection,
    org: OrgId,
    page: Page,
) -> Result<Vec<Member>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT users.id, users.email, memberships.name, memberships.role
            FROM memberships JOIN users ON users.id = memberships.user_id
            WHERE memberships.org_id = $1 AND ($2::uuid IS NULL OR users.id > $2)
            ORDER BY users.id LIMIT $3
        "#,
        org.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing members"))?;
    rows.into_iter().map(|row| member(UserId::from_uuid(row.id), row.email, row.name, &row.role)).collect()
}

pub(crate) async fn find_members(
    conn: &mut PgConnection,
    org: OrgId,
    users: &[UserId],
) -> Result<Vec<Member>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT users.id, users.email, memberships.name, memberships.role
            FROM memberships JOIN users ON users.id = memberships.user_id
            WHERE memberships.org_id = $1 AND memberships.user_id = ANY($2)
        "#,
        org.uuid(),
        &db::column(users.iter(), |user| user.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding members"))?;
    rows.into_iter().map(|row| member(UserId::from_uuid(row.id), row.email, row.name, &row.role)).collect()
}

pub(crate) async fn update_membership(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    user: UserId,
    change: &MemberChange,
) -> Result<Option<Member>, db::Error> {
    let row = sqlx::query!(
        r#"
            UPDATE memberships SET name = coalesce($3, memberships.name), role = coalesce($4, memberships.role)
            FROM users
            WHERE memberships.org_id = $1 AND memberships.user_id = $2 AND users.id = memberships.user_id
            RETURNING users.email, memberships.name, memberships.role
        "#,
        org.uuid(),
        user.uuid(),
        change.name.as_deref(),
        change.role.map(Role::as_str),
    )
    .fetch_optional(&mut **recorded)
    .await
    .map_err(query("changing a member"))?;
    row.map(|row| member(user, row.email, row.name, &row.role)).transpose()
}

pub(crate) async fn delete_membership(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    user: UserId,
) -> Result<bool, db::Error> {
    let done =
        sqlx::query!("DELETE FROM memberships WHERE org_id = $1 AND user_id = $2", org.uuid(), user.uuid())
            .execute(&mut **recorded)
            .await
            .map_err(query("removing a member"))?;
    Ok(done.rows_affected() == 1)
}

/// The owners of an organization, locked until this transaction ends.
pub(crate) async fn lock_owners(conn: &mut PgConnection, org: OrgId) -> Result<Vec<UserId>, db::Error> {
    let owners = sqlx::query_scalar!(
        "SELECT user_id FROM memberships WHERE org_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE",
        org.uuid()
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding the owners"))?;
    Ok(owners.into_iter().map(UserId::from_uuid).collect())
}

/// Locks a member until this transaction ends. Returns whether the member exists.
pub(crate) async fn lock_member(
    conn: &mut PgConnection,
    org: OrgId,
    user: UserId,
) -> Result<bool, db::Error> {
    let found = sqlx::query_scalar!(
        "SELECT user_id FROM memberships WHERE org_id = $1 AND user_id = $2 FOR UPDATE",
        org.uuid(),
        user.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a member"))?;
    Ok(found.is_some())
}

pub(crate) async fn find_org(conn: &mut PgConnection, org: OrgId) -> Result<OrgInfo, db::Error> {
    let row = sqlx::query!(
        "SELECT slug, name, approval_quorum, approval_four_eyes, approval_passkey, receipts_kept_days FROM orgs WHERE id = $1",
        org.uuid()
    )
    .fetch_one(conn)
    .await
    .map_err(query("reading an org"))?;
    Ok(OrgInfo {
        slug: row.slug,
        name: row.name,
        approvals: ApprovalSettings {
            quorum: u32::try_from(row.approval_quorum).unwrap_or(1),
            four_eyes: row.approval_four_eyes,
            passkey: row.approval_passkey,
        },
        receipts_kept_days: u32::try_from(row.receipts_kept_days).unwrap_or(u32::MAX),
    })
}

/// Locks the organization until the caller's transaction ends.
pub(crate) async fn lock_org(conn: &mut PgConnection, org: OrgId) -> Result<(), db::Error> {
    sqlx::query_scalar!("SELECT id FROM orgs WHERE id = $1 FOR UPDATE", org.uuid())
        .fetch_one(conn)
        .await
        .map(drop)
        .map_err(query("locking an org"))
}

pub(crate) async fn update_org(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    info: &OrgInfo,
) -> Result<(), db::Error> {
    let whole = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    sqlx::query!(
        r#"
            UPDATE orgs SET approval_quorum = $2, approval_four_eyes = $3, approval_passkey = $4, receipts_kept_days = $5
            WHERE id = $1
        "#,
        org.uuid(),
        whole(info.approvals.quorum),
        info.approvals.four_eyes,
        info.approvals.passkey,
        whole(info.receipts_kept_days),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("changing an org"))
}

/// How many days each org keeps the bodies of its receipts, across orgs.
pub(crate) async fn receipt_periods(conn: &mut PgConnection) -> Result<Vec<(OrgId, u32)>, db::Error> {
    let rows = sqlx::query!(r#"SELECT org_id AS "org_id!", days AS "days!" FROM receipt_periods()"#)
        .fetch_all(conn)
        .await
        .map_err(query("reading how long receipts are kept"))?;
    let days = |days: i32| u32::try_from(days).unwrap_or(u32::MAX);
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), days(row.days))).collect())
}

struct SpaceRow {
    id: uuid::Uuid,
    slug: String,
    name: String,
    risk_band: String,
    outbound_redaction: bool,
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
        })
    }
}

pub(crate) async fn insert_space(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    space: &Space,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO spaces (org_id, id, slug, name, risk_band, outbound_redaction, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
        "#,
        org.uuid(),
        space.id.uuid(),
        space.slug,
        space.name,
        space.risk_band.as_str(),
        space.outbound_redaction,
        now.to_sqlx(),
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

pub(crate) async fn list_spaces(
    conn: &mut PgConnection,
    org: OrgId,
    page: Page,
) -> Result<Vec<Space>, db::Error> {
    let rows = sqlx::query_as!(
        SpaceRow,
        r#"
            SELECT id, slug, name, risk_band, outbound_redaction FROM spaces
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

pub(crate) async fn find_space(
    conn: &mut PgConnection,
    org: OrgId,
    id: SpaceId,
) -> Result<Option<Space>, db::Error> {
    let row = sqlx::query_as!(
        SpaceRow,
        "SELECT id, slug, name, risk_band, outbound_redaction FROM spaces WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a space"))?;
    row.map(Space::try_from).transpose()
}

/// A space, locked until the caller's transaction ends.
pub(crate) async fn lock_space(
    conn: &mut PgConnection,
    org: OrgId,
    id: SpaceId,
) -> Result<Option<Space>, db::Error> {
    let row = sqlx::query_as!(
        SpaceRow,
        r#"
            SELECT id, slug, name, risk_band, outbound_redaction FROM spaces
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

pub(crate) async fn find_space_of_slug(
    conn: &mut PgConnection,
    org: OrgId,
    slug: &str,
) -> Result<Option<Space>, db::Error> {
    let row = sqlx::query_as!(
        SpaceRow,
        "SELECT id, slug, name, risk_band, outbound_redaction FROM spaces WHERE org_id = $1 AND slug = $2",
        org.uuid(),
        slug,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a space by its slug"))?;
    row.map(Space::try_from).transpose()
}

pub(crate) async fn policy_version(conn: &mut PgConnection, org: OrgId) -> Result<i64, db::Error> {
    sqlx::query_scalar!("SELECT policy_version FROM orgs WHERE id = $1", org.uuid())
        .fetch_one(conn)
        .await
        .map_err(query("reading the version of a policy"))
}

pub(crate) async fn find_first_space(
    conn: &mut PgConnection,
    org: OrgId,
) -> Result<Option<SpaceId>, db::Error> {
    let id = sqlx::query_scalar!("SELECT id FROM spaces WHERE org_id = $1 ORDER BY id LIMIT 1", org.uuid())
        .fetch_optional(conn)
        .await
        .map_err(query("finding the first space"))?;
    Ok(id.map(SpaceId::from_uuid))
}

pub(crate) async fn update_space(
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
                outbound_redaction = coalesce($5, outbound_redaction)
            WHERE org_id = $1 AND id = $2
            RETURNING id, slug, name, risk_band, outbound_redaction
        "#,
        org.uuid(),
        id.uuid(),
        change.name.as_deref(),
        change.risk_band.map(RiskBand::as_str),
        change.outbound_redaction,
    )
    .fetch_optional(&mut **recorded)
    .await
    .map_err(query("changing a space"))?;
    row.map(Space::try_from).transpose()
}
