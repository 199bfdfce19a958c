//! Webhooks: URLs of an organization that receive its events, in the format of Standard Webhooks.
//!
//! Parts: a [`Webhook`] has a URL and selects events; a [`Delivery`] is one event for one webhook; an [`Attempt`] is
//! one signed request (`deliver.rs`); `sign.rs` and `retry.rs` are pure.
//!
//! Flow: follower → [`Webhooks::create`] → engine → [`Webhooks::claim`] → request → [`Webhooks::record`] → … → end.
//!
//! INVARIANT: a secret is stored encrypted, and shown only when it is created.
//! INVARIANT: an attempt is claimed before it is made, so only one process makes it.
//! Not here: the request itself and the allowed addresses (`pipeline`), and the engine that waits in between.

mod deliver;
mod retry;
mod sign;

use jiff::Timestamp;
use model::{Actor, OrgId, UserId, WebhookId};
use platform::{
    db::{self, Tx},
    filter::Filter,
    seal::{Place, Sealer},
};
use secrecy::SecretString;
use serde_json::Value;

use crate::{Error, Log, limits::webhooks::ROTATION, store, types};

pub use crate::limits::webhooks::{LONGEST_URL, MOST_TYPES, MOST_WEBHOOKS};
pub use deliver::{Attempt, Claimed, Delivery, DeliveryStatus, Outcome};
pub use sign::{Key, is_signed, new_key, written};

/// A webhook.
#[derive(Debug, Clone, PartialEq)]
pub struct Webhook {
    pub id: WebhookId,
    pub settings: WebhookSettings,
    pub enabled: bool,
    /// Time since which all deliveries have failed.
    pub failing_since: Option<Timestamp>,
    /// Why the gateway disabled it; `None` if a person did.
    pub disabled_reason: Option<String>,
    /// Until when the previous secret signs too.
    pub previous_until: Option<Timestamp>,
    pub created_by: UserId,
    pub created_at: Timestamp,
}

/// The settings of a webhook.
#[derive(Debug, Clone, PartialEq)]
pub struct WebhookSettings {
    /// The URL. Whether it is allowed is checked when a request is sent.
    pub url: String,
    /// The types of events; empty for all.
    pub types: Vec<String>,
    /// The filter for events of these types.
    pub filter: Option<Value>,
}

/// Changes to a webhook; `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct WebhookChange {
    pub url: Option<String>,
    pub types: Option<Vec<String>>,
    pub filter: Option<Option<Value>>,
    pub enabled: Option<bool>,
}

/// The encrypted secrets of a webhook.
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
            return wrong("/types", format!("at most {MOST_TYPES} types; use a filter for more"));
        }
        if !self.types.iter().all(|wanted| types::is_wanted(wanted)) {
            let message = "a type must be lowercase words separated by dots: `action.executed`, or `action.*` for a prefix";
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

    /// Adds a webhook. Its secret is returned only here.
    pub async fn add(
        &self,
        Actor { org, user }: Actor,
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
            let message =
                format!("an organization can have at most {MOST_WEBHOOKS} webhooks; delete one first");
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

    /// Changes a webhook. Enabling it resets its failure status; disabling it cancels pending deliveries.
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

    /// Creates a new secret, returned only here. For a day the previous secret signs too, so that a receiver can
    /// switch at any time; an older one becomes invalid.
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

    /// The signing keys, the current one first.
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

/// The error of deliveries that were cancelled because the webhook was disabled.
const DISABLED: &str = "the webhook was disabled";

async fn lock(tx: &mut Tx, org: OrgId, id: WebhookId) -> Result<(), Error> {
    if store::webhooks::lock(tx, org, id).await? { Ok(()) } else { Err(Error::NotFound("webhook")) }
}

async fn found(tx: &mut Tx, org: OrgId, id: WebhookId) -> Result<Webhook, Error> {
    store::webhooks::find(tx, org, id).await?.ok_or(Error::NotFound("webhook"))
}
