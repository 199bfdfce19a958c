//! The cost of the ledger: S1's load with the sequencer running and with its row locked, alternating in one run.

use std::time::Duration;

use serde_json::json;
use sqlx::{Connection as _, PgConnection};
use testkit::{Finding, Size};

use crate::{
    allowed_action,
    load::{Pace, fire, median},
};

/// How much of the throughput must be left.
const BAR: f64 = 0.95;
/// All waiting entries must be in the log this long after the load; otherwise the sequencer did not keep up.
const CATCHES_UP: Duration = Duration::from_secs(20);

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let deployment = allowed_action::unlimited(&[]).await?;
    let shots = allowed_action::shots(&deployment).await?;
    let (rounds, seconds) = (size.pick(3, 5), size.pick(4, 20));
    let during = Duration::from_secs(u64::try_from(seconds)?);
    let pace = Pace { warm_up: Duration::from_secs(1), during, per_s: None };
    let mut owner = deployment.db.owner().await?;
    let (mut with, mut without, mut ratios, mut behind) = (vec![], vec![], vec![], 0_i64);
    for round in 1..=rounds {
        let free = fire(&shots, pace).await?;
        behind = behind.max(waiting(&mut owner).await?);
        caught_up(&mut owner).await?;
        let held = {
            // Only the sequencer waits for this lock.
            let mut tx = owner.begin().await?;
            sqlx::query("LOCK TABLE ledger_head IN EXCLUSIVE MODE").execute(&mut *tx).await?;
            let held = fire(&shots, pace).await?;
            tx.rollback().await?;
            held
        };
        caught_up(&mut owner).await?;
        anyhow::ensure!(
            free.not_ok + held.not_ok == 0,
            "answers were not 200; see {}",
            deployment.log.display()
        );
        println!("ledger round {round}: with {:.0}/s, without {:.0}/s", free.per_s, held.per_s);
        ratios.push((free.per_s / held.per_s * 1_000.0).round() / 1_000.0);
        with.push(free.per_s);
        without.push(held.per_s);
    }
    let ratio = median(with.clone()) / median(without.clone());
    Ok(Finding {
        bar: "ledger".to_owned(),
        figure: ratio,
        unit: "of S1's throughput without the sequencer".to_owned(),
        pass: ratio >= BAR,
        details: vec![
            ("bar".to_owned(), json!(BAR)),
            ("with it, invocations a second".to_owned(), json!(median(with).round())),
            ("without it".to_owned(), json!(median(without).round())),
            ("ratio of each round".to_owned(), json!(ratios)),
            ("most that waited for the log when a round ended".to_owned(), json!(behind)),
        ],
    })
}

async fn waiting(owner: &mut PgConnection) -> anyhow::Result<i64> {
    let query = "SELECT (SELECT last_value FROM ledger_positions) - position FROM ledger_head";
    Ok(sqlx::query_scalar(query).fetch_one(owner).await?)
}

async fn caught_up(owner: &mut PgConnection) -> anyhow::Result<()> {
    let until = tokio::time::Instant::now() + CATCHES_UP;
    while waiting(owner).await? > 0 {
        anyhow::ensure!(tokio::time::Instant::now() < until, "the sequencer does not catch up");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}
