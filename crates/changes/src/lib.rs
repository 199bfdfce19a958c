//! Change records: every change of what anyone may do is signed and in the ledger, in the transaction of the change.
//!
//! Cast: an [`Author`] makes a change; a [`Draft`] says what it is, before and after; the [`Recorder`] signs and stores
//! it and hands out a [`Recorded`], the only way to the connection for store functions that alter authority. A
//! [`Stored`] record is read back for people and for the ledger, which gives it its place in the log.
//!
//! INVARIANT: a [`Recorded`] exists only after its record was written in the same transaction. If the change fails, the
//! transaction is rolled back and neither exists.
//! INVARIANT: a record holds no secret: drafts never get one, and what looks like a credential is redacted.
//! Not here: the changes themselves (the crates that own the tables), and whether someone may make them (`gateway`).
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable
    )
)]

mod author;
mod kind;
mod loosening;
mod proposals;
mod store;

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use arc_swap::ArcSwap;
use events::Event;
use jiff::{Timestamp, Unit};
use model::{ChangeId, EventType, OrgId, UserId};
use platform::{World, db, redact::Redactor};
use receipt::{CHANGE_TYPE, CHANGE_VERSION, Change, Envelope, Seed, SigningKey};
use serde_json::{Value, json};
use sqlx::PgConnection;

pub use author::{Author, Method};
pub use kind::Kind;
pub use proposals::{Answer, NewProposed, Proposal, Proposed, Second, Status, Wanted};
pub use store::{
    Filter, answer_proposed, end_proposed, find_many, find_proposed, insert_proposed, list, list_proposed,
    needs_two_people,
};

/// A change that is about to be made.
#[derive(Debug, Clone)]
pub struct Draft {
    pub kind: Kind,
    /// ID of what is changed.
    pub subject: String,
    /// Name of what is changed, for people.
    pub name: String,
    /// The state before; `None` for something new.
    pub before: Option<Value>,
    /// The state after; `None` for something removed.
    pub after: Option<Value>,
}

/// A stored record.
#[derive(Debug, Clone)]
pub struct Stored {
    pub id: ChangeId,
    /// The signed bytes.
    pub payload: Vec<u8>,
    pub envelope: Envelope,
    /// The seed of its salts, for proofs.
    pub seed: Seed,
}

/// A record as it is written.
pub(crate) struct New<'n> {
    pub(crate) id: ChangeId,
    pub(crate) org: OrgId,
    pub(crate) change: &'n Change,
    pub(crate) user: Option<model::UserId>,
    pub(crate) payload: &'n [u8],
    pub(crate) keyid: &'n str,
    pub(crate) signature: &'n [u8],
    pub(crate) seed: &'n [u8],
    pub(crate) commitment: &'n [u8],
    pub(crate) at: Timestamp,
}

/// The connection of a transaction in which a change was recorded. Store functions that alter authority demand it, so
/// that a change without a record does not compile. Only [`Recorder::record`] makes one.
#[derive(Debug)]
pub struct Recorded<'c> {
    conn: &'c mut PgConnection,
}

impl Deref for Recorded<'_> {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.conn
    }
}

impl DerefMut for Recorded<'_> {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.conn
    }
}

/// Signs and stores change records. Cheap to clone.
#[derive(Clone)]
pub struct Recorder {
    world: World,
    key: Arc<ArcSwap<SigningKey>>,
    /// Announces the record to others at once; without it they hear of it a little later.
    events: Option<events::Log>,
    redactor: Redactor,
}

impl Recorder {
    /// Signs with the key of the ledger, which changes when it is rotated.
    pub const fn new(world: World, key: Arc<ArcSwap<SigningKey>>, events: Option<events::Log>) -> Self {
        Self { world, key, events, redactor: Redactor::new() }
    }

    /// Records a change in the caller's transaction, which makes the change next. One that loosens and needs a second
    /// owner is not recorded: it is put where the author wants it, and [`db::Error::SecondPerson`] ends the transaction.
    pub async fn record<'c>(
        &self,
        conn: &'c mut PgConnection,
        by: &Author,
        draft: Draft,
    ) -> Result<Recorded<'c>, db::Error> {
        let countersigned_by = self.check_second(conn, by, &draft).await?;
        let now = self.world.clock.now();
        let at = now.round(Unit::Microsecond).unwrap_or(now);
        let id = ChangeId::from_uuid(self.world.uuid());
        let mut change = self.written(id, by, draft, at);
        change.by.countersigned_by = countersigned_by.map(|user| user.to_string());
        let mut seed = Seed([0; 32]);
        self.world.dice.fill(&mut seed.0);
        let (payload, commitment) =
            receipt::commit_change(&change, &seed).map_err(|source| db::Error::Record(Box::new(source)))?;
        let key = self.key.load();
        let signature = key.sign_bytes(&receipt::pae(CHANGE_TYPE, &payload));
        let new = New {
            id,
            org: by.org,
            change: &change,
            user: by.user,
            payload: &payload,
            keyid: key.keyid(),
            signature: &signature,
            seed: &seed.0,
            commitment: &commitment,
            at,
        };
        store::records::insert(conn, &new).await?;
        let data = json!({ "id": id, "change": change.change, "subject": change.subject, "by": by.user });
        let event = Event::new(&self.world, EventType::ChangeRecorded, id, data);
        match &self.events {
            Some(log) => log.stage(conn, by.org, std::iter::once(&event)).await?,
            None => events::stage(conn, by.org, std::iter::once(&event)).await?,
        }
        Ok(Recorded { conn })
    }

    /// What the last review of a tool accepted, also of a connector that was removed and added again under its name.
    pub async fn last_review(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        name: &str,
    ) -> Result<Option<Value>, db::Error> {
        let name = self.redactor.redact_text(name);
        store::records::last_after(conn, org, Kind::ToolReviewed, &name).await
    }

    /// The second owner of a change that loosens, where the organization wants one.
    async fn check_second(
        &self,
        conn: &mut PgConnection,
        by: &Author,
        draft: &Draft,
    ) -> Result<Option<UserId>, db::Error> {
        let loosens = loosening::of(draft.kind, draft.before.as_ref(), draft.after.as_ref());
        // The operator has the machine, and the gateway only follows from something else.
        let (Some(loosens), Some(_)) = (loosens, by.user) else { return Ok(None) };
        if !store::needs_two_people(conn, by.org).await? {
            return Ok(None);
        }
        let digest = proposals::digest(draft).ok_or(db::Error::SecondPerson)?;
        if let Some((user, _)) = by.second.agreed.filter(|(_, agreed)| *agreed == digest) {
            return Ok(Some(user));
        }
        if let Some(wanted) = &by.second.wanted {
            let value = |value: &Option<Value>| value.as_ref().map(|value| self.redactor.redact_value(value));
            wanted.put(Proposal {
                change: draft.kind.as_str().to_owned(),
                subject: draft.subject.clone(),
                name: self.redactor.redact_text(&draft.name).into_owned(),
                before: value(&draft.before),
                after: value(&draft.after),
                loosens: loosens.to_owned(),
                digest,
            });
        }
        Err(db::Error::SecondPerson)
    }

    fn written(&self, id: ChangeId, by: &Author, draft: Draft, at: Timestamp) -> Change {
        let text = |text: &str| self.redactor.redact_text(text).into_owned();
        let value = |value: Option<Value>| value.map(|value| self.redactor.redact_value(&value));
        Change {
            version: CHANGE_VERSION.to_owned(),
            id: id.to_string(),
            org: by.org.to_string(),
            change: draft.kind.as_str().to_owned(),
            subject: draft.subject,
            name: text(&draft.name),
            by: receipt::Author {
                user: by.user.map(|user| user.to_string()),
                method: by.method.as_str().to_owned(),
                token: by.token.map(|token| token.to_string()),
                countersigned_by: None,
            },
            address: by.address.map(|address| address.to_string()),
            reason: by.reason.as_deref().map(text),
            before: value(draft.before),
            after: value(draft.after),
            at: at.to_string(),
        }
    }
}
