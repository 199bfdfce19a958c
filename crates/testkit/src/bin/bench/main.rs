//! Speed, as ratios of two things measured in the same run. See `bench/README.md`.

#![expect(clippy::print_stdout, reason = "a trial tells people how far it is")]

mod bare;
mod events;
mod idle;
mod inbox;
mod ledger;
mod load;
mod mcp;
mod peer;
mod s1;
mod s10;
mod s2;
mod s3;
mod s5;
mod s6;
mod s7;

use std::process::ExitCode;

use testkit::{Report, Size};

const BARS: [&str; 11] = ["S1", "S2", "S3", "S5", "S6", "S7", "S10", "inbox", "events", "idle", "ledger"];

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (size, names) = Size::from_arguments()?;
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut report = Report::new(size);
    for name in &names {
        anyhow::ensure!(BARS.contains(&name.as_str()), "no bar `{name}`; there are {}", BARS.join(", "));
    }
    if wanted("S1") || wanted("S2") {
        let throughput = s1::run(size).await?;
        let half = throughput.ours_per_s / 2.0;
        if wanted("S1") {
            report.add(throughput.finding());
        }
        if wanted("S2") {
            report.add(s2::run(size, half).await?);
        }
    }
    if wanted("S3") {
        report.add(s3::run(size).await?);
    }
    if wanted("S5") {
        s5::run(size).await?.into_iter().for_each(|finding| report.add(finding));
    }
    if wanted("S6") {
        report.add(s6::run(size)?);
    }
    if wanted("S7") {
        report.add(s7::run(size).await?);
    }
    if wanted("S10") {
        report.add(s10::run(size)?);
    }
    if wanted("ledger") {
        report.add(ledger::run(size).await?);
    }
    if wanted("inbox") {
        report.add(inbox::run(size).await?);
    }
    if wanted("events") {
        report.add(events::run(size).await?);
    }
    if wanted("idle") {
        report.add(idle::run(size).await?);
    }
    Ok(report.finish())
}
