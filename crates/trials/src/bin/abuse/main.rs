//! Attacks that need a real process: `abuse [--size ci|full] [5] [15]`. `abuse/run` starts the servers they need.

mod canary;
mod canary_search;
mod echoing_target;
mod leaks;
mod slow_target;
mod storage;
mod unguarded_call;

use std::process::ExitCode;

use testkit::{Report, Size};

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (size, names) = Size::from_arguments()?;
    let mut report = Report::new(size);
    for name in if names.is_empty() { vec!["5".to_owned(), "15".to_owned()] } else { names } {
        match name.as_str() {
            "5" => report.add(slow_target::run(size).await?),
            "15" => report.add(leaks::run(size).await?),
            _ => anyhow::bail!("unknown attack `{name}`; there are 5 and 15"),
        }
    }
    Ok(report.finish())
}
