//! The fault trials: kills the real binary, and asks the targets what happened. Started by `chaos/run`.
//!
//! The judge is a target that counts effects by a name only the trial knows; our own tables and receipts are then held
//! against its count. See chaos/README.md.

mod f1;
mod f7;
mod judge;
mod stand;
mod window;

use std::process::ExitCode;

use testkit::{Report, Size};

const TRIALS: [&str; 2] = ["F1", "F7"];

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (size, names) = Size::from_arguments()?;
    if let Some(unknown) = names.iter().find(|name| !TRIALS.contains(&name.as_str())) {
        anyhow::bail!("no trial `{unknown}`; there are {}", TRIALS.join(" and "));
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut report = Report::new(size);
    if wanted("F1") {
        report.add(f1::run(size).await?);
    }
    if wanted("F7") {
        report.add(f7::run(size).await?);
    }
    Ok(report.finish())
}
