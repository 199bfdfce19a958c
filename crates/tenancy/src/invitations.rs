//! Invitations: a link with which one person joins an organization, once. Nobody else ever holds their token.
//!
//! INVARIANT: who vouched for a member, and when, is kept with the membership. For a day the two count as one person.

use std::time::Duration;

use changes::{Author, Draft, Kind as Change, Method};
use jiff::{SignedDuration, Timestamp};
use model::{Actor, ApiTokenId, InOrg, InvitationId, MemberKind, OrgId, Role, UserId};
use platform::{
    db,
    token::{self, Hash, Kind, Token},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::{
    Error, Identity, Member, NewMember, Page, Tenancy,
    people::{Vouched, address},
    store,
};

/// How long a link is valid.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long the person who let a member in and that member count as one.
const AS_ONE: SignedDuration = SignedDuration::from_hours(24);

/// An invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub email: String,
    pub name: String,
    pub role: Role,
    /// `None`: the operator.
    pub invited_by: Option<UserId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub accepted_at: Option<Timestamp>,
    pub withdrawn_at: Option<Timestamp>,
}

/// What the holder of a link is told before they join.
#[derive(Debug, Clone)]
pub struct Offer {
    pub org: OrgId,
    pub org_slug: String,
    pub org_name: String,
    pub invitation: Invitation,
    /// The name of the person who invited them.
    pub invited_by: Option<String>,
    /// Whether they are a member already and get a new token.
    pub is_member: bool,
}

/// A person who joined, with their first token in plain text, only here.
pub struct Joined {
    pub id: ApiTokenId,
    pub token: Token,
}

impl Invitation {
    /// What became of it.
    pub fn status(&self, now: Timestamp) -> &'static str {
        match (self.accepted_at, self.withdrawn_at) {
            (Some(_), _) => "accepted",
            (None, Some(_)) => "withdrawn",
            (None, None) if self.expires_at <= now => "expired",
            (None, None) => "open",
        }
    }

    fn is_open(&self, now: Timestamp) -> bool {
        self.status(now) == "open"
    }

    fn recorded(&self) -> Value {
        let days = LIFETIME.as_secs() / (24 * 60 * 60);
        json!({ "email": self.email, "name": self.name, "role": self.role, "valid_days": days })
    }

    fn draft(&self, kind: Change, before: Option<Value>, after: Option<Value>) -> Draft {
        Draft { kind, subject: self.id.to_string(), name: self.name.clone(), before, after }
    }
}

impl Tenancy {
    /// Invites a person, or makes a new link for a member. An earlier invitation of the same person ends. The token is
    /// returned in plain text, only here.
    pub async fn invite(&self, by: &Author, new: NewMember) -> Result<(Invitation, Token), Error> {
        let email = address(&new.email)?;
        let now = self.world.clock.now();
        let mut tx = self.begin(by.org).await?;
        let member = store::people::find_member_by_email(&mut tx, by.org, &email).await?;
        match &member {
            Some(member) if member.role != new.role => {
                return Err(Error::Exists("this member, with another role,"));
            }
            Some(Member { kind: MemberKind::Service, .. }) => return Err(Error::Exists("a service account")),
            _ => {}
        }
        let token = self.make_token(Kind::Invitation);
        let invitation = Invitation {
            id: InvitationId::from_uuid(self.world.uuid()),
            email,
            name: new.name,
            role: new.role,
            invited_by: by.user,
            created_at: now,
            expires_at: now + LIFETIME,
            accepted_at: None,
            withdrawn_at: None,
        };
        let mut after = invitation.recorded();
        if let Some(member) = &member {
            after["member"] = json!(member.user);
        }
        let draft = invitation.draft(Change::MemberInvited, None, Some(after));
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::invitations::withdraw_open(&mut recorded, by.org, &invitation.email, now).await?;
        store::invitations::insert(&mut recorded, by.org, &invitation, &token.hash()).await?;
        db::commit(tx).await?;
        Ok((invitation, token))
    }

    /// Makes a new link for an open invitation; the earlier one ends. Only the person who invited may have it.
    pub async fn renew_invitation(
        &self,
        by: &Author,
        id: InvitationId,
    ) -> Result<(Invitation, Token), Error> {
        let now = self.world.clock.now();
        let mut tx = self.begin(by.org).await?;
        let found = self.open_invitation(&mut tx, by.org, id).await?;
        if found.invited_by != by.user {
            return Err(Error::NotInviter);
        }
        let token = self.make_token(Kind::Invitation);
        let renewed = Invitation { expires_at: now + LIFETIME, ..found.clone() };
        let before = json!({ "expires_at": found.expires_at });
        let after = json!({ "expires_at": renewed.expires_at, "link": "new" });
        let draft = found.draft(Change::InvitationRenewed, Some(before), Some(after));
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::invitations::renew(&mut recorded, by.org, &renewed, &token.hash()).await?;
        db::commit(tx).await?;
        Ok((renewed, token))
    }

    /// Withdraws an invitation. Doing it twice is not an error and not a change.
    pub async fn withdraw_invitation(&self, by: &Author, id: InvitationId) -> Result<(), Error> {
        let now = self.world.clock.now();
        let mut tx = self.begin(by.org).await?;
        let found = store::invitations::lock(&mut tx, by.org, id).await?;
        let found = found.ok_or(Error::NotFound("invitation"))?;
        if found.accepted_at.is_some() {
            return Err(Error::Invalid("the invitation was accepted; remove the member instead"));
        }
        if found.withdrawn_at.is_some() {
            return Ok(());
        }
        let draft = found.draft(Change::InvitationWithdrawn, Some(found.recorded()), None);
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::invitations::withdraw_open(&mut recorded, by.org, &found.email, now).await?;
        Ok(db::commit(tx).await?)
    }

    /// The invitations of an organization, newest first.
    pub async fn invitations(&self, org: OrgId, page: Page) -> Result<Vec<Invitation>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::invitations::list(&mut tx, org, page).await?)
    }

    /// What a link offers.
    pub async fn offer(&self, presented: &str) -> Result<Offer, Error> {
        let InOrg { org, id } = self.invitation_of(presented).await?;
        let mut tx = self.begin(org).await?;
        let invitation = self.open_invitation(&mut tx, org, id).await?;
        let info = store::people::find_org(&mut tx, org).await?;
        let inviter: Vec<UserId> = invitation.invited_by.into_iter().collect();
        let inviter = store::people::find_members(&mut tx, org, &inviter).await?.into_iter().next();
        let member = store::people::find_member_by_email(&mut tx, org, &invitation.email).await?;
        Ok(Offer {
            org,
            org_slug: info.slug,
            org_name: info.name,
            invitation,
            invited_by: inviter.map(|member| member.name),
            is_member: member.is_some(),
        })
    }

    /// The holder of a link joins, under this name or the one in the invitation.
    pub async fn join(&self, presented: &str, name: Option<&str>) -> Result<Joined, Error> {
        let InOrg { org, id } = self.invitation_of(presented).await?;
        let mut tx = self.begin(org).await?;
        let now = self.world.clock.now();
        let invitation = self.open_invitation(&mut tx, org, id).await?;
        let fresh = UserId::from_uuid(self.world.uuid());
        let user = store::people::find_or_insert_user(&mut tx, fresh, &invitation.email, now).await?;
        let actor = Actor { org, user };
        self.accept(&mut tx, actor, &invitation, name).await?;
        let by = Author::person(actor, Method::Invitation, None);
        let expires_at = Some(now + crate::TOKEN_LIFETIME);
        let (id, token) = self.token_in(&mut tx, &by, user, ("first token", expires_at, true)).await?;
        db::commit(tx).await?;
        Ok(Joined { id, token })
    }

    /// The open invitations of an address that the identity provider has verified.
    pub(crate) async fn invitations_of(
        &self,
        identity: &Identity,
    ) -> Result<Vec<InOrg<InvitationId>>, Error> {
        let Some(email) = &identity.verified_email else { return Ok(Vec::new()) };
        let mut conn = self.db.unscoped().await?;
        Ok(store::invitations::find_of(&mut conn, &email.to_lowercase(), self.world.clock.now()).await?)
    }

    /// Accepts invitations for a person; returns the organizations that they joined.
    pub(crate) async fn join_as(
        &self,
        user: UserId,
        invitations: Vec<InOrg<InvitationId>>,
    ) -> Result<Vec<OrgId>, Error> {
        let mut joined = Vec::new();
        for InOrg { org, id } in invitations {
            let mut tx = self.begin(org).await?;
            let invitation = match self.open_invitation(&mut tx, org, id).await {
                Err(Error::NotFound(_)) => continue,
                found => found?,
            };
            self.accept(&mut tx, Actor { org, user }, &invitation, None).await?;
            db::commit(tx).await?;
            joined.push(org);
        }
        Ok(joined)
    }

    /// Makes the invited person a member, unless they are one.
    async fn accept(
        &self,
        tx: &mut db::Tx,
        Actor { org, user }: Actor,
        invitation: &Invitation,
        name: Option<&str>,
    ) -> Result<(), Error> {
        let now = self.world.clock.now();
        let by = Author::person(Actor { org, user }, Method::Invitation, None);
        let vouched = Vouched { by: invitation.invited_by, at: now };
        let already = store::people::find_members(tx, org, &[user]).await?.into_iter().next();
        let member = Member {
            user,
            email: invitation.email.clone(),
            name: name.unwrap_or(&invitation.name).to_owned(),
            role: invitation.role,
            kind: MemberKind::Person,
            joined_at: now,
            vouched: Some(vouched),
        };
        let invited = json!({ "id": invitation.id, "invited_by": invitation.invited_by });
        let (kind, before) = match &already {
            None => (Change::MemberAdded, None),
            Some(member) => (Change::MemberChanged, Some(member.recorded())),
        };
        let mut after = already.as_ref().unwrap_or(&member).recorded();
        after["invitation"] = invited;
        let draft =
            Draft { kind, subject: user.to_string(), name: member.name.clone(), before, after: Some(after) };
        let mut recorded = self.recorder.record(tx, &by, draft).await?;
        match already {
            None => store::people::insert_membership(&mut recorded, org, &member).await?,
            Some(_) => store::people::vouch(&mut recorded, Actor { org, user }, vouched).await?,
        }
        Ok(store::invitations::accept(&mut recorded, InOrg { org, id: invitation.id }, user, now).await?)
    }

    /// The organization and ID of a link. Which of unknown, used and expired it is, is not told.
    async fn invitation_of(&self, presented: &str) -> Result<InOrg<InvitationId>, Error> {
        let hash: Hash = match token::parse(presented) {
            Some((Kind::Invitation, hash)) => hash,
            _ => return Err(Error::NotFound("invitation")),
        };
        let mut conn = self.db.unscoped().await?;
        let found = store::invitations::find(&mut conn, &hash).await?;
        found.ok_or(Error::NotFound("invitation"))
    }

    async fn open_invitation(
        &self,
        tx: &mut db::Tx,
        org: OrgId,
        id: InvitationId,
    ) -> Result<Invitation, Error> {
        let now = self.world.clock.now();
        let found = store::invitations::lock(tx, org, id).await?;
        let found = found.filter(|found| found.is_open(now)).ok_or(Error::NotFound("invitation"))?;
        // An invitation is worth as much as the person who made it still is.
        if let Some(inviter) = found.invited_by {
            let inviter = store::people::find_members(tx, org, &[inviter]).await?.into_iter().next();
            if inviter.is_none_or(|inviter| inviter.role < Role::Owner) {
                return Err(Error::NotFound("invitation"));
            }
        }
        Ok(found)
    }

    /// Checks that nobody among the others let this person in within the last day, or was let in by them, or is a program
    /// of which this person made a token: then they count as one. Read in the caller's transaction.
    pub async fn check_not_one(
        &self,
        conn: &mut PgConnection,
        Actor { org, user }: Actor,
        others: &[UserId],
    ) -> Result<(), Error> {
        if others.is_empty() {
            return Ok(());
        }
        let since = self.world.clock.now() - AS_ONE;
        let pairs = store::people::counted_as_one(conn, org, since).await?;
        let is_one = |(by, of): &(UserId, UserId)| {
            (*by == user && others.contains(of)) || (*of == user && others.contains(by))
        };
        if pairs.iter().any(is_one) { Err(Error::CountsAsOne) } else { Ok(()) }
    }
}
