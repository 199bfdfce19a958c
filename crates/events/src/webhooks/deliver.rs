//! Deliveries: created for the events that a webhook selects, claimed for one attempt at a time, recorded, sent
//! again.

use std::time::Duration;

use jiff::Timestamp;
use model::{DeliveryId, EventId, EventType, InOrg, OrgId, WebhookId};
use platform::{
    db::{self, Tx},
    filter::Filter,
};
use serde_json::json;

use super::{DISABLED, Webhook, Webhooks, found, retry, sign};
use crate::{
    Error, Event, Stretch,
    limits::webhooks::{KEPT, LEASE, MOST_ATTEMPTS, PATIENCE, SOON},
    store::{self, deliveries::Failure},
    types,
};

/// The error of a delivery that was attempted too often without a recorded result.
const ABANDONED: &str = "the delivery was started repeatedly, and its outcome is unknown";

/// The delivery of one event to one webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub webhook: WebhookId,
    pub event: EventId,
    pub status: DeliveryStatus,
    /// Number of the round. Sending it again starts the next one.
    pub round: i32,
    /// Number of attempts in this round.
    pub attempts: u8,
    /// The last HTTP status of the receiver.
    pub last_status: Option<u16>,
    pub last_error: Option<String>,
    /// When the next attempt is due, while the delivery is pending.
    pub next_at: Timestamp,
    pub created_at: Timestamp,
    pub delivered_at: Option<Timestamp>,
}

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStatus {
    Pending,
    Delivered,
    /// The gateway has given up.
    Failed,
}

impl DeliveryStatus {
    /// The value in the database and in JSON.
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

/// One claimed request, signed and ready to be sent.
#[derive(Debug)]
pub struct Attempt {
    pub(crate) delivery: DeliveryId,
    pub webhook: WebhookId,
    pub(crate) round: i32,
    pub(crate) number: u8,
    pub url: String,
    /// `webhook-id`: the ID of the event, so that a receiver recognizes repeated deliveries.
    pub id: String,
    /// `webhook-timestamp`.
    pub timestamp_s: i64,
    /// `webhook-signature`.
    pub signature: String,
    pub body: Vec<u8>,
}

/// What to do about a delivery.
#[derive(Debug)]
pub enum Claimed {
    /// Nothing more.
    Over,
    /// Wait this long.
    Later(Duration),
    /// Send this attempt.
    Attempt(Box<Attempt>),
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver accepted it.
    Arrived(u16),
    /// The receiver answered that the URL is permanently gone.
    Gone(u16),
    /// Anything else. The error must be short and redacted.
    Failed { status: Option<u16>, error: String },
}

impl Webhook {
    /// Whether the webhook selects an event. A test event is selected only by its own webhook.
    fn means(&self, filter: Option<&Filter>, event: &Event) -> bool {
        if event.event_type == EventType::WebhookTest.as_str() {
            return event.subject == self.id.to_string();
        }
        types::is_among(&self.settings.types, &event.event_type)
            && filter.is_none_or(|filter| filter.matches(&event.to_cloud_event()))
    }
}

impl Webhooks {
    /// Creates the deliveries for a range of the log. Returns the new ones.
    pub async fn create(&self, stretch: &Stretch) -> Result<Vec<DeliveryId>, Error> {
        let org = stretch.org;
        let mut tx = self.log.db().begin(org).await?;
        let enabled =
            store::webhooks::list(&mut tx, org).await?.into_iter().filter(|webhook| webhook.enabled);
        // A filter was valid when it was set; one that can no longer be parsed selects nothing rather than
        // everything.
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

    /// Creates a test event for this webhook only.
    pub async fn test(&self, org: OrgId, id: WebhookId) -> Result<Delivery, Error> {
        let now = self.log.world().clock.now();
        let mut tx = self.log.db().begin(org).await?;
        if !found(&mut tx, org, id).await?.enabled {
            return Err(not_enabled());
        }
        let event = self.event(EventType::WebhookTest, id, "test of this webhook");
        self.log.stage(&mut tx, org, std::iter::once(&event)).await?;
        // The follower would create it too; this way the caller gets it immediately.
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
        Ok(store::deliveries::list(&mut tx, InOrg { org, id: webhook }, before, most).await?)
    }

    /// One delivery.
    pub async fn delivery(&self, org: OrgId, id: DeliveryId) -> Result<Delivery, Error> {
        let mut tx = self.log.db().begin(org).await?;
        store::deliveries::find(&mut tx, org, id).await?.ok_or(Error::NotFound("delivery"))
    }

    /// Starts a new round of a delivery, whatever its status is.
    pub async fn resend(&self, org: OrgId, webhook: WebhookId, id: DeliveryId) -> Result<Delivery, Error> {
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

    /// The URL of a delivery, if this round is not finished.
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

    /// Claims the next attempt of a delivery, if it is due and not claimed. A round that is not the current one was
    /// replaced by a new one.
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
            let why = "the event was deleted after its retention time";
            store::deliveries::fail(&mut tx, InOrg { org, id }, why).await?;
            db::commit(tx).await?;
            return Ok(Claimed::Over);
        };
        let Some(number) =
            store::deliveries::claim(&mut tx, InOrg { org, id }, round, now, now + LEASE).await?
        else {
            // Either it is not due, or another process claimed it just now.
            let wait = Duration::try_from(delivery.next_at.duration_since(now)).unwrap_or_default();
            return Ok(Claimed::Later(wait.max(SOON)));
        };
        let webhook = found(&mut tx, org, delivery.webhook).await?;
        // The webhook was disabled meanwhile, or every process that attempts the delivery dies.
        let hopeless =
            if webhook.enabled { (number > MOST_ATTEMPTS).then_some(ABANDONED) } else { Some(DISABLED) };
        if let Some(why) = hopeless {
            store::deliveries::fail(&mut tx, InOrg { org, id }, why).await?;
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

    /// Records the outcome of an attempt. Returns the time until the next one, if any.
    pub async fn record(
        &self,
        org: OrgId,
        attempt: &Attempt,
        outcome: &Outcome,
    ) -> Result<Option<Duration>, Error> {
        let (now, whose) = (self.log.world().clock.now(), InOrg { org, id: attempt.webhook });
        let mut tx = self.log.db().begin(org).await?;
        let next = match outcome {
            Outcome::Arrived(status) => {
                store::webhooks::end_failing(&mut tx, whose).await?;
                store::deliveries::arrived(&mut tx, org, attempt, *status, now).await?;
                None
            }
            Outcome::Gone(status) => {
                let error = "the receiver answered that the address is gone";
                store::webhooks::lock(&mut tx, org, attempt.webhook).await?;
                let failure = Failure { status: Some(*status), error, next_at: None };
                store::deliveries::failed(&mut tx, org, attempt, failure).await?;
                self.disable(&mut tx, whose, error).await?;
                None
            }
            Outcome::Failed { status, error } => {
                let delay = retry::delay_after(attempt.number, self.roll());
                let next_at = delay.map(|delay| now + delay);
                let since = store::webhooks::set_failing(&mut tx, whose, now).await?;
                let failure = Failure { status: *status, error, next_at };
                store::deliveries::failed(&mut tx, org, attempt, failure).await?;
                if since.is_some_and(|since| since + PATIENCE <= now) {
                    self.disable(&mut tx, whose, "all deliveries have failed for five days").await?;
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

    /// Disables a webhook, cancels its deliveries, and stages an event, all in the caller's transaction.
    async fn disable(&self, tx: &mut Tx, whose: InOrg<WebhookId>, reason: &str) -> Result<(), Error> {
        let InOrg { org, id } = whose;
        if !store::webhooks::disable(tx, whose, reason).await? {
            return Ok(());
        }
        store::deliveries::give_up(tx, org, id, DISABLED).await?;
        let event = self.event(EventType::WebhookDisabled, id, reason);
        Ok(self.log.stage(tx, org, std::iter::once(&event)).await?)
    }

    /// Overdue deliveries of all organizations.
    pub async fn overdue(&self, before: Timestamp, most: i32) -> Result<Vec<(OrgId, DeliveryId)>, Error> {
        let mut conn = self.log.db().unscoped().await?;
        Ok(store::deliveries::overdue(&mut conn, before, most).await?)
    }

    /// Gives up what is not delivered yet, after a restore: it may have been delivered since the backup. Returns how much.
    pub async fn give_up(&self, org: OrgId) -> Result<u64, Error> {
        let mut tx = self.log.db().begin(org).await?;
        let given_up = store::deliveries::give_up_all(&mut tx, org).await?;
        db::commit(tx).await?;
        Ok(given_up)
    }

    /// Deletes old deliveries. Returns their number.
    pub async fn purge(&self) -> Result<i64, Error> {
        let before = self.log.world().clock.now() - KEPT;
        let mut conn = self.log.db().unscoped().await?;
        Ok(store::deliveries::purge(&mut conn, before).await?)
    }
}

fn not_enabled() -> Error {
    let message = "the webhook is disabled; enable it first".to_owned();
    Error::Invalid { pointer: String::new(), message }
}
