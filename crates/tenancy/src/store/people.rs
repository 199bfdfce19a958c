//! Rows of `orgs`, `users` and `memberships`.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Actor, MemberKind, OrgId, Role, UserId};
use platform::db::{self, known, query};
use sqlx::PgConnection;

use crate::{
    Error, Page,
    people::{
        ApprovalSettings, Founding, Loosening, Member, MemberChange, ModelBudget, OrgInfo, Retention, Vouched,
    },
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
    org: OrgId,
    member: &Member,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO memberships (org_id, user_id, name, role, kind, created_at, vouched_by, vouched_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        "#,
        org.uuid(),
        member.user.uuid(),
        member.name,
        member.role.as_str(),
        member.kind.as_str(),
        member.joined_at.to_sqlx(),
        member.vouched.and_then(|vouched| vouched.by).map(|user| user.uuid()),
        member.vouched.map(|vouched| vouched.at.to_sqlx()) as _,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("adding a member"))
    .map_err(|error| Error::named(error, &[("memberships_pkey", Error::Exists("this member"))]))?;
    Ok(())
}

/// Keeps who vouched for a member last.
pub(crate) async fn vouch(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    vouched: Vouched,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE memberships SET vouched_by = $3, vouched_at = $4 WHERE org_id = $1 AND user_id = $2",
        org.uuid(),
        user.uuid(),
        vouched.by.map(|by| by.uuid()),
        vouched.at.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("keeping who vouched for a member"))
    .map_err(Error::from)
}

/// Who vouched for whom since a moment, and who ever made a token of which program: they can act as it, and what they began
/// with the token goes on when it has ended.
pub(crate) async fn counted_as_one(
    conn: &mut PgConnection,
    org: OrgId,
    since: Timestamp,
) -> Result<Vec<(UserId, UserId)>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT vouched_by AS "vouched_by!", user_id AS "user_id!" FROM memberships
            WHERE org_id = $1 AND vouched_by IS NOT NULL AND vouched_at > $2
            UNION
            SELECT minted_by, user_id FROM api_tokens
            WHERE org_id = $1 AND minted_by <> user_id
        "#,
        org.uuid(),
        since.to_sqlx(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding who vouched for whom"))?;
    let pair = |by, of| (UserId::from_uuid(by), UserId::from_uuid(of));
    Ok(rows.into_iter().map(|row| pair(row.vouched_by, row.user_id)).collect())
}

struct MemberRow {
    id: uuid::Uuid,
    email: String,
    name: String,
    role: String,
    kind: String,
    created_at: jiff_sqlx::Timestamp,
    vouched_by: Option<uuid::Uuid>,
    vouched_at: Option<jiff_sqlx::Timestamp>,
}

impl TryFrom<MemberRow> for Member {
    type Error = db::Error;

    fn try_from(row: MemberRow) -> Result<Self, db::Error> {
        let by = row.vouched_by.map(UserId::from_uuid);
        Ok(Self {
            user: UserId::from_uuid(row.id),
            email: row.email,
            name: row.name,
            role: known(Role::parse(&row.role), "memberships.role")?,
            kind: known(MemberKind::parse(&row.kind), "memberships.kind")?,
            joined_at: row.created_at.to_jiff(),
            vouched: row.vouched_at.map(|at| Vouched { by, at: at.to_jiff() }),
        })
    }
}

pub(crate) async fn list_members(
    conn: &mut PgConnection,
    org: OrgId,
    page: Page,
) -> Result<Vec<Member>, db::Error> {
    let rows = sqlx::query_as!(
        MemberRow,
        r#"
            SELECT users.id, users.email, m.name, m.role, m.kind, m.created_at AS "created_at: _", m.vouched_by,
                m.vouched_at AS "vouched_at: _"
            FROM memberships m JOIN users ON users.id = m.user_id
            WHERE m.org_id = $1 AND ($2::uuid IS NULL OR users.id > $2)
            ORDER BY users.id LIMIT $3
        "#,
        org.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing members"))?;
    rows.into_iter().map(Member::try_from).collect()
}

pub(crate) async fn find_members(
    conn: &mut PgConnection,
    org: OrgId,
    users: &[UserId],
) -> Result<Vec<Member>, db::Error> {
    let rows = sqlx::query_as!(
        MemberRow,
        r#"
            SELECT users.id, users.email, m.name, m.role, m.kind, m.created_at AS "created_at: _", m.vouched_by,
                m.vouched_at AS "vouched_at: _"
            FROM memberships m JOIN users ON users.id = m.user_id
            WHERE m.org_id = $1 AND m.user_id = ANY($2)
        "#,
        org.uuid(),
        &db::column(users.iter(), |user| user.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding members"))?;
    rows.into_iter().map(Member::try_from).collect()
}

pub(crate) async fn find_member_by_email(
    conn: &mut PgConnection,
    org: OrgId,
    email: &str,
) -> Result<Option<Member>, db::Error> {
    let row = sqlx::query_as!(
        MemberRow,
        r#"
            SELECT users.id, users.email, m.name, m.role, m.kind, m.created_at AS "created_at: _", m.vouched_by,
                m.vouched_at AS "vouched_at: _"
            FROM memberships m JOIN users ON users.id = m.user_id
            WHERE m.org_id = $1 AND users.email = $2
        "#,
        org.uuid(),
        email,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a member by their address"))?;
    row.map(Member::try_from).transpose()
}

pub(crate) async fn update_membership(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    user: UserId,
    change: &MemberChange,
) -> Result<Option<Member>, Error> {
    let row = sqlx::query_as!(
        MemberRow,
        r#"
            UPDATE memberships m SET name = coalesce($3, m.name), role = coalesce($4, m.role)
            FROM users
            WHERE m.org_id = $1 AND m.user_id = $2 AND users.id = m.user_id
            RETURNING users.id, users.email, m.name, m.role, m.kind, m.created_at AS "created_at: _", m.vouched_by,
                m.vouched_at AS "vouched_at: _"
        "#,
        org.uuid(),
        user.uuid(),
        change.name.as_deref(),
        change.role.map(Role::as_str),
    )
    .fetch_optional(&mut **recorded)
    .await
    .map_err(query("changing a member"))
    .map_err(|error| {
        let rule = Error::Invalid("a service account cannot be an owner");
        Error::named(error, &[("memberships_kind", rule)])
    })?;
    Ok(row.map(Member::try_from).transpose()?)
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

/// Whether another person is an admin or an owner.
pub(crate) async fn other_approvers_exist(
    conn: &mut PgConnection,
    org: OrgId,
    user: UserId,
) -> Result<bool, db::Error> {
    sqlx::query_scalar!(
        r#"
            SELECT EXISTS (
                SELECT FROM memberships
                WHERE org_id = $1 AND user_id <> $2 AND kind = 'person' AND role IN ('admin', 'owner')
            ) AS "found!"
        "#,
        org.uuid(),
        user.uuid(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("looking for other approvers"))
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
        r#"
            SELECT slug, name, approval_quorum, approval_four_eyes, approval_passkey, receipts_kept_days, legal_hold,
                   time_zone, model_nano_usd_per_day, model_tokens_per_day, receipts_kept_days_before, receipts_shorter_at AS "shorter_at: jiff_sqlx::Timestamp",
                   coalesce(receipts_shorter_at > now(), false) AS "waits!",
                   upgraded_at AS "upgraded_at: jiff_sqlx::Timestamp",
                   needs_two_people(id) AS "two_people!", loosening IS NULL AS "is_default!",
                   CASE WHEN loosening IS NULL AND two_people_until > now()
                             AND (SELECT count(*) < 2 FROM memberships WHERE org_id = orgs.id AND role = 'owner')
                        THEN two_people_until END AS "two_people_until: jiff_sqlx::Timestamp"
            FROM orgs WHERE id = $1
        "#,
        org.uuid()
    )
    .fetch_one(conn)
    .await
    .map_err(query("reading an org"))?;
    let longer = |(before, until): (i32, jiff_sqlx::Timestamp)| (days(before), until.to_jiff());
    Ok(OrgInfo {
        slug: row.slug,
        name: row.name,
        approvals: ApprovalSettings {
            quorum: u32::try_from(row.approval_quorum).unwrap_or(1),
            four_eyes: row.approval_four_eyes,
            passkey: row.approval_passkey,
        },
        retention: Retention {
            kept_days: days(row.receipts_kept_days),
            longer: row.receipts_kept_days_before.zip(row.shorter_at).filter(|_| row.waits).map(longer),
            legal_hold: row.legal_hold,
        },
        time_zone: row.time_zone,
        model_budget: ModelBudget { nano_usd: row.model_nano_usd_per_day, tokens: row.model_tokens_per_day },
        upgraded_at: row.upgraded_at.map(|at| at.to_jiff()),
        loosening: Loosening {
            two_people: row.two_people,
            is_default: row.is_default,
            until: row.two_people_until.map(|at| at.to_jiff()),
        },
    })
}

/// Used by the operator, through a database function that returns only the ID.
pub(crate) async fn find_org_of_slug(
    conn: &mut PgConnection,
    slug: &str,
) -> Result<Option<OrgId>, db::Error> {
    let found = sqlx::query_scalar!("SELECT find_org($1)", slug)
        .fetch_one(conn)
        .await
        .map_err(query("finding an org by its slug"))?;
    Ok(found.map(OrgId::from_uuid))
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
            UPDATE orgs SET approval_quorum = $2, approval_four_eyes = $3, approval_passkey = $4,
                            receipts_kept_days = $5, loosening = $6, legal_hold = $7,
                            time_zone = $8, model_nano_usd_per_day = $9, model_tokens_per_day = $10
            WHERE id = $1
        "#,
        org.uuid(),
        whole(info.approvals.quorum),
        info.approvals.four_eyes,
        info.approvals.passkey,
        whole(info.retention.kept_days),
        (!info.loosening.is_default).then(|| info.loosening.as_str()),
        info.retention.legal_hold,
        info.time_zone,
        info.model_budget.nano_usd,
        info.model_budget.tokens,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("changing an org"))
}

/// Until then, loosening needs two people unless the organization says otherwise.
pub(crate) async fn keep_two_people(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    until: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!("UPDATE orgs SET two_people_until = $2 WHERE id = $1", org.uuid(), until.to_sqlx() as _)
        .execute(&mut **recorded)
        .await
        .map(drop)
        .map_err(query("keeping that loosening needs two people"))
}

/// How many days each org keeps what it can erase, across orgs; `None` during a legal hold.
pub(crate) async fn receipt_periods(conn: &mut PgConnection) -> Result<Vec<(OrgId, Option<u32>)>, db::Error> {
    let rows = sqlx::query!(r#"SELECT org_id AS "org_id!", days FROM receipt_periods()"#)
        .fetch_all(conn)
        .await
        .map_err(query("reading how long receipts are kept"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), row.days.map(days))).collect())
}

fn days(days: i32) -> u32 {
    u32::try_from(days).unwrap_or(u32::MAX)
}

pub(crate) async fn policy_version(conn: &mut PgConnection, org: OrgId) -> Result<i64, db::Error> {
    sqlx::query_scalar!("SELECT policy_version FROM orgs WHERE id = $1", org.uuid())
        .fetch_one(conn)
        .await
        .map_err(query("reading the version of a policy"))
}
