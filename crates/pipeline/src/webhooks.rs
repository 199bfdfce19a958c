//! Webhooks: the log is followed for what they mean, and each delivery is carried to its end by the engine.
//!
//! A delivery is a row before anybody sends it. The engine is told after the commit; if that fails, or if it loses
//! everything it knows, the sweep tells it again. Being told twice is harmless: an attempt is claimed before it is made.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use events::{
    Stretch, Webhooks,
    webhooks::{Attempt, Claimed, Delivery, Outcome, Webhook, WebhookChange, WebhookSettings},
};
use futures::StreamExt as _;
use http::{HeaderMap, HeaderValue, Method, header::CONTENT_TYPE};
use model::{DeliveryId, OrgId, UserId, WebhookId};
use platform::egress;
use secrecy::SecretString;
use tokio::sync::Semaphore;
use url::Url;

use crate::{Error, Pipeline, effect::DeliveryOrder};

/// How long a receiver may take to answer.
const TIMEOUT: Duration = Duration::from_secs(15);
/// How much of an answer is read, and for how long, so that its connection can be used again. What it says is nobody's
/// business: it could be anything that a hostile receiver wants shown.
const MOST_ANSWER_BYTES: usize = 64 << 10;
const ANSWER_FOR: Duration = Duration::from_secs(2);
/// How much goes to one webhook at once, from this process; the rest waits its turn.
const AT_ONCE: usize = 16;
const TURN: Duration = Duration::from_secs(2);
/// How long after it was due a delivery is handed over again.
const RESUBMIT_AFTER: Duration = Duration::from_secs(30);
/// How many are seen to in one sweep; what is left is found by the next.
const SWEEP: i32 = 200;
/// How many are handed over at once.
const HANDED_AT_ONCE: usize = 8;

/// Who may send to a webhook now, by webhook.
pub(crate) type Places = moka::sync::Cache<WebhookId, Arc<Semaphore>>;

impl Pipeline {
    /// The webhooks of all orgs, for what reaches nobody outside.
    pub fn webhooks(&self) -> &Webhooks {
        &self.webhooks
    }

    /// Adds a webhook; its secret is shown this once.
    pub async fn add_webhook(
        &self,
        whose: (OrgId, UserId),
        mut settings: WebhookSettings,
    ) -> Result<(Webhook, SecretString), Error> {
        settings.url = self.webhook_url(&settings.url)?.to_string();
        Ok(self.webhooks.add(whose, settings).await?)
    }

    /// Changes a webhook.
    pub async fn change_webhook(
        &self,
        org: OrgId,
        id: WebhookId,
        mut change: WebhookChange,
    ) -> Result<Webhook, Error> {
        if let Some(url) = &mut change.url {
            *url = self.webhook_url(url)?.to_string();
        }
        Ok(self.webhooks.change(org, id, change).await?)
    }

    /// An address that events may be sent to. Asked when it is set and before each request: the operator may have closed
    /// meanwhile what was open.
    fn webhook_url(&self, text: &str) -> Result<Url, Error> {
        let wrong = |message: String| events::Error::Invalid { pointer: "/url".to_owned(), message };
        let url = Url::parse(text).map_err(|_| wrong("not an address".to_owned()))?;
        self.parts.egress.check(&url).map_err(|error| wrong(error.to_string()))?;
        if url.scheme() != "https" && !self.parts.egress.is_open_loopback(&url) {
            return Err(wrong("an address begins with https://".to_owned()).into());
        }
        Ok(url)
    }

    /// Sends an event to this webhook alone, to try it with.
    pub async fn test_webhook(&self, org: OrgId, id: WebhookId) -> Result<Delivery, Error> {
        let delivery = self.webhooks.test(org, id).await?;
        self.hand_over(order(org, &delivery)).await;
        Ok(delivery)
    }

    /// Has a delivery sent again, whatever became of it.
    pub async fn resend(&self, org: OrgId, which: (WebhookId, DeliveryId)) -> Result<Delivery, Error> {
        let delivery = self.webhooks.resend(org, which).await?;
        self.hand_over(order(org, &delivery)).await;
        Ok(delivery)
    }

    /// Makes deliveries of what is new in the logs of all orgs, until this process stops.
    pub async fn follow_for_webhooks(&self) {
        self.parts.events.follow("webhooks", |stretch| self.make_deliveries(stretch)).await;
    }

    async fn make_deliveries(&self, stretch: Stretch) -> Result<(), events::Error> {
        let org = stretch.org;
        let made = self.webhooks.create(&stretch).await?;
        let orders = made.into_iter().map(|delivery| DeliveryOrder { org, delivery, round: 1 });
        self.hand_all_over(orders).await;
        Ok(())
    }

    /// Hands deliveries over until one is refused: an engine that is away must not hold up the log.
    async fn hand_all_over(&self, orders: impl Iterator<Item = DeliveryOrder>) {
        let mut handed =
            futures::stream::iter(orders).map(|order| self.hand_over(order)).buffer_unordered(HANDED_AT_ONCE);
        while handed.next().await.unwrap_or(false) {}
    }

    /// Makes the next attempt of a delivery, if it is due; says how long to wait for the one after it, if there is to be one.
    pub async fn deliver(
        &self,
        org: OrgId,
        delivery: DeliveryId,
        round: i32,
    ) -> Result<Option<Duration>, Error> {
        let Some(webhook) = self.webhooks.on_its_way_to(org, delivery, round).await? else { return Ok(None) };
        let places = self.places.get_with(webhook, || Arc::new(Semaphore::new(AT_ONCE)));
        // A receiver that is slow delays what goes to it, and nobody else: whoever finds no place comes again.
        let Ok(_place) = places.try_acquire() else { return Ok(Some(TURN)) };
        match self.webhooks.claim(org, delivery, round).await? {
            Claimed::Over => Ok(None),
            Claimed::Later(wait) => Ok(Some(wait)),
            Claimed::Attempt(attempt) => {
                let outcome = self.request(&attempt).await;
                let result = match outcome {
                    Outcome::Arrived(_) => "arrived",
                    Outcome::Gone(_) => "gone",
                    Outcome::Failed { .. } => "failed",
                };
                metrics::counter!("countersign_webhook_attempts_total", "result" => result).increment(1);
                Ok(self.webhooks.record(org, &attempt, &outcome).await?)
            }
        }
    }

    /// One request, and what became of it.
    async fn request(&self, attempt: &Attempt) -> Outcome {
        let failed = |status, error: String| Outcome::Failed { status, error };
        let Ok(url) = self.webhook_url(&attempt.url) else {
            return failed(None, "the address may not be reached".to_owned());
        };
        let request = egress::Request {
            method: Method::POST,
            url,
            headers: headers(attempt),
            body: Some(Bytes::copy_from_slice(&attempt.body)),
            timeout: TIMEOUT,
        };
        match self.parts.egress.open(request).await {
            // What it says of a failure is ours and holds neither address nor answer.
            Err(error) => failed(None, error.to_string()),
            Ok(answer) => {
                read_away(answer.body).await;
                match answer.status.as_u16() {
                    status @ 200..=299 => Outcome::Arrived(status),
                    status @ 410 => Outcome::Gone(status),
                    status => failed(Some(status), format!("the receiver answered {status}")),
                }
            }
        }
    }

    /// Hands over again what should have been tried by now, in every org. Says how many.
    pub async fn sweep_deliveries(&self) -> Result<usize, Error> {
        let before = self.parts.world.clock.now() - RESUBMIT_AFTER;
        let overdue = self.webhooks.overdue(before, SWEEP).await?;
        let mut orders = Vec::with_capacity(overdue.len());
        for (org, id) in overdue {
            match self.webhooks.delivery(org, id).await {
                Ok(delivery) => orders.push(order(org, &delivery)),
                // It went with its webhook meanwhile.
                Err(events::Error::NotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let swept = orders.len();
        self.hand_all_over(orders.into_iter()).await;
        Ok(swept)
    }
}

fn order(org: OrgId, delivery: &Delivery) -> DeliveryOrder {
    DeliveryOrder { org, delivery: delivery.id, round: delivery.round }
}

fn headers(attempt: &Attempt) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/cloudevents+json"));
    let said = [
        ("webhook-id", attempt.id.clone()),
        ("webhook-timestamp", attempt.timestamp_s.to_string()),
        ("webhook-signature", attempt.signature.clone()),
    ];
    for (name, value) in said {
        // Ids, digits and base64 are always valid in a header.
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    headers
}

/// Reads an answer and forgets it, within limits.
async fn read_away(mut body: futures::stream::BoxStream<'static, Result<Bytes, egress::Error>>) {
    let reading = async {
        let mut read = 0;
        while let Some(Ok(chunk)) = body.next().await {
            read += chunk.len();
            if read > MOST_ANSWER_BYTES {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(ANSWER_FOR, reading).await;
}
