//! Spaces, their members, and what a person may use in a space.

use changes::{Author, Draft, Kind as Change, Recorded};
use jiff::Timestamp;
use model::{Actor, InOrg, MemberKind, OpenTo, OrgId, RiskBand, Role, SpaceId, UserId, capability};
use platform::db;
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::{Error, Page, Tenancy, people::locked_member, store};

/// A space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    pub id: SpaceId,
    pub slug: String,
    pub name: String,
    pub risk_band: RiskBand,
    pub outbound_redaction: bool,
    pub open_to: OpenTo,
}

/// A space to add.
#[derive(Debug, Clone)]
pub struct NewSpace {
    pub slug: String,
    pub name: String,
    pub risk_band: RiskBand,
    pub open_to: OpenTo,
}

/// Changes to a space; `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct SpaceChange {
    pub name: Option<String>,
    pub risk_band: Option<RiskBand>,
    pub outbound_redaction: Option<bool>,
    pub open_to: Option<OpenTo>,
}

/// A member of a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpaceMember {
    pub user: UserId,
    pub name: String,
    pub role: Role,
    pub kind: MemberKind,
    /// What a session that they open in the space may use at most.
    pub capabilities: Vec<String>,
    pub added_at: Timestamp,
}

/// What a person may use in a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    held: Vec<String>,
    /// Whether a session may be opened for `*`, which includes sources that are added later.
    everything: bool,
}

impl Reach {
    /// Admins and owners belong to every space. A member needs to be listed, unless the space is open to everyone; who is
    /// listed may use what their row says. `None` if they do not belong to the space.
    pub(crate) fn new(role: Role, open_to: OpenTo, listed: Option<Vec<String>>) -> Option<Self> {
        let all = || vec![capability::EVERYTHING.to_owned()];
        match (role, listed, open_to) {
            (Role::Admin | Role::Owner, _, _) => Some(Self { held: all(), everything: true }),
            (Role::Member, Some(held), _) => {
                let everything = held.iter().any(|held| held == capability::EVERYTHING);
                Some(Self { held, everything })
            }
            (Role::Member, None, OpenTo::Everyone) => Some(Self { held: all(), everything: false }),
            (Role::Member, None, OpenTo::Members) => None,
        }
    }

    /// Whether a session may have this capability.
    pub(crate) fn allows(&self, wanted: &str) -> bool {
        match wanted {
            capability::EVERYTHING => self.everything,
            wanted => capability::is_covered(&self.held, wanted),
        }
    }

    /// Whether a session may have a part of this capability.
    pub fn allows_some_of(&self, wanted: &str) -> bool {
        !self.bound(&[wanted.to_owned()]).is_empty()
    }

    /// As much of these as a session may have.
    pub(crate) fn bound(&self, wanted: &[String]) -> Vec<String> {
        capability::within(&self.held, wanted)
    }
}

impl Space {
    pub(crate) fn recorded(&self) -> Value {
        json!({
            "slug": self.slug,
            "name": self.name,
            "risk_band": self.risk_band,
            "outbound_redaction": self.outbound_redaction,
            "open_to": self.open_to,
        })
    }

    fn draft_of(&self, kind: Change, member: &crate::Member, held: [Option<&[String]>; 2]) -> Draft {
        let state = |capabilities: &[String]| {
            json!({
                "space": self.slug, "open_to": self.open_to, "user": member.user, "capabilities": capabilities,
            })
        };
        let [before, after] = held.map(|capabilities| capabilities.map(state));
        Draft { kind, subject: self.id.to_string(), name: member.name.clone(), before, after }
    }
}

impl Tenancy {
    /// Adds a space.
    pub async fn create_space(&self, by: &Author, new: NewSpace) -> Result<Space, Error> {
        let space = Space {
            id: SpaceId::from_uuid(self.world.uuid()),
            slug: new.slug,
            name: new.name,
            risk_band: new.risk_band,
            outbound_redaction: false,
            open_to: new.open_to,
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
        store::spaces::insert(&mut recorded, by.org, &space, self.world.clock.now()).await?;
        db::commit(tx).await?;
        Ok(space)
    }

    /// The org's spaces.
    pub async fn spaces(&self, org: OrgId, page: Page) -> Result<Vec<Space>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::spaces::list(&mut tx, org, page).await?)
    }

    /// One space, read in the caller's transaction.
    pub async fn space(&self, conn: &mut PgConnection, org: OrgId, id: SpaceId) -> Result<Space, Error> {
        store::spaces::find(conn, org, id).await?.ok_or(Error::NotFound("space"))
    }

    /// The default space: the first one of the organization.
    pub async fn first_space(&self, conn: &mut PgConnection, org: OrgId) -> Result<SpaceId, Error> {
        store::spaces::find_first(conn, org).await?.ok_or(Error::NotFound("space"))
    }

    /// The space with this slug or ID; without a name, the first space of the organization.
    pub async fn named_space(&self, org: OrgId, name: Option<&str>) -> Result<Space, Error> {
        let mut tx = self.begin(org).await?;
        let id = match name {
            None => self.first_space(&mut tx, org).await?,
            Some(name) => match name.parse() {
                Ok(id) => id,
                Err(_) => {
                    let found = store::spaces::find_of_slug(&mut tx, org, name).await?;
                    return found.ok_or(Error::NotFound("space"));
                }
            },
        };
        self.space(&mut tx, org, id).await
    }

    /// Changes a space. The next decision in it uses the new band. Sessions of people who no longer belong to it end.
    pub async fn change_space(&self, by: &Author, id: SpaceId, change: SpaceChange) -> Result<Space, Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        let before = store::spaces::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("space"))?;
        let mut after = before.clone();
        after.name = change.name.clone().unwrap_or(after.name);
        after.risk_band = change.risk_band.unwrap_or(after.risk_band);
        after.outbound_redaction = change.outbound_redaction.unwrap_or(after.outbound_redaction);
        after.open_to = change.open_to.unwrap_or(after.open_to);
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
        let space = store::spaces::update(&mut recorded, org, id, &change).await?;
        if after.open_to != before.open_to {
            self.end_beyond_reach(&mut recorded, org, (Some(id), None)).await?;
        }
        db::commit(tx).await?;
        space.ok_or(Error::NotFound("space"))
    }

    /// The people who are listed as members of a space.
    pub async fn space_members(
        &self,
        org: OrgId,
        space: SpaceId,
        page: Page,
    ) -> Result<Vec<SpaceMember>, Error> {
        let mut tx = self.begin(org).await?;
        self.space(&mut tx, org, space).await?;
        Ok(store::spaces::list_members(&mut tx, InOrg { org, id: space }, page).await?)
    }

    /// Lists a person as a member of a space, or changes what they may use there. Their sessions in it that are beyond
    /// that end.
    pub async fn set_space_member(
        &self,
        by: &Author,
        (space, user): (SpaceId, UserId),
        capabilities: &[String],
    ) -> Result<SpaceMember, Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        let space = store::spaces::lock(&mut tx, org, space).await?.ok_or(Error::NotFound("space"))?;
        let member = locked_member(&mut tx, org, user).await?;
        let place = InOrg { org, id: space.id };
        let known = store::spaces::find_member(&mut tx, place, user).await?;
        if let Some(known) = known.as_ref().filter(|known| known.capabilities == capabilities) {
            return Ok(known.clone());
        }
        let before = known.as_ref().map(|known| known.capabilities.as_slice());
        let draft = space.draft_of(Change::SpaceMemberSet, &member, [before, Some(capabilities)]);
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let now = self.world.clock.now();
        store::spaces::put_member(&mut recorded, place, user, (capabilities, now)).await?;
        self.end_beyond_reach(&mut recorded, org, (Some(space.id), Some(user))).await?;
        let set = store::spaces::find_member(&mut recorded, place, user).await?;
        db::commit(tx).await?;
        set.ok_or(Error::NotFound("member"))
    }

    /// Removes a person from the members of a space. Their sessions in it end, unless the space is open to everyone.
    pub async fn remove_space_member(&self, by: &Author, space: SpaceId, user: UserId) -> Result<(), Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        let space = store::spaces::lock(&mut tx, org, space).await?.ok_or(Error::NotFound("space"))?;
        let member = locked_member(&mut tx, org, user).await?;
        let place = InOrg { org, id: space.id };
        let known =
            store::spaces::find_member(&mut tx, place, user).await?.ok_or(Error::NotFound("member"))?;
        let draft =
            space.draft_of(Change::SpaceMemberRemoved, &member, [Some(known.capabilities.as_slice()), None]);
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::spaces::delete_member(&mut recorded, place, user).await?;
        self.end_beyond_reach(&mut recorded, org, (Some(space.id), Some(user))).await?;
        Ok(db::commit(tx).await?)
    }

    /// What a person may use in a space. Neither their role nor their membership changes until the transaction ends.
    pub async fn reach(
        &self,
        conn: &mut PgConnection,
        Actor { org, user }: Actor,
        space: SpaceId,
    ) -> Result<Reach, Error> {
        let found = store::spaces::reach(conn, Actor { org, user }, space).await?;
        found.ok_or(Error::NotFound("space"))?.ok_or(Error::NotInSpace)
    }

    /// The spaces of these that a person belongs to.
    pub async fn own_spaces(&self, by: Actor, spaces: &[Space]) -> Result<Vec<SpaceId>, Error> {
        let mut tx = self.begin(by.org).await?;
        let ids: Vec<SpaceId> = spaces.iter().map(|space| space.id).collect();
        Ok(store::spaces::own(&mut tx, by, &ids).await?)
    }

    /// Ends the sessions that have more than their openers may use by now: in this space, or of this person.
    pub(crate) async fn end_beyond_reach(
        &self,
        recorded: &mut Recorded<'_>,
        org: OrgId,
        of: (Option<SpaceId>, Option<UserId>),
    ) -> Result<(), Error> {
        let now = self.world.clock.now();
        let open = store::spaces::open_sessions(recorded, org, of, now).await?;
        let is_beyond = |open: &&store::spaces::OpenSession| match &open.reach {
            None => true,
            Some(reach) => !open.capabilities.iter().all(|held| reach.allows(held)),
        };
        let beyond: Vec<_> = open.iter().filter(is_beyond).map(|open| open.id).collect();
        if !beyond.is_empty() {
            store::spaces::end_sessions(recorded, org, &beyond, now).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_reaches_what_the_space_and_their_row_say() {
        let of = |role, open_to, listed: Option<&str>| {
            Reach::new(role, open_to, listed.map(|listed| vec![listed.to_owned()]))
        };
        let everyone = of(Role::Member, OpenTo::Everyone, None).expect("belongs");
        assert!(everyone.allows("linear:*") && !everyone.allows("*"), "no source that is added later");
        assert_eq!(of(Role::Member, OpenTo::Members, None), None);
        for open_to in [OpenTo::Everyone, OpenTo::Members] {
            let listed = of(Role::Member, open_to, Some("linear:read")).expect("belongs");
            assert!(listed.allows("linear:read") && !listed.allows("linear:write") && !listed.allows("*"));
            assert_eq!(listed.bound(&["linear:*".to_owned(), "slack:*".to_owned()]), ["linear:read"]);
            for role in [Role::Admin, Role::Owner] {
                assert!(of(role, open_to, Some("linear:read")).expect("belongs").allows("*"));
            }
        }
    }
}
