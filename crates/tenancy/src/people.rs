//! Organizations, members, roles, spaces and API tokens.

use std::collections::HashMap;

use changes::{Author, Draft, Kind as Change};
use jiff::Timestamp;
use model::{Actor, ApiTokenId, OrgId, RiskBand, Role, SpaceId, UserId};
use platform::{
    db,
    token::{Kind, Token},
};
use serde_json::{Value, json};
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

impl Member {
    fn recorded(&self) -> Value {
        json!({ "email": self.email, "name": self.name, "role": self.role })
    }
}

impl OrgInfo {
    /// The settings, as records and events tell them.
    pub fn settings(&self) -> Value {
        json!({
            "approval_quorum": self.approvals.quorum,
            "approval_four_eyes": self.approvals.four_eyes,
            "approval_passkey": self.approvals.passkey,
            "receipts_kept_days": self.receipts_kept_days,
        })
    }
}

impl Space {
    fn recorded(&self) -> Value {
        json!({
            "slug": self.slug,
            "name": self.name,
            "risk_band": self.risk_band,
            "outbound_redaction": self.outbound_redaction,
        })
    }
}

impl TokenInfo {
    pub(crate) fn recorded(&self) -> Value {
        json!({ "user": self.user, "name": self.name, "expires_at": self.expires_at })
    }
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
        let by = Author::operator(org);
        let mut tx = self.begin(org).await?;
        let draft = Draft {
            kind: Change::OrgFounded,
            subject: org.to_string(),
            name: founding.name.clone(),
            before: None,
            after: Some(json!({
                "slug": founding.slug, "name": founding.name, "space": space.recorded(), "space_id": space.id,
            })),
        };
        let mut recorded = self.recorder.record(&mut tx, &by, draft).await?;
        store::people::insert_org(&mut recorded, org, &founding, now).await?;
        store::people::insert_space(&mut recorded, org, &space, now).await?;
        self.sealer.make_data_key(&mut recorded, org).await?;
        let owner = NewMember { email: founding.owner_email, name: founding.owner_name, role: Role::Owner };
        let owner = self.add_member_in(&mut tx, &by, owner).await?;
        let token = self.token_in(&mut tx, &by, owner, ("first token", None)).await?.1;
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
        by: &Author,
        change: OrgChange,
    ) -> Result<(OrgInfo, OrgInfo), Error> {
        let org = by.org;
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
        if before != info {
            let draft = Draft {
                kind: Change::OrgChanged,
                subject: org.to_string(),
                name: info.name.clone(),
                before: Some(before.settings()),
                after: Some(info.settings()),
            };
            let mut recorded = self.recorder.record(tx, by, draft).await?;
            store::people::update_org(&mut recorded, org, &info).await?;
        }
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
    pub async fn add_member(&self, by: &Author, member: NewMember) -> Result<UserId, Error> {
        let mut tx = self.begin(by.org).await?;
        let user = self.add_member_in(&mut tx, by, member).await?;
        db::commit(tx).await?;
        Ok(user)
    }

    async fn add_member_in(&self, tx: &mut db::Tx, by: &Author, member: NewMember) -> Result<UserId, Error> {
        let email = member.email.trim().to_lowercase();
        let plausible =
            email.len() <= 254 && email.split_once('@').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
        if !plausible {
            return Err(Error::Invalid("an e-mail address must have text on both sides of the @"));
        }
        let now = self.world.clock.now();
        let fresh = UserId::from_uuid(self.world.uuid());
        let user = store::people::find_or_insert_user(tx, fresh, &email, now).await?;
        let added = Member { user, email, name: member.name, role: member.role };
        let draft = Draft {
            kind: Change::MemberAdded,
            subject: user.to_string(),
            name: added.name.clone(),
            before: None,
            after: Some(added.recorded()),
        };
        let mut recorded = self.recorder.record(tx, by, draft).await?;
        let whose = Actor { org: by.org, user };
        store::people::insert_membership(&mut recorded, whose, &added.name, added.role, now).await?;
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
        by: &Author,
        user: UserId,
        change: MemberChange,
    ) -> Result<Member, Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        if change.role.is_some_and(|role| role != Role::Owner) {
            keep_an_owner(&mut tx, org, user).await?;
        }
        let before = locked_member(&mut tx, org, user).await?;
        let mut after = before.clone();
        after.name = change.name.clone().unwrap_or(after.name);
        after.role = change.role.unwrap_or(after.role);
        if after == before {
            return Ok(after);
        }
        let draft = Draft {
            kind: Change::MemberChanged,
            subject: user.to_string(),
            name: after.name.clone(),
            before: Some(before.recorded()),
            after: Some(after.recorded()),
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let changed = store::people::update_membership(&mut recorded, org, user, &change).await?;
        db::commit(tx).await?;
        changed.ok_or(Error::NotFound("member"))
    }

    /// Removes a member, revokes their tokens and browsers, and removes their passkeys.
    pub async fn remove_member(&self, by: &Author, user: UserId) -> Result<(), Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        keep_an_owner(&mut tx, org, user).await?;
        let before = locked_member(&mut tx, org, user).await?;
        let mut state = before.recorded();
        let tokens = store::tokens::list(&mut tx, org, user, Page { after: None, limit: 1_000 }).await?;
        let valid = tokens.iter().filter(|info| info.revoked_at.is_none());
        state["credentials_ended"] = valid.map(|info| json!(info.id)).collect();
        let passkeys = store::passkeys::list_active(&mut tx, org, user).await?;
        state["passkeys_removed"] = passkeys.iter().map(|passkey| json!(passkey.id)).collect();
        let draft = Draft {
            kind: Change::MemberRemoved,
            subject: user.to_string(),
            name: before.name.clone(),
            before: Some(state),
            after: None,
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::people::delete_membership(&mut recorded, org, user).await?;
        store::passkeys::remove_all(&mut recorded, org, user, self.world.clock.now()).await?;
        Ok(db::commit(tx).await?)
    }

    /// Creates an API token for a member.
    pub async fn create_token(
        &self,
        by: &Author,
        user: UserId,
        name: &str,
        expires_at: Option<Timestamp>,
    ) -> Result<(ApiTokenId, Token), Error> {
        let mut tx = self.begin(by.org).await?;
        let made = self.token_in(&mut tx, by, user, (name, expires_at)).await?;
        db::commit(tx).await?;
        Ok(made)
    }

    async fn token_in(
        &self,
        tx: &mut db::Tx,
        by: &Author,
        user: UserId,
        (name, expires_at): (&str, Option<Timestamp>),
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
        let draft = Draft {
            kind: Change::TokenCreated,
            subject: info.id.to_string(),
            name: info.name.clone(),
            before: None,
            after: Some(info.recorded()),
        };
        let mut recorded = self.recorder.record(tx, by, draft).await?;
        store::tokens::insert(&mut recorded, by.org, &info, &token.hash(), None).await?;
        Ok((info.id, token))
    }

    /// A member's tokens.
    pub async fn tokens(&self, org: OrgId, user: UserId, page: Page) -> Result<Vec<TokenInfo>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::tokens::list(&mut tx, org, user, page).await?)
    }

    /// Revokes a token of this member.
    pub async fn revoke_token(&self, by: &Author, user: UserId, id: ApiTokenId) -> Result<(), Error> {
        self.end_token(by, Change::TokenRevoked, user, id).await
    }

    /// Revokes an API token or the sign-in of a browser. Doing it twice is not an error and not a change.
    pub(crate) async fn end_token(
        &self,
        by: &Author,
        kind: Change,
        user: UserId,
        id: ApiTokenId,
    ) -> Result<(), Error> {
        let whose = Actor { org: by.org, user };
        let mut tx = self.begin(by.org).await?;
        let info = store::tokens::lock(&mut tx, whose, id).await?.ok_or(Error::NotFound("token"))?;
        if info.revoked_at.is_some() {
            return Ok(());
        }
        let draft = Draft {
            kind,
            subject: id.to_string(),
            name: info.name.clone(),
            before: Some(info.recorded()),
            after: None,
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::tokens::revoke(&mut recorded, whose, id, self.world.clock.now()).await?;
        Ok(db::commit(tx).await?)
    }

    /// Adds a space.
    pub async fn create_space(
        &self,
        by: &Author,
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
        let draft = Draft {
            kind: Change::SpaceCreated,
            subject: space.id.to_string(),
            name: space.name.clone(),
            before: None,
            after: Some(space.recorded()),
        };
        let mut tx = self.begin(by.org).await?;
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::people::insert_space(&mut recorded, by.org, &space, self.world.clock.now()).await?;
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
    pub async fn change_space(&self, by: &Author, id: SpaceId, change: SpaceChange) -> Result<Space, Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        let before = store::people::lock_space(&mut tx, org, id).await?.ok_or(Error::NotFound("space"))?;
        let mut after = before.clone();
        after.name = change.name.clone().unwrap_or(after.name);
        after.risk_band = change.risk_band.unwrap_or(after.risk_band);
        after.outbound_redaction = change.outbound_redaction.unwrap_or(after.outbound_redaction);
        if after == before {
            return Ok(after);
        }
        let draft = Draft {
            kind: Change::SpaceChanged,
            subject: id.to_string(),
            name: after.name.clone(),
            before: Some(before.recorded()),
            after: Some(after.recorded()),
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let space = store::people::update_space(&mut recorded, org, id, &change).await?;
        db::commit(tx).await?;
        space.ok_or(Error::NotFound("space"))
    }
}

/// A member, locked until the transaction ends.
async fn locked_member(tx: &mut db::Tx, org: OrgId, user: UserId) -> Result<Member, Error> {
    store::people::lock_member(tx, org, user).await?;
    let found = store::people::find_members(tx, org, &[user]).await?;
    found.into_iter().next().ok_or(Error::NotFound("member"))
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
