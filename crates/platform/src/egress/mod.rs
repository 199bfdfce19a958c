//! Outbound HTTP: the one client through which anything leaves this process.
//!
//! It reaches only public addresses and what the operator opened, checks every hop of a redirect again,
//! carries credentials to no second origin, and reads no more than a cap. Its errors say whether the request
//! may have reached the target, because that decides whether a repeat is harmless.

mod error;
mod guard;

use std::{net::IpAddr, time::Duration};

use bytes::{Bytes, BytesMut};
use futures::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use http::{HeaderMap, HeaderName, Method, StatusCode, header};
use ipnet::IpNet;
use url::{Host, Url};

pub use error::Error;
use guard::{Guard, GuardedResolver};

/// How many bytes of an answer are read unless said otherwise.
pub const DEFAULT_BODY_CAP: usize = 4 * 1024 * 1024;

const MAX_REDIRECTS: usize = 3;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
// Shorter than what common servers keep a connection: a request written to one that is just being closed
// may or may not have arrived, and nobody could tell.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);
// What may be told to another origin. Anything not listed could be a credential.
const CARRIED_OVER: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_LANGUAGE, header::USER_AGENT];

/// Which addresses outside the public internet may be reached.
#[derive(Debug, Clone, Default)]
pub struct EgressPolicy {
    /// Networks that are opened although the guard would refuse them.
    pub allow: Vec<IpNet>,
}

impl EgressPolicy {
    /// Everything is open: for servers of this deployment, which the operator named. Never for what agents ask for.
    pub fn open() -> Self {
        let everywhere = [IpAddr::from([0; 4]), IpAddr::from([0; 16])];
        Self { allow: everywhere.into_iter().filter_map(|net| IpNet::new(net, 0).ok()).collect() }
    }
}

/// The guarded client. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Egress {
    client: reqwest::Client,
    guard: Guard,
    body_cap: usize,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// What to do.
    pub method: Method,
    /// Where; without user information.
    pub url: Url,
    /// What to say about it.
    pub headers: HeaderMap,
    /// What to send.
    pub body: Option<Bytes>,
    /// For everything: resolving, connecting, sending, and reading the answer.
    pub timeout: Duration,
}

/// One answer, read whole and within the cap.
#[derive(Debug, Clone)]
pub struct Response {
    /// How it went.
    pub status: StatusCode,
    /// What the target said about it.
    pub headers: HeaderMap,
    /// The content, decompressed.
    pub body: Bytes,
}

/// One answer whose body is still to come, decompressed.
pub struct Streaming {
    /// How it went.
    pub status: StatusCode,
    /// What the target said about it.
    pub headers: HeaderMap,
    /// The content.
    pub body: BoxStream<'static, Result<Bytes, Error>>,
}

impl Egress {
    /// A client that reaches the public internet and what the policy opens.
    #[expect(clippy::disallowed_methods, reason = "this is the one client that everybody else must use")]
    pub fn new(policy: EgressPolicy) -> Result<Self, Error> {
        // The HTTP stack looks for a process-wide provider. An error only says that there already is one.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let guard = Guard::new(policy.allow);
        let client = reqwest::Client::builder()
            .dns_resolver(GuardedResolver(guard.clone()))
            // A proxy would resolve names in our place, past the guard.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            // Whether a repeat is harmless is the pipeline's to say.
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::Setup)?;
        Ok(Self { client, guard, body_cap: DEFAULT_BODY_CAP })
    }

    /// The same client with another cap on what is read of an answer.
    #[must_use]
    pub fn with_body_cap(mut self, bytes: usize) -> Self {
        self.body_cap = bytes;
        self
    }

    /// Checks an address as far as it tells by itself; a name is checked again whenever it is resolved.
    pub fn check(&self, url: &Url) -> Result<(), Error> {
        self.guard.check_url(url).map_err(|refusal| Error::Refused { reason: refusal.0 })
    }

    /// Whether an address is this very machine, by number, and the operator opened it: the one place on the way to which
    /// nothing can be overheard.
    pub fn is_open_loopback(&self, url: &Url) -> bool {
        let is_loopback = match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            _ => false,
        };
        is_loopback && self.guard.check_url(url).is_ok()
    }

    /// Sends a request and reads the answer, following redirects of `GET` and `HEAD` only.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        // Asked here too, so that a refused target is refused however little time is left.
        self.check(&request.url)?;
        let timeout = request.timeout;
        // The client's own connect timeout is reported as a failure to connect; when this outer one strikes,
        // nobody can tell how far the request came.
        tokio::time::timeout(timeout, self.send_hops(request))
            .await
            .unwrap_or(Err(Error::Timeout { sent: true }))
    }

    /// Sends a request and gives the answer as it comes, for protocols that stream. No redirect is followed, and whoever
    /// reads sets the limits on what is read.
    pub async fn open(&self, request: Request) -> Result<Streaming, Error> {
        let answer = tokio::time::timeout(request.timeout, self.send_once(&request))
            .await
            .unwrap_or(Err(Error::Timeout { sent: true }))?;
        if is_redirect(answer.status()) {
            return Err(Error::Redirect { reason: "a stream is not followed elsewhere".to_owned() });
        }
        let (status, headers) = (answer.status(), answer.headers().clone());
        Ok(Streaming { status, headers, body: answer.bytes_stream().map_err(Error::interrupted).boxed() })
    }

    async fn send_hops(&self, mut request: Request) -> Result<Response, Error> {
        for hop in 0..=MAX_REDIRECTS {
            let step = self.send_once(&request).await;
            let answer = if hop == 0 { step? } else { step.map_err(Error::after_redirect)? };
            if !is_redirect(answer.status()) {
                return self.read(answer).await;
            }
            let target = redirect_target(&request, answer.headers())?;
            self.guard.check_url(&target).map_err(|refusal| Error::Redirect { reason: refusal.0 })?;
            if target.origin() != request.url.origin() {
                request.headers = carried_over(&request.headers);
                request.body = None;
            }
            request.url = target;
        }
        Err(Error::Redirect { reason: format!("there were more than {MAX_REDIRECTS}") })
    }

    async fn send_once(&self, request: &Request) -> Result<reqwest::Response, Error> {
        self.check(&request.url)?;
        let mut outgoing =
            self.client.request(request.method.clone(), request.url.clone()).headers(request.headers.clone());
        if let Some(body) = &request.body {
            outgoing = outgoing.body(body.clone());
        }
        outgoing.send().await.map_err(Error::from_transport)
    }

    async fn read(&self, mut answer: reqwest::Response) -> Result<Response, Error> {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let mut body = BytesMut::new();
        // Chunks arrive decompressed, so a small answer that unpacks into a huge one is cut off as well.
        while let Some(chunk) = answer.chunk().await.map_err(Error::interrupted)? {
            if body.len() + chunk.len() > self.body_cap {
                return Err(Error::TooLarge { limit: self.body_cap });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response { status, headers, body: body.freeze() })
    }
}

// 304 and 300 are answers, not instructions to go elsewhere.
fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn redirect_target(request: &Request, answer: &HeaderMap) -> Result<Url, Error> {
    let refuse = |reason: &str| Error::Redirect { reason: reason.to_owned() };
    if request.method != Method::GET && request.method != Method::HEAD {
        return Err(refuse("only reads follow redirects"));
    }
    let location = answer.get(header::LOCATION).and_then(|value| value.to_str().ok());
    let target = location
        .and_then(|location| request.url.join(location).ok())
        .ok_or_else(|| refuse("it names no usable location"))?;
    if request.url.scheme() == "https" && target.scheme() != "https" {
        return Err(refuse("it leads from https to an unencrypted address"));
    }
    Ok(target)
}

fn carried_over(headers: &HeaderMap) -> HeaderMap {
    headers
        .iter()
        .filter(|(name, _)| CARRIED_OVER.contains(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(method: Method, from: &str, location: &str) -> Option<String> {
        let timeout = Duration::from_secs(1);
        let request =
            Request { method, url: from.parse().unwrap(), headers: HeaderMap::new(), body: None, timeout };
        let answer = HeaderMap::from_iter([(header::LOCATION, location.parse().unwrap())]);
        redirect_target(&request, &answer).ok().map(String::from)
    }

    #[test]
    fn redirects_stay_encrypted_and_are_for_reads() {
        let there = Some("https://b.example/y".to_owned());
        assert_eq!(target(Method::GET, "https://a.example/x", "https://b.example/y"), there);
        assert_eq!(target(Method::HEAD, "http://b.example/x", "https://b.example/y"), there);
        assert_eq!(target(Method::GET, "https://b.example/x", "/y"), there);
        assert_eq!(target(Method::GET, "https://a.example/x", "http://a.example/x"), None);
        assert_eq!(target(Method::POST, "https://a.example/x", "https://a.example/y"), None);
        assert_eq!(target(Method::GET, "https://a.example/x", "https://"), None);
    }
}
