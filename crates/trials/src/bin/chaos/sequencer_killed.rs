//! ledger: the sequencer is killed again and again under load. Afterwards the log has no gap and no fork, continues
//! every checkpoint that anyone saw, and holds every receipt; and no receipt was outside it for long.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use futures::future::join_all;
use receipt::{Audit, KeySetDocument, tile::Tile};
use serde_json::{Value, json};
use testkit::{Dice, Finding, Gateway, Size};
use tokio::time::Instant;

use crate::{
    kills::windows::Kind,
    setup::{Client, LEASE, Setup, Stand},
};

const CLIENTS: usize = 6;
/// How long everything runs before the next kill: the minimum, and the range added to it, in milliseconds.
const LIFE: (u64, usize) = (100, 900);
/// Fewer checkpoints prove little.
const ENOUGH_CHECKPOINTS: usize = 6;
/// How many times as many kills there may be until then.
const MOST_REPEATS: usize = 5;
/// The longest time that a receipt may be outside the log.
const LONGEST: Duration = Duration::from_secs(5);

/// State shared by the tasks that run during the kills.
#[derive(Default)]
struct Seen {
    stop: AtomicBool,
    /// Since when at least one process is alive that could continue the log.
    living: Mutex<Option<Instant>>,
    answered: AtomicU64,
    /// Number of different checkpoints that were seen.
    checkpoints: AtomicUsize,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (kills, started) = (size.pick(12, 100), Instant::now());
    let mut stand = Stand::set_up(Setup::default()).await?;
    let mut second = stand.deployment.another_gateway()?;
    second.launch().await?;
    let urls = [stand.deployment.url.clone(), second.url.clone()];
    let seen = Seen::default();
    let clients = (0..CLIENTS).map(|number| ask(stand.client.clone(), &urls, (number, &seen)));
    let asking = join_all(clients.collect::<Vec<_>>());
    let watching = watch(stand.deployment.client.clone(), &urls, &seen);
    let waiting = longest_wait(stand.deployment.sql().await?, &seen);
    seen.somebody_lives(true);
    let killing = async {
        let killed = kill(&mut stand, &mut second, (kills, &seen)).await;
        seen.stop.store(true, Ordering::Relaxed);
        killed
    };
    let (killed, _, notes, late) = tokio::join!(killing, asking, watching, waiting);
    let killed = killed?;
    let late = late?;
    let allowed = size.allow(LONGEST);
    // Invocations that a kill left behind are recovered when their leases end, and get their receipts then.
    stand.wait_until_over(LEASE * 3).await?;
    tokio::time::sleep(allowed).await;
    let unlogged = unlogged(&mut stand.sql).await?;
    let found = audit(&stand, &notes).await?;
    let receipts: i64 = sqlx::query_scalar("SELECT count(*) FROM receipts").fetch_one(&mut stand.sql).await?;
    let answered = seen.answered.load(Ordering::Relaxed);
    let too_late = u64::from(late > allowed.as_secs_f64());
    let bad = found.len() as u64 + unlogged.unsigned_abs() + too_late;
    Ok(Finding {
        bar: "ledger".to_owned(),
        figure: bad as f64,
        unit: format!("gaps, forks, or receipts outside the log for more than {} s", allowed.as_secs()),
        pass: bad == 0
            && answered > 100
            && notes.len() >= ENOUGH_CHECKPOINTS
            && receipts.unsigned_abs() >= answered,
        details: vec![
            ("kills".to_owned(), json!(killed)),
            ("answered meanwhile".to_owned(), json!(answered)),
            ("receipts".to_owned(), json!(receipts)),
            (format!("not in the log {} s after the last", allowed.as_secs()), json!(unlogged)),
            ("longest a receipt was outside the log, s".to_owned(), json!((late * 100.0).round() / 100.0)),
            ("checkpoints seen, all continued".to_owned(), json!(notes.len())),
            ("findings of the audit".to_owned(), json!(found)),
            ("seconds".to_owned(), json!(started.elapsed().as_secs())),
        ],
    })
}

/// Sends requests to either gateway until the end. A request whose gateway dies is lost, which does not matter here.
async fn ask(client: Client, urls: &[String; 2], (number, seen): (usize, &Seen)) {
    let mut nth = 0_usize;
    while !seen.stop.load(Ordering::Relaxed) {
        nth += 1;
        let title = format!("ledger-{number}-{nth}");
        match client.at(&urls[(number + nth) % 2]).ask((Kind::Read, &title), None).await {
            Ok((200, _)) => drop(seen.answered.fetch_add(1, Ordering::Relaxed)),
            _ => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

/// Collects every checkpoint that is published, as an outsider would.
async fn watch(http: reqwest::Client, urls: &[String; 2], seen: &Seen) -> BTreeSet<String> {
    let mut notes = BTreeSet::new();
    while !seen.stop.load(Ordering::Relaxed) {
        for url in urls {
            let Ok(answer) = http.get(format!("{url}/v1/ledger/checkpoint")).send().await else { continue };
            if answer.status().is_success()
                && let Ok(note) = answer.text().await
            {
                notes.insert(note);
                seen.checkpoints.store(notes.len(), Ordering::Relaxed);
            }
        }
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    notes
}

/// Kills one of the two gateways at a time, now and then both, and restarts them. On a slow machine a gateway is killed
/// before it publishes anything, so the kills go on until there are enough checkpoints to compare.
async fn kill(
    stand: &mut Stand,
    second: &mut Gateway,
    (kills, seen): (usize, &Seen),
) -> anyhow::Result<usize> {
    let mut dice = Dice::new(8);
    for number in 0..kills * MOST_REPEATS {
        if number >= kills && seen.checkpoints.load(Ordering::Relaxed) >= ENOUGH_CHECKPOINTS {
            return Ok(number);
        }
        tokio::time::sleep(Duration::from_millis(LIFE.0 + dice.below(LIFE.1) as u64)).await;
        let both = number % 10 == 9;
        if both || number % 2 == 0 {
            stand.deployment.kill()?;
        }
        if both || number % 2 == 1 {
            second.program.kill()?;
        }
        if both {
            seen.somebody_lives(false);
        }
        if both || number % 2 == 0 {
            stand.deployment.launch(&[]).await?;
            seen.somebody_lives(true);
        }
        if both || number % 2 == 1 {
            second.launch().await?;
        }
    }
    Ok(kills * MOST_REPEATS)
}

impl Seen {
    /// Notes whether a process is alive; the time is kept if one already was.
    fn somebody_lives(&self, lives: bool) {
        let mut living = self.living.lock().unwrap_or_else(PoisonError::into_inner);
        *living = lives.then(|| living.unwrap_or_else(Instant::now));
    }

    /// For how long a process has been alive, in seconds.
    fn lived(&self) -> f64 {
        let living = self.living.lock().unwrap_or_else(PoisonError::into_inner);
        living.map_or(0.0, |since| since.elapsed().as_secs_f64())
    }
}

/// The longest time, in seconds, that a receipt was seen outside the log while a process was alive to continue it.
async fn longest_wait(mut sql: sqlx::PgConnection, seen: &Seen) -> anyhow::Result<f64> {
    let query = "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - r.finished_at)), 0)::float8
                 FROM receipts r WHERE r.id >= uuid_at(now() - interval '60 seconds') AND NOT EXISTS (
                     SELECT FROM ledger_entries e WHERE e.org_id = r.org_id AND e.receipt_id = r.id)";
    let mut longest = 0.0_f64;
    while !seen.stop.load(Ordering::Relaxed) {
        let lived = seen.lived();
        let oldest: f64 = sqlx::query_scalar(query).fetch_one(&mut sql).await?;
        longest = longest.max(oldest.min(lived));
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(longest)
}

async fn unlogged(sql: &mut sqlx::PgConnection) -> anyhow::Result<i64> {
    let query = "SELECT count(*) FROM receipts r WHERE NOT EXISTS (
                     SELECT FROM ledger_entries e WHERE e.org_id = r.org_id AND e.receipt_id = r.id)";
    Ok(sqlx::query_scalar(query).fetch_one(sql).await?)
}

/// Audits the whole log, fetched as anyone can, against every checkpoint that was seen.
async fn audit(stand: &Stand, notes: &BTreeSet<String>) -> anyhow::Result<Vec<String>> {
    let (http, url) = (&stand.deployment.client, &stand.deployment.url);
    let fetch = async |path: &str| {
        let call = http.get(format!("{url}{path}")).bearer_auth(&stand.deployment.owner_token);
        Ok::<_, anyhow::Error>(call.send().await?.error_for_status()?.bytes().await?.to_vec())
    };
    let checkpoint = String::from_utf8(fetch("/v1/ledger/checkpoint").await?)?;
    let size: u64 = checkpoint.lines().nth(1).context("a checkpoint has a size")?.parse()?;
    let mut tiles = BTreeMap::new();
    for tile in Tile::all(size) {
        let path = tile.path(tile.width(size));
        tiles.insert(path.clone(), fetch(&format!("/v1/ledger/{path}")).await?);
    }
    let (mut lines, mut after) = (Vec::new(), 0);
    loop {
        let page: Value =
            serde_json::from_slice(&fetch(&format!("/v1/ledger/entries?limit=500&after={after}")).await?)?;
        let items = page["items"].as_array().context("a page of entries")?;
        // Entries that were added since the checkpoint, by recovery, are not covered by it.
        let covered =
            items.iter().filter(|record| record["index"].as_u64().is_some_and(|index| index < size));
        lines.extend(covered.map(|record| record.to_string().into_bytes()));
        match page["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    let keys: KeySetDocument = serde_json::from_slice(&fetch("/.well-known/countersign-keys.json").await?)?;
    let kept: Vec<String> = notes.iter().cloned().collect();
    let audit = Audit { keys: &keys.keys, kept: &kept, complete: true, post_quantum: false, mark: None };
    let found = audit.run(&checkpoint, |path| tiles.get(path).cloned(), lines.into_iter(), |_| {});
    Ok(found
        .findings
        .iter()
        .take(20)
        .map(|finding| format!("{}: {}", finding.code, finding.detail))
        .collect())
}
