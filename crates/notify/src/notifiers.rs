//! Notifiers, and which user a Slack user is.

use changes::{Author, Draft, Kind as Change};
use jiff::Timestamp;
use model::{MemberKind, NotifierId, OrgId, SpaceId, UserId};
use platform::db;
use serde_json::json;

use crate::{
    delivery::DeliveryError, error::Error, mail, message::Message, notices::Destination, parts::Notify, store,
};

/// The most notifiers of an org.
const MAX_NOTIFIERS: usize = 50;
/// The most Slack users of an org.
const MAX_PEOPLE: usize = 1_000;

/// The kind of a notifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Slack,
    Email,
}

impl Kind {
    /// The name in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Slack => "slack",
            Self::Email => "email",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Slack, Self::Email].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A target of messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notifier {
    pub id: NotifierId,
    pub kind: Kind,
    /// The one space it is for; `None` for every space.
    pub space: Option<SpaceId>,
    /// A Slack channel's id, or an e-mail address.
    pub target: String,
    pub created_at: Timestamp,
}

impl Notifier {
    pub(crate) fn covers(&self, space: Option<SpaceId>) -> bool {
        self.space.is_none() || self.space == space
    }
}

/// A notifier to be added.
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

impl Notify {
    /// Adds a notifier.
    pub async fn add_notifier(&self, org: OrgId, new: NewNotifier) -> Result<Notifier, Error> {
        let fits = match new.kind {
            Kind::Slack => is_slack_id(&new.target, &['C', 'G', 'D']),
            Kind::Email => mail::is_address(&new.target),
        };
        if !fits {
            return Err(invalid("/target", "must be a channel ID such as C024BE91L, or an e-mail address"));
        }
        let notifier = Notifier {
            id: NotifierId::from_uuid(self.parts.world.uuid()),
            kind: new.kind,
            space: new.space,
            target: new.target,
            created_at: self.parts.world.clock.now(),
        };
        let mut tx = self.parts.db.begin(org).await?;
        if store::list_notifiers(&mut tx, org).await?.len() >= MAX_NOTIFIERS {
            return Err(invalid("", format!("an organization can have at most {MAX_NOTIFIERS} notifiers")));
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

    /// Deletes a notifier with its unsent notices.
    pub async fn remove_notifier(&self, org: OrgId, id: NotifierId) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        if !store::delete_notifier(&mut tx, org, id).await? {
            return Err(Error::NotFound("notifier"));
        }
        Ok(db::commit(tx).await?)
    }

    /// Sends a test message; returns why it did not arrive, if it did not.
    pub async fn test_notifier(&self, org: OrgId, id: NotifierId) -> Result<Option<String>, Error> {
        let found = self.notifiers(org).await?.into_iter().find(|notifier| notifier.id == id);
        let notifier = found.ok_or(Error::NotFound("notifier"))?;
        // A new name each time, so that no mail program takes it for the last one.
        let name = format!("test-{}", self.parts.world.uuid().simple());
        let to = Destination { kind: notifier.kind, target: &notifier.target };
        let sent = self.send_message(org, to, &name, &Message::test()).await?;
        Ok(sent.err().map(|DeliveryError { why, .. }| why))
    }

    /// Links a Slack user to a user.
    pub async fn link_slack_person(&self, by: &Author, person: SlackPerson) -> Result<SlackPerson, Error> {
        let org = by.org;
        if !is_slack_id(&person.slack_user, &['U', 'W']) {
            return Err(invalid("", "must be a Slack user ID such as U024BE7LH"));
        }
        let mut tx = self.parts.db.begin(org).await?;
        let members = self.parts.tenancy.members_by_id(&mut tx, org, &[person.user]).await?;
        if members.get(&person.user).is_none_or(|member| member.kind != MemberKind::Person) {
            return Err(Error::NotFound("user"));
        }
        if store::list_people(&mut tx, org).await?.len() >= MAX_PEOPLE {
            return Err(invalid("", format!("an organization can link at most {MAX_PEOPLE} Slack users")));
        }
        let before = store::lock_person(&mut tx, org, &person.slack_user).await?;
        if before == Some(person.user) {
            return Ok(person);
        }
        let draft = Draft {
            kind: Change::SlackLinked,
            subject: person.slack_user.clone(),
            name: person.slack_user.clone(),
            before: before.map(|user| json!({ "user": user })),
            after: Some(json!({ "user": person.user })),
        };
        let mut recorded = self.parts.recorder.record(&mut tx, by, draft).await?;
        store::put_person(&mut recorded, org, &person).await?;
        db::commit(tx).await?;
        Ok(person)
    }

    /// The linked Slack users.
    pub async fn slack_people(&self, org: OrgId) -> Result<Vec<SlackPerson>, Error> {
        Ok(store::list_people(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// Unlinks a Slack user: their clicks no longer count.
    pub async fn unlink_slack_person(&self, by: &Author, slack_user: &str) -> Result<(), Error> {
        let org = by.org;
        let mut tx = self.parts.db.begin(org).await?;
        let before = store::lock_person(&mut tx, org, slack_user).await?;
        let before = before.ok_or(Error::NotFound("Slack user"))?;
        let draft = Draft {
            kind: Change::SlackUnlinked,
            subject: slack_user.to_owned(),
            name: slack_user.to_owned(),
            before: Some(json!({ "user": before })),
            after: None,
        };
        let mut recorded = self.parts.recorder.record(&mut tx, by, draft).await?;
        store::delete_person(&mut recorded, org, slack_user).await?;
        Ok(db::commit(tx).await?)
    }
}

fn invalid(pointer: &str, message: impl Into<String>) -> Error {
    Error::Malformed { pointer: pointer.to_owned(), message: message.into() }
}

/// Whether a text is a Slack id that begins with one of these letters.
fn is_slack_id(text: &str, first: &[char]) -> bool {
    (2..=24).contains(&text.len())
        && text.starts_with(first)
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}
