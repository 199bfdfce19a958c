//! F4: Redis is killed and emptied, and relays are killed, while two orgs publish and three groups follow each of them.
//! Every event reaches every group, in order.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Finding, Gateway, Options, Person, RedisServer, Servers, Size};
use tokio::time::Instant;

/// The intended events per second, over all orgs. How many a busy machine achieves is reported, and not judged.
const RATE: usize = 500;
const BATCH: usize = 10;
/// Publishers, distributed over the orgs. Each sends one batch after another, so the events of one publisher stay in
/// order.
const PUBLISHERS: usize = 4;
const GROUPS: [&str; 3] = ["one", "two", "three"];
/// How long Redis runs at least between two faults, how much is published meanwhile, and how long that may take.
const LIFE: Duration = Duration::from_millis(1_500);
const LOAD: usize = 500;
const LOADED: Duration = Duration::from_secs(120);
/// How long Redis stays down.
const AWAY: Duration = Duration::from_millis(400);
/// The bar for another relay to take over.
const TAKEN_OVER: Duration = Duration::from_secs(5);
/// How long groups may take to catch up at the end.
const CAUGHT_UP: Duration = Duration::from_secs(240);

/// The names of the events that were acknowledged to their publishers, by org.
type Told = Mutex<BTreeMap<usize, Vec<String>>>;

/// The events that a group received.
#[derive(Default)]
struct Seen {
    events: BTreeSet<String>,
    /// The number of the last event that was delivered for the first time, by publisher.
    newest: BTreeMap<u64, u64>,
    disordered: usize,
    again: usize,
}

/// Two gateways, either of which may be dead.
struct Doors {
    urls: [String; 2],
    turn: AtomicUsize,
}

impl Doors {
    /// Sends a request to whichever gateway answers.
    async fn call(&self, who: &Person, path: &str, body: &Value) -> Option<Value> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        for door in 0..2 {
            let at = who.at(&self.urls[(turn + door) % 2]);
            if let Ok((200, answer)) = at.call(Method::POST, path, Some(body)).await {
                return Some(answer);
            }
        }
        None
    }
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (faults, kills, started) = (size.pick(8, 20), size.pick(3, 8), Instant::now());
    let mut redis = RedisServer::start().await?;
    let mut servers = Servers::find();
    servers.redis_url.clone_from(&redis.url);
    let mut first = Deployment::start(Options { servers: Some(servers), ..Options::default() }).await?;
    let mut second = first.another_gateway()?;
    second.launch().await?;
    let orgs = [first.owner(), another_org(&first)?];
    for org in &orgs {
        for group in GROUPS {
            let settings = json!({ "ack_timeout_s": 5, "max_attempts": 100 });
            let path = format!("/v1/event-groups/{group}");
            let (code, answer) = org.call(Method::PUT, &path, Some(&settings)).await?;
            anyhow::ensure!(code == 201, "{answer}");
        }
    }
    let doors = Doors { urls: [first.url.clone(), second.url.clone()], turn: AtomicUsize::new(0) };
    let (over, told) = (AtomicBool::new(false), Told::default());
    let seen: Vec<Mutex<Seen>> = (0..orgs.len() * GROUPS.len()).map(|_| Mutex::default()).collect();
    let done = AtomicBool::new(false);
    let publishing = join_all((0..PUBLISHERS).map(|publisher| {
        let org = publisher % orgs.len();
        publish(&doors, &orgs[org], (org, publisher), (&told, &over))
    }));
    let consuming = join_all(seen.iter().enumerate().map(|(index, seen)| {
        let org = &orgs[index % orgs.len()];
        consume(&doors, org, GROUPS[index / orgs.len()], seen, &done)
    }));
    let breaking = async {
        let takeovers = break_often((&mut redis, faults), (&mut first, &mut second, kills), &told).await;
        over.store(true, Ordering::Relaxed);
        takeovers
    };
    let begun = Instant::now();
    let load = async {
        let (_, takeovers) = tokio::join!(publishing, breaking);
        let lasted = begun.elapsed();
        catch_up(&told, &seen, orgs.len()).await;
        done.store(true, Ordering::Relaxed);
        (takeovers, lasted)
    };
    let ((takeovers, lasted), _) = tokio::join!(load, consuming);
    let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(judge(&told, &seen, (faults, &takeovers?), (lasted, started.elapsed()), size.allow(TAKEN_OVER)))
}

/// Creates another org in the same database; returns its owner.
fn another_org(deployment: &Deployment) -> anyhow::Result<Person> {
    let said = deployment.run(&["init", "--org", "second", "--email", "second@example.test", "--json"])?;
    let founded: Value = serde_json::from_str(&said)?;
    Ok(deployment.person(founded["token"].as_str().unwrap_or_default()))
}

/// Publishes one batch at a time, and repeats each until it is acknowledged.
async fn publish(
    doors: &Doors,
    who: &Person,
    (org, publisher): (usize, usize),
    (told, over): (&Told, &AtomicBool),
) {
    let every = Duration::from_millis(u64::try_from(1_000 * BATCH * PUBLISHERS / RATE).unwrap_or(80));
    let mut ticks = tokio::time::interval(every);
    let mut number = 0_usize;
    while !over.load(Ordering::Relaxed) {
        ticks.tick().await;
        let batch: Vec<Value> = (0..BATCH)
            .map(|offset| {
                json!({
                    "specversion": "1.0", "id": format!("{publisher}-{}", number + offset), "source": "/trial",
                    "type": "trial.happened", "data": { "publisher": publisher, "number": number + offset },
                })
            })
            .collect();
        let batch = Value::Array(batch);
        while doors.call(who, "/v1/events", &batch).await.is_none() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        told.entry(org)
            .or_default()
            .extend((0..BATCH).map(|offset| format!("{publisher}-{}", number + offset)));
        number += BATCH;
    }
}

/// A consumer of a group: reads, notes and acknowledges events, until every group has everything.
async fn consume(doors: &Doors, who: &Person, group: &str, seen: &Mutex<Seen>, done: &AtomicBool) {
    let read = json!({ "consumer": "trial", "max": 100, "wait": "1s" });
    while !done.load(Ordering::Relaxed) {
        let Some(found) = doors.call(who, &format!("/v1/event-groups/{group}/read"), &read).await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let items = found["items"].as_array().cloned().unwrap_or_default();
        let ids: Vec<&Value> = items.iter().map(|item| &item["event"]["eventid"]).collect();
        {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            items.iter().filter(|item| item["event"]["source"] == "/trial").for_each(|item| seen.note(item));
        }
        if !ids.is_empty() {
            // If the acknowledgement is lost, the events come again, which is what "at least once" means.
            let _ =
                doors.call(who, &format!("/v1/event-groups/{group}/ack"), &json!({ "events": ids })).await;
        }
    }
}

impl Seen {
    fn note(&mut self, item: &Value) {
        let event = &item["event"];
        self.events.insert(event["id"].as_str().unwrap_or_default().to_owned());
        if item["attempt"] != 1 {
            self.again += 1;
            return;
        }
        let data = (event["data"]["publisher"].as_u64(), event["data"]["number"].as_u64());
        let (Some(publisher), Some(number)) = data else { return };
        let newest = self.newest.insert(publisher, number);
        self.disordered += usize::from(newest.is_some_and(|newest| newest >= number));
    }
}

/// Waits until Redis has run for a while, holds data, and enough was published since the previous fault: a fault of an
/// unused Redis would prove nothing.
async fn under_load(redis: &RedisServer, told: &Told) -> anyhow::Result<()> {
    let since = Instant::now();
    let count = || published(&told.lock().unwrap_or_else(PoisonError::into_inner));
    let before = count();
    tokio::time::sleep(LIFE).await;
    loop {
        let (events, keys) = (count() - before, redis.keys().await?);
        if events >= LOAD && keys > 0 {
            return Ok(());
        }
        anyhow::ensure!(
            since.elapsed() < LOADED,
            "{events} events and {keys} keys in Redis after {LOADED:?}"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn published(told: &BTreeMap<usize, Vec<String>>) -> usize {
    told.values().map(Vec::len).sum()
}

/// Kills and empties Redis alternately, and in between kills the gateway that relays. Returns the times from the death
/// of a relay to the first event that another one relayed.
async fn break_often(
    (redis, faults): (&mut RedisServer, usize),
    (first, second, kills): (&mut Deployment, &mut Gateway, usize),
    told: &Told,
) -> anyhow::Result<Vec<Duration>> {
    let mut sql = first.db.service().await?;
    let mut takeovers = Vec::new();
    for fault in 0..faults {
        under_load(redis, told).await?;
        if fault % 2 == 0 {
            redis.flush().await?;
        } else {
            redis.kill()?;
            tokio::time::sleep(AWAY).await;
            redis.launch().await?;
        }
        if fault * kills / faults == (fault + 1) * kills / faults {
            continue;
        }
        let (holder, _) = relay(&mut sql).await?;
        // Killing one gateway shows which of the two relays: if no other process takes over, it was the other one.
        let mut hit = false;
        for at in 0..2 {
            if at == 0 {
                first.kill()?
            } else {
                second.program.kill()?
            };
            let since = Instant::now();
            // Statements that it had already sent may still be executed by the database.
            tokio::time::sleep(Duration::from_millis(100)).await;
            let (_, position) = relay(&mut sql).await?;
            while since.elapsed() < TAKEN_OVER * 4 {
                let now = relay(&mut sql).await?;
                hit = now.0 != holder && now.1 > position;
                if now.1 > position {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            if hit {
                takeovers.push(since.elapsed());
            }
            if at == 0 {
                first.launch(&[]).await?
            } else {
                second.launch().await?
            };
            if hit {
                break;
            }
        }
        anyhow::ensure!(hit, "nobody took over from a relay that was killed");
    }
    Ok(takeovers)
}

async fn relay(sql: &mut sqlx::PgConnection) -> anyhow::Result<(Option<uuid::Uuid>, i64)> {
    let query = "SELECT holder, position FROM event_followers WHERE name = 'relay'";
    Ok(sqlx::query_as(query).fetch_one(sql).await?)
}

/// Waits until every group has everything, or the time is over.
async fn catch_up(told: &Told, seen: &[Mutex<Seen>], orgs: usize) {
    let since = Instant::now();
    while since.elapsed() < CAUGHT_UP {
        let missing = {
            let told = told.lock().unwrap_or_else(PoisonError::into_inner);
            missing(&told, seen, orgs)
        };
        if missing == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// How many events are missing in a group that should have received them.
fn missing(told: &BTreeMap<usize, Vec<String>>, seen: &[Mutex<Seen>], orgs: usize) -> usize {
    let lacks = |(index, seen): (usize, &Mutex<Seen>)| {
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let told = told.get(&(index % orgs)).map(Vec::as_slice).unwrap_or_default();
        told.iter().filter(|event| !seen.events.contains(*event)).count()
    };
    seen.iter().enumerate().map(lacks).sum()
}

fn judge(
    told: &BTreeMap<usize, Vec<String>>,
    seen: &[Mutex<Seen>],
    (faults, takeovers): (usize, &[Duration]),
    (lasted, took): (Duration, Duration),
    allowed: Duration,
) -> Finding {
    let lost = missing(told, seen, told.len().max(1));
    let sum = |of: fn(&Seen) -> usize| -> usize {
        seen.iter().map(|seen| of(&seen.lock().unwrap_or_else(PoisonError::into_inner))).sum()
    };
    let (disordered, again) = (sum(|seen| seen.disordered), sum(|seen| seen.again));
    let published = published(told);
    let deliveries: usize = sum(|seen| seen.events.len());
    let slowest = takeovers.iter().max().copied().unwrap_or_default().as_secs_f64();
    let rate = published as f64 / lasted.as_secs_f64();
    let taken_over = !takeovers.is_empty() && slowest <= allowed.as_secs_f64();
    Finding {
        bar: "F4".to_owned(),
        figure: lost as f64,
        unit: format!(
            "of {published} events lost to a group, {disordered} out of order, in {faults} faults of Redis"
        ),
        pass: lost == 0 && disordered == 0 && taken_over,
        details: vec![
            ("published, delivered (first and again)".to_owned(), json!([published, deliveries, again])),
            ("events a second".to_owned(), json!(rate.round())),
            ("relays killed".to_owned(), json!(takeovers.len())),
            ("slowest takeover (s)".to_owned(), json!((slowest * 100.0).round() / 100.0)),
            (
                "rate of lost deliveries, below (95 %)".to_owned(),
                json!((lost == 0).then(|| 3.0 / deliveries.max(1) as f64)),
            ),
            ("seconds".to_owned(), json!(took.as_secs())),
        ],
    }
}
