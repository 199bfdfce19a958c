//! The ports of one `countersign dev`: a row of neighbours that begins with the gateway's, so one number moves all.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// How many stand in a row.
const COUNT: u16 = 11;

/// The ports, all on loopback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ports {
    first: u16,
}

impl Ports {
    /// The row that begins here. Rows that would run out of ports begin earlier.
    pub(crate) fn from(first: u16) -> Self {
        Self { first: first.min(u16::MAX - COUNT) }
    }

    /// Everything a port is for, in the order of the row.
    const NAMES: [&str; COUNT as usize] = [
        "gateway",
        "worker",
        "postgres",
        "redis",
        "restate ingress",
        "restate admin",
        "restate node",
        "linear",
        "slack",
        "sentry",
        "github",
    ];

    /// The port for something.
    pub(crate) fn of(&self, name: &str) -> u16 {
        let place = Self::NAMES.iter().position(|known| *known == name).unwrap_or_default();
        self.first + u16::try_from(place).unwrap_or_default()
    }

    /// Its address.
    pub(crate) fn address(&self, name: &str) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.of(name)))
    }

    /// Its address as a URL.
    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://{}", self.address(name))
    }

    /// Where people open the web: by name, because browsers give passkeys to no bare address.
    pub(crate) fn web(&self) -> String {
        format!("http://localhost:{}", self.of("gateway"))
    }

    /// Those of the named that somebody listens on.
    pub(crate) fn taken<'a>(&self, names: &[&'a str]) -> Vec<(&'a str, u16)> {
        let pairs = names.iter().map(|name| (*name, self.of(name)));
        pairs.filter(|(_, port)| !is_free(*port)).collect()
    }

    /// All that somebody listens on.
    pub(crate) fn all_taken(&self) -> Vec<(&'static str, u16)> {
        self.taken(&Self::NAMES)
    }

    /// The next row of which all are free.
    pub(crate) fn next_free(&self) -> Option<Self> {
        let mut rows = (1..200).map_while(|row| self.first.checked_add(row * 20)).map(Self::from);
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
    fn every_name_has_a_port_of_its_own_and_a_taken_one_is_named() {
        let ports = Ports::from(7878);
        let all: Vec<u16> = Ports::NAMES.iter().map(|name| ports.of(name)).collect();
        assert_eq!(all, (7878..7878 + COUNT).collect::<Vec<_>>());
        assert_eq!(Ports::from(u16::MAX).of("github"), u16::MAX - 1);

        let somebody = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = somebody.local_addr().unwrap().port();
        let ports = Ports { first: port };
        assert_eq!(ports.taken(&["gateway"]), [("gateway", port)]);
    }
}
