//! Outbound HTTP: the only client through which requests leave this process.
//!
//! The client reaches only public addresses and networks that the operator allowed, checks every redirect again,
//! sends credentials to no second origin and without encryption to allowed networks only, and limits the size of
//! responses. Its errors say whether the request may have reached the target, because that decides whether a repeat is
//! harmless.

mod error;
mod guard;

use std::{net::IpAddr, time::Duration};

use bytes::{Bytes, BytesMut};
use futures::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use http::{HeaderMap, HeaderName, Method, StatusCode, header};
use ipnet::IpNet;
use tokio::net::TcpStream;
use url::{Host, Url};

pub use error::Error;
use guard::{Guard, GuardedResolver, Refusal};

pub use crate::limits::egress::DEFAULT_BODY_CAP;
use crate::limits::egress::{CONNECT_TIMEOUT, IDLE_TIMEOUT, MAX_REDIRECTS};

// Headers that are credentials even if nobody marked their values as sensitive.
const CREDENTIALS: [HeaderName; 3] = [header::AUTHORIZATION, header::COOKIE, header::PROXY_AUTHORIZATION];
// Headers that may be sent to another origin. Any other header could be a credential.
const CARRIED_OVER: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_LANGUAGE, header::USER_AGENT];

/// Which addresses outside the public internet may be reached.
#[derive(Debug, Clone, Default)]
pub struct EgressPolicy {
    /// Networks that are allowed although they are not public.
    pub allow: Vec<IpNet>,
}

impl EgressPolicy {
    /// Everything is allowed: for servers of this deployment, which the operator configured. Never for requests of
    /// agents.
    pub fn open() -> Self {
        let everywhere = [IpAddr::from([0; 4]), IpAddr::from([0; 16])];
        Self { allow: everywhere.into_iter().filter_map(|net| IpNet::new(net, 0).ok()).collect() }
    }
}

/// The guarded client. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Egress {
    way: Way,
    /// For credentials that are sent without encryption. It has connections of its own, so that none is reused that was
    /// opened under the other guard.
    unencrypted: Way,
    body_cap: usize,
    confidential: bool,
}

/// A client, and the guard that its resolver uses.
#[derive(Debug, Clone)]
struct Way {
    client: reqwest::Client,
    guard: Guard,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The HTTP method.
    pub method: Method,
    /// The URL, without user information.
    pub url: Url,
    /// The headers of the request.
    pub headers: HeaderMap,
    /// The body.
    pub body: Option<Bytes>,
    /// Timeout for everything: resolving, connecting, sending, and reading the response.
    pub timeout: Duration,
}

/// A complete response, within the size limit.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status of the response.
    pub status: StatusCode,
    /// The headers of the response.
    pub headers: HeaderMap,
    /// The content, decompressed.
    pub body: Bytes,
}

/// A response whose body is streamed, decompressed.
pub struct Streaming {
    /// The status of the response.
    pub status: StatusCode,
    /// The headers of the response.
    pub headers: HeaderMap,
    /// The content.
    pub body: BoxStream<'static, Result<Bytes, Error>>,
}

impl Egress {
    /// A client for the public internet and the networks that the policy allows.
    pub fn new(policy: EgressPolicy) -> Result<Self, Error> {
        // The HTTP stack looks for a process-wide provider. An error only says that there already is one.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let guard = Guard::new(policy.allow);
        let unencrypted = Way::new(guard.only_allowed())?;
        Ok(Self { way: Way::new(guard)?, unencrypted, body_cap: DEFAULT_BODY_CAP, confidential: false })
    }

    /// The same client for requests with secrets in their bodies: all of them count as carrying a credential.
    #[must_use]
    pub fn confidential(mut self) -> Self {
        self.confidential = true;
        self
    }

    /// The same client with another limit on the size of responses.
    #[must_use]
    pub fn with_body_cap(mut self, bytes: usize) -> Self {
        self.body_cap = bytes;
        self
    }

    /// Checks a URL as far as possible without resolving it; a name is checked again whenever it is resolved.
    pub fn check(&self, url: &Url) -> Result<(), Error> {
        self.way.check(url)
    }

    /// The client for a request: another one if a credential would cross the network unencrypted.
    fn way(&self, request: &Request) -> &Way {
        let exposed =
            request.url.scheme() == "http" && (self.confidential || carries_credential(&request.headers));
        if exposed { &self.unencrypted } else { &self.way }
    }

    /// Whether a secret in a request to this URL is safe from eavesdropping: with TLS, or at an IP address in a network that
    /// the operator allowed. A name could lead to any network.
    pub fn protects(&self, url: &Url) -> bool {
        let is_address = matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)));
        url.scheme() == "https" || (is_address && self.unencrypted.check(url).is_ok())
    }

    /// Whether a URL is a loopback IP address that the operator allowed: the only target that is safe from
    /// eavesdropping without TLS.
    pub fn is_open_loopback(&self, url: &Url) -> bool {
        let is_loopback = match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            _ => false,
        };
        is_loopback && self.check(url).is_ok()
    }

    /// Sends a request and reads the response. Redirects are followed only for `GET` and `HEAD`.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        // Checked here too, so that a forbidden target is refused however little time is left.
        self.way(&request).check(&request.url)?;
        let timeout = request.timeout;
        // The client's connect timeout is reported as a connection failure. When this outer timeout fires, it is
        // unknown how far the request came.
        tokio::time::timeout(timeout, self.send_hops(request))
            .await
            .unwrap_or(Err(Error::Timeout { sent: true }))
    }

    /// Sends a request and streams the response. Redirects are not followed, and the caller limits the size.
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

    /// A connection to a host, for programs whose requests are encrypted end to end. Its addresses are checked as for
    /// every other request.
    pub async fn connect(&self, host: &str, port: u16) -> Result<TcpStream, Error> {
        let addresses = self.way.guard.addresses(host, port).await.map_err(|error| {
            match error.downcast::<Refusal>() {
                Ok(refusal) => Error::Refused { reason: refusal.0 },
                Err(_) => Error::Unreachable,
            }
        })?;
        let connecting = tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect(addresses.as_slice()));
        connecting.await.map_err(|_| Error::Timeout { sent: false })?.map_err(|_| Error::Unreachable)
    }

    async fn send_hops(&self, mut request: Request) -> Result<Response, Error> {
        for hop in 0..=MAX_REDIRECTS {
            let step = self.send_once(&request).await;
            let answer = if hop == 0 { step? } else { step.map_err(Error::after_redirect)? };
            if !is_redirect(answer.status()) {
                return self.read(answer).await;
            }
            let target = redirect_target(&request, answer.headers())?;
            self.way.guard.check_url(&target).map_err(|refusal| Error::Redirect { reason: refusal.0 })?;
            if target.origin() != request.url.origin() {
                request.headers = carried_over(&request.headers);
                request.body = None;
            }
            request.url = target;
        }
        Err(Error::Redirect { reason: format!("there were more than {MAX_REDIRECTS}") })
    }

    async fn send_once(&self, request: &Request) -> Result<reqwest::Response, Error> {
        let way = self.way(request);
        way.check(&request.url)?;
        let mut outgoing =
            way.client.request(request.method.clone(), request.url.clone()).headers(request.headers.clone());
        if let Some(body) = &request.body {
            outgoing = outgoing.body(body.clone());
        }
        outgoing.send().await.map_err(Error::from_transport)
    }

    async fn read(&self, mut answer: reqwest::Response) -> Result<Response, Error> {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let mut body = BytesMut::new();
        // Chunks are decompressed, so a small response that expands into a huge one is cut off too.
        while let Some(chunk) = answer.chunk().await.map_err(Error::interrupted)? {
            if body.len() + chunk.len() > self.body_cap {
                return Err(Error::TooLarge { limit: self.body_cap });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response { status, headers, body: body.freeze() })
    }
}

impl Way {
    #[expect(clippy::disallowed_methods, reason = "this is the one client that everybody else must use")]
    fn new(guard: Guard) -> Result<Self, Error> {
        let client = reqwest::Client::builder()
            .dns_resolver(GuardedResolver(guard.clone()))
            // A proxy would resolve names itself, bypassing the guard.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            // The pipeline decides whether a repeat is harmless.
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::Setup)?;
        Ok(Self { client, guard })
    }

    fn check(&self, url: &Url) -> Result<(), Error> {
        self.guard.check_url(url).map_err(|refusal| Error::Refused { reason: refusal.0 })
    }
}

fn carries_credential(headers: &HeaderMap) -> bool {
    headers.iter().any(|(name, value)| value.is_sensitive() || CREDENTIALS.contains(name))
}

// 304 and 300 are responses, not redirects.
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
    use http::HeaderValue;

    use super::*;

    fn target(method: Method, from: &str, location: &str) -> Option<String> {
        let timeout = Duration::from_secs(1);
        let request =
            Request { method, url: from.parse().unwrap(), headers: HeaderMap::new(), body: None, timeout };
        let answer = HeaderMap::from_iter([(header::LOCATION, location.parse().unwrap())]);
        redirect_target(&request, &answer).ok().map(String::from)
    }

    /// What is checked before a request is sent.
    fn checked(egress: &Egress, url: &str, (name, value): (HeaderName, HeaderValue)) -> Result<(), Error> {
        let (method, url, timeout) = (Method::GET, url.parse().unwrap(), Duration::from_secs(1));
        let headers = HeaderMap::from_iter([(name, value)]);
        let request = Request { method, url, headers, body: None, timeout };
        egress.way(&request).check(&request.url)
    }

    #[test]
    fn credentials_leave_encrypted_or_into_an_allowed_network() {
        let guarded = Egress::new(EgressPolicy { allow: vec!["10.1.0.0/16".parse().unwrap()] }).unwrap();
        let mut key = HeaderValue::from_static("key");
        let plain = (HeaderName::from_static("x-api-key"), key.clone());
        key.set_sensitive(true);
        let marked = (HeaderName::from_static("x-api-key"), key);
        let bearer = (header::AUTHORIZATION, HeaderValue::from_static("Bearer t"));
        for credential in [&marked, &bearer] {
            let error = checked(&guarded, "http://1.1.1.1/", credential.clone()).unwrap_err();
            assert!(!error.sent() && error.to_string().contains("Use https://"), "{error}");
            for url in ["https://1.1.1.1/", "https://name.example/", "http://10.1.2.3/"] {
                assert!(checked(&guarded, url, credential.clone()).is_ok(), "{url}");
            }
            let open = Egress::new(EgressPolicy::open()).unwrap();
            assert!(
                checked(&open, "http://1.1.1.1/", credential.clone()).is_ok(),
                "control: the guard is off"
            );
        }
        assert!(checked(&guarded, "http://1.1.1.1/", plain.clone()).is_ok(), "control: no credential");
        assert!(checked(&guarded.confidential(), "http://1.1.1.1/", plain).is_err());
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
