//! The guard of outbound requests: the check of IP addresses in URLs, and the resolver that checks names.
//!
//! Both are needed. The HTTP client never asks a resolver about an IP address, and a harmless name can resolve to
//! anything.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::limits::egress::RESOLVE_TIMEOUT;

/// Why a request with a credential is refused. It is shown to people and to agents.
const UNENCRYPTED: &str = "it carries a credential, and the address begins with http://. Use https://, or let the \
    operator allow the network of the target with COUNTERSIGN_EGRESS_ALLOW";

/// Why a target is forbidden; short, and without the parts of a URL that can contain a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// The networks that the operator allowed, and the check against them.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    allow: Arc<[IpNet]>,
    /// Public addresses are refused too.
    only_allowed: bool,
}

impl Guard {
    pub(super) fn new(allow: Vec<IpNet>) -> Self {
        Self { allow: allow.into(), only_allowed: false }
    }

    /// The guard of credentials that would cross the network unencrypted: only networks that the operator allowed may see
    /// them.
    pub(super) fn only_allowed(&self) -> Self {
        Self { only_allowed: true, ..self.clone() }
    }

    /// Checks what can be checked before a name is resolved: scheme, user information, literal hosts.
    pub(super) fn check_url(&self, url: &Url) -> Result<(), Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal("only http and https may be used".to_owned()));
        }
        // Credentials in a URL end up in logs and in `Referer` headers.
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal("a URL may not carry a user name or a password".to_owned()));
        }
        match url.host() {
            None => Err(Refusal("the URL names no host".to_owned())),
            Some(Host::Ipv4(ip)) => self.check_ip(IpAddr::V4(ip)),
            Some(Host::Ipv6(ip)) => self.check_ip(IpAddr::V6(ip)),
            Some(Host::Domain(_)) => Ok(()),
        }
    }

    /// The addresses of a name or an IP address, all of which may be reached.
    pub(super) async fn addresses(
        &self,
        host: &str,
        port: u16,
    ) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
        let lookup = tokio::net::lookup_host((host, port));
        let found: Vec<SocketAddr> = tokio::time::timeout(RESOLVE_TIMEOUT, lookup).await??.collect();
        for address in &found {
            self.check_ip(address.ip())?;
        }
        Ok(found)
    }

    fn check_ip(&self, ip: IpAddr) -> Result<(), Refusal> {
        let canonical = ip.to_canonical();
        if self.allow.iter().any(|net| net.contains(&ip) || net.contains(&canonical)) {
            return Ok(());
        }
        match kind_of(ip) {
            None if self.only_allowed => Err(Refusal(UNENCRYPTED.to_owned())),
            None => Ok(()),
            Some(kind) => Err(Refusal(format!("the target is a {kind} address"))),
        }
    }
}

/// Resolves a name and refuses it if any of its addresses is not public. With mixed results a name could point to a
/// private address only some of the time.
#[derive(Debug, Clone)]
pub(super) struct GuardedResolver(pub(super) Guard);

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.0.clone();
        Box::pin(async move {
            let addresses: Addrs = Box::new(guard.addresses(name.as_str(), 0).await?.into_iter());
            Ok(addresses)
        })
    }
}

/// What kind of non-public address this is; `None` for a public one.
fn kind_of(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(ip) => kind_of_v4(ip),
        IpAddr::V6(ip) => kind_of_v6(ip),
    }
}

fn kind_of_v4(ip: Ipv4Addr) -> Option<&'static str> {
    match ip.octets() {
        [0, ..] => Some("unspecified"),
        [127, ..] => Some("loopback"),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Some("private"),
        [169, 254, 169, 254] => Some("metadata"),
        [169, 254, ..] => Some("link-local"),
        [100, 64..=127, ..] => Some("carrier-grade NAT"),
        [192, 0, 0, _] => Some("reserved"),
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Some("documentation"),
        [192, 88, 99, _] => Some("6to4 relay"),
        [198, 18..=19, ..] => Some("benchmarking"),
        [224..=239, ..] => Some("multicast"),
        [240..=255, ..] => Some("reserved"),
        _ => None,
    }
}

// Every IPv6 form that contains an IPv4 address is refused as a whole: what it reaches depends on gateways of others.
fn kind_of_v6(ip: Ipv6Addr) -> Option<&'static str> {
    match ip.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Some("unspecified"),
        [0, 0, 0, 0, 0, 0, 0, 1] => Some("loopback"),
        [0, 0, 0, 0, 0, 0, _, _] => Some("IPv4-compatible"),
        [0, 0, 0, 0, 0, 0xffff, _, _] | [0, 0, 0, 0, 0xffff, 0, _, _] => Some("IPv4-mapped"),
        [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254] => Some("metadata"),
        [0x0064, 0xff9b, ..] => Some("NAT64"),
        [0x0100, 0, 0, _, ..] => Some("discard-only"),
        [0x2001, 0x0000..=0x01ff, ..] => Some("Teredo or protocol"),
        [0x2001, 0x0db8, ..] | [0x3fff, 0x0000..=0x0fff, ..] => Some("documentation"),
        [0x2002, ..] => Some("6to4"),
        [0x5f00, ..] => Some("segment-routing"),
        [0xfc00..=0xfdff, ..] => Some("unique local"),
        [0xfe80..=0xfebf, ..] => Some("link-local"),
        [0xfec0..=0xfeff, ..] => Some("site-local"),
        [0xff00..=0xffff, ..] => Some("multicast"),
        [0x2000..=0x3fff, ..] => None,
        // Only 2000::/3 has been assigned for use on the internet.
        _ => Some("reserved"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_pass() {
        let guard = Guard::new(Vec::new());
        for ip in ["1.1.1.1", "8.8.8.8", "140.82.112.3", "2606:4700::1111", "2a00:1450:4001::200e"] {
            assert_eq!(guard.check_ip(ip.parse().unwrap()), Ok(()), "{ip}");
        }
    }

    #[test]
    fn credentials_without_encryption_reach_allowed_networks_only() {
        let open = Guard::new(vec!["10.1.0.0/16".parse().unwrap(), "8.8.8.0/24".parse().unwrap()]);
        let guard = open.only_allowed();
        for ip in ["10.1.2.3", "8.8.8.8"] {
            assert_eq!(guard.check_ip(ip.parse().unwrap()), Ok(()), "{ip}");
        }
        for ip in ["1.1.1.1", "2606:4700::1111"] {
            assert_eq!(guard.check_ip(ip.parse().unwrap()).unwrap_err().0, UNENCRYPTED, "{ip}");
            assert_eq!(
                open.check_ip(ip.parse().unwrap()),
                Ok(()),
                "control: {ip} without the guard of credentials"
            );
        }
        assert!(guard.check_ip("10.2.2.3".parse().unwrap()).is_err());
    }

    #[test]
    fn an_opened_network_opens_its_mapped_form_and_nothing_beside_it() {
        let guard = Guard::new(vec!["10.1.0.0/16".parse().unwrap()]);
        assert!(guard.check_ip("10.1.2.3".parse().unwrap()).is_ok());
        assert!(guard.check_ip("::ffff:10.1.2.3".parse().unwrap()).is_ok());
        assert!(guard.check_ip("10.2.2.3".parse().unwrap()).is_err());
        assert!(guard.check_ip("64:ff9b::a01:203".parse().unwrap()).is_err());
    }
}
