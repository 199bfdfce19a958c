//! The fault trials: kill the real binary, and ask the targets what happened. Started by `chaos/run`.
//!
//! The judge is a target that counts effects by a name only the trial knows; our own tables and receipts are then
//! compared with its count. See chaos/README.md.

mod agents;
mod automation;
mod clocks;
mod concurrency;
mod engine_killed;
mod failing_targets;
mod keys;
mod kills;
mod notes;
mod one_key;
mod one_outcome;
mod postgres_restart;
mod redis_lost;
mod restored;
mod runs;
mod sequencer_killed;
mod setup;
mod shared_limits;
mod spending_caps;
mod stopped;

use std::{
    collections::VecDeque,
    pin::Pin,
    process::ExitCode,
    sync::{Mutex, PoisonError},
    thread,
    time::Instant,
};

use testkit::{Finding, Report, Size};

type Running = Pin<Box<dyn Future<Output = anyhow::Result<Finding>>>>;

/// A trial, by its name in `chaos/run`.
struct Trial {
    name: &'static str,
    run: fn(Size) -> Running,
}

macro_rules! trial {
    ($name:literal, $($module:ident)::+) => {
        Trial { name: $name, run: |size| Box::pin($($module)::+::run(size)) }
    };
}

/// The longest trials come first, so that no lane is left with one of them at the end.
const TRIALS: [Trial; 18] = [
    trial!("F5", failing_targets),
    trial!("F8", clocks),
    trial!("F1", kills::gateway),
    trial!("runs", runs),
    trial!("agents", agents),
    trial!("F1-worker", kills::worker),
    trial!("F6", one_outcome),
    trial!("ledger", sequencer_killed),
    trial!("S9", shared_limits),
    trial!("F9", restored),
    trial!("F10", stopped),
    trial!("keys", keys),
    trial!("caps", spending_caps),
    trial!("F2", engine_killed),
    trial!("policies", concurrency),
    trial!("F3", postgres_restart),
    trial!("F4", redis_lost),
    trial!("F7", one_key),
];

/// How many trials run at once. They spend most of their time waiting: for leases, for slow targets, for the next
/// minute.
const LANES: usize = 3;

fn main() -> anyhow::Result<ExitCode> {
    let (size, names) = Size::from_arguments()?;
    if let Some(unknown) = names.iter().find(|name| !TRIALS.iter().any(|trial| trial.name == name.as_str())) {
        let known: Vec<_> = TRIALS.iter().map(|trial| trial.name).collect();
        anyhow::bail!("unknown trial `{unknown}`; choose from {}", known.join(", "));
    }
    let wanted = |trial: &Trial| names.is_empty() || names.iter().any(|name| name == trial.name);
    let waiting: Mutex<VecDeque<Trial>> = Mutex::new(TRIALS.into_iter().filter(wanted).collect());
    let report = Mutex::new(Report::new(size));
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(|| work(&waiting, &report, size))).collect();
        lanes
            .into_iter()
            .try_for_each(|lane| lane.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(report.into_inner().unwrap_or_else(PoisonError::into_inner).finish())
}

/// Runs one trial after another until none is left. Each has its own runtime: starting and deleting servers blocks its
/// thread, and must not block the clients of another trial.
fn work(waiting: &Mutex<VecDeque<Trial>>, report: &Mutex<Report>, size: Size) -> anyhow::Result<()> {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(trial) = next else { return Ok(()) };
        let begun = Instant::now();
        let mut finding = tokio::runtime::Runtime::new()?.block_on((trial.run)(size))?;
        finding.details.retain(|(name, _)| name != "seconds");
        finding.details.push(("seconds".to_owned(), begun.elapsed().as_secs().into()));
        report.lock().unwrap_or_else(PoisonError::into_inner).add(finding);
    }
}
