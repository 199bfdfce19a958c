//! Rows of `passkeys`.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{OrgId, PasskeyId, UserId};
use platform::db::{self, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Error, Page, Passkey};

struct PasskeyRow {
    id: Uuid,
    user_id: Uuid,
    name: String,
    credential: Vec<u8>,
    public_key: Vec<u8>,
    signed: i64,
    created_at: jiff_sqlx::Timestamp,
    last_used_at: Option<jiff_sqlx::Timestamp>,
    removed_at: Option<jiff_sqlx::Timestamp>,
    confirmed_at: Option<jiff_sqlx::Timestamp>,
    confirmed_by: Option<Uuid>,
}

impl From<PasskeyRow> for Passkey {
    fn from(row: PasskeyRow) -> Self {
        Self {
            id: PasskeyId::from_uuid(row.id),
            user: UserId::from_uuid(row.user_id),
            name: row.name,
            credential: row.credential,
            public_key: row.public_key,
            signed: u32::try_from(row.signed).unwrap_or(u32::MAX),
            created_at: row.created_at.to_jiff(),
            last_used_at: row.last_used_at.map(jiff_sqlx::Timestamp::to_jiff),
            removed_at: row.removed_at.map(jiff_sqlx::Timestamp::to_jiff),
            confirmed_at: row.confirmed_at.map(jiff_sqlx::Timestamp::to_jiff),
            confirmed_by: row.confirmed_by.map(UserId::from_uuid),
        }
    }
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    user: Option<UserId>,
    page: Page,
) -> Result<Vec<Passkey>, db::Error> {
    let rows = sqlx::query_as!(
        PasskeyRow,
        r#"
            SELECT id, user_id, name, credential, public_key, signed, created_at, last_used_at, removed_at,
                   confirmed_at, confirmed_by
            FROM passkeys
            WHERE org_id = $1 AND ($2::uuid IS NULL OR user_id = $2) AND ($3::uuid IS NULL OR id > $3)
            ORDER BY id LIMIT $4
        "#,
        org.uuid(),
        user.map(|user| user.uuid()),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing passkeys"))?;
    Ok(rows.into_iter().map(Passkey::from).collect())
}

pub(crate) async fn list_active(
    conn: &mut PgConnection,
    org: OrgId,
    user: UserId,
) -> Result<Vec<Passkey>, db::Error> {
    let rows = sqlx::query_as!(
        PasskeyRow,
        r#"
            SELECT id, user_id, name, credential, public_key, signed, created_at, last_used_at, removed_at,
                   confirmed_at, confirmed_by
            FROM passkeys WHERE org_id = $1 AND user_id = $2 AND removed_at IS NULL ORDER BY id
        "#,
        org.uuid(),
        user.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the passkeys of a person"))?;
    Ok(rows.into_iter().map(Passkey::from).collect())
}

/// A passkey that was not removed, locked until the caller's transaction ends.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: PasskeyId,
) -> Result<Option<Passkey>, db::Error> {
    let row = sqlx::query_as!(
        PasskeyRow,
        r#"
            SELECT id, user_id, name, credential, public_key, signed, created_at, last_used_at, removed_at,
                   confirmed_at, confirmed_by
            FROM passkeys WHERE org_id = $1 AND id = $2 AND removed_at IS NULL FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a passkey"))?;
    Ok(row.map(Passkey::from))
}

pub(crate) async fn exist(conn: &mut PgConnection, org: OrgId) -> Result<bool, db::Error> {
    sqlx::query_scalar!(
        r#"
            SELECT EXISTS (
                SELECT FROM passkeys WHERE org_id = $1 AND removed_at IS NULL AND confirmed_at IS NOT NULL
            ) AS "found!"
        "#,
        org.uuid()
    )
    .fetch_one(conn)
    .await
    .map_err(query("looking for passkeys"))
}

pub(crate) async fn insert(recorded: &mut Recorded<'_>, org: OrgId, passkey: &Passkey) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO passkeys
                (org_id, id, user_id, name, credential, public_key, signed, created_at, confirmed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        "#,
        org.uuid(),
        passkey.id.uuid(),
        passkey.user.uuid(),
        passkey.name,
        passkey.credential,
        passkey.public_key,
        i64::from(passkey.signed),
        passkey.created_at.to_sqlx(),
        passkey.confirmed_at.map(|at| at.to_sqlx()) as _,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("adding a passkey"))
    .map_err(|error| Error::named(error, &[("passkeys_credential_key", Error::Exists("this passkey"))]))?;
    Ok(())
}

pub(crate) async fn confirm(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    passkey: &Passkey,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE passkeys SET confirmed_at = $3, confirmed_by = $4 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        passkey.id.uuid(),
        passkey.confirmed_at.map(|at| at.to_sqlx()) as _,
        passkey.confirmed_by.map(|user| user.uuid()),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("confirming a passkey"))
}

pub(crate) async fn note_use(
    conn: &mut PgConnection,
    org: OrgId,
    id: PasskeyId,
    signed: u32,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE passkeys SET signed = $3, last_used_at = $4 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        i64::from(signed),
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing that a passkey signed"))
}

pub(crate) async fn remove(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    id: PasskeyId,
    now: Timestamp,
) -> Result<Option<UserId>, db::Error> {
    let user = sqlx::query_scalar!(
        r#"
            UPDATE passkeys SET removed_at = $3
            WHERE org_id = $1 AND id = $2 AND removed_at IS NULL RETURNING user_id
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx(),
    )
    .fetch_optional(&mut **recorded)
    .await
    .map_err(query("removing a passkey"))?;
    Ok(user.map(UserId::from_uuid))
}

/// Removes all passkeys of a person.
pub(crate) async fn remove_all(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    user: UserId,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE passkeys SET removed_at = $3 WHERE org_id = $1 AND user_id = $2 AND removed_at IS NULL",
        org.uuid(),
        user.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("removing the passkeys of a person"))
}
