//! Handing work to the engine.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header::CONTENT_TYPE};
use model::{ConnectorId, DeliveryId, InvocationId, OrgId};
use platform::egress::{self, Egress, EgressPolicy};
use serde::{Deserialize, Serialize};
use url::Url;

/// How long the engine may take to accept something. It answers in milliseconds or not at all.
const TIMEOUT: Duration = Duration::from_secs(5);

/// What is in the engine's journal: two ids. Parameters and results stay in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) org: OrgId,
    pub(crate) invocation: InvocationId,
}

/// Which connector is to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HarvestOrder {
    pub(crate) org: OrgId,
    pub(crate) connector: ConnectorId,
}

/// Which delivery is to be carried to its end, and which sending of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DeliveryOrder {
    pub(crate) org: OrgId,
    pub(crate) delivery: DeliveryId,
    pub(crate) round: i32,
}

/// Why the engine did not take something.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's address is not one.
    #[error("the address of the engine is not valid")]
    Address,
    /// It could not be reached.
    #[error("reaching the engine")]
    Egress(#[from] egress::Error),
    /// It refused.
    #[error("the engine answered {0}")]
    Refused(u16),
}

/// The engine, as far as handing it work goes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Engine {
    egress: Egress,
    ingress: Url,
}

impl Engine {
    /// An engine whose ingress is at this address, which the operator chose: the guard that keeps sources from
    /// reaching inside does not apply to it.
    pub fn new(ingress: &str) -> Result<Self, Error> {
        let mut ingress: Url = ingress.parse().map_err(|_| Error::Address)?;
        if !ingress.path().ends_with('/') {
            ingress.set_path(&format!("{}/", ingress.path()));
        }
        Ok(Self { egress: Egress::new(EgressPolicy::open())?, ingress })
    }

    /// Hands over an approved invocation. Handing it over twice is one workflow.
    pub(crate) async fn submit(&self, order: Order) -> Result<(), Error> {
        self.send(&format!("Effect/{}/run/send", order.invocation), order).await
    }

    /// Has an invocation looked at when its time is over.
    pub(crate) async fn expire_after(&self, order: Order, delay: Duration) -> Result<(), Error> {
        self.send(&format!("Expiry/expire/send?delay={}ms", delay.as_millis()), order).await
    }

    /// Has a connector asked for its tools when that time is over.
    pub(crate) async fn harvest_after(&self, order: HarvestOrder, delay: Duration) -> Result<(), Error> {
        let path = format!("Harvest/{}/daily/send?delay={}ms", order.connector, delay.as_millis());
        self.send(&path, order).await
    }

    /// Hands over a delivery. Handing it over twice is one workflow; sending it again is another.
    pub(crate) async fn deliver(&self, order: DeliveryOrder) -> Result<(), Error> {
        self.send(&format!("Delivery/{}-{}/run/send", order.delivery, order.round), order).await
    }

    /// Hands an order to a handler, by its path. It must hold nothing that may not be in the engine's journal.
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
