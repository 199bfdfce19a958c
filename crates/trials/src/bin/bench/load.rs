//! Load over plain HTTP/1.1 keep-alive connections, with as little work as possible on the client's side.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};

/// A serialized request that can be written repeatedly.
#[derive(Debug, Clone)]
pub(crate) struct Shot {
    pub(crate) address: String,
    pub(crate) bytes: Arc<[u8]>,
}

impl Shot {
    /// A `POST` of JSON with additional headers.
    pub(crate) fn post(url: &str, path: &str, headers: &[(&str, &str)], body: &str) -> anyhow::Result<Self> {
        let length = body.len().to_string();
        let fixed = [("Content-Type", "application/json"), ("Content-Length", length.as_str())];
        Self::new((url, &format!("POST {path}")), &[&fixed, headers].concat(), body)
    }

    /// A `GET` with headers.
    pub(crate) fn get(url: &str, path: &str, headers: &[(&str, &str)]) -> anyhow::Result<Self> {
        Self::new((url, &format!("GET {path}")), headers, "")
    }

    fn new((url, line): (&str, &str), headers: &[(&str, &str)], body: &str) -> anyhow::Result<Self> {
        let address =
            url.strip_prefix("http://").context("plain HTTP only")?.trim_end_matches('/').to_owned();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let request = format!("{line} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n{body}");
        Ok(Self { address, bytes: request.into_bytes().into() })
    }
}

/// The result of a load.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    pub(crate) per_s: f64,
    /// The latency of every request in milliseconds, sorted.
    pub(crate) latencies_ms: Vec<f64>,
    pub(crate) not_ok: u64,
}

/// How to fire: each client on its own connection, as fast as responses come, or at a steady total rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) warm_up: Duration,
    pub(crate) during: Duration,
    /// Requests per second over all clients; `None` means as fast as they are answered.
    pub(crate) per_s: Option<f64>,
}

/// Sends each shot repeatedly from its own client.
pub(crate) async fn fire(shots: &[Shot], pace: Pace) -> anyhow::Result<Measured> {
    let not_ok = Arc::new(AtomicU64::new(0));
    let begin = Instant::now() + pace.warm_up;
    let end = begin + pace.during;
    let mut clients = JoinSet::new();
    for (number, shot) in shots.iter().cloned().enumerate() {
        let gap = pace.per_s.map(|per_s| Duration::from_secs_f64(shots.len() as f64 / per_s));
        // Clients start at different times, so that the rate is steady rather than in bursts.
        let offset = gap.map(|gap| gap.mul_f64(number as f64 / shots.len() as f64)).unwrap_or_default();
        clients.spawn(client(shot, (begin, end), gap.map(|gap| (gap, offset)), not_ok.clone()));
    }
    let mut latencies_ms = Vec::new();
    while let Some(done) = clients.join_next().await {
        latencies_ms.extend(done??);
    }
    latencies_ms.sort_by(f64::total_cmp);
    let per_s = latencies_ms.len() as f64 / pace.during.as_secs_f64();
    Ok(Measured { per_s, latencies_ms, not_ok: not_ok.load(Ordering::Relaxed) })
}

async fn client(
    shot: Shot,
    (begin, end): (Instant, Instant),
    steady: Option<(Duration, Duration)>,
    not_ok: Arc<AtomicU64>,
) -> anyhow::Result<Vec<f64>> {
    let mut stream = TcpStream::connect(&shot.address).await.context("connecting")?;
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(64 * 1024);
    let mut latencies = Vec::new();
    let mut due = Instant::now() + steady.map(|(_, offset)| offset).unwrap_or_default();
    loop {
        if let Some((gap, _)) = steady {
            tokio::time::sleep_until(due.into()).await;
            due += gap;
        }
        let sent = Instant::now();
        if sent >= end {
            return Ok(latencies);
        }
        stream.write_all(&shot.bytes).await?;
        let ok = answer(&mut stream, &mut buffer).await?;
        let now = Instant::now();
        if !ok {
            not_ok.fetch_add(1, Ordering::Relaxed);
        }
        if ok && sent >= begin && now <= end {
            latencies.push((now - sent).as_secs_f64() * 1_000.0);
        }
    }
}

/// Reads one whole response; returns whether its status was 200.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> anyhow::Result<bool> {
    buffer.clear();
    let mut whole = usize::MAX;
    while buffer.len() < whole {
        let read = stream.read_buf(buffer).await?;
        anyhow::ensure!(read > 0, "the server closed the connection");
        if whole == usize::MAX
            && let Some(head) = buffer.windows(4).position(|four| four == b"\r\n\r\n")
        {
            whole = head + 4 + content_length(&buffer[..head])?;
        }
    }
    Ok(buffer.starts_with(b"HTTP/1.1 200"))
}

fn content_length(head: &[u8]) -> anyhow::Result<usize> {
    let head = std::str::from_utf8(head)?;
    let line = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then_some(value)
    });
    Ok(line.context("an answer without Content-Length")?.trim().parse()?)
}

/// The value below which `permille` thousandths of the sorted values lie.
pub(crate) fn quantile(sorted: &[f64], permille: usize) -> f64 {
    let at = sorted.len() * permille / 1_000;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(&values, 500)
}
