//! Where an org's people are told, and who they are in Slack: set by people.

use jiff::Timestamp;
use model::{NotifierId, OrgId, SpaceId, UserId};
use platform::db;

use super::{Undelivered, mail, message::Sheet, store};
use crate::{Error, Pipeline};

/// More places than an org can look at.
const MOST_NOTIFIERS: usize = 50;
/// More people than one list of them can hold.
const MOST_PEOPLE: usize = 1_000;

/// By what people are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Slack,
    Email,
}

impl Kind {
    /// As it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Slack => "slack",
            Self::Email => "email",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [Self::Slack, Self::Email].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Where people are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notifier {
    pub id: NotifierId,
    pub kind: Kind,
    /// The one space whose news go there; `None` for every space.
    pub space: Option<SpaceId>,
    /// A Slack channel's id, or an e-mail address.
    pub target: String,
    pub created_at: Timestamp,
}

impl Notifier {
    pub(super) fn hears(&self, space: Option<SpaceId>) -> bool {
        self.space.is_none() || self.space == space
    }
}

/// One to be added.
#[derive(Debug, Clone)]
pub struct NewNotifier {
    pub kind: Kind,
    pub space: Option<SpaceId>,
    pub target: String,
}

/// Which user a user of Slack is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlackPerson {
    /// Slack's own id, such as `U024BE7LH`.
    pub slack_user: String,
    pub user: UserId,
}

impl Pipeline {
    /// Adds a place where people are told.
    pub async fn add_notifier(&self, org: OrgId, new: NewNotifier) -> Result<Notifier, Error> {
        let fits = match new.kind {
            Kind::Slack => is_slack_id(&new.target, &['C', 'G', 'D']),
            Kind::Email => mail::is_address(&new.target),
        };
        if !fits {
            return Err(invalid("/target", "a channel's id such as C024BE91L, or an e-mail address"));
        }
        let notifier = Notifier {
            id: NotifierId::from_uuid(self.parts.world.uuid()),
            kind: new.kind,
            space: new.space,
            target: new.target,
            created_at: self.parts.world.clock.now(),
        };
        let mut tx = self.parts.db.begin(org).await?;
        if store::list_notifiers(&mut tx, org).await?.len() >= MOST_NOTIFIERS {
            return Err(invalid("", format!("an org has at most {MOST_NOTIFIERS} notifiers")));
        }
        match store::insert_notifier(&mut tx, org, &notifier).await {
            Err(error) if store::breaks_space(&error) => return Err(Error::NotFound("space")),
            Err(error) if store::breaks_target(&error) => return Err(Error::NotifierExists),
            done => done?,
        }
        db::commit(tx).await?;
        Ok(notifier)
    }

    /// The org's notifiers, oldest first.
    pub async fn notifiers(&self, org: OrgId) -> Result<Vec<Notifier>, Error> {
        Ok(store::list_notifiers(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// Removes one, with what it had yet to tell.
    pub async fn remove_notifier(&self, org: OrgId, id: NotifierId) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        if !store::delete_notifier(&mut tx, org, id).await? {
            return Err(Error::NotFound("notifier"));
        }
        Ok(db::commit(tx).await?)
    }

    /// Sends a test; gives back why it did not arrive, if it did not.
    pub async fn test_notifier(&self, org: OrgId, id: NotifierId) -> Result<Option<String>, Error> {
        let found = self.notifiers(org).await?.into_iter().find(|notifier| notifier.id == id);
        let notifier = found.ok_or(Error::NotFound("notifier"))?;
        // A name of its own each time, so that no reader takes it for the last one.
        let name = format!("test-{}", self.parts.world.uuid().simple());
        let told = self.send_sheet(org, (notifier.kind, &notifier.target), &name, &Sheet::test()).await?;
        Ok(told.err().map(|Undelivered { why, .. }| why))
    }

    /// Says which user a user of Slack is.
    pub async fn link_slack_person(&self, org: OrgId, person: SlackPerson) -> Result<SlackPerson, Error> {
        if !is_slack_id(&person.slack_user, &['U', 'W']) {
            return Err(invalid("", "a Slack user's id is such as U024BE7LH"));
        }
        let mut tx = self.parts.db.begin(org).await?;
        let members = self.parts.tenancy.members_by_id(&mut tx, org, &[person.user]).await?;
        if !members.contains_key(&person.user) {
            return Err(Error::NotFound("user"));
        }
        if store::list_people(&mut tx, org).await?.len() >= MOST_PEOPLE {
            return Err(invalid("", format!("an org links at most {MOST_PEOPLE} Slack users")));
        }
        store::put_person(&mut tx, org, &person).await?;
        db::commit(tx).await?;
        Ok(person)
    }

    /// Who is linked.
    pub async fn slack_people(&self, org: OrgId) -> Result<Vec<SlackPerson>, Error> {
        Ok(store::list_people(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// Forgets who a user of Slack is: their clicks count for nothing from now on.
    pub async fn unlink_slack_person(&self, org: OrgId, slack_user: &str) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        if !store::delete_person(&mut tx, org, slack_user).await? {
            return Err(Error::NotFound("Slack user"));
        }
        Ok(db::commit(tx).await?)
    }
}

fn invalid(pointer: &str, message: impl Into<String>) -> Error {
    Error::Malformed { pointer: pointer.to_owned(), message: message.into() }
}

/// Whether a text is an id of Slack's that begins with one of these letters.
fn is_slack_id(text: &str, first: &[char]) -> bool {
    (2..=24).contains(&text.len())
        && text.starts_with(first)
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}
