//! The network of a command in the sandbox: a proxy for encrypted connections, through the same guard as every request
//! of ours, to the hosts that the operator declared.

use std::{net::TcpListener, sync::Arc};

use platform::egress::{self, Egress};
use tokio::{
    io::{self, AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::Semaphore,
};

use crate::limits::mcp::proxy::{LONGEST_CONNECTION, LONGEST_REQUEST, MOST_CONNECTIONS, PATIENCE, PAUSE};

/// The port of a host that is declared without one.
const HTTPS: u16 = 443;

/// Answers the connections of a program until it is aborted.
pub(super) async fn serve(listener: TcpListener, hosts: Vec<String>, egress: Egress, all: Arc<Semaphore>) {
    let prepared = listener.set_nonblocking(true).and_then(|()| tokio::net::TcpListener::from_std(listener));
    let Ok(listener) = prepared else { return };
    let hosts: Arc<[String]> = hosts.into();
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let Ok(of_all) = all.clone().acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // This process has no descriptors left, for now.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let (hosts, egress) = (hosts.clone(), egress.clone());
        connections.spawn(async move {
            let _ = tokio::time::timeout(LONGEST_CONNECTION, answer(stream, &hosts, &egress)).await;
            drop((place, of_all));
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn answer(mut stream: TcpStream, hosts: &[String], egress: &Egress) -> io::Result<()> {
    let read = tokio::time::timeout(PATIENCE, request(&mut stream)).await;
    let target = read.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    let refusal = match target {
        Target::Other => "405 Only CONNECT for https",
        Target::Host(host, port) if !is_declared(hosts, &host, port) => {
            "403 Host not declared by the operator"
        }
        Target::Host(host, port) => match egress.connect(&host, port).await {
            Ok(mut target) => {
                stream.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
                io::copy_bidirectional(&mut stream, &mut target).await?;
                return Ok(());
            }
            Err(egress::Error::Refused { .. }) => "403 Address not allowed",
            Err(_) => "502 Host unreachable",
        },
    };
    let text = format!("HTTP/1.1 {refusal}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await
}

#[derive(Debug, PartialEq, Eq)]
enum Target {
    Host(String, u16),
    Other,
}

/// Reads the head of a request, byte by byte, so that nothing that follows it is read.
async fn request(stream: &mut TcpStream) -> io::Result<Target> {
    let mut head = Vec::with_capacity(256);
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= LONGEST_REQUEST {
            return Ok(Target::Other);
        }
        head.push(stream.read_u8().await?);
    }
    let first = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    Ok(target(&String::from_utf8_lossy(first)))
}

fn target(line: &str) -> Target {
    let mut words = line.split(' ');
    let (Some("CONNECT"), Some(authority)) = (words.next(), words.next()) else { return Target::Other };
    let Some((host, port)) = authority.rsplit_once(':') else { return Target::Other };
    let host = host.trim_start_matches('[').trim_end_matches([']', '.']);
    match port.parse() {
        Ok(port) if !host.is_empty() => Target::Host(host.to_ascii_lowercase(), port),
        _ => Target::Other,
    }
}

/// Whether this can be declared as a host.
pub(super) fn is_host(declared: &str) -> bool {
    let (name, port) = declared.rsplit_once(':').unwrap_or((declared, "443"));
    let name = name.strip_prefix("*.").unwrap_or(name);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    !name.is_empty()
        && name.chars().all(plain)
        && !name.starts_with('.')
        && !name.ends_with('.')
        && port.parse::<u16>().is_ok_and(|port| port > 0)
}

/// Whether the operator declared this host with this port.
fn is_declared(hosts: &[String], host: &str, port: u16) -> bool {
    hosts.iter().any(|declared| {
        let declared = declared.to_ascii_lowercase();
        let (name, declared_port) = match declared.rsplit_once(':') {
            Some((name, port)) => (name.to_owned(), port.parse().unwrap_or_default()),
            None => (declared, HTTPS),
        };
        let fits = match name.strip_prefix("*.") {
            Some(parent) => {
                host.strip_suffix(parent).is_some_and(|start| start.len() > 1 && start.ends_with('.'))
            }
            None => name == host,
        };
        fits && port == declared_port
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_declared_hosts_are_reached() {
        let hosts = ["api.example.com", "*.example.org:8443", "127.0.0.1:9000"].map(ToOwned::to_owned);
        for (host, port, expected) in [
            ("api.example.com", 443, true),
            ("api.example.com", 80, false),
            ("example.com", 443, false),
            ("evil-api.example.com", 443, false),
            ("a.example.org", 8443, true),
            ("a.b.example.org", 8443, true),
            ("example.org", 8443, false),
            (".example.org", 8443, false),
            ("badexample.org", 8443, false),
            ("a.example.org", 443, false),
            ("127.0.0.1", 9000, true),
            ("127.0.0.1", 443, false),
        ] {
            assert_eq!(is_declared(&hosts, host, port), expected, "{host}:{port}");
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_a_port() {
        for host in ["a.example", "*.a.example", "a.example:8443", "127.0.0.1:9000"] {
            assert!(is_host(host), "{host}");
        }
        for host in
            ["", "*", "*.", "a.example.", "https://a.example", "a.example:0", "[::1]:443", "::1", "a b"]
        {
            assert!(!is_host(host), "{host}");
        }
    }

    #[test]
    fn a_request_names_a_host_and_a_port() {
        let host = |host: &str, port| Target::Host(host.to_owned(), port);
        assert_eq!(target("CONNECT Api.Example.com:443 HTTP/1.1"), host("api.example.com", 443));
        assert_eq!(target("CONNECT [::1]:443 HTTP/1.1"), host("::1", 443));
        assert_eq!(target("CONNECT api.example.com.:443 HTTP/1.1"), host("api.example.com", 443));
        for other in
            ["GET http://a/ HTTP/1.1", "CONNECT a HTTP/1.1", "CONNECT :1 HTTP/1.1", "", "CONNECT a:99999 x"]
        {
            assert_eq!(target(other), Target::Other, "{other}");
        }
    }
}
