//! F1: `kill -9` of the gateway in each of six windows. Nothing is lost, nothing is doubled.

use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus, sync::Arc, time::Duration};

use futures::future::{join_all, try_join_all};
use platform::config::variable;
use serde_json::json;
use testkit::{Finding, Size};
use tokio::{sync::Notify, time::Instant};

use crate::{
    kills::findings::{Shown, finding, print},
    kills::judge::{Trial, ask_again},
    kills::windows::{Kind, Window},
    setup::{LEASE, Stand},
};

/// How many kills happen before the survivors are recovered and judged.
const SERIES: usize = 20;

/// Runs all windows, each with its own gateway and database.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let started = Instant::now();
    let shown = try_join_all(Window::ALL.map(|window| trials(window, wanted(window, size))));
    let (shown, control) = futures::try_join!(shown, control())?;
    print("gateway killed", &shown);
    let again: usize = shown.iter().map(|one| one.again).sum();
    let wanted = |window| wanted(window, size);
    let mut finding = finding(("F1", "gateway"), &shown, wanted, started.elapsed());
    finding.pass &= again > 0 && control == 2;
    finding.details.push(("killed again while recovering".to_owned(), json!(again)));
    finding.details.push(("control: effects when retried without a key".to_owned(), json!(control)));
    Ok(finding)
}

/// How often a gateway is killed in a window; `CHAOS_KILLS` overrides it. Killing it twice needs two leases each time,
/// and is beyond the bar, so that is done a fifth as often.
fn wanted(window: Window, size: Size) -> usize {
    let told = variable("CHAOS_KILLS").and_then(|told| told.parse().ok());
    let kills = told.unwrap_or_else(|| size.pick(8, 500));
    if window == Window::AgainInRecovery { (kills / 5).max(6) } else { kills }
}

/// The same kill, and a client that retries without its key: the target must count two effects, or its count is
/// worthless.
async fn control() -> anyhow::Result<u64> {
    let mut stand = Stand::start().await?;
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
    let mut stand = Stand::start().await?;
    let keys = stand.keys().await?;
    stand.deployment.kill()?;
    let mut shown = Shown::of(window);
    let mut number = 0;
    // This ends whatever goes wrong: each iteration kills at least once.
    while number < wanted {
        let series = series(&mut stand, &mut shown, number..wanted.min(number + SERIES)).await?;
        number += series.len();
        stand.end_leases().await?;
        if window == Window::AgainInRecovery {
            die_recovering(&mut stand, &mut shown).await?;
            stand.end_leases().await?;
        }
        stand.deployment.launch(&[]).await?;
        let client = stand.client.clone();
        let told = join_all(series.iter().map(|trial| ask_again(&client, trial))).await;
        for judged in series.iter().zip(&told) {
            shown.tally.judge(&mut stand, window, judged, &keys).await?;
        }
        stand.deployment.kill()?;
    }
    shown.stuck = stand.stuck().await?;
    shown.left = stand.notes.left_running().await;
    shown.seconds = started.elapsed().as_secs_f64();
    Ok(shown)
}

/// Kills one gateway after another, each with one invocation in the window.
async fn series(
    stand: &mut Stand,
    shown: &mut Shown,
    numbers: std::ops::Range<usize>,
) -> anyhow::Result<Vec<Trial>> {
    let window = shown.window;
    let mut series = Vec::new();
    for number in numbers {
        let kinds = window.kinds();
        let kind = kinds[number % kinds.len()];
        let title = format!("{}-{}-{number:04}-end", window.name().replace([' ', ','], "-"), kind.as_str());
        let trial = Trial { kind, key: format!("key-{title}"), title };
        let ended = kill_one(stand, window, &trial).await?;
        stand.extend_leases().await?;
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

/// Starts a gateway that recovers what the series left, and is killed before it can record anything about it.
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

/// One life of a gateway: it starts, gets a request, and dies before it can answer. Returns how it died.
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
        return stand.deployment.wait_end(Duration::from_secs(60)).await;
    }
    stand.deployment.launch(&[]).await?;
    let done = withhold_answer(stand, trial.kind);
    let (answer, ended) = tokio::join!(client.ask(asked, Some(&trial.key)), async {
        reached(stand, trial, &done).await?;
        stand.deployment.kill()
    });
    anyhow::ensure!(answer.is_err(), "{}: it answered {answer:?}", window.name());
    ended
}

/// Makes the target perform the next request without ever answering; notifies when it is performed.
pub(crate) fn withhold_answer(stand: &Stand, kind: Kind) -> Arc<Notify> {
    let done = Arc::new(Notify::new());
    match kind {
        Kind::Once => {
            stand.github.on_next_effect(done.clone());
            stand.github.hang();
        }
        Kind::Checkable | Kind::Batch => {
            stand.linear.on_next_effect(done.clone());
            stand.linear.hang();
        }
        Kind::Command => stand.notes.hold(),
        Kind::Read => stand.linear.hang(),
    }
    done
}

/// Waits until the target has performed the request; a read, or a call of a command, when it has arrived.
pub(crate) async fn reached(stand: &Stand, trial: &Trial, done: &Notify) -> anyhow::Result<()> {
    if !matches!(trial.kind, Kind::Read | Kind::Command) {
        return Ok(tokio::time::timeout(Duration::from_secs(20), done.notified()).await?);
    }
    for _ in 0..4_000 {
        if stand.sent(trial.kind, &trial.title) > 0 {
            stand.notes.let_go();
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    anyhow::bail!("a request never reached the target")
}
