//! The ports of one `countersign dev`: a range that starts with the gateway's port, so that one number moves all of
//! them.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use catalog::integrations;

/// Our own programs and the servers, in the order of their ports. The fakes of the integrations follow.
const PROGRAMS: [&str; 7] =
    ["gateway", "worker", "postgres", "redis", "restate ingress", "restate admin", "restate node"];

/// The number of ports in a range.
#[expect(clippy::cast_possible_truncation, reason = "a handful of programs and integrations")]
const COUNT: u16 = (PROGRAMS.len() + integrations::ALL.len()) as u16;

/// The distance between two ranges that are tried.
const ROW: u16 = 20;

/// The ports, all on loopback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ports {
    first: u16,
}

impl Ports {
    /// The range that starts at this port, or lower if it would end beyond the last port.
    pub(crate) fn from(first: u16) -> Self {
        Self { first: first.min(u16::MAX - COUNT) }
    }

    /// The users of the ports, in the order of the range.
    fn names() -> impl Iterator<Item = &'static str> {
        PROGRAMS.into_iter().chain(integrations::ALL.map(|integration| integration.slug))
    }

    /// The port with this name.
    pub(crate) fn of(&self, name: &str) -> u16 {
        let place = Self::names().position(|known| known == name).unwrap_or_default();
        self.first + u16::try_from(place).unwrap_or_default()
    }

    pub(crate) fn address(&self, name: &str) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.of(name)))
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://{}", self.address(name))
    }

    /// The URL of the web pages, with a host name: browsers allow no passkeys on an IP address.
    pub(crate) fn web(&self) -> String {
        format!("http://localhost:{}", self.of("gateway"))
    }

    /// The named ports that are in use.
    pub(crate) fn taken<'a>(&self, names: &[&'a str]) -> Vec<(&'a str, u16)> {
        let pairs = names.iter().map(|name| (*name, self.of(name)));
        pairs.filter(|(_, port)| !is_free(*port)).collect()
    }

    /// Every port of the range that is in use.
    pub(crate) fn all_taken(&self) -> Vec<(&'static str, u16)> {
        self.taken(&Self::names().collect::<Vec<_>>())
    }

    /// The next range with no port in use.
    pub(crate) fn next_free(&self) -> Option<Self> {
        let mut rows = (1..200).map_while(|row| self.first.checked_add(row * ROW)).map(Self::from);
        rows.find(|row| row.all_taken().is_empty())
    }
}

pub(crate) fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_own_port_and_a_port_in_use_is_named() {
        let ports = Ports::from(7878);
        let all: Vec<u16> = Ports::names().map(|name| ports.of(name)).collect();
        assert_eq!(all, (7878..7878 + COUNT).collect::<Vec<_>>());
        assert_eq!(
            Ports::from(u16::MAX).of(integrations::ALL[integrations::ALL.len() - 1].slug),
            u16::MAX - 1
        );
        const { assert!(COUNT <= ROW, "rows overlap") };

        let somebody = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = somebody.local_addr().unwrap().port();
        let ports = Ports { first: port };
        assert_eq!(ports.taken(&["gateway"]), [("gateway", port)]);
    }
}
