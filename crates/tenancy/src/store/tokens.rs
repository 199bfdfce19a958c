//! Rows of `api_tokens`, and which org a token's hash belongs to.

use changes::{Recorded, Second};
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ApiTokenId, InOrg, MemberKind, OrgId, Role, SessionId, UserId};
use platform::{
    db::{self, known, query},
    token::Hash,
};
use sqlx::PgConnection;

use crate::{Browser, Error, Page, Person, TokenInfo};

/// Used before the organization is known, through a database function that returns only these two IDs.
pub(crate) async fn find_session(
    conn: &mut PgConnection,
    hash: &Hash,
) -> Result<Option<(OrgId, SessionId)>, db::Error> {
    let row = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM find_session_token($1)"#,
        hash.as_bytes().as_slice()
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a session by its token"))?;
    Ok(row.map(|row| (OrgId::from_uuid(row.org_id), SessionId::from_uuid(row.id))))
}

/// As [`find_session`], for API tokens.
pub(crate) async fn find_api_token(
    conn: &mut PgConnection,
    hash: &Hash,
) -> Result<Option<(OrgId, ApiTokenId)>, db::Error> {
    let row = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM find_api_token($1)"#,
        hash.as_bytes().as_slice()
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding an API token"))?;
    Ok(row.map(|row| (OrgId::from_uuid(row.org_id), ApiTokenId::from_uuid(row.id))))
}

/// The member who holds a token, if it is not revoked or expired and they are still a member. A browser's token also
/// ends with the token it was signed in with, and if it was not used since `idle_since`.
pub(crate) async fn find_person(
    conn: &mut PgConnection,
    InOrg { org, id: token }: InOrg<ApiTokenId>,
    now: Timestamp,
    idle_since: Timestamp,
) -> Result<Option<Person>, db::Error> {
    let row = sqlx::query!(
        r#"
            SELECT held.user_id, held.browser, memberships.role, memberships.kind,
                coalesce(first.created_at, held.created_at) AS "signed_in_at!: jiff_sqlx::Timestamp",
                held.joined OR coalesce(first.joined, false) AS "joined!",
                held.confirmed_at AS "confirmed_at: jiff_sqlx::Timestamp"
            FROM api_tokens AS held
            JOIN memberships ON memberships.org_id = held.org_id AND memberships.user_id = held.user_id
            LEFT JOIN api_tokens AS first ON first.org_id = held.org_id AND first.id = held.from_token
            WHERE held.org_id = $1 AND held.id = $2
              AND held.revoked_at IS NULL AND (held.expires_at IS NULL OR held.expires_at > $3)
              AND first.revoked_at IS NULL AND (first.expires_at IS NULL OR first.expires_at > $3)
              AND (held.browser IS NULL OR coalesce(held.last_used_at, held.created_at) > $4)
        "#,
        org.uuid(),
        token.uuid(),
        now.to_sqlx(),
        idle_since.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding the holder of a token"))?;
    row.map(|row| {
        Ok(Person {
            org,
            user: UserId::from_uuid(row.user_id),
            role: known(Role::parse(&row.role), "memberships.role")?,
            kind: known(MemberKind::parse(&row.kind), "memberships.kind")?,
            token,
            browser: browser(row.browser.as_deref())?,
            signed_in_at: row.signed_in_at.to_jiff(),
            joined: row.joined,
            confirmed_at: row.confirmed_at.map(jiff_sqlx::Timestamp::to_jiff),
            address: None,
            reason: None,
            second: Second::default(),
        })
    })
    .transpose()
}

/// Stores when a token was last used, to the minute, to avoid a write for every request.
pub(crate) async fn touch(
    conn: &mut PgConnection,
    org: OrgId,
    token: ApiTokenId,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE api_tokens SET last_used_at = $3
            WHERE org_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3::timestamptz - interval '1 minute')
        "#,
        org.uuid(),
        token.uuid(),
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing that a token was used"))
}

pub(crate) async fn insert(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    token: &TokenInfo,
    hash: &Hash,
    (from_token, minted_by): (Option<ApiTokenId>, Option<UserId>),
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO api_tokens (org_id, id, user_id, name, token_sha256, expires_at, created_at, browser, from_token,
                joined, minted_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        "#,
        org.uuid(),
        token.id.uuid(),
        token.user.uuid(),
        token.name,
        hash.as_bytes().as_slice(),
        token.expires_at.map(|at| at.to_sqlx()) as _,
        token.created_at.to_sqlx(),
        token.browser.map(Browser::as_str),
        from_token.map(|from| from.uuid()),
        token.joined,
        minted_by.map(|user| user.uuid()),
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("adding an API token"))
    .map_err(|error| Error::named(error, &[("api_tokens_member_fkey", Error::NotFound("member"))]))?;
    Ok(())
}

struct TokenRow {
    id: uuid::Uuid,
    user_id: uuid::Uuid,
    name: String,
    created_at: jiff_sqlx::Timestamp,
    expires_at: Option<jiff_sqlx::Timestamp>,
    revoked_at: Option<jiff_sqlx::Timestamp>,
    last_used_at: Option<jiff_sqlx::Timestamp>,
    browser: Option<String>,
    joined: bool,
}

impl TryFrom<TokenRow> for TokenInfo {
    type Error = db::Error;

    fn try_from(row: TokenRow) -> Result<Self, db::Error> {
        Ok(Self {
            id: ApiTokenId::from_uuid(row.id),
            user: UserId::from_uuid(row.user_id),
            name: row.name,
            created_at: row.created_at.to_jiff(),
            expires_at: row.expires_at.map(|at| at.to_jiff()),
            revoked_at: row.revoked_at.map(|at| at.to_jiff()),
            last_used_at: row.last_used_at.map(|at| at.to_jiff()),
            browser: browser(row.browser.as_deref())?,
            joined: row.joined,
        })
    }
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    user: Option<UserId>,
    page: Page,
) -> Result<Vec<TokenInfo>, db::Error> {
    let rows = sqlx::query_as!(
        TokenRow,
        r#"
            SELECT id, user_id, name, created_at AS "created_at: _", expires_at AS "expires_at: _",
                revoked_at AS "revoked_at: _", last_used_at AS "last_used_at: _", browser, joined
            FROM api_tokens
            WHERE org_id = $1 AND ($2::uuid IS NULL OR user_id = $2) AND ($3::uuid IS NULL OR id < $3)
            ORDER BY id DESC LIMIT $4
        "#,
        org.uuid(),
        user.map(|user| user.uuid()),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing API tokens"))?;
    rows.into_iter().map(TokenInfo::try_from).collect()
}

/// A token, locked until the caller's transaction ends.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: ApiTokenId,
) -> Result<Option<TokenInfo>, db::Error> {
    let row = sqlx::query_as!(
        TokenRow,
        r#"
            SELECT id, user_id, name, created_at AS "created_at: _", expires_at AS "expires_at: _",
                revoked_at AS "revoked_at: _", last_used_at AS "last_used_at: _", browser, joined
            FROM api_tokens WHERE org_id = $1 AND id = $2 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking an API token"))?;
    row.map(TokenInfo::try_from).transpose()
}

pub(crate) async fn revoke(
    recorded: &mut Recorded<'_>,
    InOrg { org, id }: InOrg<ApiTokenId>,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE api_tokens SET revoked_at = coalesce(revoked_at, $3) WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("revoking an API token"))
}

/// Keeps when a passkey confirmed who is signed in.
pub(crate) async fn confirm(
    recorded: &mut Recorded<'_>,
    InOrg { org, id }: InOrg<ApiTokenId>,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE api_tokens SET confirmed_at = $3 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("confirming a sign-in"))
}

fn browser(text: Option<&str>) -> Result<Option<Browser>, db::Error> {
    text.map(|text| known(Browser::parse(text), "api_tokens.browser")).transpose()
}

/// Revokes all tokens and sign-ins of an organization; returns how many.
pub(crate) async fn revoke_all(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    now: Timestamp,
) -> Result<u64, db::Error> {
    let done = sqlx::query!(
        "UPDATE api_tokens SET revoked_at = $2 WHERE org_id = $1 AND revoked_at IS NULL",
        org.uuid(),
        now.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("revoking all tokens"))?;
    Ok(done.rows_affected())
}
