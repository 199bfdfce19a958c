//! Programs that are given up at any moment, from right after the launcher was started.

use std::io::Write as _;
use std::time::{Duration, Instant};

use super::{
    fixture::{Tally, say},
    outlive::{end, processes_of},
    scene::Scene,
};

const RUNS: u64 = 200;
const AT_ONCE: u64 = 8;
/// It cannot be ended by its children, its parent or a signal of its own.
const PROGRAM: &str = "\
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
if os.fork() == 0: os.setsid()
while True: time.sleep(600)";

#[tokio::test]
async fn nothing_is_left_of_runs_that_were_aborted() {
    let scene = Scene::new();
    let mut tally = Tally::default();
    let mut runs = tokio::task::JoinSet::new();
    let mut slowest = Duration::ZERO;
    for run in 0..RUNS {
        // Any spread of moments will do, as long as it is the same each time.
        let chance =
            run.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33;
        let cage = scene.cage(PROGRAM);
        runs.spawn(abort(cage, chance));
        if run % AT_ONCE == AT_ONCE - 1 {
            while runs.join_next().await.is_some() {}
            let since = Instant::now();
            while !processes_of(&scene).is_empty() && since.elapsed() < Duration::from_secs(3) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            slowest = slowest.max(since.elapsed());
            let left = end(&scene).await;
            for orphan in 0..AT_ONCE {
                tally.tried(&format!("- one of the runs up to {run} left a process"), orphan < left as u64);
            }
        }
    }
    // A process may have been between fork and exec when it was looked for.
    tokio::time::sleep(Duration::from_millis(500)).await;
    tally.tried("- a process was left at the end", end(&scene).await > 0);
    say!(
        "from the end of {AT_ONCE} aborted runs until no process was left: at most {} ms",
        slowest.as_millis()
    );
    tally.report("aborted runs");
}

/// Starts a program and gives it up after a moment: in either order, before or after the launcher answered.
async fn abort(cage: crate::cage::Cage, chance: u64) {
    let Ok((mut child, sandbox)) = cage.spawn() else { return };
    let moment = Duration::from_micros((chance >> 4) % 60_000);
    match chance % 5 {
        0 => drop((child, sandbox)),
        1 => {
            tokio::time::sleep(moment).await;
            drop(sandbox);
            drop(child);
        }
        2 => {
            // The launcher is killed while the starter holds on for a while.
            tokio::time::sleep(moment).await;
            let _ = child.start_kill();
            tokio::time::sleep(Duration::from_millis(100)).await;
            drop(sandbox);
        }
        3 => {
            let started = tokio::task::spawn_blocking(|| sandbox.wait()).await;
            tokio::time::sleep(moment / 4).await;
            drop(child);
            drop(started);
        }
        _ => {
            let started = tokio::task::spawn_blocking(|| sandbox.wait()).await;
            tokio::time::sleep(moment / 4).await;
            drop(started);
            let _ = tokio::time::timeout(Duration::from_secs(60), child.wait()).await;
        }
    }
}
