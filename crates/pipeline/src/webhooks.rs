//! Webhooks: events become deliveries, and the engine carries each delivery to its end.
//!
//! A delivery is a row before it is sent. The engine is told after the commit; if that fails, or if the engine loses all
//! its data, the sweep tells it again. Being told twice is harmless: an attempt is claimed before it is made.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use events::{
    Stretch,
    webhooks::{Attempt, Claimed, Delivery, Outcome, Webhook, WebhookChange, WebhookSettings},
};
use futures::StreamExt as _;
use http::{HeaderMap, HeaderValue, Method, header::CONTENT_TYPE};
use model::{Actor, DeliveryId, OrgId, WebhookId};
use platform::egress;
use secrecy::SecretString;
use tokio::sync::Semaphore;
use url::Url;

use crate::{
    engine::{self, DeliveryOrder},
    error::Error,
    parts::{Parts, Pipeline, Places},
};

/// How long a receiver may take to answer.
const TIMEOUT: Duration = Duration::from_secs(15);
/// How much of a response is read, and for how long, so that its connection can be used again. The content is never shown:
/// a hostile receiver could put anything into it.
const MOST_ANSWER_BYTES: usize = 64 << 10;
const ANSWER_FOR: Duration = Duration::from_secs(2);
/// How many requests to one webhook this process sends at the same time; the others wait.
const AT_ONCE: usize = 16;
const TURN: Duration = Duration::from_secs(2);
/// How long after it was due a delivery is submitted again.
const RESUBMIT_AFTER: Duration = Duration::from_secs(30);
/// How many deliveries one sweep handles; the next sweep finds the others.
const SWEEP: i32 = 200;
/// How many are submitted at the same time.
const SUBMITTED_AT_ONCE: usize = 8;

/// Webhooks and their deliveries. Cheap to clone.
#[derive(Clone)]
pub struct Webhooks {
    parts: Arc<Parts>,
    records: events::Webhooks,
    places: Places,
}

impl Webhooks {
    pub(crate) fn new(pipeline: &Pipeline) -> Self {
        Self {
            parts: pipeline.parts.clone(),
            records: pipeline.webhooks.clone(),
            places: pipeline.places.clone(),
        }
    }

    /// Webhooks and deliveries as they are recorded. Nothing is sent from there.
    pub fn records(&self) -> &events::Webhooks {
        &self.records
    }

    /// Adds a webhook; its secret is shown this once.
    pub async fn add(
        &self,
        actor: Actor,
        mut settings: WebhookSettings,
    ) -> Result<(Webhook, SecretString), Error> {
        settings.url = self.checked_url(&settings.url)?.to_string();
        Ok(self.records.add(actor, settings).await?)
    }

    /// Changes a webhook.
    pub async fn change(
        &self,
        org: OrgId,
        id: WebhookId,
        mut change: WebhookChange,
    ) -> Result<Webhook, Error> {
        if let Some(url) = &mut change.url {
            *url = self.checked_url(url)?.to_string();
        }
        Ok(self.records.change(org, id, change).await?)
    }

    /// An address that events may be sent to. Checked when it is set and before each request: the operator may have
    /// forbidden it meanwhile.
    fn checked_url(&self, text: &str) -> Result<Url, Error> {
        let wrong = |message: String| events::Error::Invalid { pointer: "/url".to_owned(), message };
        let url = Url::parse(text).map_err(|_| wrong("not an address".to_owned()))?;
        self.parts.egress.check(&url).map_err(|error| wrong(error.to_string()))?;
        if url.scheme() != "https" && !self.parts.egress.is_open_loopback(&url) {
            return Err(wrong("an address begins with https://".to_owned()).into());
        }
        Ok(url)
    }

    /// Sends a test event to this webhook alone.
    pub async fn test(&self, org: OrgId, id: WebhookId) -> Result<Delivery, Error> {
        let delivery = self.records.test(org, id).await?;
        engine::deliver(&self.parts, order(org, &delivery)).await;
        Ok(delivery)
    }

    /// Sends a delivery again, whatever its state.
    pub async fn resend(
        &self,
        org: OrgId,
        webhook: WebhookId,
        delivery: DeliveryId,
    ) -> Result<Delivery, Error> {
        let delivery = self.records.resend(org, webhook, delivery).await?;
        engine::deliver(&self.parts, order(org, &delivery)).await;
        Ok(delivery)
    }

    /// Makes deliveries of new events in all orgs, until this process stops.
    pub async fn follow(&self) {
        self.parts.events.follow("webhooks", |stretch| self.make_deliveries(stretch)).await;
    }

    async fn make_deliveries(&self, stretch: Stretch) -> Result<(), events::Error> {
        let org = stretch.org;
        let made = self.records.create(&stretch).await?;
        let orders = made.into_iter().map(|delivery| DeliveryOrder { org, delivery, round: 1 });
        self.submit_all(orders).await;
        Ok(())
    }

    /// Submits deliveries until one is refused: an unavailable engine must not delay the log.
    async fn submit_all(&self, orders: impl Iterator<Item = DeliveryOrder>) {
        let mut submitted = futures::stream::iter(orders)
            .map(|order| engine::deliver(&self.parts, order))
            .buffer_unordered(SUBMITTED_AT_ONCE);
        while submitted.next().await.unwrap_or(false) {}
    }

    /// Makes the next attempt of a delivery, if it is due; returns how long to wait for the one after it, if any.
    pub async fn deliver(
        &self,
        org: OrgId,
        delivery: DeliveryId,
        round: i32,
    ) -> Result<Option<Duration>, Error> {
        let Some(webhook) = self.records.on_its_way_to(org, delivery, round).await? else { return Ok(None) };
        let places = self.places.get_with(webhook, || Arc::new(Semaphore::new(AT_ONCE)));
        // A slow receiver delays its own deliveries only: one that finds no place comes again.
        let Ok(_place) = places.try_acquire() else { return Ok(Some(TURN)) };
        match self.records.claim(org, delivery, round).await? {
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
                Ok(self.records.record(org, &attempt, &outcome).await?)
            }
        }
    }

    /// Sends one request; returns its outcome.
    async fn request(&self, attempt: &Attempt) -> Outcome {
        let failed = |status, error: String| Outcome::Failed { status, error };
        let Ok(url) = self.checked_url(&attempt.url) else {
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
            // The error is our own text and holds neither address nor response.
            Err(error) => failed(None, error.to_string()),
            Ok(answer) => {
                discard(answer.body).await;
                match answer.status.as_u16() {
                    status @ 200..=299 => Outcome::Arrived(status),
                    status @ 410 => Outcome::Gone(status),
                    status => failed(Some(status), format!("the receiver answered {status}")),
                }
            }
        }
    }

    /// Submits overdue deliveries again, in every org. Returns how many.
    pub async fn sweep(&self) -> Result<usize, Error> {
        let before = self.parts.world.clock.now() - RESUBMIT_AFTER;
        let overdue = self.records.overdue(before, SWEEP).await?;
        let mut orders = Vec::with_capacity(overdue.len());
        for (org, id) in overdue {
            match self.records.delivery(org, id).await {
                Ok(delivery) => orders.push(order(org, &delivery)),
                // It was deleted with its webhook meanwhile.
                Err(events::Error::NotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let swept = orders.len();
        self.submit_all(orders.into_iter()).await;
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

/// Reads a response and discards it, within limits.
async fn discard(mut body: futures::stream::BoxStream<'static, Result<Bytes, egress::Error>>) {
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
