//! The guard of outbound HTTP: what it refuses, what it reads, and what its errors prove.

use std::{io::Write as _, time::Duration};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, Method, header};
use platform::egress::{Egress, EgressPolicy, Error, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::target::{Answer, Target};

const LOOPBACK_FORMS: [&str; 22] = [
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "127.00.0x0.01",
    "127.1",
    "127.0.1",
    "127.000.000.001",
    "0x7f.1",
    "0x7f.0.0.1",
    "0x7F000001",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "127。0。0。1",
    "127.0.0.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
];

const OTHER_FORMS: [&str; 62] = [
    "0.0.0.0",
    "0",
    "0.1.2.3",
    "127.255.255.254",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "169.254.169.254",
    "169.254.0.1",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:8.8.8.8]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b::808:808]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001::1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[2001:10::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[fd00:ec2::254]",
    "[fd00::1]",
    "[fc00::1]",
    "[fdff:ffff::1]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[ff0e::1]",
    "[100::1]",
    "[4000::1]",
];

fn egress(allow: &[&str]) -> Egress {
    Egress::new(EgressPolicy { allow: allow.iter().map(|net| net.parse().unwrap()).collect() }).unwrap()
}

fn request(method: Method, url: &str) -> Request {
    Request {
        method,
        url: url.parse().unwrap(),
        headers: HeaderMap::new(),
        body: None,
        timeout: Duration::from_secs(10),
    }
}

fn get(url: &str) -> Request {
    request(Method::GET, url)
}

fn ok() -> Answer {
    Answer::http("200 OK", "", b"hello")
}

#[tokio::test]
async fn no_spelling_of_an_inner_address_is_reached() {
    let target = Target::start(|_| ok()).await;
    let inner_v6 = Target::start_on("[::1]:0", |_| ok()).await;
    let closed = egress(&[]);
    for host in LOOPBACK_FORMS.iter().chain(&OTHER_FORMS) {
        for port in [target.port(), inner_v6.port()] {
            let error = closed.send(get(&format!("http://{host}:{port}/x"))).await.unwrap_err();
            assert!(matches!(error, Error::Refused { .. }), "{host}: {error:?}");
            assert!(!error.sent(), "{host}");
        }
    }
    assert_eq!(target.connections() + inner_v6.connections(), 0);
}

#[tokio::test]
async fn the_same_spellings_reach_loopback_once_it_is_opened() {
    let target = Target::start(|_| ok()).await;
    let open = egress(&["127.0.0.0/8"]);
    for host in LOOPBACK_FORMS {
        let answer = open.send(get(&format!("http://{host}:{}/x", target.port()))).await;
        assert_eq!(answer.unwrap().body, "hello", "{host}");
    }
    assert_eq!(target.connections(), LOOPBACK_FORMS.len());
    let inner_v6 = Target::start_on("[::1]:0", |_| ok()).await;
    let url = format!("http://[::1]:{}/", inner_v6.port());
    assert!(open.send(get(&url)).await.is_err());
    assert!(egress(&["::1/128"]).send(get(&url)).await.is_ok());
}

#[tokio::test]
async fn other_schemes_and_user_information_are_refused() {
    let open = egress(&["127.0.0.0/8"]);
    for url in ["ftp://127.0.0.1/", "file:///etc/passwd", "http://user@127.0.0.1/", "http://u:p@127.0.0.1/"] {
        let error = open.send(get(url)).await.unwrap_err();
        assert!(matches!(error, Error::Refused { .. }), "{url}: {error:?}");
    }
}

#[tokio::test]
async fn a_redirect_to_an_inner_address_is_not_followed() {
    let inside = Target::start_on("127.0.0.2:0", |_| ok()).await;
    let port = inside.port();
    for host in ["127.0.0.2", "0x7f.2", "[::ffff:127.0.0.2]", "169.254.169.254", "user@127.0.0.1"] {
        let location = format!("location: http://{host}:{port}/\r\n");
        let target = Target::start(move |_| Answer::http("302 Found", &location, b"")).await;
        let error = egress(&["127.0.0.1/32"])
            .send(get(&format!("http://127.0.0.1:{}/", target.port())))
            .await
            .unwrap_err();
        assert!(matches!(error, Error::Redirect { .. }), "{host}: {error:?}");
        assert!(error.sent(), "the first target was reached");
    }
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn credentials_stay_with_their_origin() {
    let elsewhere = Target::start(|_| ok()).await;
    let location = format!("location: http://127.0.0.1:{}/there\r\n", elsewhere.port());
    let target = Target::start(move |head| {
        let within = head.starts_with("GET /first ");
        Answer::http("307 Temporary Redirect", if within { "location: /second\r\n" } else { &location }, b"")
    })
    .await;
    let mut asked = get(&format!("http://127.0.0.1:{}/first", target.port()));
    for name in ["authorization", "cookie", "x-api-key", "accept"] {
        asked.headers.insert(name, HeaderValue::from_static("value-of-it"));
    }
    let answer = egress(&["127.0.0.0/8"]).send(asked).await.unwrap();
    assert_eq!(answer.body, "hello");
    for head in target.heads() {
        assert!(head.contains("authorization: value-of-it"), "{head}");
    }
    let head = elsewhere.heads().remove(0);
    assert!(head.starts_with("GET /there "), "{head}");
    assert!(head.contains("accept: value-of-it"), "{head}");
    for name in ["authorization", "cookie", "x-api-key"] {
        assert!(!head.contains(name), "{head}");
    }
}

#[tokio::test]
async fn writes_never_follow_a_redirect_and_reads_only_three() {
    let target = Target::start(|_| Answer::http("308 Permanent Redirect", "location: /again\r\n", b"")).await;
    let url = format!("http://127.0.0.1:{}/", target.port());
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        let mut asked = request(method, &url);
        asked.body = Some(Bytes::from_static(b"{}"));
        let error = egress(&["127.0.0.0/8"]).send(asked).await.unwrap_err();
        assert!(matches!(error, Error::Redirect { .. }) && error.sent(), "{error:?}");
    }
    assert_eq!(target.connections(), 4);
    let error = egress(&["127.0.0.0/8"]).send(get(&url)).await.unwrap_err();
    assert!(matches!(error, Error::Redirect { .. }), "{error:?}");
    assert_eq!(target.connections(), 4 + 4);
}

#[tokio::test]
async fn an_answer_beyond_the_cap_is_cut_off() {
    let target = Target::start(|_| Answer::http("200 OK", "", &vec![b'x'; 2000])).await;
    let url = format!("http://127.0.0.1:{}/", target.port());
    let capped = |cap| egress(&["127.0.0.0/8"]).with_body_cap(cap);
    assert_eq!(capped(2000).send(get(&url)).await.unwrap().body.len(), 2000);
    let error = capped(1999).send(get(&url)).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 1999 }) && error.sent(), "{error:?}");
}

#[tokio::test]
async fn a_small_answer_that_unpacks_into_a_huge_one_is_cut_off() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..64 {
        packed.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 100_000);
    let target = Target::start(move |_| Answer::http("200 OK", "content-encoding: gzip\r\n", &packed)).await;
    let url = format!("http://127.0.0.1:{}/", target.port());
    let error = egress(&["127.0.0.0/8"]).send(get(&url)).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
}

#[tokio::test]
async fn the_time_limit_covers_a_silent_target_and_a_dripping_one() {
    let silent = Target::start(|_| Answer::Hang).await;
    let broken = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this";
    let short = Target::start(|_| Answer::Bytes(broken.to_vec())).await;
    let mut asked = get(&format!("http://127.0.0.1:{}/", silent.port()));
    asked.timeout = Duration::from_secs(1);
    let error = egress(&["127.0.0.0/8"]).send(asked).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { sent: true }), "{error:?}");
    let asked = get(&format!("http://127.0.0.1:{}/", short.port()));
    let error = egress(&["127.0.0.0/8"]).send(asked).await.unwrap_err();
    assert!(matches!(error, Error::Interrupted(_)) && error.sent(), "{error:?}");
}

#[tokio::test]
async fn nobody_listening_proves_that_nothing_was_sent() {
    let port = Target::start(|_| ok()).await.port();
    // Port 1 of an address that nothing binds; the port of a stopped target could be taken by another test.
    let url = format!("http://127.77.77.{}:1/", port % 200 + 1);
    let error = egress(&["127.0.0.0/8"]).send(request(Method::POST, &url)).await.unwrap_err();
    assert!(matches!(error, Error::Connect(_)) && !error.sent(), "{error:?}");
    let unresolved = get("http://nothing-has-this-name.invalid/");
    let error = egress(&[]).send(unresolved).await.unwrap_err();
    assert!(matches!(error, Error::Connect(_)) && !error.sent(), "{error:?}");
}

#[tokio::test]
async fn a_reset_after_the_request_counts_as_sent_and_is_not_repeated() {
    let target = Target::start(|_| Answer::Reset).await;
    let mut asked = request(Method::POST, &format!("http://127.0.0.1:{}/", target.port()));
    asked.body = Some(Bytes::from_static(b"{}"));
    let error = egress(&["127.0.0.0/8"]).send(asked).await.unwrap_err();
    assert!(matches!(error, Error::Interrupted(_)) && error.sent(), "{error:?}");
    assert_eq!(target.connections(), 1);
}

#[tokio::test]
async fn an_error_tells_nothing_of_the_request() {
    let target = Target::start(|_| Answer::Reset).await;
    let mut asked = get(&format!("http://127.0.0.1:{}/path-secret?token=query-secret", target.port()));
    asked.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("header-secret"));
    let closed = egress(&[]).send(asked.clone()).await.unwrap_err();
    let reset = egress(&["127.0.0.0/8"]).send(asked).await.unwrap_err();
    for error in [closed, reset] {
        let told = format!("{error} {error:?}");
        assert!(!told.contains("secret"), "{told}");
    }
}

#[expect(clippy::disallowed_methods, reason = "the far side is no part of the process under test")]
#[tokio::test]
async fn a_target_that_cannot_prove_itself_gets_nothing_of_the_request() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let hello = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = vec![0; 64 * 1024];
        let read = stream.read(&mut bytes).await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        bytes.truncate(read);
        bytes
    });
    let mut asked = request(Method::POST, &format!("https://127.0.0.1:{port}/path-secret"));
    asked.body = Some(Bytes::from_static(b"body-secret"));
    let error = egress(&["127.0.0.0/8"]).send(asked).await.unwrap_err();
    assert!(matches!(error, Error::Connect(_)) && !error.sent(), "{error:?}");
    assert!(!String::from_utf8_lossy(&hello.await.unwrap()).contains("secret"));
}
