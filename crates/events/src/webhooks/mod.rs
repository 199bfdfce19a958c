//! Webhooks: addresses of an org that its events are sent to, in the format of the Standard Webhooks.
//!
//! Cast: a [`Webhook`] says where and which events; a [`Delivery`] is one event on its way to one of them; an [`Attempt`]
//! is one request, signed and ready to go (`deliver.rs`); `sign.rs` and `retry.rs` are pure.
//!
//! Flow: follower → [`Webhooks::create`] → engine → [`Webhooks::claim`] → request → [`Webhooks::record`] → … → over.
//!
//! INVARIANT: a secret is sealed wherever it is kept, and shown once, when it is made.
//! INVARIANT: an attempt is claimed before it is made, so however many are told to make it, one does.
//! Not here: the request itself and which addresses it may reach (`pipeline`), and the engine that waits in between.

mod deliver;
mod retry;
mod sign;

use std::time::Duration;

use jiff::Timestamp;
use model::{OrgId, UserId, WebhookId};
use platform::{
    db::{self, Tx},
    seal::{Place, Sealer},
};
use secrecy::SecretString;
use serde_json::Value;

use crate::{Error, Log, filter::Filter, store, types};

pub use deliver::{Attempt, Claimed, Delivery, DeliveryStatus, Outcome};
pub use sign::{Key, is_signed, new_key, written};

/// How many webhooks an org may have.
pub const MOST_WEBHOOKS: usize = 50;
/// How many types one may name.
pub const MOST_TYPES: usize = 50;
/// How long the address of one may be.
pub const LONGEST_URL: usize = 2_000;
/// How long both secrets sign after a rotation.
const ROTATION: Duration = Duration::from_secs(24 * 60 * 60);

/// Where events are sent, and which.
#[derive(Debug, Clone, PartialEq)]
pub struct Webhook {
    pub id: WebhookId,
    pub settings: WebhookSettings,
    pub enabled: bool,
    /// Since when nothing has arrived there.
    pub failing_since: Option<Timestamp>,
    /// Why it is not enabled, unless a person said so.
    pub disabled_reason: Option<String>,
    /// Until when the secret before the current one signs as well.
    pub previous_until: Option<Timestamp>,
    pub created_by: UserId,
    pub created_at: Timestamp,
}

/// What people say of a webhook.
#[derive(Debug, Clone, PartialEq)]
pub struct WebhookSettings {
    /// Where. Whether it may be reached is checked by whoever sends.
    pub url: String,
    /// Of which types; all when empty.
    pub types: Vec<String>,
    /// Of those, the ones that meet this.
    pub filter: Option<Value>,
}

/// What to change about one; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct WebhookChange {
    pub url: Option<String>,
    pub types: Option<Vec<String>>,
    pub filter: Option<Option<Value>>,
    pub enabled: Option<bool>,
}

/// The secrets of a webhook as they are kept.
pub(crate) struct Sealed {
    pub(crate) current: Vec<u8>,
    pub(crate) previous: Option<(Vec<u8>, Timestamp)>,
}

impl WebhookSettings {
    fn check(&self) -> Result<(), Error> {
        let wrong =
            |pointer: &str, message: String| Err(Error::Invalid { pointer: pointer.to_owned(), message });
        if self.url.len() > LONGEST_URL {
            return wrong("/url", format!("at most {LONGEST_URL} bytes"));
        }
        if self.types.len() > MOST_TYPES {
            return wrong("/types", format!("at most {MOST_TYPES} types; a filter can say more"));
        }
        if !self.types.iter().all(|wanted| types::is_wanted(wanted)) {
            let message = "a type is lower-case words with dots between, such as `action.executed`, or `action.*` for all that begin so";
            return wrong("/types", message.to_owned());
        }
        match self.filter.as_ref().map(Filter::parse) {
            Some(Err(complaints)) => Err(Error::Filter(complaints)),
            _ => Ok(()),
        }
    }
}

/// The webhooks of all orgs. Cheap to clone.
#[derive(Clone)]
pub struct Webhooks {
    log: Log,
    sealer: Sealer,
}

const fn current_place(id: WebhookId) -> Place<'static> {
    Place { table: "webhooks", row: id.uuid(), field: "sealed" }
}

const fn previous_place(id: WebhookId) -> Place<'static> {
    Place { table: "webhooks", row: id.uuid(), field: "previous_sealed" }
}

impl Webhooks {
    /// Webhooks over a log.
    pub fn new(log: Log, sealer: Sealer) -> Self {
        Self { log, sealer }
    }

    /// Adds a webhook; its secret is shown this once.
    pub async fn add(
        &self,
        (org, user): (OrgId, UserId),
        settings: WebhookSettings,
    ) -> Result<(Webhook, SecretString), Error> {
        settings.check()?;
        let key = sign::new_key(&self.log.world().dice);
        let webhook = Webhook {
            id: WebhookId::from_uuid(self.log.uuid()),
            settings,
            enabled: true,
            failing_since: None,
            disabled_reason: None,
            previous_until: None,
            created_by: user,
            created_at: self.log.world().clock.now(),
        };
        let mut tx = self.log.db().begin(org).await?;
        if store::webhooks::list(&mut tx, org).await?.len() >= MOST_WEBHOOKS {
            let message = format!("an org has at most {MOST_WEBHOOKS} webhooks; remove one first");
            return Err(Error::Invalid { pointer: String::new(), message });
        }
        let sealed = self.sealer.seal(&mut tx, org, current_place(webhook.id), &key).await?;
        store::webhooks::insert(&mut tx, org, &webhook, &sealed).await?;
        db::commit(tx).await?;
        Ok((webhook, sign::written(&key)))
    }

    /// Every webhook of an org.
    pub async fn list(&self, org: OrgId) -> Result<Vec<Webhook>, Error> {
        let mut tx = self.log.db().begin(org).await?;
        Ok(store::webhooks::list(&mut tx, org).await?)
    }

    /// One webhook.
    pub async fn find(&self, org: OrgId, id: WebhookId) -> Result<Webhook, Error> {
        let mut tx = self.log.db().begin(org).await?;
        found(&mut tx, org, id).await
    }

    /// Changes a webhook. Enabling it forgets that it was failing; disabling it gives up what is on its way.
    pub async fn change(&self, org: OrgId, id: WebhookId, change: WebhookChange) -> Result<Webhook, Error> {
        let mut tx = self.log.db().begin(org).await?;
        lock(&mut tx, org, id).await?;
        let mut webhook = found(&mut tx, org, id).await?;
        let settings = &mut webhook.settings;
        settings.url = change.url.unwrap_or_else(|| settings.url.clone());
        settings.types = change.types.unwrap_or_else(|| settings.types.clone());
        settings.filter = change.filter.unwrap_or_else(|| settings.filter.clone());
        settings.check()?;
        if let Some(enabled) = change.enabled {
            (webhook.enabled, webhook.failing_since, webhook.disabled_reason) = (enabled, None, None);
        }
        store::webhooks::update(&mut tx, org, &webhook).await?;
        if !webhook.enabled {
            store::deliveries::give_up(&mut tx, org, id, DISABLED).await?;
        }
        db::commit(tx).await?;
        Ok(webhook)
    }

    /// Removes a webhook with its deliveries.
    pub async fn remove(&self, org: OrgId, id: WebhookId) -> Result<(), Error> {
        let mut tx = self.log.db().begin(org).await?;
        if !store::webhooks::delete(&mut tx, org, id).await? {
            return Err(Error::NotFound("webhook"));
        }
        Ok(db::commit(tx).await?)
    }

    /// Makes a new secret, shown this once. For a day the one before it signs as well, so that a receiver can change over
    /// when it likes; one before that counts no longer.
    pub async fn rotate(&self, org: OrgId, id: WebhookId) -> Result<(Webhook, SecretString), Error> {
        let key = sign::new_key(&self.log.world().dice);
        let until = self.log.world().clock.now() + ROTATION;
        let mut tx = self.log.db().begin(org).await?;
        lock(&mut tx, org, id).await?;
        let kept = store::webhooks::find_sealed(&mut tx, org, id).await?;
        let kept = kept.ok_or(Error::NotFound("webhook"))?;
        let before = self.sealer.open(&mut tx, org, current_place(id), &kept.current).await?;
        let sealed = Sealed {
            current: self.sealer.seal(&mut tx, org, current_place(id), &key).await?,
            previous: Some((self.sealer.seal(&mut tx, org, previous_place(id), &before).await?, until)),
        };
        store::webhooks::set_sealed(&mut tx, org, id, &sealed).await?;
        let webhook = found(&mut tx, org, id).await?;
        db::commit(tx).await?;
        Ok((webhook, sign::written(&key)))
    }

    /// The keys that sign now, the current one first.
    async fn keys(&self, tx: &mut Tx, org: OrgId, id: WebhookId) -> Result<Vec<sign::Key>, Error> {
        let kept = store::webhooks::find_sealed(tx, org, id).await?;
        let kept = kept.ok_or(Error::NotFound("webhook"))?;
        let mut keys = vec![self.sealer.open(tx, org, current_place(id), &kept.current).await?];
        if let Some((previous, until)) = kept.previous
            && self.log.world().clock.now() < until
        {
            keys.push(self.sealer.open(tx, org, previous_place(id), &previous).await?);
        }
        Ok(keys)
    }
}

/// Why what was on its way to a webhook is given up.
const DISABLED: &str = "the webhook was disabled";

async fn lock(tx: &mut Tx, org: OrgId, id: WebhookId) -> Result<(), Error> {
    if store::webhooks::lock(tx, org, id).await? { Ok(()) } else { Err(Error::NotFound("webhook")) }
}

async fn found(tx: &mut Tx, org: OrgId, id: WebhookId) -> Result<Webhook, Error> {
    store::webhooks::find(tx, org, id).await?.ok_or(Error::NotFound("webhook"))
}
