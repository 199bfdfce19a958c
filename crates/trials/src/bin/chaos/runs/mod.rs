//! Runs of automations, started in three ways, with an approval in the middle of each, while everything they need is
//! killed at random times and the engine loses all its data once. Every run succeeds, and the target counts each step
//! once.

mod judge;
pub(crate) mod random_kills;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use futures::future::join_all;
use serde_json::{Value, json};
use testkit::{Dice, Finding, Person, Postgres, Size, Waiting, fakes::FakeLinear};
use tokio::time::Instant;

use crate::{
    automation::{Saved, Way, definition},
    runs::judge::{Trial, Verdict, judge},
    runs::random_kills::{Fault, Parts},
    setup::{Setup, Stand},
};

/// How often a new run is requested.
const EVERY: Duration = Duration::from_millis(900);
/// How long the target takes to answer after the effect, so that faults come in between.
const SLOW: Duration = Duration::from_millis(400);
/// How long nobody answers before the engine's data is deleted, so that it holds waiting runs.
const SILENCE: Duration = Duration::from_secs(4);
/// Shorter than elsewhere, because the lease depends on it, and this trial waits often for the lease of a dead process.
const CALLS: (&str, &str) = ("COUNTERSIGN_ACTION_TIMEOUT_MS", "4000");
/// How long no run may be active until all are assumed to have ended: an acknowledged event becomes a run a little
/// later.
const QUIET: Duration = Duration::from_secs(10);
/// All runs must have ended this long after the last fault: a run that was not woken is checked within a minute, and
/// the work of a dead process is recovered when its lease ends.
const PATIENCE: Duration = Duration::from_secs(240);

/// The five steps, each an effect that the target counts by its own name. The third needs an approval.
fn plan() -> Value {
    let make = |step: &str| {
        json!({ "step_id": step, "action": "linear.create_issue", "output_as": step,
                "config": { "team_id": "team-1", "title": format!("{{{{ inputs.name }}}}-{step}") } })
    };
    json!([
        make("first"),
        make("second"),
        { "step_id": "third", "action": "linear.add_comment",
          "config": { "issue": "{{ first.id }}", "body": "{{ inputs.name }}-third" } },
        make("fourth"),
        { "step_id": "fifth", "action": "linear.update_issue",
          "config": { "issue": "{{ second.id }}", "description": "{{ inputs.name }}-fifth" } },
    ])
}

/// The state when the engine lost its data.
#[derive(Debug, Default)]
pub(crate) struct Wiped {
    pub(crate) waiting: i64,
    pub(crate) under_way: i64,
    /// The effects that the target had counted by then.
    pub(crate) effects: BTreeMap<String, u64>,
}

/// The faults of the deployment.
#[derive(Default)]
pub(crate) struct Fate {
    pub(crate) faults: Vec<Fault>,
    pub(crate) wiped: Wiped,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (wanted, started) = (size.pick(40, 300), Instant::now());
    let mut postgres = Postgres::start().await?;
    let setup = Setup {
        engine: Some(vec![]),
        servers: Some(postgres.servers()),
        env: vec![CALLS],
        ..Setup::default()
    };
    let mut stand = Stand::set_up(setup).await?;
    stand.deployment.rule("linear.update_issue", "allow").await?;
    stand.deployment.rule("linear.add_comment", "require_approval").await?;
    let saved = Saved::save(&stand.deployment, definition("Five steps", &plan(), "allow_parallel")).await?;
    stand.linear.answer_late(|_| SLOW);
    let mut workers = [stand.deployment.worker()?, stand.deployment.worker()?];
    for worker in &mut workers {
        worker.launch(&[]).await?;
    }
    let (silent, over, owner) = (AtomicBool::new(false), AtomicBool::new(false), stand.owner.clone());
    let Stand { deployment, linear, .. } = &mut stand;
    let parts = Parts {
        postgres: &mut postgres,
        deployment,
        workers: &mut workers,
        dice: Dice::new(11),
        round: vec![],
    };
    let done = AtomicBool::new(false);
    let load = async {
        let trials = want_all(&saved, wanted).await;
        done.store(true, Ordering::Relaxed);
        trials
    };
    let breaking = async {
        let fate = break_often(parts, linear, (&silent, &done), EVERY * u32::try_from(wanted / 2)?).await;
        let waited = match &fate {
            Ok(_) => wait_until_over(&owner, &saved.id).await,
            Err(_) => Ok(0),
        };
        over.store(true, Ordering::Relaxed);
        Ok::<_, anyhow::Error>((fate?, waited?))
    };
    let flow = watch_flow(linear, &over);
    let (trials, broken, refused, flow) = tokio::join!(load, breaking, say_yes(&owner, &silent, &over), flow);
    let (fate, left) = broken?;
    stand.sql = stand.deployment.sql().await?;
    let verdict = judge(&mut stand, &trials, (&fate, left)).await?;
    let control = control(&stand, &saved).await?;
    let mut finding = finding(&fate, &verdict, (control, &flow), started.elapsed());
    finding.details.push(("approvals not accepted".to_owned(), json!(refused)));
    Ok(finding)
}

/// Starts runs at regular intervals without waiting for any, by a person, a webhook and an event in turn.
async fn want_all(saved: &Saved, wanted: usize) -> Vec<Trial> {
    let one = async |number: usize| {
        tokio::time::sleep(EVERY * u32::try_from(number).unwrap_or(0)).await;
        let (way, name) = (Way::ALL[number % 3], format!("run-{number:04}"));
        let mut told = saved.want(way, &name).await;
        if number.is_multiple_of(4) && told.is_ok() {
            // A caller who missed the answer asks once more, and must get the same run.
            let again = saved.want(way, &name).await;
            if again.as_ref().ok() != told.as_ref().ok() {
                told = Err(anyhow::anyhow!("told {told:?}, and asking again {again:?}"));
            }
        }
        Trial { way, name, refused: told.err().map(|error| format!("{error:#}")) }
    };
    join_all((0..wanted).map(one)).await
}

/// Kills at random times while runs are started, and deletes the engine's data once, half-way, while runs wait for a
/// person.
async fn break_often(
    mut parts: Parts<'_>,
    linear: &FakeLinear,
    (silent, done): (&AtomicBool, &AtomicBool),
    half_way: Duration,
) -> anyhow::Result<Fate> {
    let (mut fate, begun, mut is_wiped) = (Fate::default(), Instant::now(), false);
    while !done.load(Ordering::Relaxed) || !is_wiped {
        fate.faults.push(parts.strike().await?);
        if begun.elapsed() < half_way || is_wiped {
            continue;
        }
        silent.store(true, Ordering::Relaxed);
        tokio::time::sleep(SILENCE).await;
        let mut sql = parts.deployment.sql().await?;
        let count =
            "SELECT count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status <> 'waiting')
                     FROM runs WHERE finished_at IS NULL";
        let (mut waiting, mut under_way) = (0, 0);
        for _ in 0..120 {
            (waiting, under_way) = sqlx::query_as(count).fetch_one(&mut sql).await?;
            if waiting > 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        fate.wiped = Wiped { waiting, under_way, effects: linear.effects() };
        fate.faults.push(parts.wipe().await?);
        silent.store(false, Ordering::Relaxed);
        is_wiped = true;
    }
    Ok(fate)
}

/// A person who approves everything that waits, repeatedly until it no longer waits. Returns why approvals were not
/// accepted, and how often.
pub(crate) async fn say_yes(
    owner: &Person,
    silent: &AtomicBool,
    over: &AtomicBool,
) -> BTreeMap<String, usize> {
    let mut refused = BTreeMap::new();
    while !over.load(Ordering::Relaxed) {
        if !silent.load(Ordering::Relaxed) {
            for item in owner.inbox().await.unwrap_or_default() {
                if silent.load(Ordering::Relaxed) {
                    break;
                }
                if let Ok(waiting) = Waiting::of(&item["invocation"]) {
                    // The next look at the inbox shows whether the approval was accepted.
                    if let Err(error) = owner.approve(&waiting, "0s").await {
                        let why: String = format!("{error:#}").chars().take(200).collect();
                        *refused.entry(why).or_default() += 1;
                    }
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    refused
}

/// Notes the times at which the target performed something.
async fn watch_flow(linear: &FakeLinear, over: &AtomicBool) -> Vec<Instant> {
    let (mut flow, mut known) = (Vec::new(), 0);
    while !over.load(Ordering::Relaxed) {
        let now: u64 = linear.effects().values().sum();
        if now > known {
            (known, _) = (now, flow.push(Instant::now()));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    flow
}

/// Waits until every run has ended according to the API; returns how many have not when patience is over.
pub(crate) async fn wait_until_over(owner: &Person, automation: &str) -> anyhow::Result<usize> {
    let (start, mut left, mut seen) = (Instant::now(), usize::MAX, Instant::now());
    while start.elapsed() < PATIENCE && seen.elapsed() < QUIET {
        left = 0;
        for status in ["pending", "running", "waiting"] {
            let path = format!("/v1/runs?automation={automation}&status={status}&limit=100");
            // Just after a fault, an idle connection may be dead; that is not an answer, so the loop continues.
            left += match owner.call(reqwest::Method::GET, &path, None).await {
                Ok((200, page)) => page["items"].as_array().map_or(0, Vec::len),
                _ => 1,
            };
        }
        if left > 0 {
            seen = Instant::now();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(left)
}

/// The same run requested twice without a key: the target must count two effects, or its count is worthless.
async fn control(stand: &Stand, saved: &Saved) -> anyhow::Result<u64> {
    for _ in 0..2 {
        let (code, answer) = saved.ask(Way::Person, "control", None).await?;
        anyhow::ensure!(code == 202, "{code}: {answer}");
    }
    let start = Instant::now();
    while stand.linear.count_effect("control-second") < 2 && start.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(stand.linear.count_effect("control-second"))
}

/// The median and the maximum of some durations in seconds.
fn spread(mut seconds: Vec<f64>) -> Value {
    seconds.sort_by(f64::total_cmp);
    let tenth = |seconds: Option<&f64>| seconds.map(|seconds| (seconds * 10.0).round() / 10.0);
    json!([tenth(seconds.get(seconds.len() / 2)), tenth(seconds.last())])
}

fn finding(fate: &Fate, verdict: &Verdict, (control, flow): (u64, &[Instant]), took: Duration) -> Finding {
    let mut killed: BTreeMap<&str, usize> =
        ["PostgreSQL", "engine", "gateway", "worker"].map(|part| (part, 0)).into();
    for victim in fate.faults.iter().flat_map(|fault| &fault.victims) {
        *killed.entry(victim.as_str()).or_default() += 1;
    }
    let again = |fault: &Fault| flow.iter().find(|at| **at > fault.back).map(|at| *at - fault.back);
    let flowing = fate.faults.iter().filter_map(again).map(|after| after.as_secs_f64()).collect();
    let wiped = &fate.wiped;
    let kills: usize = killed.values().sum();
    let executing: BTreeSet<_> = fate.faults.iter().flat_map(|fault| &fault.executing).collect();
    let was_hit = killed.values().all(|count| *count > 0) && wiped.waiting > 0 && !executing.is_empty();
    let (all, bad) = (verdict.runs, verdict.bad());
    Finding {
        bar: "runs".to_owned(),
        figure: bad as f64,
        unit: format!("of {all} runs with a step lost or doubled, stuck, or ended otherwise than succeeded"),
        pass: bad == 0 && was_hit && control == 2,
        details: vec![
            ("killed".to_owned(), json!(killed)),
            ("kills, in so many faults".to_owned(), json!([kills, fate.faults.len()])),
            ("steps that were being done at a fault".to_owned(), json!(executing.len())),
            ("runs by how they were started".to_owned(), json!(verdict.ways)),
            ("runs by how they ended".to_owned(), json!(verdict.ends)),
            ("steps the target counted once, of".to_owned(), json!([verdict.steps_once, all * 5])),
            ("steps doubled, lost".to_owned(), json!([verdict.doubled, verdict.lost])),
            ("starts lost or doubled".to_owned(), json!(verdict.starts)),
            ("stuck, or invocations without exactly one receipt".to_owned(), json!(verdict.stuck)),
            ("steps not recorded as succeeded".to_owned(), json!(verdict.rows)),
            (
                "when the engine was emptied: waiting, otherwise under way, steps done, repeated later"
                    .to_owned(),
                json!([wiped.waiting, wiped.under_way, wiped.effects.len(), verdict.repeated]),
            ),
            ("next effect after a fault (s; p50, max)".to_owned(), spread(flowing)),
            ("over after the last fault (s; p50, max)".to_owned(), spread(verdict.late_s.clone())),
            ("runs under way at the last fault".to_owned(), json!(verdict.late_s.len())),
            ("a run from its start to its end (s; p50, max)".to_owned(), spread(verdict.took_s.clone())),
            ("control: the same twice without a key".to_owned(), json!(control)),
            (
                "rate of wrong runs, below (95 %)".to_owned(),
                json!((bad == 0).then(|| (3.0e4 / all as f64).round() / 1e4)),
            ),
            ("seconds".to_owned(), json!(took.as_secs())),
            ("complaints".to_owned(), json!(verdict.complaints)),
        ],
    }
}
