//! Outbound HTTP: the one client through which anything leaves this process.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use ipnet::IpNet;
use url::Url;

/// Which addresses outside the public internet may be reached.
#[derive(Debug, Clone, Default)]
pub struct EgressPolicy {
    /// Networks that are opened although the guard would refuse them.
    pub allow: Vec<IpNet>,
}

/// The guarded client. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Egress {}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Option<Bytes>,
    /// For everything: resolving, connecting, sending, and reading the answer.
    pub timeout: Duration,
}

/// One answer, read whole and within the cap.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}
