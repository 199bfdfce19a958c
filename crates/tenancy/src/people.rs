//! Organizations, members, roles, spaces and API tokens.

use std::collections::HashMap;

use jiff::Timestamp;
use model::{Actor, ApiTokenId, OrgId, RiskBand, Role, SpaceId, UserId};
use platform::{
    db,
    token::{Kind, Token},
};
use sqlx::PgConnection;

use crate::{Browser, Error, Page, Tenancy, store};

/// An organization to create.
#[derive(Debug, Clone)]
pub struct Founding {
    /// Unique slug.
    pub slug: String,
    /// Display name.
    pub name: String,
    /// The first owner.
    pub owner_email: String,
    /// The first owner's name.
    pub owner_name: String,
}

/// A new organization. The token is returned in plain text, only here.
pub struct Founded {
    pub org: OrgId,
    pub owner: UserId,
    pub space: SpaceId,
    pub token: Token,
}

/// A member of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub user: UserId,
    pub email: String,
    pub name: String,
    pub role: Role,
}

/// The organization's settings for approvals of R3 and R4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalSettings {
    /// Number of approvals required.
    pub quorum: u32,
    /// Whether the person who opened the session is barred from approving.
    pub four_eyes: bool,
    /// Whether approvals must be signed with a passkey.
    pub passkey: bool,
}

/// An organization with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrgInfo {
    pub slug: String,
    pub name: String,
    pub approvals: ApprovalSettings,
    /// How many days the bodies of receipts are kept.
    pub receipts_kept_days: u32,
}

/// Changes to an organization; `None` leaves a value unchanged.
#[derive(Debug, Clone, Copy, Default)]
pub struct OrgChange {
    pub quorum: Option<u32>,
    pub four_eyes: Option<bool>,
    pub passkey: Option<bool>,
    pub receipts_kept_days: Option<u32>,
}

/// A member to add.
#[derive(Debug, Clone)]
pub struct NewMember {
    pub email: String,
    pub name: String,
    pub role: Role,
}

/// A space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    pub id: SpaceId,
    pub slug: String,
    pub name: String,
    pub risk_band: RiskBand,
    pub outbound_redaction: bool,
}

/// Changes to a space; `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct SpaceChange {
    pub name: Option<String>,
    pub risk_band: Option<RiskBand>,
    pub outbound_redaction: Option<bool>,
}

/// An API token, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenInfo {
    pub id: ApiTokenId,
    pub user: UserId,
    pub name: String,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    /// How the browser was signed in; `None` for an API token.
    pub browser: Option<Browser>,
}

/// Changes to a member; `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct MemberChange {
    pub name: Option<String>,
    pub role: Option<Role>,
}

impl Tenancy {
    /// Creates an organization with its owner, a first space `main`, its data key, and the owner's first token.
    pub async fn found(&self, founding: Founding) -> Result<Founded, Error> {
        let now = self.world.clock.now();
        let org = OrgId::from_uuid(self.world.uuid());
        let space = Space {
            id: SpaceId::from_uuid(self.world.uuid()),
            slug: "main".to_owned(),
            name: "Main".to_owned(),
            risk_band: RiskBand::Green,
            outbound_redaction: false,
        };
        let mut tx = self.begin(org).await?;
        store::people::insert_org(&mut tx, org, &founding, now).await?;
        let owner = NewMember { email: founding.owner_email, name: founding.owner_name, role: Role::Owner };
        let owner = self.add_member_in(&mut tx, org, owner).await?;
        self.sealer.make_data_key(&mut tx, org).await?;
        store::people::insert_space(&mut tx, org, &space, now).await?;
        let token = self.token_in(&mut tx, Actor { org, user: owner }, "first token", None).await?.1;
        db::commit(tx).await?;
        Ok(Founded { org, owner, space: space.id, token })
    }

    /// Returns an organization.
    pub async fn org(&self, org: OrgId) -> Result<OrgInfo, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::people::find_org(&mut tx, org).await?)
    }

    /// Changes the settings of the organization in the caller's transaction. Returns the previous and the new
    /// settings.
    pub async fn change_org(
        &self,
        tx: &mut db::Tx,
        org: OrgId,
        change: OrgChange,
    ) -> Result<(OrgInfo, OrgInfo), Error> {
        store::people::lock_org(tx, org).await?;
        let before = store::people::find_org(tx, org).await?;
        let mut info = before.clone();
        info.approvals.quorum = change.quorum.unwrap_or(info.approvals.quorum);
        info.approvals.four_eyes = change.four_eyes.unwrap_or(info.approvals.four_eyes);
        if change.passkey == Some(true) && !info.approvals.passkey && !self.has_passkeys(tx, org).await? {
            return Err(Error::NoPasskeys);
        }
        info.approvals.passkey = change.passkey.unwrap_or(info.approvals.passkey);
        info.receipts_kept_days = change.receipts_kept_days.unwrap_or(info.receipts_kept_days);
        store::people::update_org(tx, org, &info).await?;
        Ok((before, info))
    }

    /// How many days each org keeps the bodies of its receipts.
    pub async fn receipt_periods(&self) -> Result<Vec<(OrgId, u32)>, Error> {
        let mut conn = self.db.unscoped().await?;
        Ok(store::people::receipt_periods(&mut conn).await?)
    }

    /// The approval settings of the organization, read in the caller's transaction.
    pub async fn approval_settings(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
    ) -> Result<ApprovalSettings, Error> {
        Ok(store::people::find_org(conn, org).await?.approvals)
    }

    /// The members among these people, by ID; read in the caller's transaction.
    pub async fn members_by_id(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        users: &[UserId],
    ) -> Result<HashMap<UserId, Member>, Error> {
        let members = store::people::find_members(conn, org, users).await?;
        Ok(members.into_iter().map(|member| (member.user, member)).collect())
    }

    /// One member.
    pub async fn member(&self, org: OrgId, user: UserId) -> Result<Member, Error> {
        let mut tx = self.begin(org).await?;
        let found = store::people::find_members(&mut tx, org, &[user]).await?;
        found.into_iter().next().ok_or(Error::NotFound("member"))
    }

    /// Adds a member, as an existing or a new user.
    pub async fn add_member(&self, org: OrgId, member: NewMember) -> Result<UserId, Error> {
        let mut tx = self.begin(org).await?;
        let user = self.add_member_in(&mut tx, org, member).await?;
        db::commit(tx).await?;
        Ok(user)
    }

    async fn add_member_in(&self, tx: &mut db::Tx, org: OrgId, member: NewMember) -> Result<UserId, Error> {
        let email = member.email.trim().to_lowercase();
        let plausible =
            email.len() <= 254 && email.split_once('@').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
        if !plausible {
            return Err(Error::Invalid("an e-mail address must have text on both sides of the @"));
        }
        let now = self.world.clock.now();
        let fresh = UserId::from_uuid(self.world.uuid());
        let user = store::people::find_or_insert_user(tx, fresh, &email, now).await?;
        store::people::insert_membership(tx, Actor { org, user }, &member.name, member.role, now).await?;
        Ok(user)
    }

    /// All members of the organization.
    pub async fn members(&self, org: OrgId, page: Page) -> Result<Vec<Member>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::people::list_members(&mut tx, org, page).await?)
    }

    /// Changes the role or the name of a member. Existing tokens and browsers use the new role immediately.
    pub async fn change_member(
        &self,
        org: OrgId,
        user: UserId,
        change: MemberChange,
    ) -> Result<Member, Error> {
        let mut tx = self.begin(org).await?;
        if change.role.is_some_and(|role| role != Role::Owner) {
            keep_an_owner(&mut tx, org, user).await?;
        }
        let changed = store::people::update_membership(&mut tx, org, user, &change).await?;
        let member = changed.ok_or(Error::NotFound("member"))?;
        db::commit(tx).await?;
        Ok(member)
    }

    /// Removes a member, revokes their tokens and browsers, and removes their passkeys.
    pub async fn remove_member(&self, org: OrgId, user: UserId) -> Result<(), Error> {
        let mut tx = self.begin(org).await?;
        keep_an_owner(&mut tx, org, user).await?;
        if !store::people::delete_membership(&mut tx, org, user).await? {
            return Err(Error::NotFound("member"));
        }
        store::passkeys::remove_all(&mut tx, org, user, self.world.clock.now()).await?;
        Ok(db::commit(tx).await?)
    }

    /// Creates an API token for a member.
    pub async fn create_token(
        &self,
        actor: Actor,
        name: &str,
        expires_at: Option<Timestamp>,
    ) -> Result<(ApiTokenId, Token), Error> {
        let mut tx = self.begin(actor.org).await?;
        let made = self.token_in(&mut tx, actor, name, expires_at).await?;
        db::commit(tx).await?;
        Ok(made)
    }

    async fn token_in(
        &self,
        tx: &mut db::Tx,
        Actor { org, user }: Actor,
        name: &str,
        expires_at: Option<Timestamp>,
    ) -> Result<(ApiTokenId, Token), Error> {
        let token = self.make_token(Kind::Api);
        let info = TokenInfo {
            id: ApiTokenId::from_uuid(self.world.uuid()),
            user,
            name: name.to_owned(),
            created_at: self.world.clock.now(),
            expires_at,
            revoked_at: None,
            last_used_at: None,
            browser: None,
        };
        store::tokens::insert(tx, org, &info, &token.hash(), None).await?;
        Ok((info.id, token))
    }

    /// A member's tokens.
    pub async fn tokens(&self, org: OrgId, user: UserId, page: Page) -> Result<Vec<TokenInfo>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::tokens::list(&mut tx, org, user, page).await?)
    }

    /// Revokes a token of this member.
    pub async fn revoke_token(&self, org: OrgId, user: UserId, id: ApiTokenId) -> Result<(), Error> {
        let mut tx = self.begin(org).await?;
        if !store::tokens::revoke(&mut tx, Actor { org, user }, id, self.world.clock.now()).await? {
            return Err(Error::NotFound("token"));
        }
        Ok(db::commit(tx).await?)
    }

    /// Adds a space.
    pub async fn create_space(
        &self,
        org: OrgId,
        slug: &str,
        name: &str,
        band: RiskBand,
    ) -> Result<Space, Error> {
        let space = Space {
            id: SpaceId::from_uuid(self.world.uuid()),
            slug: slug.to_owned(),
            name: name.to_owned(),
            risk_band: band,
            outbound_redaction: false,
        };
        let mut tx = self.begin(org).await?;
        store::people::insert_space(&mut tx, org, &space, self.world.clock.now()).await?;
        db::commit(tx).await?;
        Ok(space)
    }

    /// The org's spaces.
    pub async fn spaces(&self, org: OrgId, page: Page) -> Result<Vec<Space>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::people::list_spaces(&mut tx, org, page).await?)
    }

    /// One space, read in the caller's transaction.
    pub async fn space(&self, conn: &mut PgConnection, org: OrgId, id: SpaceId) -> Result<Space, Error> {
        store::people::find_space(conn, org, id).await?.ok_or(Error::NotFound("space"))
    }

    /// The space with this slug or ID; without a name, the first space of the organization.
    pub async fn named_space(&self, org: OrgId, name: Option<&str>) -> Result<Space, Error> {
        let mut tx = self.begin(org).await?;
        let id = match name {
            None => self.first_space(&mut tx, org).await?,
            Some(name) => match name.parse() {
                Ok(id) => id,
                Err(_) => {
                    let found = store::people::find_space_of_slug(&mut tx, org, name).await?;
                    return found.ok_or(Error::NotFound("space"));
                }
            },
        };
        self.space(&mut tx, org, id).await
    }

    /// The policy version of the organization, read in the caller's transaction.
    pub async fn policy_version(&self, conn: &mut PgConnection, org: OrgId) -> Result<i64, Error> {
        Ok(store::people::policy_version(conn, org).await?)
    }

    /// Changes a space. The next decision in it uses the new band.
    pub async fn change_space(&self, org: OrgId, id: SpaceId, change: SpaceChange) -> Result<Space, Error> {
        let mut tx = self.begin(org).await?;
        let space =
            store::people::update_space(&mut tx, org, id, &change).await?.ok_or(Error::NotFound("space"))?;
        db::commit(tx).await?;
        Ok(space)
    }
}

/// An organization without an owner could never be changed again. Owners are locked, so that two owners who leave at
/// the same time do not each rely on the other.
async fn keep_an_owner(tx: &mut db::Tx, org: OrgId, leaving: UserId) -> Result<(), Error> {
    let owners = store::people::lock_owners(tx, org).await?;
    if owners == [leaving] {
        return Err(Error::Invalid("an organization must have an owner: make another member an owner first"));
    }
    Ok(())
}
