//! Organizations, members and their roles.

use std::{collections::HashMap, time::Duration};

use changes::{Author, Draft, Kind as Change, Recorded};
use jiff::Timestamp;
use model::{Actor, MemberKind, OpenTo, OrgId, RiskBand, Role, SpaceId, UserId};
use platform::{db, token::Token};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::{Error, Page, Space, Tenancy, store};

/// How long loosening needs two people after one of two owners left.
const TWO_PEOPLE_KEPT: Duration = Duration::from_secs(7 * 86_400);

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
    pub kind: MemberKind,
    pub joined_at: Timestamp,
    /// Who let them in or gave them more since; `None` for members of before.
    pub vouched: Option<Vouched>,
}

/// Who let a member in, raised their role or made them a new link, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vouched {
    /// `None`: the operator.
    pub by: Option<UserId>,
    pub at: Timestamp,
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
    pub retention: Retention,
    pub loosening: Loosening,
    /// The IANA time zone in which policies see the time.
    pub time_zone: String,
    pub model_budget: ModelBudget,
    /// When it was brought over from an earlier version; `None` for one that was founded since.
    pub upgraded_at: Option<Timestamp>,
}

/// How long an organization keeps what it can erase: the bodies of receipts, parameters, results, inputs of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// In days, as it was set.
    pub kept_days: u32,
    /// While a shorter period waits: the longer one that still holds, and until when.
    pub longer: Option<(u32, Timestamp)>,
    /// Whether nothing is erased at all.
    pub legal_hold: bool,
}

/// Who may make a change after which something can happen that could not happen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loosening {
    /// Whether a second owner must agree.
    pub two_people: bool,
    /// Whether that follows from the number of owners, because the organization did not say.
    pub is_default: bool,
    /// Until when two people are needed although there is only one owner, because another owner left.
    pub until: Option<Timestamp>,
}

impl Loosening {
    /// The word in the interface and in records.
    pub const fn as_str(self) -> &'static str {
        if self.two_people { "two_people" } else { "one" }
    }
}

/// Changes to an organization; `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct OrgChange {
    pub quorum: Option<u32>,
    pub four_eyes: Option<bool>,
    pub passkey: Option<bool>,
    pub receipts_kept_days: Option<u32>,
    pub legal_hold: Option<bool>,
    /// Whether a change that loosens needs a second owner.
    pub two_people: Option<bool>,
    pub time_zone: Option<String>,
    pub model_budget: Option<ModelBudget>,
}

/// What model calls of an organization may use in a day; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelBudget {
    pub nano_usd: Option<i64>,
    pub tokens: Option<i64>,
}

/// A person to invite.
#[derive(Debug, Clone)]
pub struct NewMember {
    pub email: String,
    pub name: String,
    pub role: Role,
}

/// Changes to a member; `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct MemberChange {
    pub name: Option<String>,
    pub role: Option<Role>,
}

impl Member {
    pub(crate) fn recorded(&self) -> Value {
        json!({ "email": self.email, "name": self.name, "role": self.role, "kind": self.kind })
    }
}

impl OrgInfo {
    /// The settings, as records and events tell them.
    pub fn settings(&self) -> Value {
        json!({
            "approval_quorum": self.approvals.quorum,
            "approval_four_eyes": self.approvals.four_eyes,
            "approval_passkey": self.approvals.passkey,
            "receipts_kept_days": self.retention.kept_days,
            "legal_hold": self.retention.legal_hold,
            "loosening": self.loosening.as_str(),
            "time_zone": self.time_zone,
            "model_nano_usd_per_day": self.model_budget.nano_usd,
            "model_tokens_per_day": self.model_budget.tokens,
        })
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
            open_to: OpenTo::Everyone,
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
        store::spaces::insert(&mut recorded, org, &space, now).await?;
        self.sealer.make_data_key(&mut recorded, org).await?;
        self.sealer.make_pseudonym_key(&mut recorded, org).await?;
        let email = address(&founding.owner_email)?;
        let fresh = UserId::from_uuid(self.world.uuid());
        let user = store::people::find_or_insert_user(&mut tx, fresh, &email, now).await?;
        let (name, role, kind) = (founding.owner_name, Role::Owner, MemberKind::Person);
        let owner = Member { user, email, name, role, kind, joined_at: now, vouched: None };
        self.add_member(&mut tx, &by, &owner).await?;
        let expires_at = Some(now + crate::TOKEN_LIFETIME);
        let token = self.token_in(&mut tx, &by, user, ("first token", expires_at, true)).await?.1;
        db::commit(tx).await?;
        Ok(Founded { org, owner: user, space: space.id, token })
    }

    /// Returns an organization.
    pub async fn org(&self, org: OrgId) -> Result<OrgInfo, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::people::find_org(&mut tx, org).await?)
    }

    /// The organization with this slug, for the operator.
    pub async fn org_of_slug(&self, slug: &str) -> Result<OrgId, Error> {
        let mut conn = self.db.unscoped().await?;
        store::people::find_org_of_slug(&mut conn, slug).await?.ok_or(Error::NotFound("org"))
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
        info.retention.kept_days = change.receipts_kept_days.unwrap_or(info.retention.kept_days);
        info.model_budget = change.model_budget.unwrap_or(info.model_budget);
        info.retention.legal_hold = change.legal_hold.unwrap_or(info.retention.legal_hold);
        if let Some(zone) = change.time_zone {
            if jiff::tz::TimeZone::get(&zone).is_err() {
                return Err(Error::Invalid(
                    "the time zone does not exist; write a name such as `Europe/Berlin`",
                ));
            }
            info.time_zone = zone;
        }
        if let Some(two_people) = change.two_people {
            if two_people && store::people::lock_owners(tx, org).await?.len() < 2 {
                return Err(Error::Invalid("loosening can need two people once there are two owners"));
            }
            info.loosening = Loosening { two_people, is_default: false, until: None };
        }
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
            // The database says from when a shorter period holds.
            info = store::people::find_org(tx, org).await?;
        }
        Ok((before, info))
    }

    /// How many days each org keeps what it can erase; `None` during a legal hold.
    pub async fn receipt_periods(&self) -> Result<Vec<(OrgId, Option<u32>)>, Error> {
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

    /// The names of those of these people who are members.
    pub async fn names(&self, org: OrgId, users: &[UserId]) -> Result<HashMap<UserId, String>, Error> {
        let mut tx = self.begin(org).await?;
        let members = self.members_by_id(&mut tx, org, users).await?;
        Ok(members.into_iter().map(|(user, member)| (user, member.name)).collect())
    }

    /// One member.
    pub async fn member(&self, org: OrgId, user: UserId) -> Result<Member, Error> {
        let mut tx = self.begin(org).await?;
        let found = store::people::find_members(&mut tx, org, &[user]).await?;
        found.into_iter().next().ok_or(Error::NotFound("member"))
    }

    /// Adds a service account: a program with tokens and without a vote.
    pub async fn add_service_account(&self, by: &Author, name: String, role: Role) -> Result<Member, Error> {
        if role == Role::Owner {
            return Err(Error::Invalid("a service account cannot be an owner"));
        }
        let now = self.world.clock.now();
        let user = UserId::from_uuid(self.world.uuid());
        // Users are told apart by their addresses. Nothing is ever sent to this one, and nobody can prove that it is theirs.
        let email = format!("{}@service.invalid", user.uuid());
        let vouched = Some(Vouched { by: by.user, at: now });
        let member = Member { user, email, name, role, kind: MemberKind::Service, joined_at: now, vouched };
        let mut tx = self.begin(by.org).await?;
        store::people::find_or_insert_user(&mut tx, user, &member.email, now).await?;
        self.add_member(&mut tx, by, &member).await?;
        db::commit(tx).await?;
        Ok(member)
    }

    async fn add_member(&self, tx: &mut db::Tx, by: &Author, member: &Member) -> Result<(), Error> {
        let mut after = member.recorded();
        if member.kind == MemberKind::Service {
            // It is made up and another one each time, and a second owner agrees to exactly this.
            after["email"] = Value::Null;
        }
        let draft = Draft {
            kind: Change::MemberAdded,
            subject: member.user.to_string(),
            name: member.name.clone(),
            before: None,
            after: Some(after),
        };
        let mut recorded = self.recorder.record(tx, by, draft).await?;
        store::people::insert_membership(&mut recorded, by.org, member).await
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
        let owners = match change.role {
            Some(role) if role != Role::Owner => keep_an_owner(&mut tx, org, user).await?,
            _ => vec![],
        };
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
        if after.role > before.role {
            let vouched = Vouched { by: by.user, at: self.world.clock.now() };
            store::people::vouch(&mut recorded, Actor { org, user }, vouched).await?;
        }
        if owners.contains(&user) {
            self.keep_two_people(&mut recorded, by).await?;
        }
        if after.role < before.role {
            self.end_beyond_reach(&mut recorded, org, (None, Some(user))).await?;
        }
        db::commit(tx).await?;
        changed.ok_or(Error::NotFound("member"))
    }

    /// Ends every token, sign-in, session, open invitation and proposed change of the organization, after a restore: what was revoked since
    /// the backup would be valid again. Returns how many tokens and sign-ins, and how many sessions.
    pub async fn end_all_access(&self, by: &Author, what: Value) -> Result<(u64, u64), Error> {
        let (org, now) = (by.org, self.world.clock.now());
        let mut tx = self.begin(org).await?;
        let draft = Draft {
            kind: Change::Restored,
            subject: org.to_string(),
            name: store::people::find_org(&mut tx, org).await?.name,
            before: None,
            after: Some(what),
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let credentials = store::tokens::revoke_all(&mut recorded, org, now).await?;
        let sessions = store::sessions::end_all(&mut recorded, org, now).await?;
        store::invitations::withdraw_all(&mut recorded, org, now).await?;
        changes::end_proposed(&mut recorded, org, now).await?;
        db::commit(tx).await?;
        Ok((credentials, sessions))
    }

    /// Gives the organization a data key under the newest master key and encrypts the older ones with it, unless that is so
    /// already. Returns whether something was to be done.
    pub async fn rotate_data_keys(&self, by: &Author) -> Result<bool, Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        let Some(earlier) = self.sealer.needs_rotation(&mut tx, org).await? else {
            // An organization of version 0.1 needs its key before the master key is gone from which it is derived.
            self.sealer.pseudonym_key(&mut tx, org).await?;
            db::commit(tx).await?;
            return Ok(false);
        };
        let draft = Draft {
            kind: Change::KeysRotated,
            subject: org.to_string(),
            name: store::people::find_org(&mut tx, org).await?.name,
            before: Some(json!({ "master_keys": earlier.master_keys })),
            after: Some(json!({ "master_keys": [self.sealer.keyring().newest()] })),
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        self.sealer.rotate_data_keys(&mut recorded, org).await?;
        db::commit(tx).await?;
        Ok(true)
    }

    /// Removes a member. Their tokens, browsers, sessions, passkeys and open invitations end at once.
    pub async fn remove_member(&self, by: &Author, user: UserId) -> Result<(), Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        let owners = keep_an_owner(&mut tx, org, user).await?;
        let before = locked_member(&mut tx, org, user).await?;
        let mut state = before.recorded();
        let tokens =
            store::tokens::list(&mut tx, org, Some(user), Page { after: None, limit: 1_000 }).await?;
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
        if owners.contains(&user) {
            self.keep_two_people(&mut recorded, by).await?;
        }
        let now = self.world.clock.now();
        store::passkeys::remove_all(&mut recorded, org, user, now).await?;
        store::invitations::withdraw_by(&mut recorded, Actor { org, user }, now).await?;
        store::sessions::end_all_of(&mut recorded, Actor { org, user }, now).await?;
        Ok(db::commit(tx).await?)
    }

    /// After an owner left, two people are still needed to loosen for some time, unless the operator did it: nobody
    /// becomes the only owner to loosen alone.
    async fn keep_two_people(&self, recorded: &mut Recorded<'_>, by: &Author) -> Result<(), Error> {
        if by.user.is_none() {
            return Ok(());
        }
        let until = self.world.clock.now() + TWO_PEOPLE_KEPT;
        Ok(store::people::keep_two_people(recorded, by.org, until).await?)
    }

    /// The policy version of the organization, read in the caller's transaction.
    pub async fn policy_version(&self, conn: &mut PgConnection, org: OrgId) -> Result<i64, Error> {
        Ok(store::people::policy_version(conn, org).await?)
    }
}

/// A member, locked until the transaction ends.
pub(crate) async fn locked_member(tx: &mut db::Tx, org: OrgId, user: UserId) -> Result<Member, Error> {
    store::people::lock_member(tx, org, user).await?;
    let found = store::people::find_members(tx, org, &[user]).await?;
    found.into_iter().next().ok_or(Error::NotFound("member"))
}

/// An e-mail address, in the form in which it is stored.
pub(crate) fn address(given: &str) -> Result<String, Error> {
    let email = given.trim().to_lowercase();
    let plausible =
        email.len() <= 254 && email.split_once('@').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
    if plausible {
        Ok(email)
    } else {
        Err(Error::Invalid("an e-mail address must have text on both sides of the @"))
    }
}

/// An organization without an owner could never be changed again. Owners are locked, so that two owners who leave at
/// the same time do not each rely on the other. Returns them.
async fn keep_an_owner(tx: &mut db::Tx, org: OrgId, leaving: UserId) -> Result<Vec<UserId>, Error> {
    let owners = store::people::lock_owners(tx, org).await?;
    if owners == [leaving] {
        return Err(Error::Invalid("an organization must have an owner: make another member an owner first"));
    }
    Ok(owners)
}
