//! A receiver of webhooks: it verifies signatures (Standard Webhooks), counts deliveries, and misbehaves on request.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::{IntoResponse as _, Response},
    routing::post,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use futures::StreamExt as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use platform::Clock;
use sha2::Sha256;
use tokio::{net::TcpListener, task::JoinHandle};

/// Maximum difference between a timestamp and the receiver's clock, in seconds.
pub const TOLERANCE_S: i64 = 300;

/// How it responds to a valid delivery.
#[derive(Debug, Clone, Default)]
pub enum Reception {
    /// It accepts the delivery.
    #[default]
    Take,
    /// It responds with this error status.
    Status(u16),
    /// It never responds.
    Hang,
    /// It accepts the delivery, and its response comes byte by byte and does not end.
    Drip,
    /// It responds with a redirect.
    Redirect(String),
    /// It accepts the delivery, and its response has this many bytes.
    Huge(usize),
}

/// A received delivery.
#[derive(Debug, Clone)]
pub struct Received {
    pub id: String,
    pub timestamp: String,
    pub signature: String,
    pub body: Vec<u8>,
}

impl Received {
    /// The event of the delivery.
    pub fn event(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Whether the delivery was signed recently with one of these secrets and is unchanged. This is everything that a
    /// receiver has to check.
    pub fn verify(&self, secrets: &[String], now_s: i64) -> Result<(), &'static str> {
        let sent: i64 = self.timestamp.parse().map_err(|_| "the timestamp is no number")?;
        if now_s.abs_diff(sent) > TOLERANCE_S.unsigned_abs() {
            return Err("it is too old, or of the future");
        }
        let signed = [format!("{}.{}.", self.id, self.timestamp).as_bytes(), &self.body].concat();
        for secret in secrets {
            let key = secret.strip_prefix("whsec_").and_then(|key| BASE64_STANDARD.decode(key).ok());
            let key = key.ok_or("the secret is not one")?;
            for given in self.signature.split(' ') {
                let given = given.strip_prefix("v1,").and_then(|given| BASE64_STANDARD.decode(given).ok());
                let Some(given) = given else { continue };
                let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| "the secret is not one")?;
                mac.update(&signed);
                if mac.verify_slice(&given).is_ok() {
                    return Ok(());
                }
            }
        }
        Err("no signature is right")
    }
}

/// A running receiver. It stops when dropped.
pub struct FakeReceiver {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    serving: JoinHandle<()>,
}

struct Shared {
    clock: Clock,
    secrets: Vec<String>,
    checks: bool,
    reception: Vec<Reception>,
    taken: Vec<Received>,
    refused: Vec<&'static str>,
    came: usize,
}

impl FakeReceiver {
    /// Starts a receiver without secrets that uses this clock.
    pub async fn start(clock: Clock) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Mutex::new(Shared {
            clock,
            secrets: Vec::new(),
            checks: true,
            reception: vec![Reception::Take],
            taken: Vec::new(),
            refused: Vec::new(),
            came: 0,
        }));
        let router = Router::new().route("/hook", post(receive)).with_state(shared.clone());
        let serving = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, shared, serving })
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    /// The URL of the receiver.
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// Sets the valid secrets.
    pub fn trust(&self, secrets: &[&str]) {
        self.shared().secrets = secrets.iter().map(|secret| (*secret).to_owned()).collect();
    }

    /// Accepts everything from now on, like a careless receiver.
    pub fn stop_checking(&self) {
        self.shared().checks = false;
    }

    /// Sets the responses to the next deliveries, in order; the last one applies to all further deliveries.
    pub fn receive(&self, receptions: impl IntoIterator<Item = Reception>) {
        self.shared().reception = receptions.into_iter().collect();
    }

    /// The accepted deliveries, in order.
    pub fn taken(&self) -> Vec<Received> {
        self.shared().taken.clone()
    }

    /// The number of times that each delivery was accepted, by `webhook-id`.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for taken in &self.shared().taken {
            *counts.entry(taken.id.clone()).or_default() += 1;
        }
        counts
    }

    /// The reasons of refusals.
    pub fn refused(&self) -> Vec<&'static str> {
        self.shared().refused.clone()
    }

    /// The number of requests, accepted or not.
    pub fn came(&self) -> usize {
        self.shared().came
    }
}

impl Drop for FakeReceiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn receive(State(shared): State<Arc<Mutex<Shared>>>, headers: HeaderMap, body: Bytes) -> Response {
    let header =
        |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let received = Received {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body: body.to_vec(),
    };
    let reception = {
        let mut shared = lock(&shared);
        shared.came += 1;
        let now_s = shared.clock.now().as_second();
        if shared.checks
            && let Err(why) = received.verify(&shared.secrets, now_s)
        {
            shared.refused.push(why);
            return StatusCode::UNAUTHORIZED.into_response();
        }
        let next = shared.reception.first().cloned().unwrap_or_default();
        if shared.reception.len() > 1 {
            shared.reception.remove(0);
        }
        if matches!(next, Reception::Take | Reception::Drip | Reception::Huge(_)) {
            shared.taken.push(received);
        }
        next
    };
    match reception {
        Reception::Take => StatusCode::NO_CONTENT.into_response(),
        Reception::Status(status) => {
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response()
        }
        Reception::Hang => std::future::pending().await,
        Reception::Drip => {
            let drops = futures::stream::repeat(()).then(|()| async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                Ok::<_, Infallible>(Bytes::from_static(b"."))
            });
            Body::from_stream(drops).into_response()
        }
        Reception::Redirect(target) => (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, target)]).into_response(),
        Reception::Huge(bytes) => {
            let chunk = Bytes::from(vec![b'x'; 16 << 10]);
            let chunks = futures::stream::iter(0..bytes.div_ceil(chunk.len()))
                .map(move |_| Ok::<_, Infallible>(chunk.clone()));
            Body::from_stream(chunks).into_response()
        }
    }
}
