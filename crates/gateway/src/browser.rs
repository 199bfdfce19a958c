//! Requests from browsers: a cookie that no script can read, and the check that the request comes from the gateway's
//! own pages.
//!
//! The cookie is `HttpOnly` and `SameSite=Strict`. A request that changes something must also have a custom header,
//! which another site can send only with CORS permission that is never given, and must not have the origin of another
//! site.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use url::Url;

use crate::problem::Answer;

/// Sent by the gateway's own pages with every request that changes something.
const OWN_PAGE: HeaderName = HeaderName::from_static("x-countersign-web");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Longer than any cookie of the gateway.
const LONGEST_COOKIE: usize = 4_096;

/// A cookie of the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// Authenticates the signed-in person.
    SignedIn,
    /// Binds a sign-in at the identity provider to the browser. Not `Strict`, because the redirect comes from another
    /// site.
    Away,
}

impl Cookie {
    /// With https, the prefix `__Host-` guarantees that no other host, not even of the same domain, has set the
    /// cookie. With http, browsers share cookies among the ports of a host, so the name contains the port.
    fn name(self, headers: &HeaderMap, public: Option<&Url>) -> String {
        let base = match self {
            Self::SignedIn => "countersign",
            Self::Away => "countersign-away",
        };
        if is_https(public) {
            return format!("__Host-{base}");
        }
        match host(headers).and_then(|host| host.rsplit_once(':')) {
            Some((_, port)) if port.bytes().all(|b| b.is_ascii_digit()) => format!("{base}-{port}"),
            _ => base.to_owned(),
        }
    }

    /// The value that the browser sent.
    pub(crate) fn read<'a>(self, headers: &'a HeaderMap, public: Option<&Url>) -> Option<&'a str> {
        let name = self.name(headers, public);
        let sent = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs = sent.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
            .filter(|value| value.len() <= LONGEST_COOKIE)
    }

    /// Sets the cookie for a number of seconds; 0 deletes it.
    pub(crate) fn write(
        self,
        headers: &HeaderMap,
        public: Option<&Url>,
        value: &str,
        seconds: u64,
    ) -> HeaderValue {
        let name = self.name(headers, public);
        let same_site = match self {
            Self::SignedIn => "Strict",
            Self::Away => "Lax",
        };
        let secure = if is_https(public) { "; Secure" } else { "" };
        let text =
            format!("{name}={value}; Path=/; HttpOnly; SameSite={same_site}; Max-Age={seconds}{secure}");
        let mut value = HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
        value.set_sensitive(true);
        value
    }
}

/// Refuses a request with a cookie unless it only reads or comes from the gateway's own pages.
pub(crate) fn may(method: &Method, headers: &HeaderMap, public: Option<&Url>) -> Result<(), Answer> {
    if method.is_safe() || is_own_page(headers, public) { Ok(()) } else { Err(Answer::not_our_page()) }
}

/// Whether the request comes from the gateway's own pages.
fn is_own_page(headers: &HeaderMap, public: Option<&Url>) -> bool {
    let same_site = headers.get(FETCH_SITE).is_none_or(|site| site == "same-origin");
    let same_origin = headers.get(header::ORIGIN).is_none_or(|origin| is_own(origin, headers, public));
    headers.contains_key(OWN_PAGE) && same_site && same_origin
}

fn is_own(origin: &HeaderValue, headers: &HeaderMap, public: Option<&Url>) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    match public {
        Some(public) => origin == public.origin().ascii_serialization() || is_same_machine(origin, public),
        None => origin.split_once("://").is_some_and(|(_, authority)| host(headers) == Some(authority)),
    }
}

/// Whether an origin is `127.0.0.1` while the public address is `localhost`: both are the same machine.
fn is_same_machine(origin: &str, public: &Url) -> bool {
    let loopback = public.port().map(|port| format!("http://127.0.0.1:{port}"));
    public.scheme() == "http" && public.host_str() == Some("localhost") && loopback.as_deref() == Some(origin)
}

fn is_https(public: Option<&Url>) -> bool {
    public.is_some_and(|url| url.scheme() == "https")
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

/// A readable name of a browser for the list of tokens: `Firefox on Android`.
pub(crate) fn name(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let known = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    // The user agent of a browser also names older browsers, so newer names are checked first.
    let program =
        known(&[("Firefox/", "Firefox"), ("Edg/", "Edge"), ("Chrome/", "Chrome"), ("Safari/", "Safari")]);
    let system = known(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ]);
    match (program, system) {
        (Some(program), Some(system)) => format!("{program} on {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => "a browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn only_our_own_page_changes_anything() {
        let ours = ("x-countersign-web", "1");
        let host = ("host", "gateway.example");
        let public = "https://gateway.example".parse::<Url>().unwrap();
        let allowed: [&[_]; 4] = [
            &[ours, host],
            &[ours, host, ("origin", "https://gateway.example")],
            &[ours, host, ("sec-fetch-site", "same-origin")],
            &[ours, host, ("origin", "https://gateway.example"), ("sec-fetch-site", "same-origin")],
        ];
        for pairs in allowed {
            assert!(
                is_own_page(&headers(pairs), Some(&public)) && is_own_page(&headers(pairs), None),
                "{pairs:?}"
            );
        }
        let refused: [&[_]; 8] = [
            &[host],
            &[host, ("origin", "https://gateway.example"), ("sec-fetch-site", "same-origin")],
            &[ours, host, ("origin", "https://evil.example")],
            &[ours, host, ("origin", "https://evil.gateway.example")],
            &[ours, host, ("origin", "https://gateway.example.evil")],
            &[ours, host, ("origin", "null")],
            &[ours, host, ("sec-fetch-site", "same-site")],
            &[ours, host, ("sec-fetch-site", "cross-site")],
        ];
        for pairs in refused {
            assert!(
                !is_own_page(&headers(pairs), Some(&public)) && !is_own_page(&headers(pairs), None),
                "{pairs:?}"
            );
            assert!(may(&Method::POST, &headers(pairs), None).is_err());
            assert!(may(&Method::GET, &headers(pairs), None).is_ok());
        }
        let local = "http://localhost:7878".parse::<Url>().unwrap();
        for (origin, own) in [
            ("http://localhost:7878", true),
            ("http://127.0.0.1:7878", true),
            ("http://127.0.0.1:7879", false),
            ("http://127.0.0.1", false),
        ] {
            let sent = headers(&[ours, ("host", "127.0.0.1:7878"), ("origin", origin)]);
            assert_eq!(is_own_page(&sent, Some(&local)), own, "{origin}");
        }
        // With a public address, only that address counts: an attacker may control the `Host` header but not the
        // `Origin`.
        let plain = headers(&[ours, host, ("origin", "http://gateway.example")]);
        assert!(!is_own_page(&plain, Some(&public)));
    }

    #[test]
    fn a_cookie_is_found_among_others_and_belongs_to_its_port() {
        let sent = headers(&[
            ("host", "127.0.0.1:7878"),
            ("cookie", "a=b; countersign-7979=other; countersign-7878=mine; countersign=none"),
        ]);
        assert_eq!(Cookie::SignedIn.read(&sent, None), Some("mine"));
        assert_eq!(Cookie::Away.read(&sent, None), None);
        let public = "https://gateway.example".parse().unwrap();
        assert_eq!(Cookie::SignedIn.read(&sent, Some(&public)), None);
        let written = Cookie::SignedIn.write(&sent, Some(&public), "x", 60);
        let expected = "__Host-countersign=x; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure";
        assert_eq!(written.to_str().unwrap(), expected);
    }
}
