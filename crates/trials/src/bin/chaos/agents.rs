//! Runs with a step that a model performs, four turns with two calls each, one of which a person approves, while everything
//! they need is killed at random times and the engine loses all its data once. Every run ends, the target counts each effect
//! once, and no reply that arrived is paid for twice.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{
    Dice, Finding, Postgres, Size,
    fakes::{FakeModel, NeutralRequest, Says},
};
use tokio::time::Instant;

use crate::{
    automation::{Saved, Way, definition},
    runs::{
        random_kills::{Fault, Parts},
        say_yes, wait_until_over,
    },
    setup::{Setup, Stand},
};

const KEY: &str = "a-key-of-chaos-271828";
/// How often a new run is requested.
const EVERY: Duration = Duration::from_millis(700);
/// How long the model takes to answer, so that faults come in between.
const THINKS_MS: u64 = 300;
/// How long the target takes to answer after the effect.
const SLOW: Duration = Duration::from_millis(200);
/// Turns with calls; one more is the answer.
const TURNS: usize = 4;
/// The turn whose call a person approves.
const ASKS: usize = 2;

/// What the provider answered, by run and turn: the judge of what was paid.
type Paid = Arc<Mutex<BTreeMap<(String, usize), u64>>>;

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (wanted, kills, started) = (size.pick(12, 100), size.pick(8, 50), Instant::now());
    let mut postgres = Postgres::start().await?;
    let env = vec![("COUNTERSIGN_ACTION_TIMEOUT_MS", "4000"), ("COUNTERSIGN_MODEL_TIMEOUT_MS", "6000")];
    let setup = Setup { engine: Some(vec![]), servers: Some(postgres.servers()), env, ..Setup::default() };
    let mut stand = Stand::set_up(setup).await?;
    let (model, paid) = (FakeModel::start(KEY).await, Paid::default());
    connect(&stand, &model, &paid).await?;
    let plan = json!([step()]);
    let saved = Saved::save(&stand.deployment, definition("Agents", &plan, "allow_parallel")).await?;
    stand.linear.answer_late(|_| SLOW);
    let mut workers = [stand.deployment.worker()?, stand.deployment.worker()?];
    for worker in &mut workers {
        worker.launch(&[]).await?;
    }
    let (silent, over, owner) = (AtomicBool::new(false), AtomicBool::new(false), stand.owner.clone());
    let deployment = &mut stand.deployment;
    let parts = Parts {
        postgres: &mut postgres,
        deployment,
        workers: &mut workers,
        dice: Dice::new(23),
        round: vec![],
    };
    let load = join_all((0..wanted).map(|number| want(&saved, number)));
    let breaking = async {
        let faults = break_often(parts, kills).await;
        let waited = match &faults {
            Ok(_) => wait_until_over(&owner, &saved.id).await,
            Err(_) => Ok(0),
        };
        over.store(true, Ordering::Relaxed);
        Ok::<_, anyhow::Error>((faults?, waited?))
    };
    let (trials, broken, _) = tokio::join!(load, breaking, say_yes(&owner, &silent, &over));
    let (faults, left) = broken?;
    stand.sql = stand.deployment.sql().await?;
    let verdict = judge(&mut stand, &trials, &paid, left).await?;
    Ok(finding(&verdict, &faults, (wanted, started.elapsed())))
}

/// A provider whose answers follow from the conversation alone, and rules for its calls.
async fn connect(stand: &Stand, model: &FakeModel, paid: &Paid) -> anyhow::Result<()> {
    let deployment = &stand.deployment;
    deployment.as_owner(Method::PUT, "/v1/secrets/model-key", json!({ "value": KEY })).await?;
    let price = json!({ "input": 100, "output": 1_000 });
    let provider = json!({
        "preset": "anthropic", "base_url": format!("{}/v1", model.url()),
        "auth": { "kind": "header", "header": "x-api-key", "secret": "model-key" },
        "models": [{ "name": "fake-1", "context": 60_000, "max_output": 1_000, "price": price }],
    });
    model.otherwise(|_| Says::text("ready"));
    deployment.as_owner(Method::PUT, "/v1/models/fake", provider).await?;
    let paid = paid.clone();
    model.otherwise(move |asked| {
        let name = name_in(&asked.last_user);
        *paid
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry((name.clone(), asked.turns))
            .or_default() += 1;
        says(asked, &name).slow(THINKS_MS)
    });
    deployment.rule("linear.add_comment", "require_approval").await
}

fn step() -> Value {
    json!({
        "step_id": "work", "action": "agent_task",
        "config": {
            "goal": "Do the work.", "context": { "name": "{{ inputs.name }}" },
            "tools": ["linear.create_issue", "linear.list_issues", "linear.add_comment"],
            "provider": "fake", "model": "fake-1", "max_turns": TURNS + 2, "max_output_tokens": 500,
        },
    })
}

/// The name of the run in its context.
fn name_in(text: &str) -> String {
    let named = text.split("\"name\":\"").nth(1).and_then(|rest| rest.split('"').next());
    named.unwrap_or_default().to_owned()
}

/// Two calls in each turn: an effect that the target counts by its own name, and a read.
fn says(asked: &NeutralRequest, name: &str) -> Says {
    if asked.turns >= TURNS || asked.tools.is_empty() {
        return Says::text("done");
    }
    let made = asked.results.iter().find_map(|result| {
        serde_json::from_str::<Value>(result).ok()?.get("id")?.as_str().map(ToOwned::to_owned)
    });
    let effect = match made.filter(|_| asked.turns == ASKS) {
        Some(issue) => ("linear__add_comment", json!({ "issue": issue, "body": format!("{name}-{ASKS}") })),
        None => {
            let title = format!("{name}-{}", asked.turns);
            ("linear__create_issue", json!({ "team_id": "team-1", "title": title }))
        }
    };
    Says::calls([effect, ("linear__list_issues", json!({}))])
}

/// Requests a run; returns its name, and why it was not acknowledged.
async fn want(saved: &Saved, number: usize) -> (String, Option<String>) {
    tokio::time::sleep(EVERY * u32::try_from(number).unwrap_or(0)).await;
    let name = format!("agent-{number:04}");
    let told = saved.want(Way::Hook, &name).await;
    (name, told.err().map(|error| format!("{error:#}")))
}

/// So many faults, with the engine's data deleted half-way.
async fn break_often(mut parts: Parts<'_>, kills: usize) -> anyhow::Result<Vec<Fault>> {
    let mut faults = Vec::new();
    while faults.len() < kills {
        faults.push(if faults.len() == kills / 2 { parts.wipe().await? } else { parts.strike().await? });
    }
    Ok(faults)
}

/// The problems.
#[derive(Debug, Default)]
struct Verdict {
    ends: BTreeMap<String, usize>,
    lost: usize,
    doubled: usize,
    /// Runs in which nobody was asked.
    unasked: usize,
    /// Replies that were paid for although an earlier one had arrived.
    paid_twice: u64,
    /// Replies that were lost with the process that asked.
    lost_replies: u64,
    replies: u64,
    stuck: usize,
    starts: usize,
    complaints: Vec<String>,
}

impl Verdict {
    fn bad(&self) -> usize {
        let succeeded = self.ends.get("succeeded").copied().unwrap_or_default();
        let others = self.ends.values().sum::<usize>() - succeeded;
        let paid = usize::try_from(self.paid_twice).unwrap_or(usize::MAX);
        others + self.lost + self.doubled + self.unasked + paid + self.stuck + self.starts
    }

    fn complain(&mut self, what: String) {
        if self.complaints.len() < 20 {
            self.complaints.push(what);
        }
    }
}

async fn judge(
    stand: &mut Stand,
    trials: &[(String, Option<String>)],
    paid: &Paid,
    left: usize,
) -> anyhow::Result<Verdict> {
    let mut verdict = Verdict { stuck: left + usize::try_from(stand.stuck().await?)?, ..Verdict::default() };
    let rows: Vec<(String, String, Option<String>)> =
        sqlx::query_as("SELECT inputs->>'name', status, error::text FROM runs")
            .fetch_all(&mut stand.sql)
            .await?;
    // For each turn: how often it was asked, and how often a reply arrived and was settled.
    let turns: Vec<(String, i16, i64, i64)> = sqlx::query_as(
        "SELECT r.inputs->>'name', t.turn, count(*) FILTER (WHERE t.invocation_id IS NOT NULL),
                count(*) FILTER (WHERE i.status = 'succeeded')
         FROM agent_turns t JOIN runs r ON r.org_id = t.org_id AND r.id = t.run_id
         LEFT JOIN invocations i ON i.org_id = t.org_id AND i.id = t.invocation_id GROUP BY 1, 2",
    )
    .fetch_all(&mut stand.sql)
    .await?;
    let paid = paid.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for (name, refused) in trials {
        if let Some(why) = refused {
            verdict.starts += 1;
            verdict.complain(why.clone());
        }
        let of_name: Vec<_> = rows.iter().filter(|row| row.0 == *name).collect();
        let [(_, status, error)] = of_name.as_slice() else {
            verdict.starts += 1;
            verdict.complain(format!("{name}: {} runs", of_name.len()));
            continue;
        };
        *verdict.ends.entry(status.clone()).or_default() += 1;
        if status != "succeeded" {
            verdict.complain(format!("{name} ended {status}: {error:?}"));
        }
        for turn in 0..TURNS {
            match stand.linear.count_effect(&format!("{name}-{turn}")) {
                0 => verdict.lost += 1,
                1 => {}
                many => {
                    verdict.doubled += 1;
                    verdict.complain(format!("{name}-{turn} was performed {many} times"));
                }
            }
        }
        // The comment is what a person approves; without it, the model made an issue instead.
        verdict.unasked += usize::from(!stand.linear.issues_titled(&format!("{name}-{ASKS}")).is_empty());
        for turn in 0..=TURNS {
            let answered = paid.get(&(name.clone(), turn)).copied().unwrap_or_default();
            let of_turn = turns
                .iter()
                .find(|row| row.0 == *name && usize::try_from(row.1).is_ok_and(|t| t == turn + 1));
            let (asked, arrived) = of_turn.map_or((0, 0), |row| (row.2, row.3));
            // Each ask is one call of the provider at most; only asks without a reply are repeated.
            let asks = u64::try_from(asked).unwrap_or_default();
            verdict.replies += answered;
            verdict.lost_replies += answered.saturating_sub(u64::try_from(arrived).unwrap_or_default());
            if arrived > 1 || answered > asks {
                verdict.paid_twice += 1;
                verdict.complain(format!(
                    "{name}: turn {turn}: {answered} answers, {asked} asks, {arrived} replies"
                ));
            }
        }
    }
    Ok(verdict)
}

fn finding(verdict: &Verdict, faults: &[Fault], (wanted, took): (usize, Duration)) -> Finding {
    let mut killed: BTreeMap<&str, usize> = BTreeMap::new();
    for victim in faults.iter().flat_map(|fault| &fault.victims) {
        *killed.entry(victim.as_str()).or_default() += 1;
    }
    let bad = verdict.bad();
    Finding {
        bar: "agents".to_owned(),
        figure: bad as f64,
        unit: format!(
            "of {wanted} agent steps with an effect lost or doubled, a reply paid for twice, or not over"
        ),
        pass: bad == 0 && killed.len() == 4,
        details: vec![
            ("killed".to_owned(), json!(killed)),
            ("faults".to_owned(), json!(faults.len())),
            ("runs by how they ended".to_owned(), json!(verdict.ends)),
            ("effects lost, doubled".to_owned(), json!([verdict.lost, verdict.doubled])),
            ("runs in which nobody was asked".to_owned(), json!(verdict.unasked)),
            (
                "answers that the provider counted, for so many turns".to_owned(),
                json!([verdict.replies, wanted * (TURNS + 1)]),
            ),
            (
                "answers that were lost with their process, and asked again".to_owned(),
                json!(verdict.lost_replies),
            ),
            ("replies paid for twice".to_owned(), json!(verdict.paid_twice)),
            ("stuck, or without exactly one receipt".to_owned(), json!(verdict.stuck)),
            ("starts lost or doubled".to_owned(), json!(verdict.starts)),
            ("seconds".to_owned(), json!(took.as_secs())),
            ("complaints".to_owned(), json!(verdict.complaints)),
        ],
    }
}
