//! The fault trials: kills the real binary, and asks the targets what happened. Started by `chaos/run`.
//!
//! The judge is a target that counts effects by a name only the trial knows; our own tables and receipts are then held
//! against its count. See chaos/README.md.

mod f1;
mod f1_worker;
mod f2;
mod f3;
mod f4;
mod f5;
mod f6;
mod f7;
mod f8;
mod f8_clocks;
mod f8_days;
mod havoc;
mod judge;
mod ledger;
mod policies;
mod runs;
mod runs_judge;
mod s9;
mod saved;
mod shown;
mod stand;
mod window;

use std::process::ExitCode;

use testkit::{Report, Size};

const TRIALS: [&str; 13] =
    ["F1", "F1-worker", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "S9", "runs", "policies", "ledger"];

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (size, names) = Size::from_arguments()?;
    if let Some(unknown) = names.iter().find(|name| !TRIALS.contains(&name.as_str())) {
        anyhow::bail!("no trial `{unknown}`; there are {}", TRIALS.join(", "));
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut report = Report::new(size);
    // These wait most of their time, for slow targets and for the next minute, so they do that beside the others; on a
    // thread of their own, for to start and to delete what a trial needs holds its thread up.
    let (f5, f8) = (wanted("F5"), wanted("F8"));
    let slow = tokio::task::spawn_blocking(move || {
        tokio::runtime::Runtime::new()?.block_on(async {
            let mut found = Vec::new();
            if f5 {
                found.push(f5::run(size).await?);
            }
            if f8 {
                found.push(f8::run(size).await?);
            }
            anyhow::Ok(found)
        })
    });
    let slow = async { slow.await? };
    let others = async {
        if wanted("F1") {
            report.add(f1::run(size).await?);
        }
        if wanted("F1") || wanted("F1-worker") {
            report.add(f1_worker::run(size).await?);
        }
        if wanted("F2") {
            report.add(f2::run(size).await?);
        }
        if wanted("F3") {
            report.add(f3::run(size).await?);
        }
        if wanted("F4") {
            report.add(f4::run(size).await?);
        }
        if wanted("F6") {
            report.add(f6::run(size).await?);
        }
        if wanted("F7") {
            report.add(f7::run(size).await?);
        }
        if wanted("S9") {
            report.add(s9::run(size).await?);
        }
        if wanted("runs") {
            report.add(runs::run(size).await?);
        }
        if wanted("policies") {
            report.add(policies::run(size).await?);
        }
        if wanted("ledger") {
            report.add(ledger::run(size).await?);
        }
        Ok::<_, anyhow::Error>(())
    };
    let (slow, ()) = futures::try_join!(slow, others)?;
    for finding in slow {
        report.add(finding);
    }
    Ok(report.finish())
}
