//! Attacks that need a real process: `abuse [--size ci|full] 15`. `abuse/run` starts what it needs.

mod canary;
mod hostile;
mod leaks;
mod places;
mod search;

use std::process::ExitCode;

use testkit::{Report, Size};

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (size, names) = Size::from_arguments()?;
    let mut report = Report::new(size);
    for name in if names.is_empty() { vec!["15".to_owned()] } else { names } {
        match name.as_str() {
            "15" => report.add(leaks::run(size).await?),
            _ => anyhow::bail!("unknown attack `{name}`; there is 15"),
        }
    }
    Ok(report.finish())
}
