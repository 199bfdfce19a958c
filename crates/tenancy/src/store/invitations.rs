//! Rows of `invitations`, and which org a link belongs to.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Actor, InOrg, InvitationId, OrgId, Role, UserId};
use platform::{
    db::{self, known, query},
    token::Hash,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Invitation, Page};

struct InvitationRow {
    id: Uuid,
    email: String,
    name: String,
    role: String,
    invited_by: Option<Uuid>,
    created_at: jiff_sqlx::Timestamp,
    expires_at: jiff_sqlx::Timestamp,
    accepted_at: Option<jiff_sqlx::Timestamp>,
    withdrawn_at: Option<jiff_sqlx::Timestamp>,
}

impl TryFrom<InvitationRow> for Invitation {
    type Error = db::Error;

    fn try_from(row: InvitationRow) -> Result<Self, db::Error> {
        Ok(Self {
            id: InvitationId::from_uuid(row.id),
            email: row.email,
            name: row.name,
            role: known(Role::parse(&row.role), "invitations.role")?,
            invited_by: row.invited_by.map(UserId::from_uuid),
            created_at: row.created_at.to_jiff(),
            expires_at: row.expires_at.to_jiff(),
            accepted_at: row.accepted_at.map(jiff_sqlx::Timestamp::to_jiff),
            withdrawn_at: row.withdrawn_at.map(jiff_sqlx::Timestamp::to_jiff),
        })
    }
}

/// Used before the organization is known, through a database function that returns only these two IDs.
pub(crate) async fn find(
    conn: &mut PgConnection,
    hash: &Hash,
) -> Result<Option<InOrg<InvitationId>>, db::Error> {
    let row = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM find_invitation($1)"#,
        hash.as_bytes().as_slice()
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding an invitation by its link"))?;
    Ok(row.map(|row| InOrg { org: OrgId::from_uuid(row.org_id), id: InvitationId::from_uuid(row.id) }))
}

/// As [`find`], the open ones of an address.
pub(crate) async fn find_of(
    conn: &mut PgConnection,
    email: &str,
    now: Timestamp,
) -> Result<Vec<InOrg<InvitationId>>, db::Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM invitations_of($1, $2)"#,
        email,
        now.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding the invitations of an address"))?;
    let found = rows
        .into_iter()
        .map(|row| InOrg { org: OrgId::from_uuid(row.org_id), id: InvitationId::from_uuid(row.id) });
    Ok(found.collect())
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    page: Page,
) -> Result<Vec<Invitation>, db::Error> {
    let rows = sqlx::query_as!(
        InvitationRow,
        r#"
            SELECT id, email, name, role, invited_by, created_at AS "created_at: _", expires_at AS "expires_at: _",
                accepted_at AS "accepted_at: _", withdrawn_at AS "withdrawn_at: _"
            FROM invitations WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3
        "#,
        org.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing invitations"))?;
    rows.into_iter().map(Invitation::try_from).collect()
}

/// An invitation, locked until the caller's transaction ends.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvitationId,
) -> Result<Option<Invitation>, db::Error> {
    let row = sqlx::query_as!(
        InvitationRow,
        r#"
            SELECT id, email, name, role, invited_by, created_at AS "created_at: _", expires_at AS "expires_at: _",
                accepted_at AS "accepted_at: _", withdrawn_at AS "withdrawn_at: _"
            FROM invitations WHERE org_id = $1 AND id = $2 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking an invitation"))?;
    row.map(Invitation::try_from).transpose()
}

pub(crate) async fn insert(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    invitation: &Invitation,
    hash: &Hash,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            INSERT INTO invitations
                (org_id, id, email, name, role, token_sha256, invited_by, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        "#,
        org.uuid(),
        invitation.id.uuid(),
        invitation.email,
        invitation.name,
        invitation.role.as_str(),
        hash.as_bytes().as_slice(),
        invitation.invited_by.map(|user| user.uuid()),
        invitation.created_at.to_sqlx(),
        invitation.expires_at.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("adding an invitation"))
}

pub(crate) async fn renew(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    invitation: &Invitation,
    hash: &Hash,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE invitations SET token_sha256 = $3, expires_at = $4 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        invitation.id.uuid(),
        hash.as_bytes().as_slice(),
        invitation.expires_at.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("renewing an invitation"))
}

/// Withdraws the invitation of an address that was not accepted, if there is one.
pub(crate) async fn withdraw_open(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    email: &str,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE invitations SET withdrawn_at = $3
            WHERE org_id = $1 AND email = $2 AND accepted_at IS NULL AND withdrawn_at IS NULL
        "#,
        org.uuid(),
        email,
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("withdrawing an invitation"))
}

/// Withdraws the invitations that a person made and that were not accepted.
pub(crate) async fn withdraw_by(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE invitations SET withdrawn_at = $3
            WHERE org_id = $1 AND invited_by = $2 AND accepted_at IS NULL AND withdrawn_at IS NULL
        "#,
        org.uuid(),
        user.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("withdrawing the invitations of a person"))
}

/// Withdraws all invitations that were not accepted.
pub(crate) async fn withdraw_all(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE invitations SET withdrawn_at = $2
            WHERE org_id = $1 AND accepted_at IS NULL AND withdrawn_at IS NULL
        "#,
        org.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("withdrawing all invitations"))
}

pub(crate) async fn accept(
    recorded: &mut Recorded<'_>,
    InOrg { org, id }: InOrg<InvitationId>,
    user: UserId,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE invitations SET accepted_by = $3, accepted_at = $4 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        user.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("accepting an invitation"))
}
