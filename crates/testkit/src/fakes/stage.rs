//! The network side of every fake: accepts, records, injects faults, responds.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::body::{Body, to_bytes};
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::{JoinHandle, JoinSet},
    time::Instant,
};

const MAX_REQUEST: usize = 16 * 1024 * 1024;

/// A request as a service sees it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The HTTP method.
    pub method: Method,
    /// The path, without the query and still encoded.
    pub path: String,
    /// The query, decoded.
    pub query: BTreeMap<String, String>,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as JSON; `null` if there is none or it is something else.
    pub body: Value,
    /// Whether a write should be stored differently than requested.
    pub corrupt: bool,
}

impl Seen {
    /// The value of a header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// A response.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Additional headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Value,
    /// The name of the effect that this request had; `None` for reads and refusals.
    pub effect: Option<String>,
}

impl Answer {
    /// A response without an effect.
    pub fn new(status: u16, body: Value) -> Self {
        Self { status, headers: Vec::new(), body, effect: None }
    }

    /// The same response, counted as an effect.
    #[must_use]
    pub fn effect(mut self, name: impl Into<String>) -> Self {
        self.effect = Some(name.into());
        self
    }

    /// The same response with a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// The behaviour of an outside service: its state, and a response to each request.
pub trait Service: Send + 'static {
    /// Handles a request, changing the state.
    fn answer(&mut self, seen: &Seen) -> Answer;
}

/// A fault, used up by the next request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum Fault {
    /// Responds with this status, without the effect.
    Fail {
        /// The status.
        status: u16,
        /// Seconds for `Retry-After`.
        #[serde(default)]
        retry_after: Option<u64>,
        /// The body; `{}` by default.
        #[serde(default)]
        body: Value,
    },
    /// Performs the effect, then responds with this status.
    FailAfter {
        /// The status.
        status: u16,
    },
    /// Waits, then continues as usual.
    Delay {
        /// The delay.
        ms: u64,
    },
    /// Performs the effect, and responds after a delay.
    DelayAfter {
        /// The delay.
        ms: u64,
    },
    /// Performs the effect, then never responds.
    Hang,
    /// Never responds, without the effect.
    HangBefore,
    /// Performs the effect, then drops the connection without a response.
    ResetAfterRequest,
    /// Drops the connection without a response and without the effect.
    ResetBefore,
    /// Stores something different than requested; applies to the next write.
    CorruptNextWrite,
    /// Lets one request pass, so that the next fault applies to the request after it.
    Pass,
}

/// The delay between an effect, by its name, and its response.
type Lateness = Box<dyn Fn(&str) -> Duration + Send>;

#[derive(Default)]
struct Notes {
    faults: std::collections::VecDeque<Fault>,
    late: Option<Lateness>,
    effects: BTreeMap<String, u64>,
    /// The effects in order, each with its time.
    moments: Vec<(String, Instant)>,
    requests: Vec<Seen>,
    on_effect: Option<Arc<Notify>>,
}

/// A running fake. It stops when dropped.
pub struct Stage<S> {
    address: SocketAddr,
    service: Arc<Mutex<S>>,
    notes: Arc<Mutex<Notes>>,
    accepting: JoinHandle<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: Service> Stage<S> {
    /// Starts a service on a loopback port; 0 means any free port.
    pub async fn start(service: S, port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let address = listener.local_addr()?;
        let service = Arc::new(Mutex::new(service));
        let notes = Arc::new(Mutex::new(Notes::default()));
        let (shared, noted) = (service.clone(), notes.clone());
        let accepting = tokio::spawn(async move {
            // Dropped with this task, which closes every open connection.
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                open.spawn(serve(stream, shared.clone(), noted.clone()));
                while open.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, service, notes, accepting })
    }

    /// The base URL, for example `http://127.0.0.1:4711`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The number of times that each effect happened.
    pub fn effects(&self) -> BTreeMap<String, u64> {
        lock(&self.notes).effects.clone()
    }

    /// All effects so far, in order, each with its time by the clock of this service.
    pub fn effects_in_order(&self) -> Vec<(String, Instant)> {
        lock(&self.notes).moments.clone()
    }

    /// All requests so far, in order.
    pub fn requests(&self) -> Vec<Seen> {
        lock(&self.notes).requests.clone()
    }

    /// The number of requests that match.
    pub fn count_requests(&self, like: impl Fn(&Seen) -> bool) -> usize {
        lock(&self.notes).requests.iter().filter(|seen| like(seen)).count()
    }

    /// The number of times that one effect happened.
    pub fn count_effect(&self, name: &str) -> u64 {
        lock(&self.notes).effects.get(name).copied().unwrap_or(0)
    }

    /// Reads or changes the state of the service.
    pub fn state<T>(&self, look: impl FnOnce(&mut S) -> T) -> T {
        look(&mut lock(&self.service))
    }

    /// Adds a fault for the next request without one.
    pub fn fault(&self, fault: Fault) {
        lock(&self.notes).faults.push_back(fault);
    }

    /// Removes all faults.
    pub fn behave(&self) {
        lock(&self.notes).faults.clear();
    }

    /// From now on delays the response to each effect by a time that depends on its name; other responses are not
    /// delayed.
    pub fn answer_late(&self, late: impl Fn(&str) -> Duration + Send + 'static) {
        lock(&self.notes).late = Some(Box::new(late));
    }

    /// Responds to the next request with a status, without the effect.
    pub fn fail_next(&self, status: u16) {
        self.fault(Fault::Fail { status, retry_after: None, body: json!({}) });
    }

    /// Delays the next request.
    pub fn delay_next(&self, delay: Duration) {
        self.fault(Fault::Delay { ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX) });
    }

    /// Performs the effect of the next request and never responds.
    pub fn hang(&self) {
        self.fault(Fault::Hang);
    }

    /// Performs the effect of the next request and drops the connection.
    pub fn reset_after_request(&self) {
        self.fault(Fault::ResetAfterRequest);
    }

    /// Stores the next write differently than requested, so that a verification finds a difference.
    pub fn corrupt_next_write(&self) {
        self.fault(Fault::CorruptNextWrite);
    }

    /// Resolves when the next effect has happened.
    pub fn on_next_effect(&self, notify: Arc<Notify>) {
        lock(&self.notes).on_effect = Some(notify);
    }
}

impl<S> Drop for Stage<S> {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve<S: Service>(stream: TcpStream, service: Arc<Mutex<S>>, notes: Arc<Mutex<Notes>>) {
    let handle = service_fn(move |request: Request<Incoming>| {
        let (service, notes) = (service.clone(), notes.clone());
        async move { handle(request, &service, &notes).await }
    });
    // An error here is an injected reset, or a client that disconnected.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), handle).await;
}

/// An error makes the server drop the connection without a response.
async fn handle<S: Service>(
    request: Request<Incoming>,
    service: &Mutex<S>,
    notes: &Mutex<Notes>,
) -> std::io::Result<Response<Body>> {
    let Ok(mut seen) = read(request).await else { return Err(std::io::Error::other("unreadable request")) };
    if let Some(answer) = control(&seen, notes) {
        return Ok(respond(&answer));
    }
    let fault = {
        let mut notes = lock(notes);
        notes.requests.push(seen.clone());
        take_fault(&mut notes)
    };
    match &fault {
        Some(Fault::Fail { status, retry_after, body }) => {
            let mut answer = Answer::new(*status, if body.is_null() { json!({}) } else { body.clone() });
            answer.headers.extend(retry_after.map(|seconds| ("retry-after", seconds.to_string())));
            return Ok(respond(&answer));
        }
        Some(Fault::Delay { ms }) => tokio::time::sleep(Duration::from_millis(*ms)).await,
        Some(Fault::HangBefore) => std::future::pending().await,
        Some(Fault::ResetBefore) => return Err(std::io::Error::other("told to reset")),
        Some(Fault::CorruptNextWrite) => seen.corrupt = true,
        _ => {}
    }
    let answer = lock(service).answer(&seen);
    note_effect(notes, &answer);
    if let Some(late) = lateness(notes, &answer) {
        tokio::time::sleep(late).await;
    }
    match fault {
        Some(Fault::FailAfter { status }) => Ok(respond(&Answer::new(status, json!({})))),
        Some(Fault::DelayAfter { ms }) => {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            Ok(respond(&answer))
        }
        Some(Fault::Hang) => std::future::pending().await,
        Some(Fault::ResetAfterRequest) => Err(std::io::Error::other("told to reset")),
        _ => Ok(respond(&answer)),
    }
}

/// The next fault. A fault for a write stays until a write happened, which only the response shows.
fn take_fault(notes: &mut Notes) -> Option<Fault> {
    match notes.faults.front() {
        Some(Fault::CorruptNextWrite) => Some(Fault::CorruptNextWrite),
        _ => notes.faults.pop_front(),
    }
}

fn lateness(notes: &Mutex<Notes>, answer: &Answer) -> Option<Duration> {
    let notes = lock(notes);
    notes.late.as_ref().zip(answer.effect.as_ref()).map(|(late, effect)| late(effect))
}

fn note_effect(notes: &Mutex<Notes>, answer: &Answer) {
    let Some(effect) = &answer.effect else { return };
    let mut notes = lock(notes);
    *notes.effects.entry(effect.clone()).or_default() += 1;
    notes.moments.push((effect.clone(), Instant::now()));
    if matches!(notes.faults.front(), Some(Fault::CorruptNextWrite)) {
        notes.faults.pop_front();
    }
    if let Some(notify) = notes.on_effect.take() {
        notify.notify_one();
    }
}

fn control(seen: &Seen, notes: &Mutex<Notes>) -> Option<Answer> {
    match (&seen.method, seen.path.as_str()) {
        (&Method::GET, "/_effects") => Some(Answer::new(200, json!(lock(notes).effects))),
        (&Method::GET, "/_requests") => {
            let requests = &lock(notes).requests;
            let list: Vec<Value> = (requests.iter())
                .map(|it| json!({"method": it.method.as_str(), "path": it.path, "body": it.body}))
                .collect();
            Some(Answer::new(200, json!(list)))
        }
        (&Method::POST, "/_control") => Some(match serde_json::from_value(seen.body.clone()) {
            Ok(fault) => {
                lock(notes).faults.push_back(fault);
                Answer::new(200, json!({"ok": true}))
            }
            Err(error) => Answer::new(400, json!({"message": error.to_string()})),
        }),
        _ => None,
    }
}

async fn read(request: Request<Incoming>) -> Result<Seen, axum::Error> {
    let (head, body) = request.into_parts();
    let bytes = to_bytes(Body::new(body), MAX_REQUEST).await?;
    let query = head.uri.query().unwrap_or_default();
    Ok(Seen {
        method: head.method,
        path: head.uri.path().to_owned(),
        query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        headers: head.headers,
        body: serde_json::from_slice(&bytes).unwrap_or_default(),
        corrupt: false,
    })
}

fn respond(answer: &Answer) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.body.to_string()));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    for (name, value) in &answer.headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    response
}
