//! Requests that need no token: from which network address they come, and how many one address may send in a minute.
//!
//! They are counted in this process, because strangers must not be able to load the servers that all gateways share. An
//! IPv6 address is counted with its network of 64 bits, which is what one customer of a provider has.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    num::NonZeroU32,
    sync::Arc,
    time::Duration,
};

use axum::http::{HeaderMap, StatusCode, request::Parts};
use ipnet::IpNet;
use platform::{Clock, counter::Counter};

use crate::{extract::peer, problem::Answer, serve::Peer};

const MINUTE: Duration = Duration::from_secs(60);
const MINUTE_MS: i64 = 60_000;
/// How many addresses are counted at once. Further ones are counted together.
const MOST_ADDRESSES: usize = 50_000;
/// Added to by every proxy on the way. `Forwarded` is not read: a proxy that writes one of the two headers passes the other
/// one on as the client sent it.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The limit of public routes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Public(Arc<Limit>);

#[derive(Debug)]
struct Limit {
    clock: Clock,
    per_minute: NonZeroU32,
    trusted_proxies: Vec<IpNet>,
    /// By address and minute of the clock.
    counter: Counter<(IpAddr, i64)>,
}

impl Public {
    /// A limit per network address. Only what these proxies say about the address of a client is believed.
    pub fn new(clock: Clock, per_minute: NonZeroU32, trusted_proxies: Vec<IpNet>) -> Self {
        let counter = Counter::new(clock.clone(), MOST_ADDRESSES);
        Self(Arc::new(Limit { clock, per_minute, trusted_proxies, counter }))
    }

    /// Replaces the address of a trusted proxy with that of its client.
    pub(crate) fn locate(&self, request: &mut Parts) {
        if self.0.trusted_proxies.is_empty() {
            return;
        }
        if let Some(peer) = peer(&request.extensions) {
            let client = client(peer, &request.headers, &self.0.trusted_proxies);
            request.extensions.insert(Peer(client));
        }
    }

    /// Counts a request of a public route. Without a network address, as in some tests, nothing is counted.
    pub(crate) fn admit(&self, request: &Parts) -> Result<(), Answer> {
        let Limit { clock, per_minute, counter, .. } = &*self.0;
        let Some(address) = peer(&request.extensions) else { return Ok(()) };
        let now_ms = clock.now().as_millisecond();
        let minute = now_ms / MINUTE_MS;
        if counter.count((network(address), minute), MINUTE) <= u64::from(per_minute.get()) {
            return Ok(());
        }
        metrics::counter!("countersign_public_limited_total").increment(1);
        let detail =
            format!("this network address has sent {per_minute} requests without a token in this minute");
        let left_s = u64::try_from((minute + 1) * MINUTE_MS - now_ms).unwrap_or_default().div_ceil(1_000);
        Err(Answer::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail).after(left_s))
    }
}

/// The address of the client: of those that the proxies named, the last one that is not a proxy itself. Whatever stands
/// before it in the header was sent by the client.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let values = headers.get_all(FORWARDED_FOR).iter().map(|value| value.to_str().unwrap_or_default());
    let named: Vec<Option<IpAddr>> = values.flat_map(|value| value.split(',')).map(address).collect();
    let mut client = peer.to_canonical();
    for named in named.into_iter().rev() {
        match named {
            Some(named) if is_trusted(client) => client = named,
            _ => break,
        }
    }
    client
}

/// An address, which some proxies write with the port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse::<IpAddr>().ok().or_else(with_port).map(|address| address.to_canonical())
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, forwarded: &[&str]) -> String {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, value.parse().unwrap());
        }
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        assert_eq!(from("203.0.113.9", &["198.51.100.7"]), "203.0.113.9", "a forged header");
        assert_eq!(from("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(from("::ffff:10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(from("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn what_the_client_wrote_itself_is_not_believed() {
        assert_eq!(from("10.0.0.1", &["1.1.1.1, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(from("10.0.0.1", &["1.1.1.1", "198.51.100.7, 10.2.2.2"]), "198.51.100.7");
        assert_eq!(from("10.0.0.1", &["1.1.1.1, unknown, 10.2.2.2"]), "10.2.2.2");
        assert_eq!(from("10.0.0.1", &["10.3.3.3, 10.2.2.2"]), "10.3.3.3");
    }

    #[test]
    fn ports_are_not_part_of_an_address() {
        assert_eq!(from("10.0.0.1", &["198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(from("fd00::1", &["[2001:db8::7]:4711"]), "2001:db8::7");
    }

    #[test]
    fn an_ipv6_address_counts_with_its_network() {
        let counted = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(counted("203.0.113.9"), "203.0.113.9");
        assert_eq!(counted("::ffff:203.0.113.9"), "203.0.113.9");
    }
}
