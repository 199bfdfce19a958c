//! The bare side: PostgreSQL's own `pgbench` with the scripts beside `bench/run`.

use std::{path::PathBuf, process::Command};

use anyhow::Context as _;
use platform::config::variable;
use sqlx::{AssertSqlSafe, Executor as _};
use testkit::TestDb;

/// The measurements of a run of `pgbench`.
#[derive(Debug, Clone)]
pub(crate) struct Bare {
    pub(crate) per_s: f64,
    /// The latency of every transaction in milliseconds, sorted.
    pub(crate) latencies_ms: Vec<f64>,
}

/// The repository's `bench/` directory, which `bench/run` sets.
fn directory() -> PathBuf {
    variable("COUNTERSIGN_BENCH_DIR").map_or_else(|| PathBuf::from("bench"), PathBuf::from)
}

/// Creates the tables of the bare side in a database.
pub(crate) async fn prepare(db: &TestDb) -> anyhow::Result<()> {
    let schema =
        std::fs::read_to_string(directory().join("schema.sql")).context("reading bench/schema.sql")?;
    db.owner().await?.execute(AssertSqlSafe(schema)).await?;
    Ok(())
}

/// Runs a script with `clients` clients for `seconds` seconds.
pub(crate) fn run(db: &TestDb, script: &str, clients: usize, seconds: usize) -> anyhow::Result<Bare> {
    let scratch = std::env::temp_dir().join(format!("pgbench-{}", db.name));
    std::fs::create_dir_all(&scratch)?;
    let program = variable("PGBENCH").unwrap_or_else(|| "pgbench".to_owned());
    let script = directory().join(script).canonicalize().context("finding the script")?;
    let output = Command::new(program)
        .current_dir(&scratch)
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--log", "--log-prefix=lat"])
        .arg(format!("--client={clients}"))
        .arg(format!("--time={seconds}"))
        .arg(format!("--file={}", script.display()))
        .arg(db.owner_url())
        .output()
        .context("running pgbench")?;
    anyhow::ensure!(output.status.success(), "pgbench: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    let tps = said.lines().find_map(|line| line.strip_prefix("tps = ")).context("pgbench told no tps")?;
    let per_s = tps.split_whitespace().next().unwrap_or_default().parse()?;
    let latencies_ms = latencies(&scratch)?;
    std::fs::remove_dir_all(&scratch)?;
    Ok(Bare { per_s, latencies_ms })
}

fn latencies(scratch: &std::path::Path) -> anyhow::Result<Vec<f64>> {
    let mut all = Vec::new();
    for file in std::fs::read_dir(scratch)? {
        // The third field of a line is the latency of the transaction in microseconds.
        let text = std::fs::read_to_string(file?.path())?;
        let micros = text.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<f64>().ok());
        all.extend(micros.map(|micros| micros / 1_000.0));
    }
    all.sort_by(f64::total_cmp);
    Ok(all)
}
