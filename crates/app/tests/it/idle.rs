//! The cost of an idle process. Many processes may share one database.

use std::time::Duration;

use testkit::{Counters, Counts, Deployment, Options};

const BINARY: &str = env!("CARGO_BIN_EXE_countersign");
/// How long is counted. Tasks with a longer interval are not in the numbers.
const WINDOW: Duration = Duration::from_secs(20);
const A_MINUTE: u64 = 60 / WINDOW.as_secs();

/// The maximum per minute. The same numbers are in docs/results/speed.md. They may only fall. Redis is
/// told once that the ledger has grown since the start.
const TABLE: [(&str, Counts); 2] = [
    ("idle gateway, per minute", Counts { messages: 1_860, commits: 870, redis: 9, engine: 0 }),
    ("idle worker, per minute", Counts { messages: 1_860, commits: 870, redis: 9, engine: 0 }),
];

async fn holds(counters: &Counters, work: &str) -> anyhow::Result<()> {
    let (_, allowed) = TABLE.iter().find(|(name, _)| *name == work).expect("the work is in the table");
    // The first seconds contain the work of the start.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let before = counters.now().await?;
    tokio::time::sleep(WINDOW).await;
    let Counts { messages, commits, redis, engine } = counters.now().await? - before;
    let [messages, commits, redis, engine] = [messages, commits, redis, engine].map(|count| count * A_MINUTE);
    let cost = Counts { messages, commits, redis, engine };
    assert!(cost.is_within(allowed), "{work} costs more than {allowed:?}: {cost:?}");
    Ok(())
}

// The relay must keep running while a command of the program is awaited.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_process_costs_no_more_than_before() -> anyhow::Result<()> {
    let counters = Counters::start().await?;
    // Workers register with a real engine; requests to the ingress go to the counting one.
    let env = vec![("COUNTERSIGN_RESTATE_INGRESS_URL".to_owned(), counters.servers.ingress_url.clone())];
    let servers = Some(counters.servers.clone());
    let options = Options { binary: Some(BINARY.into()), env, engine: Some(vec![]), servers };
    let mut deployment = Deployment::start(options).await?;
    holds(&counters, "idle gateway, per minute").await?;
    deployment.kill()?;
    let mut worker = deployment.worker()?;
    worker.launch(&[]).await?;
    holds(&counters, "idle worker, per minute").await
}

#[test]
fn the_table_is_in_the_docs() {
    let speed = include_str!("../../../../docs/results/speed.md");
    for (work, counts) in TABLE {
        let row = counts.row(work);
        assert!(speed.contains(&row), "docs/results/speed.md lacks: {row}");
    }
}
