//! F2: the engine is killed and restarted under a stream of approvals, loses all its data once, and gives up retrying
//! once. Everything that was approved ends, and nothing happens twice.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use futures::future::try_join_all;
use serde_json::json;
use testkit::{Finding, Person, Size, Worker};
use tokio::time::Instant;

use crate::{
    kills::windows::Kind,
    setup::{Client, Setup, Stand, UNHURRIED},
};

const CLIENTS: usize = 8;
/// How long the engine runs before it is killed again, and how long it stays down.
const LIFE: Duration = Duration::from_millis(1_500);
const AWAY: Duration = Duration::from_millis(700);
/// Approved while there is no worker, so that the engine holds them when its data is deleted, or gives up on them.
const HELD: usize = 10;
/// The engine gives up after this many attempts. Its default is 70; what happens then is the same.
const ENGINE_TRIES: &str = "5";
/// In this time the engine has made all its attempts.
const GIVEN_UP: Duration = Duration::from_secs(8);
/// Everything must have ended this long after the engine is back: the sweep resubmits whatever is ten seconds old.
const PATIENCE: Duration = Duration::from_secs(60);

/// The faults of the engine.
#[derive(Default)]
struct Fate {
    kills: usize,
    wipes: usize,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (stream_length, started) = (size.pick(240, 4_000), Instant::now());
    let mut setup = Setup::approved();
    setup.env.push(UNHURRIED);
    setup.engine = Some(vec![("RESTATE_DEFAULT_RETRY_POLICY__MAX_ATTEMPTS", ENGINE_TRIES)]);
    let mut stand = Stand::set_up(setup).await?;
    let mut workers = [stand.deployment.worker()?, stand.deployment.worker()?];
    for worker in &mut workers {
        worker.launch(&[]).await?;
    }
    let mut fate = Fate::default();
    let mut titles = under_kills(&mut stand, &mut fate, stream_length).await?;
    let streamed = settle_down(&mut stand, size).await?;
    titles.extend(emptied(&mut stand, &mut workers, &mut fate).await?);
    let emptied = settle_down(&mut stand, size).await?;
    titles.extend(given_up(&mut stand, &mut workers).await?);
    let given_up = settle_down(&mut stand, size).await?;
    finding(&mut stand, &titles, (fate, [streamed, emptied, given_up]), started.elapsed()).await
}

/// A stream of proposals, each approved at once, while the engine is killed again and again.
async fn under_kills(
    stand: &mut Stand,
    fate: &mut Fate,
    length: usize,
) -> anyhow::Result<Vec<(Kind, String)>> {
    let (next, over) = (Arc::new(AtomicUsize::new(0)), AtomicBool::new(false));
    let (client, owner) = (stand.client.clone(), stand.owner.clone());
    let stream = async {
        let clients = (0..CLIENTS).map(|_| approve_some(&client, &owner, &next, length));
        let titles = try_join_all(clients).await;
        over.store(true, Ordering::Relaxed);
        Ok(titles?.into_iter().flatten().collect())
    };
    let engine = stand.deployment.engine.as_mut().context("there is an engine")?;
    let kills = async {
        while !over.load(Ordering::Relaxed) || fate.kills < 4 {
            tokio::time::sleep(LIFE).await;
            engine.kill()?;
            fate.kills += 1;
            tokio::time::sleep(AWAY).await;
            engine.launch().await?;
        }
        Ok::<_, anyhow::Error>(())
    };
    let (titles, killed) = tokio::join!(stream, kills);
    killed?;
    titles
}

/// One client: proposes and approves until `length` is reached.
async fn approve_some(
    client: &Client,
    owner: &Person,
    next: &AtomicUsize,
    length: usize,
) -> anyhow::Result<Vec<(Kind, String)>> {
    let mut titles = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= length {
            return Ok(titles);
        }
        titles.push(approve_one(client, owner, ("stream", number)).await?);
        // Slower than possible, because the stream must outlast several lives of the engine.
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

async fn approve_one(
    client: &Client,
    owner: &Person,
    (phase, number): (&str, usize),
) -> anyhow::Result<(Kind, String)> {
    let kind = [Kind::Once, Kind::Checkable][number % 2];
    let title = format!("{phase}-{number:05}-end");
    let waiting = client.propose((kind, &title), Some(&title)).await?;
    let (status, answer) = owner.approve(&waiting, "0s").await?;
    anyhow::ensure!(status == 200 || status == 202, "a yes was answered with {status}: {answer}");
    Ok((kind, title))
}

/// Without workers the engine holds what was approved; then it is killed and loses all its data, including its workers.
async fn emptied(
    stand: &mut Stand,
    workers: &mut [Worker; 2],
    fate: &mut Fate,
) -> anyhow::Result<Vec<(Kind, String)>> {
    // The workers are suspended, not killed: they survive, and only the engine forgets them.
    let pids = pause(workers, true)?;
    let titles = hold(stand, "emptied").await?;
    let engine = stand.deployment.engine.as_mut().context("there is an engine")?;
    engine.kill()?;
    engine.wipe()?;
    engine.launch().await?;
    (fate.kills, fate.wipes) = (fate.kills + 1, fate.wipes + 1);
    anyhow::ensure!(pause(workers, false)? == pids, "a worker was started anew");
    Ok(titles)
}

/// The engine has made all its attempts; then the workers come.
async fn given_up(stand: &mut Stand, workers: &mut [Worker; 2]) -> anyhow::Result<Vec<(Kind, String)>> {
    for worker in workers.iter_mut() {
        worker.program.kill()?;
    }
    let titles = hold(stand, "given-up").await?;
    tokio::time::sleep(GIVEN_UP).await;
    for worker in workers.iter_mut() {
        worker.launch(&[]).await?;
    }
    Ok(titles)
}

async fn hold(stand: &Stand, phase: &str) -> anyhow::Result<Vec<(Kind, String)>> {
    let held = (0..HELD).map(|number| approve_one(&stand.client, &stand.owner, (phase, number)));
    try_join_all(held).await
}

/// Suspends workers, or resumes them; returns their process ids.
fn pause(workers: &[Worker], stop: bool) -> anyhow::Result<Vec<u32>> {
    let pids: Vec<u32> = workers.iter().filter_map(|worker| worker.program.pid()).collect();
    let signal = if stop { "-STOP" } else { "-CONT" };
    for pid in &pids {
        let told = std::process::Command::new("kill").args([signal, &pid.to_string()]).status()?;
        anyhow::ensure!(told.success(), "kill {signal} {pid} failed");
    }
    Ok(pids)
}

/// Waits for the end of all invocations; returns how long that took and how many are left.
async fn settle_down(stand: &mut Stand, size: Size) -> anyhow::Result<(f64, i64)> {
    let start = Instant::now();
    let left = stand.wait_until_over(size.allow(PATIENCE)).await?;
    Ok(((start.elapsed().as_secs_f64() * 10.0).round() / 10.0, left))
}

async fn finding(
    stand: &mut Stand,
    titles: &[(Kind, String)],
    (fate, [streamed, emptied, given_up]): (Fate, [(f64, i64); 3]),
    took: Duration,
) -> anyhow::Result<Finding> {
    let count =
        |is: fn(u64) -> bool| titles.iter().filter(|(kind, title)| is(stand.effects(*kind, title))).count();
    let (lost, doubled) = (count(|effects| effects == 0), count(|effects| effects > 1));
    let stuck = stand.stuck().await?;
    let succeeded: i64 = sqlx::query_scalar("SELECT count(*) FROM invocations WHERE status = 'succeeded'")
        .fetch_one(&mut stand.sql)
        .await?;
    // Late counts as stuck: the next phase may have woken an invocation that would have stayed stuck.
    let late = [streamed, emptied, given_up].iter().map(|(_, left)| left).sum::<i64>();
    let bad = lost + doubled + usize::try_from(stuck.max(late))?;
    let all = titles.len();
    let seconds = |(seconds, left): (f64, i64)| json!({ "seconds": seconds, "left": left });
    Ok(Finding {
        bar: "F2".to_owned(),
        figure: bad as f64,
        unit: format!("of {all} approved with anything lost, doubled or stuck"),
        pass: bad == 0 && usize::try_from(succeeded)? == all && fate.kills >= 5 && fate.wipes == 1,
        details: vec![
            ("engine killed, emptied".to_owned(), json!([fate.kills, fate.wipes])),
            ("succeeded".to_owned(), json!(succeeded)),
            ("lost".to_owned(), json!(lost)),
            ("doubled".to_owned(), json!(doubled)),
            ("stuck, or without exactly one receipt".to_owned(), json!(stuck)),
            ("late".to_owned(), json!(late)),
            ("over after the stream under kills".to_owned(), seconds(streamed)),
            (format!("over after it forgot {HELD}"), seconds(emptied)),
            (format!("over after it gave up on {HELD}"), seconds(given_up)),
            ("rate, below (95 %)".to_owned(), json!((bad == 0).then(|| (3.0e5 / all as f64).round() / 1e5))),
            ("seconds".to_owned(), json!(took.as_secs())),
        ],
    })
}
