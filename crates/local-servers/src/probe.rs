//! Whether a server on loopback accepts work, asked in its own protocol.
//!
//! A port that is open says little: PostgreSQL opens its port while it still recovers from a crash.

use std::{
    io::{Error, ErrorKind, Read as _, Result, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    time::Duration,
};

/// For each step of a question.
const TIMEOUT: Duration = Duration::from_secs(2);
/// More than any of these servers answers to these questions.
const MAX_ANSWER: u64 = 64 * 1024;

/// Whether PostgreSQL lets clients in, or at least asks them for a password.
pub(crate) fn postgres(port: u16) -> bool {
    ask_postgres(port).unwrap_or(false)
}

/// Whether Redis answers a PING, with this password where it has one.
pub(crate) fn redis(port: u16, password: Option<&str>) -> bool {
    ask_redis(port, password).unwrap_or(false)
}

/// Whether an HTTP server answers this path with success.
pub(crate) fn http(port: u16, path: &str) -> bool {
    ask_http(port, path).unwrap_or(false)
}

fn connect(port: u16) -> Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    Ok(stream)
}

fn ask_postgres(port: u16) -> Result<bool> {
    let mut stream = connect(port)?;
    // A startup message: its length, protocol 3.0, and names with values.
    let names = b"user\0postgres\0database\0postgres\0\0";
    let length = u32::try_from(names.len() + 8).map_err(Error::other)?;
    stream.write_all(&[&length.to_be_bytes(), &196_608_u32.to_be_bytes(), &names[..]].concat())?;
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let length = u64::from(u32::from_be_bytes(length)).saturating_sub(4);
    let mut body = Vec::new();
    (&stream).take(length.min(MAX_ANSWER)).read_to_end(&mut body)?;
    match kind {
        b'R' => {
            if body == 0_u32.to_be_bytes() {
                // Let in without a password: leave politely, or the server logs a broken connection. It may be gone first.
                let left = stream.write_all(b"X\0\0\0\x04");
                drop(left.and_then(|()| stream.take(MAX_ANSWER).read_to_end(&mut body)));
            }
            Ok(true)
        }
        // Any other refusal comes from a server that is up.
        b'E' => Ok(!body.split(|byte| *byte == 0).any(|field| field == b"C57P03")),
        _ => Ok(false),
    }
}

fn ask_redis(port: u16, password: Option<&str>) -> Result<bool> {
    let mut stream = connect(port)?;
    let mut question = String::new();
    let mut expected = String::new();
    if let Some(password) = password {
        question.push_str(&format!("*2\r\n$4\r\nAUTH\r\n${}\r\n{password}\r\n", password.len()));
        expected.push_str("+OK\r\n");
    }
    question.push_str("*1\r\n$4\r\nPING\r\n");
    expected.push_str("+PONG\r\n");
    stream.write_all(question.as_bytes())?;
    let mut answer = vec![0; expected.len()];
    // An error is at least as long as what is expected.
    stream.read_exact(&mut answer)?;
    Ok(answer == expected.as_bytes())
}

fn ask_http(port: u16, path: &str) -> Result<bool> {
    let mut stream = connect(port)?;
    // In one piece: a server may answer and close the connection as soon as it has read the first one.
    let question = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(question.as_bytes())?;
    let mut start = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut start)?;
    let start = std::str::from_utf8(&start).map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
    Ok(start.starts_with("HTTP/1.") && start.split(' ').nth(1).is_some_and(|status| status.starts_with('2')))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A server that reads one question and gives these bytes as its answer.
    fn fake(answer: &'static [u8]) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut question = [0; 1024];
            let _ = stream.read(&mut question);
            let _ = stream.write_all(answer);
        });
        port
    }

    fn closed() -> u16 {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
    }

    #[test]
    fn postgres_is_ready_once_it_lets_clients_in_or_asks_for_a_password() {
        assert!(postgres(fake(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")), "trust");
        assert!(postgres(fake(b"R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0")), "password");
        assert!(postgres(fake(b"E\0\0\0\x12SFATAL\0C28000\0\0")), "refused, but up");
        assert!(!postgres(fake(b"E\0\0\0\x12SFATAL\0C57P03\0\0")), "starting up");
        assert!(!postgres(fake(b"HTTP/1.1 400 Bad Request\r\n\r\n")), "something else");
        assert!(!postgres(fake(b"")));
        assert!(!postgres(closed()));
    }

    #[test]
    fn redis_is_ready_once_it_answers_a_ping() {
        assert!(redis(fake(b"+PONG\r\n"), None));
        assert!(redis(fake(b"+OK\r\n+PONG\r\n"), Some("p")));
        assert!(!redis(fake(b"-LOADING Redis is loading the dataset in memory\r\n"), None));
        assert!(!redis(fake(b"-NOAUTH Authentication required.\r\n"), None));
        assert!(!redis(fake(b"-WRONGPASS invalid username-password pair\r\n"), Some("p")));
        assert!(!redis(closed(), None));
    }

    #[test]
    fn an_http_server_is_ready_once_it_answers_with_success() {
        assert!(http(fake(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"), "/health"));
        assert!(!http(fake(b"HTTP/1.1 503 Service Unavailable\r\n\r\n"), "/health"));
        assert!(!http(fake(b"+PONG\r\n"), "/health"));
        assert!(!http(closed(), "/health"));
    }
}
