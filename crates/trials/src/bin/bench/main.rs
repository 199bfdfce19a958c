//! Speed, as ratios of two things measured in the same run. See `bench/README.md`.

#![expect(clippy::print_stdout, reason = "a trial tells people how far it is")]

mod added_latency;
mod allowed_action;
mod backtest_time;
mod event_delivery;
mod event_matching;
mod idle_schedules;
mod inbox_page;
mod large_catalog;
mod ledger_cost;
mod load;
mod mcp_call;
mod mcp_client;
mod peer_gateway;
mod pgbench;
mod policy_costs;
mod runs_of_three_steps;
mod verify_receipts;

use std::process::ExitCode;

use testkit::{Report, Size};

const BARS: [&str; 13] =
    ["S1", "S2", "S3", "S5", "S6", "S7", "S10", "inbox", "events", "idle", "ledger", "policies", "backtest"];

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (size, names) = Size::from_arguments()?;
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut report = Report::new(size);
    for name in &names {
        anyhow::ensure!(BARS.contains(&name.as_str()), "no bar `{name}`; there are {}", BARS.join(", "));
    }
    if wanted("S1") || wanted("S2") {
        let throughput = allowed_action::run(size).await?;
        let half = throughput.ours_per_s / 2.0;
        if wanted("S1") {
            report.add(throughput.finding());
        }
        if wanted("S2") {
            report.add(added_latency::run(size, half).await?);
        }
    }
    if wanted("S3") {
        report.add(runs_of_three_steps::run(size).await?);
    }
    if wanted("S5") {
        mcp_call::run(size).await?.into_iter().for_each(|finding| report.add(finding));
    }
    if wanted("S6") {
        report.add(event_matching::run(size)?);
    }
    if wanted("S7") {
        report.add(large_catalog::run(size).await?);
    }
    if wanted("S10") {
        report.add(verify_receipts::run(size)?);
    }
    if wanted("ledger") {
        report.add(ledger_cost::run(size).await?);
    }
    if wanted("inbox") {
        report.add(inbox_page::run(size).await?);
    }
    if wanted("events") {
        report.add(event_delivery::run(size).await?);
    }
    if wanted("policies") {
        report.add(policy_costs::run(size).await?);
    }
    if wanted("backtest") {
        report.add(backtest_time::run(size).await?);
    }
    if wanted("idle") {
        report.add(idle_schedules::run(size).await?);
    }
    Ok(report.finish())
}
