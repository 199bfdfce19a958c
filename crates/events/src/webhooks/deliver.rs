//! Deliveries: made for the events that a webhook means, claimed for one attempt at a time, recorded, sent again.

use std::time::Duration;

use jiff::Timestamp;
use model::{DeliveryId, EventId, EventType, OrgId, WebhookId};
use platform::db::{self, Tx};
use serde_json::json;

use super::{DISABLED, Webhook, Webhooks, found, retry, sign};
use crate::{Error, Event, Stretch, filter::Filter, store, types};

/// How long an attempt may take before another may be made in its place; longer than any request.
const LEASE: Duration = Duration::from_secs(60);
/// Why a delivery is given up that was tried so often without anybody telling what came of it.
const ABANDONED: &str = "it was begun again and again, and nobody knows what came of it";
/// How long to wait at least before looking again.
const SOON: Duration = Duration::from_millis(500);
/// How long nothing may arrive before a webhook is disabled.
const PATIENCE: Duration = Duration::from_secs(5 * 24 * 60 * 60);
/// How long deliveries are kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// One event on its way to one webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub webhook: WebhookId,
    pub event: EventId,
    pub status: DeliveryStatus,
    /// Which sending of it this is; a person who has it sent again begins the next.
    pub round: i32,
    /// How often it was tried in this round.
    pub attempts: u8,
    /// What the receiver answered last.
    pub last_status: Option<u16>,
    pub last_error: Option<String>,
    /// When it is tried next, while it is pending.
    pub next_at: Timestamp,
    pub created_at: Timestamp,
    pub delivered_at: Option<Timestamp>,
}

/// How far a delivery has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStatus {
    Pending,
    Delivered,
    /// Nobody tries any more.
    Failed,
}

impl DeliveryStatus {
    /// The word in the table and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Self> {
        [Self::Pending, Self::Delivered, Self::Failed].into_iter().find(|status| status.as_str() == word)
    }
}

/// One request, claimed by whoever holds this, signed and ready to go.
#[derive(Debug)]
pub struct Attempt {
    pub(crate) delivery: DeliveryId,
    pub webhook: WebhookId,
    pub(crate) round: i32,
    pub(crate) number: u8,
    pub url: String,
    /// `webhook-id`: the event's, so that a receiver knows it again whenever and however often it comes.
    pub id: String,
    /// `webhook-timestamp`.
    pub timestamp_s: i64,
    /// `webhook-signature`.
    pub signature: String,
    pub body: Vec<u8>,
}

/// What there is to do about a delivery.
#[derive(Debug)]
pub enum Claimed {
    /// Nothing, for good.
    Over,
    /// Nothing, for so long.
    Later(Duration),
    /// This.
    Attempt(Box<Attempt>),
}

/// What became of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver took it.
    Arrived(u16),
    /// The receiver says that there is nothing at this address any more, and never will be.
    Gone(u16),
    /// Anything else. The error must be short and redacted.
    Failed { status: Option<u16>, error: String },
}

impl Webhook {
    /// Whether it means an event. One that was made to try a webhook is meant by that webhook alone.
    fn means(&self, filter: Option<&Filter>, event: &Event) -> bool {
        if event.event_type == EventType::WebhookTest.as_str() {
            return event.subject == self.id.to_string();
        }
        types::is_among(&self.settings.types, &event.event_type)
            && filter.is_none_or(|filter| filter.matches(&event.to_cloud_event()))
    }
}

impl Webhooks {
    /// Makes the deliveries of a stretch of the log; gives back those that are new.
    pub async fn create(&self, stretch: &Stretch) -> Result<Vec<DeliveryId>, Error> {
        let org = stretch.org;
        let mut tx = self.log.db().begin(org).await?;
        let enabled =
            store::webhooks::list(&mut tx, org).await?.into_iter().filter(|webhook| webhook.enabled);
        // A filter was read when it was set; one that no longer can be means nothing rather than everything.
        let webhooks: Vec<(Webhook, Option<Filter>)> = enabled
            .filter_map(|webhook| {
                let filter = webhook.settings.filter.as_ref().map(Filter::parse).transpose().ok()?;
                Some((webhook, filter))
            })
            .collect();
        if webhooks.is_empty() {
            return Ok(vec![]);
        }
        let ids: Vec<_> = stretch.events.iter().map(|event| event.uuid()).collect();
        let entries = store::log::find(&mut tx, org, &ids).await?;
        let mut new = Vec::new();
        for entry in &entries {
            for (webhook, filter) in &webhooks {
                if webhook.means(filter.as_ref(), &entry.event) {
                    new.push((self.fresh_id(), webhook.id, entry.event.id));
                }
            }
        }
        let created = store::deliveries::insert(&mut tx, org, &new, self.log.world().clock.now()).await?;
        db::commit(tx).await?;
        Ok(created)
    }

    fn fresh_id(&self) -> DeliveryId {
        DeliveryId::from_uuid(self.log.uuid())
    }

    /// Tells an event that goes to this webhook alone, to try it with.
    pub async fn test(&self, org: OrgId, id: WebhookId) -> Result<Delivery, Error> {
        let now = self.log.world().clock.now();
        let mut tx = self.log.db().begin(org).await?;
        if !found(&mut tx, org, id).await?.enabled {
            return Err(not_enabled());
        }
        let event = self.event(EventType::WebhookTest, id, "somebody tries this webhook");
        self.log.stage(&mut tx, org, std::iter::once(&event)).await?;
        // The follower would make it too; this way whoever asks has it at once.
        let delivery = self.fresh_id();
        store::deliveries::insert(&mut tx, org, &[(delivery, id, event.id)], now).await?;
        let made = store::deliveries::find(&mut tx, org, delivery).await?;
        db::commit(tx).await?;
        made.ok_or(Error::NotFound("delivery"))
    }

    fn event(&self, event_type: EventType, webhook: WebhookId, reason: &str) -> Event {
        let data = json!({ "webhook": webhook, "reason": reason });
        Event::new(self.log.world(), event_type, webhook, data)
    }

    /// A webhook's deliveries, newest first.
    pub async fn deliveries(
        &self,
        org: OrgId,
        webhook: WebhookId,
        before: Option<DeliveryId>,
        most: i64,
    ) -> Result<Vec<Delivery>, Error> {
        let mut tx = self.log.db().begin(org).await?;
        found(&mut tx, org, webhook).await?;
        Ok(store::deliveries::list(&mut tx, (org, webhook), before, most).await?)
    }

    /// One delivery.
    pub async fn delivery(&self, org: OrgId, id: DeliveryId) -> Result<Delivery, Error> {
        let mut tx = self.log.db().begin(org).await?;
        store::deliveries::find(&mut tx, org, id).await?.ok_or(Error::NotFound("delivery"))
    }

    /// Begins a delivery anew, whatever became of it.
    pub async fn resend(
        &self,
        org: OrgId,
        (webhook, id): (WebhookId, DeliveryId),
    ) -> Result<Delivery, Error> {
        let now = self.log.world().clock.now();
        let mut tx = self.log.db().begin(org).await?;
        let enabled = found(&mut tx, org, webhook).await?.enabled;
        let delivery = store::deliveries::find(&mut tx, org, id).await?;
        let delivery = delivery.filter(|delivery| delivery.webhook == webhook);
        let delivery = delivery.ok_or(Error::NotFound("delivery"))?;
        if !enabled {
            return Err(not_enabled());
        }
        if store::log::find(&mut tx, org, &[delivery.event.uuid()]).await?.is_empty() {
            return Err(Error::NotFound("event"));
        }
        store::deliveries::begin_anew(&mut tx, org, id, now).await?;
        let delivery = store::deliveries::find(&mut tx, org, id).await?;
        db::commit(tx).await?;
        delivery.ok_or(Error::NotFound("delivery"))
    }

    /// Where a delivery goes, if anything of this round is still to be done.
    pub async fn on_its_way_to(
        &self,
        org: OrgId,
        id: DeliveryId,
        round: i32,
    ) -> Result<Option<WebhookId>, Error> {
        let mut tx = self.log.db().begin(org).await?;
        let delivery = store::deliveries::find(&mut tx, org, id).await?;
        let pending =
            |delivery: &Delivery| delivery.status == DeliveryStatus::Pending && delivery.round == round;
        Ok(delivery.filter(pending).map(|delivery| delivery.webhook))
    }

    /// Takes the next attempt of a delivery, if it is due and nobody else has it. A round that is not the current one was
    /// overtaken by a person who had it sent again.
    pub async fn claim(&self, org: OrgId, id: DeliveryId, round: i32) -> Result<Claimed, Error> {
        let now = self.log.world().clock.now();
        let mut tx = self.log.db().begin(org).await?;
        let Some(delivery) = store::deliveries::find(&mut tx, org, id).await? else {
            return Ok(Claimed::Over);
        };
        if delivery.status != DeliveryStatus::Pending || delivery.round != round {
            return Ok(Claimed::Over);
        }
        let Some(event) = store::log::find(&mut tx, org, &[delivery.event.uuid()]).await?.pop() else {
            store::deliveries::fail(&mut tx, (org, id), "the event is no longer kept").await?;
            db::commit(tx).await?;
            return Ok(Claimed::Over);
        };
        let Some(number) = store::deliveries::claim(&mut tx, (org, id), round, (now, now + LEASE)).await?
        else {
            // Either it is not due, or somebody else took it at this moment and it soon will not be.
            let wait = Duration::try_from(delivery.next_at.duration_since(now)).unwrap_or_default();
            return Ok(Claimed::Later(wait.max(SOON)));
        };
        let webhook = found(&mut tx, org, delivery.webhook).await?;
        // It was disabled while this was being made, or whoever tries it dies of it.
        let hopeless = if webhook.enabled {
            (number > retry::MOST_ATTEMPTS).then_some(ABANDONED)
        } else {
            Some(DISABLED)
        };
        if let Some(why) = hopeless {
            store::deliveries::fail(&mut tx, (org, id), why).await?;
            db::commit(tx).await?;
            return Ok(Claimed::Over);
        }
        let keys = self.keys(&mut tx, org, webhook.id).await?;
        db::commit(tx).await?;
        let body = event.event.to_cloud_event().to_string().into_bytes();
        let (message, timestamp_s) = (event.event.id.to_string(), now.as_second());
        Ok(Claimed::Attempt(Box::new(Attempt {
            delivery: id,
            webhook: webhook.id,
            round,
            number,
            url: webhook.settings.url,
            signature: sign::signatures(&keys, &message, timestamp_s, &body),
            id: message,
            timestamp_s,
            body,
        })))
    }

    /// Keeps what became of an attempt; says how long to wait for the next, if there is to be one.
    pub async fn record(
        &self,
        org: OrgId,
        attempt: &Attempt,
        outcome: &Outcome,
    ) -> Result<Option<Duration>, Error> {
        let (now, whose) = (self.log.world().clock.now(), (org, attempt.webhook));
        let mut tx = self.log.db().begin(org).await?;
        let next = match outcome {
            Outcome::Arrived(status) => {
                store::webhooks::end_failing(&mut tx, whose).await?;
                store::deliveries::arrived(&mut tx, (org, attempt), *status, now).await?;
                None
            }
            Outcome::Gone(status) => {
                let error = "the receiver says that it is gone for good";
                store::webhooks::lock(&mut tx, org, attempt.webhook).await?;
                store::deliveries::failed(&mut tx, (org, attempt), (Some(*status), error), None).await?;
                self.disable(&mut tx, whose, error).await?;
                None
            }
            Outcome::Failed { status, error } => {
                let delay = retry::delay_after(attempt.number, self.roll());
                let next_at = delay.map(|delay| now + delay);
                let since = store::webhooks::set_failing(&mut tx, whose, now).await?;
                store::deliveries::failed(&mut tx, (org, attempt), (*status, error), next_at).await?;
                if since.is_some_and(|since| since + PATIENCE <= now) {
                    self.disable(&mut tx, whose, "nothing has arrived there for five days").await?;
                }
                delay
            }
        };
        db::commit(tx).await?;
        Ok(next)
    }

    fn roll(&self) -> u16 {
        let mut roll = [0; 2];
        self.log.world().dice.fill(&mut roll);
        u16::from_le_bytes(roll)
    }

    /// Disables a webhook, gives up what is on its way there, and tells people, all in the caller's transaction.
    async fn disable(&self, tx: &mut Tx, whose: (OrgId, WebhookId), reason: &str) -> Result<(), Error> {
        let (org, id) = whose;
        if !store::webhooks::disable(tx, whose, reason).await? {
            return Ok(());
        }
        store::deliveries::give_up(tx, org, id, DISABLED).await?;
        let event = self.event(EventType::WebhookDisabled, id, reason);
        Ok(self.log.stage(tx, org, std::iter::once(&event)).await?)
    }

    /// Deliveries of all orgs that should have been tried by this moment.
    pub async fn overdue(&self, before: Timestamp, most: i32) -> Result<Vec<(OrgId, DeliveryId)>, Error> {
        let mut conn = self.log.db().unscoped().await?;
        Ok(store::deliveries::overdue(&mut conn, before, most).await?)
    }

    /// Forgets deliveries that were made long ago; says how many.
    pub async fn purge(&self) -> Result<i64, Error> {
        let before = self.log.world().clock.now() - KEPT;
        let mut conn = self.log.db().unscoped().await?;
        Ok(store::deliveries::purge(&mut conn, before).await?)
    }
}

fn not_enabled() -> Error {
    let message = "the webhook is not enabled; enable it first".to_owned();
    Error::Invalid { pointer: String::new(), message }
}
