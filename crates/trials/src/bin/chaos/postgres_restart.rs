//! F3: PostgreSQL is killed and restarted under load. Nothing that was acknowledged is missing, and everything settles
//! soon.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use futures::future::join_all;
use serde_json::json;
use sqlx::Connection as _;
use testkit::{Finding, MANY_PENDING, Postgres, Size};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    kills::windows::Kind,
    setup::{Client, Setup, Stand},
};

const CLIENTS: usize = 12;
/// How long it runs before it is killed again, and how long it stays down.
const LIFE: Duration = Duration::from_secs(3);
const AWAY: Duration = Duration::from_millis(800);
/// The bar: everything is settled again this long after a restart.
const RECOVERED: Duration = Duration::from_secs(30);

/// The answer to a client.
struct Told {
    kind: Kind,
    title: String,
    /// The invocation and its status, once it was acknowledged.
    acknowledged: Option<(String, String)>,
}

/// The results of one restart.
struct Restart {
    served_s: f64,
    settled_s: f64,
    /// How many invocations were in progress when the server died.
    orphans: i64,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (kills, started) = (size.pick(8, 60), Instant::now());
    let mut postgres = Postgres::start().await?;
    // Default leases: 105 s, far beyond the bar. Nothing may have to wait for one.
    let setup = Setup {
        engine: Some(vec![]),
        env: MANY_PENDING.to_vec(),
        servers: Some(postgres.servers()),
        short_leases: false,
        ..Setup::default()
    };
    let mut stand = Stand::set_up(setup).await?;
    stand.deployment.rule(Kind::Checkable.action(), "require_approval").await?;
    let mut worker = stand.deployment.worker()?;
    worker.launch(&[]).await?;
    let (over, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (client, owner) = (stand.client.clone(), stand.owner.clone());
    let load = async {
        let clients = (0..CLIENTS).map(|_| ask_on(&client, &owner, &next, &over));
        join_all(clients).await.into_iter().flatten().collect::<Vec<Told>>()
    };
    let breaking = async {
        let broken = break_often(&mut postgres, &mut stand, kills).await;
        over.store(true, Ordering::Relaxed);
        broken
    };
    let (told, restarts) = tokio::join!(load, breaking);
    let restarts = restarts?;
    stand.sql = stand.deployment.sql().await?;
    let allowed = size.allow(RECOVERED);
    let left = stand.wait_until_over(allowed).await?;
    judge(&mut stand, (&told, &restarts), left, (allowed, started.elapsed())).await
}

/// One client: sends requests, repeats each with the same key until it is answered, and approves those that wait.
async fn ask_on(
    client: &Client,
    owner: &testkit::Person,
    next: &AtomicUsize,
    over: &AtomicBool,
) -> Vec<Told> {
    let mut told = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let kind = [Kind::Once, Kind::Checkable, Kind::Once, Kind::Read][number % 4];
        let title = format!("load-{number:06}-end");
        let acknowledged = ask_patiently(client, owner, (kind, &title)).await;
        told.push(Told { kind, title, acknowledged });
    }
    told
}

async fn ask_patiently(
    client: &Client,
    owner: &testkit::Person,
    (kind, title): (Kind, &str),
) -> Option<(String, String)> {
    let start = Instant::now();
    while start.elapsed() < RECOVERED * 4 {
        if let Ok((code, answer)) = client.ask((kind, title), Some(title)).await {
            let id = answer["invocation"].as_str().or_else(|| answer["id"].as_str()).map(ToOwned::to_owned);
            match (code, id) {
                (202, Some(_)) => {
                    if let Ok(waiting) = testkit::Waiting::of(&answer) {
                        // The next request shows whether the approval was accepted.
                        let _ = owner.approve(&waiting, "5s").await;
                    }
                }
                (200, Some(id)) => return Some((id, "succeeded".to_owned())),
                (502, Some(id)) => return Some((id, answer["code"].as_str().unwrap_or_default().to_owned())),
                _ => {}
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    None
}

async fn break_often(
    postgres: &mut Postgres,
    stand: &mut Stand,
    kills: usize,
) -> anyhow::Result<Vec<Restart>> {
    let mut restarts = Vec::new();
    for _ in 0..kills {
        tokio::time::sleep(LIFE).await;
        postgres.kill()?;
        tokio::time::sleep(AWAY).await;
        let begun = Instant::now();
        postgres.launch().await?;
        // Before anything can have been settled, as far as that is possible.
        let mut sql = stand.deployment.sql().await?;
        let marked: Vec<Uuid> =
            sqlx::query_scalar("SELECT id FROM invocations WHERE receipt_id IS NULL AND status <> 'pending'")
                .fetch_all(&mut sql)
                .await?;
        while stand.owner.call(reqwest::Method::GET, "/readyz", None).await.map_or(0, |(code, _)| code) != 200
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let served_s = begun.elapsed().as_secs_f64();
        loop {
            let query = "SELECT count(*) FROM invocations WHERE id = ANY($1) AND receipt_id IS NULL";
            let left: i64 = sqlx::query_scalar(query).bind(&marked).fetch_one(&mut sql).await?;
            if left == 0 || begun.elapsed() > RECOVERED * 4 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        restarts.push(Restart {
            served_s,
            settled_s: begun.elapsed().as_secs_f64(),
            orphans: i64::try_from(marked.len())?,
        });
        let _ = sql.close().await;
    }
    Ok(restarts)
}

async fn judge(
    stand: &mut Stand,
    (told, restarts): (&[Told], &[Restart]),
    left: i64,
    (allowed, took): (Duration, Duration),
) -> anyhow::Result<Finding> {
    let rows: Vec<(String, Uuid, String)> =
        sqlx::query_as("SELECT idempotency_key, id, status FROM invocations")
            .fetch_all(&mut stand.sql)
            .await?;
    let rows: std::collections::BTreeMap<_, _> =
        rows.into_iter().map(|(key, id, status)| (key, (id, status))).collect();
    let (mut missing, mut doubled, mut wrong, mut unanswered, mut complaints) = (0, 0, 0, 0, Vec::new());
    for one in told {
        let done = stand.effects(one.kind, &one.title);
        let recorded = rows.get(&one.title);
        doubled += usize::from(done > 1);
        let Some((id, status)) = &one.acknowledged else {
            unanswered += 1;
            continue;
        };
        let same = recorded.is_some_and(|(found, _)| id.ends_with(&found.simple().to_string()));
        missing += usize::from(!same);
        let recorded = recorded.map_or("", |(_, status)| status.as_str());
        let right = match recorded {
            "succeeded" => status == "succeeded" && done == u64::from(one.kind != Kind::Read),
            "unknown" => status == "outcome_unknown" && one.kind == Kind::Once,
            "failed" => status == "action_failed" && done == 0,
            _ => false,
        };
        wrong += usize::from(!right);
        if (!right || !same || done > 1) && complaints.len() < 20 {
            complaints.push(format!("{}: told {status}, recorded {recorded}, {done} effects", one.title));
        }
    }
    let stuck = left.max(stand.stuck().await?);
    let worst = |of: fn(&Restart) -> f64| restarts.iter().map(of).fold(0.0_f64, f64::max);
    let (served, settled) = (worst(|one| one.served_s), worst(|one| one.settled_s));
    let bad = missing + doubled + wrong + unanswered + usize::try_from(stuck)?;
    let orphans: i64 = restarts.iter().map(|one| one.orphans).sum();
    let succeeded = rows.values().filter(|(_, status)| status == "succeeded").count();
    let unknown = rows.values().filter(|(_, status)| status == "unknown").count();
    let lively = succeeded * 10 > told.len() * 9;
    let tenth = |seconds: f64| (seconds * 10.0).round() / 10.0;
    Ok(Finding {
        bar: "F3".to_owned(),
        figure: tenth(settled),
        unit: format!(
            "s until all was settled after the slowest of {} restarts; {bad} missing, doubled, wrong or stuck",
            restarts.len()
        ),
        pass: bad == 0 && settled <= allowed.as_secs_f64() && lively && orphans > 0,
        details: vec![
            ("asked, succeeded, unknown".to_owned(), json!([told.len(), succeeded, unknown])),
            ("acknowledged and missing".to_owned(), json!(missing)),
            ("doubled".to_owned(), json!(doubled)),
            ("ended otherwise than it was told".to_owned(), json!(wrong)),
            ("never answered".to_owned(), json!(unanswered)),
            ("stuck, or without exactly one receipt".to_owned(), json!(stuck)),
            ("under way when it was killed".to_owned(), json!(orphans)),
            ("slowest to serve again (s)".to_owned(), json!(tenth(served))),
            ("slowest to settle all (s)".to_owned(), json!(tenth(settled))),
            (
                "rate of restarts with a loss, below (95 %)".to_owned(),
                json!((bad == 0).then(|| 3.0 / restarts.len() as f64)),
            ),
            ("seconds".to_owned(), json!(took.as_secs())),
            ("complaints".to_owned(), json!(complaints)),
        ],
    })
}
