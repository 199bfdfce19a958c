//! F5: targets that answer after 90 seconds, hang, reset connections, or refuse many requests in a row. There is at
//! most one effect, and the circuit breaker opens and closes again.

use std::{collections::BTreeMap, time::Duration};

use futures::future::join_all;
use serde_json::{Value, json};
use testkit::{
    Finding, Size,
    fakes::{Fault, Service, Stage},
};
use tokio::time::Instant;

use crate::{
    kills::windows::Kind,
    setup::{Setup, Stand},
};

/// How long a slow target takes: longer than the engine's default limit for a silent handler, which is a minute.
const SLOW_MS: u64 = 90_000;
/// The number of calls in a storm.
const STORM: usize = 40;
/// How long the circuit breaker stays open; the product's own value.
const REST: Duration = Duration::from_secs(30);

/// The results.
#[derive(Default)]
struct Tally {
    tried: u64,
    doubled: u64,
    /// The record disagrees with the target, or the status is not the required one.
    wrong: u64,
    stuck: i64,
    ends: BTreeMap<String, u64>,
    complaints: Vec<String>,
}

/// The behaviour of the circuit breaker.
#[derive(Default)]
struct Circuit {
    reached_while_open: u64,
    refused_while_open: u64,
    rested_s: f64,
    /// After the rest one call goes through, and then all calls do.
    closed: bool,
}

/// Runs all parts, the slow one in parallel with the others.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let started = Instant::now();
    let (slow, (mut tally, circuit)) = futures::try_join!(slow(), quick(size.pick(3, 50)))?;
    tally.add(slow);
    let bad = tally.doubled + tally.wrong + tally.stuck.unsigned_abs() + circuit.reached_while_open;
    let lively =
        tally.ends.iter().filter(|(end, _)| end.ends_with("succeeded")).map(|(_, count)| count).sum::<u64>();
    Ok(Finding {
        bar: "F5".to_owned(),
        figure: bad as f64,
        unit: format!("of {} calls of a bad target with anything doubled, wrong or stuck", tally.tried),
        pass: bad == 0 && circuit.refused_while_open > 0 && circuit.closed && lively * 3 > tally.tried,
        details: vec![
            ("ended".to_owned(), json!(tally.ends)),
            ("doubled".to_owned(), json!(tally.doubled)),
            ("ended otherwise than it must".to_owned(), json!(tally.wrong)),
            ("stuck, or without exactly one receipt".to_owned(), json!(tally.stuck)),
            (
                "open circuit: refused, reached the target".to_owned(),
                json!([circuit.refused_while_open, circuit.reached_while_open]),
            ),
            (
                "closed again after a rest of (s)".to_owned(),
                json!(circuit.closed.then_some(circuit.rested_s)),
            ),
            ("seconds".to_owned(), json!(started.elapsed().as_secs())),
            ("complaints".to_owned(), json!(tally.complaints)),
        ],
    })
}

/// Approved invocations through the engine: one whose single call is answered after 90 s, and one whose three calls
/// together take longer than a minute, in one execution of its handler.
async fn slow() -> anyhow::Result<Tally> {
    let mut setup = Setup::approved();
    // Actions have their own timeout of 30 s; the operator's limit is set so high that it does not apply.
    setup.env.extend([("COUNTERSIGN_ACTION_TIMEOUT_MS", "120000"), ("COUNTERSIGN_LEASE_MARGIN_MS", "60000")]);
    let mut stand = Stand::set_up(setup).await?;
    let mut worker = stand.deployment.worker()?;
    worker.launch(&[]).await?;
    stand.github.fault(Fault::DelayAfter { ms: SLOW_MS });
    for fault in [Fault::HangBefore, Fault::Pass, Fault::HangBefore, Fault::Pass, Fault::Delay { ms: 15_000 }]
    {
        stand.linear.fault(fault);
    }
    let started = Instant::now();
    for kind in [Kind::Once, Kind::Checkable] {
        let waiting = stand.client.propose((kind, "slow"), Some(kind.as_str())).await?;
        stand.owner.approve(&waiting, "0s").await?;
    }
    // Longer than both, so that a second call by the engine would be seen.
    stand.wait_until_over(Duration::from_secs(150)).await?;
    let left = Duration::from_millis(SLOW_MS + 5_000).saturating_sub(started.elapsed());
    tokio::time::sleep(left).await;
    let mut tally = Tally::default();
    for (kind, end, calls) in [(Kind::Once, "unknown", 1), (Kind::Checkable, "succeeded", 3)] {
        let status: String = sqlx::query_scalar("SELECT status FROM invocations WHERE idempotency_key = $1")
            .bind(kind.as_str())
            .fetch_one(&mut stand.sql)
            .await?;
        let made = |seen: &testkit::fakes::Seen| {
            let body = seen.body.to_string();
            body.contains("slow") && (kind == Kind::Once || seen.body["operationName"] == "CreateIssue")
        };
        let called = match kind {
            Kind::Once => stand.github.count_requests(made),
            _ => stand.linear.count_requests(made),
        };
        let what = format!("slow, {}, approved", kind.as_str());
        tally.note(&what, (&status, stand.effects(kind, "slow")), |status, done| {
            status == end && done == 1 && called == calls
        });
    }
    tally.stuck = stand.stuck().await?;
    Ok(tally)
}

/// The fast part: each fault several times, then a storm.
async fn quick(times: usize) -> anyhow::Result<(Tally, Circuit)> {
    let setup = Setup { env: vec![("COUNTERSIGN_ACTION_TIMEOUT_MS", "8000")], ..Setup::default() };
    let mut stand = Stand::set_up(setup).await?;
    let mut tally = Tally::default();
    for number in 0..times {
        for (name, fault) in faults() {
            for kind in [Kind::Once, Kind::Checkable] {
                one(&stand, &mut tally, kind, (name, fault.clone()), number).await?;
            }
        }
    }
    let circuit = storm(&mut stand, &mut tally).await?;
    tally.stuck = stand.stuck().await?;
    Ok((tally, circuit))
}

fn faults() -> Vec<(&'static str, Fault)> {
    let fail = |status, retry_after| Fault::Fail { status, retry_after, body: json!({}) };
    vec![
        ("hangs when done", Fault::Hang),
        ("hangs before", Fault::HangBefore),
        ("resets when done", Fault::ResetAfterRequest),
        ("resets before", Fault::ResetBefore),
        ("500 when done", Fault::FailAfter { status: 500 }),
        ("503 before", fail(503, None)),
        ("429", fail(429, Some(1))),
    ]
}

/// One call of a target that fails once, and two of a healthy one: the circuit breaker must stay closed.
async fn one(
    stand: &Stand,
    tally: &mut Tally,
    kind: Kind,
    (name, fault): (&str, Fault),
    number: usize,
) -> anyhow::Result<()> {
    match kind {
        Kind::Once => stand.github.fault(fault),
        _ => stand.linear.fault(fault),
    }
    let title = format!("{}-{}-{number}-end", name.replace(' ', "-"), kind.as_str());
    let (_, answer) = stand.client.ask((kind, &title), None).await?;
    let status = status_of(stand, &answer).await?;
    let what = format!("{name}, {}", kind.as_str());
    tally.note(&what, (&status, stand.effects(kind, &title)), |status, done| match (kind, status) {
        (_, "succeeded") => done == 1,
        // A target that can be asked never leaves the outcome unknown because it failed once.
        (Kind::Once, "unknown") => done <= 1,
        (Kind::Once, "failed") => done == 0,
        _ => false,
    });
    let mut well = 0;
    // On a busy machine a call may be late now and then; an open circuit breaker would refuse all of them.
    for again in 0..6 {
        let title = format!("{title}-well-{again}");
        let (code, answer) = stand.client.ask((kind, &title), None).await?;
        let late = answer.to_string().contains("no answer from");
        anyhow::ensure!(code == 200 || late, "a target that behaves was answered with {code}: {answer}");
        well += usize::from(code == 200);
        if well == 2 {
            return Ok(());
        }
    }
    anyhow::bail!("a target that behaves was hardly ever reached")
}

async fn status_of(stand: &Stand, answer: &Value) -> anyhow::Result<String> {
    let id = answer["invocation"].as_str().or_else(|| answer["id"].as_str()).unwrap_or_default();
    let (_, found) = stand.owner.call(reqwest::Method::GET, &format!("/v1/invocations/{id}"), None).await?;
    Ok(found["status"].as_str().unwrap_or_default().to_owned())
}

/// A storm of 503 opens the circuit breaker: nothing reaches the target for a while; then one call does, and then all.
/// A storm of 429 does not open it, because that target is alive.
async fn storm(stand: &mut Stand, tally: &mut Tally) -> anyhow::Result<Circuit> {
    rage(&stand.linear, 429);
    call_all(stand, tally, (Kind::Checkable, "storm-429"), 10).await?;
    stand.linear.behave();
    call_all(stand, tally, (Kind::Checkable, "after-429"), 10).await?;
    rage(&stand.github, 503);
    // The circuit breaker opens during the storm, so it stays open at least this long after the storm began.
    let began = Instant::now();
    let answers = ask_all(stand, (Kind::Once, "storm-503"), STORM).await?;
    stand.github.behave();
    let refused = |answer: &Value| u64::from(answer.to_string().contains("keeps failing"));
    let mut circuit = Circuit {
        refused_while_open: answers.iter().map(|(_, _, answer)| refused(answer)).sum(),
        ..Circuit::default()
    };
    let before = stand.github.count_requests(|_| true);
    loop {
        let (_, answer) = stand.client.ask((Kind::Once, "while-open"), None).await?;
        let reached = (stand.github.count_requests(|_| true) - before) as u64;
        // A second less, because the product uses another clock.
        if began.elapsed() + Duration::from_secs(1) >= REST {
            break;
        }
        circuit.refused_while_open += refused(&answer);
        circuit.reached_while_open = reached;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    note_all(stand, tally, (Kind::Once, "storm-503"), answers).await?;
    while began.elapsed() < REST * 4 && !circuit.closed {
        let (code, _) = stand.client.ask((Kind::Once, "probe"), None).await?;
        circuit.closed = code == 200;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    circuit.rested_s = (began.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    let well = call_all(stand, tally, (Kind::Once, "after-503"), 10).await?;
    circuit.closed &= well == 10;
    Ok(circuit)
}

fn rage<S: Service>(target: &Stage<S>, status: u16) {
    for _ in 0..STORM * 3 {
        target.fault(Fault::Fail { status, retry_after: None, body: json!({}) });
    }
}

/// Makes several calls at once and judges them; returns how many succeeded.
async fn call_all(
    stand: &Stand,
    tally: &mut Tally,
    (kind, name): (Kind, &str),
    times: usize,
) -> anyhow::Result<usize> {
    let answers = ask_all(stand, (kind, name), times).await?;
    let succeeded = answers.iter().filter(|(_, code, _)| *code == 200).count();
    note_all(stand, tally, (kind, name), answers).await?;
    Ok(succeeded)
}

/// Makes several calls at once: returns the title, status and response of each.
async fn ask_all(
    stand: &Stand,
    (kind, name): (Kind, &str),
    times: usize,
) -> anyhow::Result<Vec<(String, u16, Value)>> {
    let asked = (0..times).map(async |number| {
        let title = format!("{name}-{number}-end");
        let (code, answer) = stand.client.ask((kind, &title), None).await?;
        anyhow::Ok((title, code, answer))
    });
    join_all(asked).await.into_iter().collect()
}

/// Judges calls: the number of effects must match the record.
async fn note_all(
    stand: &Stand,
    tally: &mut Tally,
    (kind, name): (Kind, &str),
    answers: Vec<(String, u16, Value)>,
) -> anyhow::Result<()> {
    for (title, _, answer) in answers {
        let status = status_of(stand, &answer).await?;
        let what = format!("{name}, {}", kind.as_str());
        tally.note(&what, (&status, stand.effects(kind, &title)), |status, done| {
            done == u64::from(status == "succeeded") && ["succeeded", "failed", "unknown"].contains(&status)
        });
    }
    Ok(())
}

impl Tally {
    fn note(&mut self, what: &str, (status, done): (&str, u64), is_right: impl FnOnce(&str, u64) -> bool) {
        self.tried += 1;
        *self.ends.entry(format!("{what}: {status}")).or_default() += 1;
        let right = is_right(status, done);
        self.doubled += u64::from(done > 1);
        self.wrong += u64::from(!right);
        if (!right || done > 1) && self.complaints.len() < 20 {
            self.complaints.push(format!("{what}: {status} with {done} effects"));
        }
    }

    fn add(&mut self, other: Self) {
        self.tried += other.tried;
        self.doubled += other.doubled;
        self.wrong += other.wrong;
        self.stuck += other.stuck;
        self.ends.extend(other.ends);
        self.complaints.extend(other.complaints);
    }
}
