//! F1 for approved invocations: `kill -9` of the worker that performs one in each of six windows and inside a batch,
//! and of the gateway between the approval and notifying the engine.

use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus, time::Duration};

use futures::future::join_all;
use platform::config::variable;
use testkit::{Finding, Size, Worker};
use tokio::time::Instant;

use crate::{
    kills::findings::{Shown, finding, print},
    kills::gateway::{reached, withhold_answer},
    kills::judge::{Trial, ask_again},
    kills::windows::Window,
    setup::{Setup, Stand},
};

/// Windows that leave no lease to wait for; in this order, because what the last one leaves is resubmitted only after a
/// while.
const WITHOUT_LEASE: [Window; 3] = [Window::BeforeTelling, Window::BeforeRecord, Window::BeforeSubmission];
/// Windows that leave a lease.
const WITH_LEASE: [Window; 4] =
    [Window::BeforeSending, Window::BeforeAnswer, Window::BeforeCommit, Window::InsideRollback];
/// Windows that leave a longer lease: the lease of a batch covers all its parts together.
const WITH_LONG_LEASE: [Window; 1] = [Window::InsideBatch];
/// How many kills happen before the survivors are recovered and judged.
const SERIES: usize = 20;

/// Runs all windows, on three deployments at once.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (started, kills) = (Instant::now(), wanted(size));
    let (mut shown, leased, batches) = futures::try_join!(
        Box::pin(trials(&WITHOUT_LEASE, kills)),
        Box::pin(trials(&WITH_LEASE, kills)),
        Box::pin(trials(&WITH_LONG_LEASE, kills))
    )?;
    shown.extend(leased.into_iter().chain(batches));
    shown.sort_by_key(|one| one.window.name());
    print("worker killed", &shown);
    Ok(finding(("F1-worker", "worker"), &shown, |_| kills, started.elapsed()))
}

/// How often a worker is killed in each window; `CHAOS_KILLS` overrides it.
fn wanted(size: Size) -> usize {
    let told = variable("CHAOS_KILLS").and_then(|told| told.parse().ok());
    told.unwrap_or_else(|| size.pick(4, 100))
}

async fn trials(windows: &[Window], wanted: usize) -> anyhow::Result<Vec<Shown>> {
    let mut stand = Stand::set_up(Setup::approved()).await?;
    let mut worker = stand.deployment.worker()?;
    let keys = stand.keys().await?;
    let mut shown: Vec<Shown> = windows.iter().copied().map(Shown::of).collect();
    let mut next =
        windows.iter().flat_map(|window| (0..wanted).map(move |number| (*window, number))).peekable();
    while next.peek().is_some() {
        let (started, mut series) = (Instant::now(), Vec::new());
        for (window, number) in next.by_ref().take(SERIES) {
            let at = shown.iter_mut().find(|one| one.window == window);
            let Some(at) = at else { continue };
            series.push((window, kill_and_look(&mut stand, &mut worker, at, number).await?));
        }
        if stand.deployment.has_died()? {
            stand.deployment.launch(&[]).await?;
        }
        stand.end_leases().await?;
        worker.launch(&[]).await?;
        let client = stand.client.clone();
        let told = join_all(series.iter().map(|(_, trial)| ask_again(&client, trial))).await;
        for ((window, trial), told) in series.iter().zip(&told) {
            if let Some(at) = shown.iter_mut().find(|one| one.window == *window) {
                at.tally.judge(&mut stand, *window, (trial, told), &keys).await?;
                at.seconds += started.elapsed().as_secs_f64() / series.len() as f64;
            }
        }
        worker.program.kill()?;
    }
    if let Some(last) = shown.last_mut() {
        last.stuck = stand.stuck().await?;
        stand.deployment.kill()?;
        last.left = stand.notes.left_running().await;
    }
    Ok(shown)
}

/// One life of a worker, with one invocation in the window; and the check of the state right after it.
async fn kill_and_look(
    stand: &mut Stand,
    worker: &mut Worker,
    shown: &mut Shown,
    number: usize,
) -> anyhow::Result<Trial> {
    let (window, kinds) = (shown.window, shown.window.kinds());
    let kind = kinds[number % kinds.len()];
    let title =
        format!("worker-{}-{}-{number:04}-end", window.name().replace([' ', ','], "-"), kind.as_str());
    let trial = Trial { kind, key: format!("key-{title}"), title };
    let ended = kill_one(stand, worker, window, &trial).await?;
    stand.extend_leases().await?;
    let trace = stand.look(kind, &trial.title, &trial.key).await?;
    let signal = ended.and_then(|ended| ended.signal());
    if signal == Some(9) && trace == window.trace_of_approved(kind) {
        shown.kills += 1;
    } else {
        shown.astray += 1;
        shown.tally.complain(window, &trial, format!("signal {signal:?} left {trace:?}"));
    }
    if window == Window::BeforeRecord {
        // The engine hands the invocation over again at once, and the next worker that is to die must not get it.
        worker.launch(&[]).await?;
        ask_again(&stand.client, &trial).await;
        worker.program.kill()?;
    }
    Ok(trial)
}

async fn kill_one(
    stand: &mut Stand,
    worker: &mut Worker,
    window: Window,
    trial: &Trial,
) -> anyhow::Result<Option<ExitStatus>> {
    let patience = Duration::from_secs(60);
    if window == Window::BeforeSubmission {
        stand.deployment.kill()?;
        stand.deployment.launch(&[("COUNTERSIGN_FAULT", "before-submit")]).await?;
    }
    let waiting = stand.client.propose((trial.kind, &trial.title), Some(&trial.key)).await?;
    if window == Window::BeforeSubmission {
        let answer = stand.owner.approve(&waiting, "0s").await;
        anyhow::ensure!(answer.is_err(), "{}: it answered {answer:?}", window.name());
        return stand.deployment.wait_end(patience).await;
    }
    let fault = window.point().map(|point| ("COUNTERSIGN_FAULT", point));
    worker.launch(fault.as_slice()).await?;
    if window == Window::InsideRollback {
        stand.linear.corrupt_next_write();
    }
    let withheld = fault.is_none().then(|| withhold_answer(stand, trial.kind));
    let (status, answer) = stand.owner.approve(&waiting, "0s").await?;
    anyhow::ensure!(status == 200 || status == 202, "a yes was answered with {status}: {answer}");
    match withheld {
        None => worker.program.wait_end(patience).await,
        Some(done) => {
            reached(stand, trial, &done).await?;
            worker.program.kill()
        }
    }
}
