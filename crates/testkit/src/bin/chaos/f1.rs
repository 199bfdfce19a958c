//! F1: `kill -9` of the gateway in each of six windows. Nothing is lost, nothing is doubled.

use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus, sync::Arc, time::Duration};

use futures::future::{join_all, try_join_all};
use platform::config::variable;
use serde_json::{Value, json};
use testkit::{Finding, Size};
use tokio::{sync::Notify, time::Instant};

use crate::{
    judge::{Tally, Trial, ask_again},
    stand::{LEASE, Stand},
    window::{Kind, Window},
};

/// Kills before the survivors are recovered and judged.
const SERIES: usize = 20;
/// A series ends this long before its first lease would, so that no life that is to be killed recovers anything.
const HEADROOM: Duration = Duration::from_secs(8);

/// What one window showed.
struct Shown {
    window: Window,
    /// Gateways that died by signal 9, with everything outside as it must be in that window.
    kills: usize,
    /// Gateways that died by signal 9 while they recovered what an earlier one left.
    again: usize,
    /// Gateways that died otherwise, or elsewhere.
    astray: usize,
    /// What is still executing, or has not exactly one receipt, when all is over.
    stuck: i64,
    tally: Tally,
    seconds: f64,
}

/// Runs all windows, each with a gateway and a database of its own.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let started = Instant::now();
    let shown = try_join_all(Window::ALL.map(|window| trials(window, wanted(window, size))));
    let (shown, control) = futures::try_join!(shown, control())?;
    print(&shown);
    Ok(finding(&shown, (size, control), started.elapsed()))
}

/// How often a gateway is killed there; `CHAOS_KILLS` says otherwise. Killing it twice needs two leases each time, and
/// is beyond the bar, so that is done a fifth as often.
fn wanted(window: Window, size: Size) -> usize {
    let told = variable("CHAOS_KILLS").and_then(|told| told.parse().ok());
    let kills = told.unwrap_or_else(|| size.pick(20, 500));
    if window == Window::AgainInRecovery { (kills / 5).max(6) } else { kills }
}

/// The same kill, and a client that retries without its key: the target must count two, or it counts nothing.
async fn control() -> anyhow::Result<u64> {
    let mut stand = Stand::start("countersign-faults").await?;
    stand.deployment.kill()?;
    let (kind, title) = (Kind::Once, "control".to_owned());
    let trial = Trial { kind, key: "control".to_owned(), title };
    kill_one(&mut stand, Window::BeforeCommit, &trial).await?;
    stand.deployment.launch(&[]).await?;
    stand.client.ask((kind, &trial.title), None).await?;
    Ok(stand.effects(kind, &trial.title))
}

async fn trials(window: Window, wanted: usize) -> anyhow::Result<Shown> {
    let started = Instant::now();
    let mut stand = Stand::start("countersign-faults").await?;
    let keys = stand.keys().await?;
    stand.deployment.kill()?;
    let mut shown =
        Shown { window, kills: 0, again: 0, astray: 0, stuck: 0, tally: Tally::default(), seconds: 0.0 };
    let mut number = 0;
    // Whatever goes wrong, this ends: each turn of the loop kills at least once.
    while number < wanted {
        let series = series(&mut stand, &mut shown, number..wanted.min(number + SERIES)).await?;
        number += series.len();
        if window == Window::AgainInRecovery {
            die_recovering(&mut stand, &mut shown).await?;
        }
        stand.deployment.launch(&[]).await?;
        let client = stand.client.clone();
        let told = join_all(series.iter().map(|trial| ask_again(&client, trial))).await;
        for judged in series.iter().zip(&told) {
            shown.tally.judge(&mut stand, window, judged, &keys).await?;
        }
        stand.deployment.kill()?;
    }
    shown.stuck = stuck(&mut stand).await?;
    shown.seconds = started.elapsed().as_secs_f64();
    Ok(shown)
}

/// Kills one gateway after the other, each with one invocation in the window.
async fn series(
    stand: &mut Stand,
    shown: &mut Shown,
    numbers: std::ops::Range<usize>,
) -> anyhow::Result<Vec<Trial>> {
    let (started, window) = (Instant::now(), shown.window);
    let mut series = Vec::new();
    for number in numbers {
        if started.elapsed() + HEADROOM > LEASE && !series.is_empty() {
            break;
        }
        let kinds = window.kinds();
        let kind = kinds[number % kinds.len()];
        let title = format!("{}-{}-{number:04}-end", window.name().replace([' ', ','], "-"), kind.as_str());
        let trial = Trial { kind, key: format!("key-{title}"), title };
        let ended = kill_one(stand, window, &trial).await?;
        let trace = stand.look(kind, &trial.title, &trial.key).await?;
        let signal = ended.and_then(|ended| ended.signal());
        if signal == Some(9) && trace == window.trace(kind) {
            shown.kills += 1;
        } else {
            shown.astray += 1;
            shown.tally.complain(window, &trial, format!("signal {signal:?} left {trace:?}"));
        }
        series.push(trial);
    }
    Ok(series)
}

/// A gateway that takes up what the series left, and is killed before it can record anything about it.
async fn die_recovering(stand: &mut Stand, shown: &mut Shown) -> anyhow::Result<()> {
    let point = shown.window.point().unwrap_or_default();
    stand.deployment.spawn(&[("COUNTERSIGN_FAULT", point)])?;
    let ended = stand.deployment.wait_end(LEASE * 2).await?;
    match ended.and_then(|ended| ended.signal()) {
        Some(9) => shown.again += 1,
        _ => shown.astray += 1,
    }
    Ok(())
}

/// One life of a gateway: it starts, is asked, and dies before it can answer. Says how it died.
async fn kill_one(stand: &mut Stand, window: Window, trial: &Trial) -> anyhow::Result<Option<ExitStatus>> {
    let asked = (trial.kind, trial.title.as_str());
    let client = stand.client.clone();
    if let Some(point) = window.point() {
        stand.deployment.launch(&[("COUNTERSIGN_FAULT", point)]).await?;
        if window == Window::InsideRollback {
            stand.linear.corrupt_next_write();
        }
        let answer = client.ask(asked, Some(&trial.key)).await;
        anyhow::ensure!(answer.is_err(), "{}: it answered {answer:?}", window.name());
        return stand.deployment.wait_end(Duration::from_secs(10)).await;
    }
    stand.deployment.launch(&[]).await?;
    let done = Arc::new(Notify::new());
    match trial.kind {
        Kind::Once => {
            stand.github.on_next_effect(done.clone());
            stand.github.hang();
        }
        Kind::Checkable => {
            stand.linear.on_next_effect(done.clone());
            stand.linear.hang();
        }
        Kind::Read => stand.linear.hang(),
    }
    let (answer, ended) = tokio::join!(client.ask(asked, Some(&trial.key)), async {
        reached(stand, trial, &done).await?;
        stand.deployment.kill()
    });
    anyhow::ensure!(answer.is_err(), "{}: it answered {answer:?}", window.name());
    ended
}

/// Waits until the target has done it; a read is done when it has arrived.
async fn reached(stand: &Stand, trial: &Trial, done: &Notify) -> anyhow::Result<()> {
    if trial.kind != Kind::Read {
        return Ok(tokio::time::timeout(Duration::from_secs(3), done.notified()).await?);
    }
    for _ in 0..600 {
        if stand.sent(trial.kind, &trial.title) > 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    anyhow::bail!("a read never reached the target")
}

/// What is not as every org must be after anything: executing, or terminal without its one receipt.
async fn stuck(stand: &mut Stand) -> anyhow::Result<i64> {
    let query = "SELECT count(*) FROM invocations i WHERE i.status = 'executing'
                 OR (SELECT count(*) FROM receipts r WHERE r.invocation_id = i.id) <> 1";
    Ok(sqlx::query_scalar(query).fetch_one(&mut stand.sql).await?)
}

#[expect(clippy::print_stdout, reason = "the table for people goes to standard output")]
fn print(shown: &[Shown]) {
    println!(
        "\n{:<38} {:<10} {:>5} {:>8} {:>10} {:>8} {:>9}",
        "killed", "kind", "count", "effects", "succeeded", "unknown", "reverted"
    );
    for one in shown {
        for kind in one.window.kinds() {
            let ended = |status: &str| one.tally.ends.get(&(*kind, status.to_owned())).copied().unwrap_or(0);
            let count: u64 =
                one.tally.ends.iter().filter(|((of, _), _)| of == kind).map(|(_, count)| count).sum();
            println!(
                "{:<38} {:<10} {:>5} {:>8} {:>10} {:>8} {:>9}",
                one.window.name(),
                kind.as_str(),
                count,
                one.tally.effects.get(kind).copied().unwrap_or(0),
                ended("succeeded"),
                ended("unknown"),
                ended("reverted"),
            );
        }
    }
}

fn finding(shown: &[Shown], (size, control): (Size, u64), took: Duration) -> Finding {
    let sum = |of: fn(&Tally) -> u64| shown.iter().map(|one| of(&one.tally)).sum::<u64>();
    let (doubled, lost, wrong) = (sum(|t| t.doubled), sum(|t| t.lost), sum(|t| t.wrong));
    let kills: usize = shown.iter().map(|one| one.kills).sum();
    let of_the_bar = shown.iter().filter(|one| one.window != Window::AgainInRecovery);
    let least = of_the_bar.map(|one| one.kills).min().unwrap_or(0);
    let astray: usize = shown.iter().map(|one| one.astray).sum();
    let again: usize = shown.iter().map(|one| one.again).sum();
    let stuck: i64 = shown.iter().map(|one| one.stuck).sum();
    let succeeded: u64 = (shown.iter().flat_map(|one| &one.tally.ends))
        .filter(|((_, status), _)| status == "succeeded")
        .map(|(_, count)| count)
        .sum();
    let complaints: Vec<&String> = shown.iter().flat_map(|one| &one.tally.complaints).collect();
    // Every window was really struck, every kill was judged, and it did not all merely fail.
    let struck =
        shown.iter().all(|one| one.kills == wanted(one.window, size) && one.tally.judged == one.kills as u64);
    let lively = succeeded * 2 > sum(|t| t.judged);
    let bad = doubled + lost + wrong + astray as u64 + stuck.unsigned_abs();
    // Known only of what did not fail.
    let bound = |trials: usize| (bad == 0 && trials > 0).then(|| (3.0e5 / trials as f64).round() / 1e5);
    Finding {
        bar: "F1".to_owned(),
        figure: bad as f64,
        unit: format!("of {kills} kills with anything doubled, lost, stuck or ended wrongly"),
        pass: bad == 0 && struck && lively && again > 0 && control == 2,
        details: vec![
            ("kills in the intended window, each".to_owned(), json!(wanted(Window::BeforeRecord, size))),
            ("killed again while recovering".to_owned(), json!(again)),
            ("doubled".to_owned(), json!(doubled)),
            ("lost".to_owned(), json!(lost)),
            ("ended otherwise than it must".to_owned(), json!(wrong)),
            ("stuck, or without exactly one receipt".to_owned(), json!(stuck)),
            ("kills outside their window".to_owned(), json!(astray)),
            ("rate in each window, below (95 %)".to_owned(), json!(bound(least))),
            ("rate over all windows, below (95 %)".to_owned(), json!(bound(kills))),
            ("told `under way` while it was recovered".to_owned(), json!(sum(|t| t.under_way))),
            ("control: effects when retried without a key".to_owned(), json!(control)),
            ("seconds".to_owned(), json!(took.as_secs())),
            ("windows".to_owned(), windows(shown)),
            ("complaints".to_owned(), json!(complaints)),
        ],
    }
}

fn windows(shown: &[Shown]) -> Value {
    let one = |one: &Shown| {
        let ends: serde_json::Map<_, _> = (one.tally.ends.iter())
            .map(|((kind, status), count)| (format!("{} {status}", kind.as_str()), json!(count)))
            .collect();
        json!({ "window": one.window.name(), "kills": one.kills, "ends": ends, "seconds": one.seconds.round() })
    };
    shown.iter().map(one).collect()
}
