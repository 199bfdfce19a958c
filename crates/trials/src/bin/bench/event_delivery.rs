//! Events: a thousand per second, published, relayed, and delivered to three groups; measures the time from sending to
//! receipt.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Finding, Person, Size};

use crate::{allowed_action::unlimited, load::quantile};

/// The required events per second, and the p99 limit for an event to reach a group.
const RATE: usize = 1_000;
const BAR_MS: f64 = 1_000.0;
const PUBLISHERS: usize = 10;
const BATCH: usize = 20;
const GROUPS: [&str; 3] = ["one", "two", "three"];
/// How long groups may take to catch up after the last event was published.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let lasts = Duration::from_secs(u64::try_from(size.pick(8, 60))?);
    let deployment = unlimited(&[]).await?;
    for group in GROUPS {
        deployment.as_owner(Method::PUT, &format!("/v1/event-groups/{group}"), json!({})).await?;
    }
    let (start, done) = (Instant::now(), AtomicBool::new(false));
    let published = AtomicUsize::new(0);
    let seen: Vec<Mutex<Vec<f64>>> = GROUPS.iter().map(|_| Mutex::default()).collect();
    let owners: Vec<Person> = (0..PUBLISHERS + GROUPS.len()).map(|_| deployment.owner()).collect();
    let publishing = join_all(
        (0..PUBLISHERS).map(|publisher| publish(&owners[publisher], publisher, (start, lasts), &published)),
    );
    let reading = join_all(
        GROUPS
            .iter()
            .zip(&seen)
            .enumerate()
            .map(|(index, (group, seen))| read(&owners[PUBLISHERS + index], group, seen, (start, &done))),
    );
    let load = async {
        let published_all = publishing.await.into_iter().collect::<anyhow::Result<()>>();
        let took = start.elapsed();
        wait_for(&seen, published.load(Ordering::Relaxed)).await;
        done.store(true, Ordering::Relaxed);
        published_all.map(|()| took)
    };
    let (took, read) = tokio::join!(load, reading);
    read.into_iter().collect::<anyhow::Result<()>>()?;
    finding(&deployment, published.into_inner(), took?, &seen)
}

/// Publishes its share at even intervals, however long the responses take.
async fn publish(
    who: &Person,
    publisher: usize,
    (start, lasts): (Instant, Duration),
    published: &AtomicUsize,
) -> anyhow::Result<()> {
    let every = Duration::from_micros(u64::try_from(1_000_000 * BATCH * PUBLISHERS / RATE)?);
    let mut ticks = tokio::time::interval(every);
    let mut number = 0;
    while start.elapsed() < lasts {
        ticks.tick().await;
        let sent_ms = start.elapsed().as_secs_f64() * 1_000.0;
        let event = |number: usize| {
            json!({
                "specversion": "1.0", "id": format!("{publisher}-{number}"), "source": "/bench",
                "type": "bench.happened", "data": { "sent_ms": sent_ms },
            })
        };
        let batch: Vec<Value> = (number..number + BATCH).map(event).collect();
        number += BATCH;
        let (status, answer) = who.call(Method::POST, "/v1/events", Some(&Value::Array(batch))).await?;
        anyhow::ensure!(status == 200, "{status}: {answer}");
        published.fetch_add(BATCH, Ordering::Relaxed);
    }
    Ok(())
}

/// Reads and acknowledges events, and notes the latency of each.
async fn read(
    who: &Person,
    group: &str,
    seen: &Mutex<Vec<f64>>,
    (start, done): (Instant, &AtomicBool),
) -> anyhow::Result<()> {
    let wanted = json!({ "consumer": "bench", "max": 100, "wait": "1s" });
    while !done.load(Ordering::Relaxed) {
        let path = format!("/v1/event-groups/{group}/read");
        let (status, found) = who.call(Method::POST, &path, Some(&wanted)).await?;
        anyhow::ensure!(status == 200, "{status}: {found}");
        let now_ms = start.elapsed().as_secs_f64() * 1_000.0;
        let items = found["items"].as_array().cloned().unwrap_or_default();
        let taken = items.iter().filter_map(|item| Some(now_ms - item["event"]["data"]["sent_ms"].as_f64()?));
        seen.lock().unwrap_or_else(PoisonError::into_inner).extend(taken);
        let ids: Vec<&Value> = items.iter().map(|item| &item["event"]["eventid"]).collect();
        if !ids.is_empty() {
            let path = format!("/v1/event-groups/{group}/ack");
            let (status, answer) = who.call(Method::POST, &path, Some(&json!({ "events": ids }))).await?;
            anyhow::ensure!(status == 200, "{status}: {answer}");
        }
    }
    Ok(())
}

async fn wait_for(seen: &[Mutex<Vec<f64>>], count: usize) {
    let since = Instant::now();
    let all = || seen.iter().all(|seen| seen.lock().unwrap_or_else(PoisonError::into_inner).len() >= count);
    while since.elapsed() < PATIENCE && !all() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn finding(
    deployment: &Deployment,
    published: usize,
    took: Duration,
    seen: &[Mutex<Vec<f64>>],
) -> anyhow::Result<Finding> {
    let mut all: Vec<f64> = Vec::new();
    let mut missing = 0;
    for seen in seen {
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        missing += published.saturating_sub(seen.len());
        all.extend(seen.iter());
    }
    anyhow::ensure!(!all.is_empty(), "nothing was delivered; see {}", deployment.log.display());
    all.sort_by(f64::total_cmp);
    let rate = published as f64 / took.as_secs_f64();
    let p99 = quantile(&all, 990);
    Ok(Finding {
        bar: "events".to_owned(),
        figure: p99,
        unit: "ms from sending to holding, p99, at 1 000 events a second to three groups".to_owned(),
        pass: p99 <= BAR_MS && missing == 0 && rate >= RATE as f64 * 0.98,
        details: vec![
            ("bar, ms".to_owned(), json!(BAR_MS)),
            ("events a second".to_owned(), json!(rate.round())),
            ("published, delivered, missing".to_owned(), json!([published, all.len(), missing])),
            ("p50, ms".to_owned(), json!(quantile(&all, 500))),
            ("p99.9, ms".to_owned(), json!(quantile(&all, 999))),
        ],
    })
}
