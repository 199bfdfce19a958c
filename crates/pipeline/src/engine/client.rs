//! The client of the engine: submits work to it.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header::CONTENT_TYPE};
use model::{DeliveryId, InvocationId, OrgId};
use platform::egress::{self, Egress, EgressPolicy};
use serde::{Deserialize, Serialize};
use url::Url;

/// How long the engine may take to accept an order. It answers in milliseconds or not at all.
const TIMEOUT: Duration = Duration::from_secs(5);

/// What the engine's journal holds: two ids. Parameters and results stay in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) org: OrgId,
    pub(crate) invocation: InvocationId,
}

/// A delivery to be carried to its end, and which round of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DeliveryOrder {
    pub(crate) org: OrgId,
    pub(crate) delivery: DeliveryId,
    pub(crate) round: i32,
}

/// Why the engine did not accept an order.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's address is invalid.
    #[error("the address of the engine is not valid")]
    Address,
    /// The engine could not be reached.
    #[error("reaching the engine")]
    Egress(#[from] egress::Error),
    /// The engine refused.
    #[error("the engine answered {0}")]
    Refused(u16),
}

/// The client of the engine. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Engine {
    egress: Egress,
    ingress: Url,
}

impl Engine {
    /// An engine whose ingress is at this address. The operator chose it, so the guard that keeps sources from reaching
    /// internal addresses does not apply.
    pub fn new(ingress: &str) -> Result<Self, Error> {
        let mut ingress: Url = ingress.parse().map_err(|_| Error::Address)?;
        if !ingress.path().ends_with('/') {
            ingress.set_path(&format!("{}/", ingress.path()));
        }
        Ok(Self { egress: Egress::new(EgressPolicy::open())?, ingress })
    }

    /// Submits an approved invocation. Submitting it twice is one workflow.
    pub(crate) async fn submit(&self, order: Order) -> Result<(), Error> {
        self.send(&format!("Effect/{}/run/send", order.invocation), order).await
    }

    /// Sets the timer that expires an invocation.
    pub(crate) async fn expire_after(&self, order: Order, delay: Duration) -> Result<(), Error> {
        self.send(&format!("Expiry/expire/send?delay={}ms", delay.as_millis()), order).await
    }

    /// Submits a delivery. Submitting it twice is one workflow; another round is another workflow.
    pub(crate) async fn deliver(&self, order: DeliveryOrder) -> Result<(), Error> {
        self.send(&format!("Delivery/{}-{}/run/send", order.delivery, order.round), order).await
    }

    /// Sends an order to a handler, by its path. The order must hold nothing that may not be in the engine's journal.
    pub async fn send(&self, path: &str, order: impl Serialize) -> Result<(), Error> {
        let sent = self.post(path, order).await;
        if sent.is_err() {
            metrics::counter!("countersign_engine_failures_total").increment(1);
        }
        sent
    }

    async fn post(&self, path: &str, order: impl Serialize) -> Result<(), Error> {
        let url = self.ingress.join(path).map_err(|_| Error::Address)?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // The engine's own deduplication; ours is the state of the row.
        let body = serde_json::to_vec(&order).unwrap_or_default();
        let request = egress::Request {
            method: Method::POST,
            url,
            headers,
            body: Some(Bytes::from(body)),
            timeout: TIMEOUT,
        };
        let answer = self.egress.send(request).await?;
        // 409: a workflow of that key exists already.
        if answer.status.is_success() || answer.status.as_u16() == 409 {
            return Ok(());
        }
        Err(Error::Refused(answer.status.as_u16()))
    }
}
