//! S3, as far as the platform uses it: conditional writes, reads and deletes of objects.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use tokio::{net::TcpListener, task::JoinHandle};

const BUCKET: &str = "bucket";
/// Long ago, so that no object is considered recent.
const MODIFIED: &str = "Sat, 01 Jan 2000 00:00:00 GMT";

/// A running fake with one bucket, `bucket`. Requests must be signed; the identity is not checked.
pub struct FakeS3 {
    address: SocketAddr,
    kept: Arc<Mutex<Kept>>,
    serving: JoinHandle<()>,
}

#[derive(Default)]
struct Kept {
    objects: BTreeMap<String, (Bytes, u64)>,
    version: u64,
    hangs: bool,
    /// The number of requests while it hangs.
    hung: usize,
}

impl FakeS3 {
    /// Starts the fake on any free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a loopback port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let kept = Arc::<Mutex<Kept>>::default();
        let router =
            Router::new().fallback(answer).layer(DefaultBodyLimit::disable()).with_state(kept.clone());
        let serving = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Self { address, kept, serving }
    }

    /// The URL of the fake.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets whether it accepts requests and never responds.
    pub fn hang(&self, hangs: bool) {
        lock(&self.kept).hangs = hangs;
    }

    /// The number of requests without a response.
    pub fn hung(&self) -> usize {
        lock(&self.kept).hung
    }

    /// The names of the objects.
    pub fn names(&self) -> Vec<String> {
        lock(&self.kept).objects.keys().cloned().collect()
    }

    /// The object with this name.
    pub fn object(&self, name: &str) -> Option<Bytes> {
        lock(&self.kept).objects.get(name).map(|(bytes, _)| bytes.clone())
    }

    /// Stores an object directly.
    pub fn put(&self, name: &str, bytes: impl Into<Bytes>) {
        let mut kept = lock(&self.kept);
        kept.put(name.to_owned(), bytes.into());
    }
}

impl Drop for FakeS3 {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Kept {
    /// Whether it hangs; counts the request.
    fn hangs(&mut self) -> bool {
        self.hung += usize::from(self.hangs);
        self.hangs
    }

    fn put(&mut self, name: String, bytes: Bytes) -> u64 {
        self.version += 1;
        self.objects.insert(name, (bytes, self.version));
        self.version
    }

    fn answer(&mut self, method: &Method, name: &str, headers: &HeaderMap, body: Bytes) -> Response {
        let said = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let found = self.objects.get(name).cloned();
        let tag = found.as_ref().map(|(_, version)| tag(*version));
        match *method {
            Method::PUT => {
                let wanted = said(header::IF_MATCH);
                let refused = said(header::IF_NONE_MATCH).is_some() && found.is_some()
                    || wanted.is_some() && wanted != tag.as_deref();
                if refused {
                    return StatusCode::PRECONDITION_FAILED.into_response();
                }
                let version = self.put(name.to_owned(), body);
                [(header::ETAG, self::tag(version))].into_response()
            }
            Method::GET | Method::HEAD => match found {
                None => StatusCode::NOT_FOUND.into_response(),
                Some((bytes, version)) => {
                    let known =
                        [(header::ETAG, self::tag(version)), (header::LAST_MODIFIED, MODIFIED.to_owned())];
                    (known, bytes).into_response()
                }
            },
            Method::DELETE => {
                self.objects.remove(name);
                StatusCode::NO_CONTENT.into_response()
            }
            _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        }
    }
}

async fn answer(
    State(kept): State<Arc<Mutex<Kept>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if lock(&kept).hangs() {
        return std::future::pending().await;
    }
    let signed =
        headers.get(header::AUTHORIZATION).is_some_and(|by| by.as_bytes().starts_with(b"AWS4-HMAC-SHA256"));
    let name = uri.path().strip_prefix('/').and_then(|path| path.strip_prefix(BUCKET)?.strip_prefix('/'));
    match name {
        _ if !signed => StatusCode::FORBIDDEN.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
        Some(name) => lock(&kept).answer(&method, name, &headers, body),
    }
}

fn tag(version: u64) -> String {
    format!("\"{version}\"")
}

fn lock(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
