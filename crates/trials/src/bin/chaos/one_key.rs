//! F7: many clients, one idempotency key. There is one effect, and every other client is told so.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use futures::future::{join_all, try_join_all};
use serde_json::{Value, json};
use testkit::{Finding, Size};
use tokio::time::Instant;

use crate::{
    kills::windows::Kind,
    setup::{BUSY, Client, Setup, Stand, UNHURRIED},
};

const CLIENTS: usize = 100;
/// Requests without a key, to show that the target counts.
const CONTROL: usize = 20;
/// How long the target takes, so that other requests come while it is in progress, on a busy machine too.
const TARGET: Duration = Duration::from_secs(5);
const KEY: &str = "one-key-for-all";

/// All answers, by status and code.
#[derive(Default)]
struct Answers {
    by_code: BTreeMap<String, u64>,
    /// The invocations and receipts that the answers named.
    same: BTreeSet<(String, String)>,
    /// How often a gateway answered that it is too busy; these clients ask again.
    busy: u64,
}

impl Answers {
    fn add(&mut self, more: Self) {
        for (code, count) in more.by_code {
            *self.by_code.entry(code).or_default() += count;
        }
        self.same.extend(more.same);
        self.busy += more.busy;
    }
}

/// Runs the trial and its control.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let requests = size.pick(1_000, 10_000);
    let mut stand = Stand::set_up(Setup { env: vec![UNHURRIED], ..Setup::default() }).await?;
    let started = Instant::now();
    stand.github.delay_next(TARGET);
    // The first half ends when the first request is answered, so the second half meets a known result.
    let mut answers = storm(&stand.client, requests / CLIENTS / 2).await?;
    answers.add(storm(&stand.client, requests / CLIENTS / 2).await?);
    let took = started.elapsed();
    let effects = stand.github.count_effect("one effect");
    let records: (i64, i64) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM invocations WHERE idempotency_key = $1), (SELECT count(*) FROM receipts)",
    )
    .bind(KEY)
    .fetch_one(&mut stand.sql)
    .await?;
    let reused = reuse(&stand).await?;
    let control = control(&stand).await?;

    let count = |code: &str| answers.by_code.get(code).copied().unwrap_or(0);
    let (under_way, same) = (count("409 idempotency_key_under_way"), count("200"));
    let accounted = under_way + same == requests as u64 && under_way > 0 && same > 0;
    // If the gateway was too busy for most requests, the trial does not count.
    let accounted = accounted && answers.busy < requests as u64;
    let one_answer = answers.same.len() == 1;
    let pass = effects == 1
        && accounted
        && one_answer
        && records == (1, 1)
        && reused == (10, 0)
        && control == CONTROL as u64;
    Ok(Finding {
        bar: "F7".to_owned(),
        figure: effects as f64,
        unit: format!("effects of {requests} requests by {CLIENTS} clients with one key"),
        pass,
        details: vec![
            ("answers".to_owned(), json!(answers.by_code)),
            ("told that it is too busy, and asked again".to_owned(), json!(answers.busy)),
            ("different results among them".to_owned(), json!(answers.same.len())),
            ("records, receipts".to_owned(), json!([records.0, records.1])),
            ("same key, other parameters: refused, effects".to_owned(), json!([reused.0, reused.1])),
            (format!("control: effects of {CONTROL} without a key"), json!(control)),
            ("seconds".to_owned(), json!((took.as_secs_f64() * 10.0).round() / 10.0)),
        ],
    })
}

/// All clients at once, each repeating the request with the same key.
async fn storm(client: &Client, each: usize) -> anyhow::Result<Answers> {
    let busy = AtomicU64::new(0);
    let clients = (0..CLIENTS).map(|_| async {
        let mut answers = Vec::with_capacity(each);
        let begun = Instant::now();
        while answers.len() < each {
            match client.ask((Kind::Once, "one effect"), Some(KEY)).await? {
                // A gateway that is too busy has not answered yet.
                (503, _) if begun.elapsed() < BUSY => {
                    busy.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
                answer => answers.push(answer),
            }
        }
        Ok::<_, anyhow::Error>(answers)
    });
    let mut all = Answers::default();
    for (code, body) in try_join_all(clients).await?.into_iter().flatten() {
        let problem = body["code"].as_str().map(|problem| format!(" {problem}")).unwrap_or_default();
        *all.by_code.entry(format!("{code}{problem}")).or_default() += 1;
        if code == 200 {
            all.same.insert((text(&body["id"]), text(&body["receipt"])));
        }
    }
    all.busy = busy.into_inner();
    Ok(all)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The same key for another request: how many of ten were refused for that reason, and the effects they had.
async fn reuse(stand: &Stand) -> anyhow::Result<(usize, u64)> {
    let answers = (0..10).map(|_| stand.client.ask((Kind::Once, "something else"), Some(KEY)));
    let answers = try_join_all(answers).await?;
    let refused = answers
        .iter()
        .filter(|(code, body)| *code == 422 && body["code"] == "idempotency_key_reused")
        .count();
    Ok((refused, stand.github.count_effect("something else")))
}

/// The same request without a key, several times at once: each must have its own effect.
async fn control(stand: &Stand) -> anyhow::Result<u64> {
    let answers = join_all((0..CONTROL).map(|_| stand.client.ask((Kind::Once, "without a key"), None))).await;
    let succeeded = answers.iter().filter(|answer| matches!(answer, Ok((200, _)))).count();
    anyhow::ensure!(succeeded == CONTROL, "{succeeded} of {CONTROL} requests without a key succeeded");
    Ok(stand.github.count_effect("without a key"))
}
