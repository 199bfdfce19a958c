//! F9: a backup is taken under load, work goes on, and the database is restored to it; and it is used under the name of
//! another deployment. Nothing happens before the operator and the owners say so, and nothing happens twice.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use anyhow::Context as _;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Finding, MANY_PENDING, Person, Postgres, Size, Worker};
use tokio::time::Instant;

use crate::{
    kills::windows::Kind,
    setup::{Client, Setup, Stand, UNHURRIED},
};

/// How many clients there are during the backup.
const CLIENTS: usize = 8;
/// How long a process that is held, or an organization that is stopped, is watched.
const WATCHED: Duration = Duration::from_secs(4);
/// How long a process may take to say that it is held, or that it no longer is.
const PATIENCE: Duration = Duration::from_secs(90);
/// How long everything may take to be performed.
const DONE: Duration = Duration::from_secs(120);

/// What was there when the backup was taken, by the titles that the target counts.
struct Before {
    approved: Vec<String>,
    pending: Vec<String>,
    /// A member who is removed after the backup.
    leaver: Person,
}

/// What went wrong, and what there was to see.
#[derive(Default)]
struct Seen {
    wrong: Vec<String>,
    states: Vec<String>,
    ended: Value,
}

impl Seen {
    fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds && self.wrong.len() < 20 {
            self.wrong.push(what());
        }
    }
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (each, started) = (size.pick(6, 60), Instant::now());
    let mut postgres = Postgres::start().await?;
    let mut env = MANY_PENDING.to_vec();
    env.push(UNHURRIED);
    let setup = Setup { engine: Some(vec![]), env, servers: Some(postgres.servers()), ..Setup::default() };
    let mut stand = Stand::set_up(setup).await?;
    stand.deployment.rule(Kind::Once.action(), "require_approval").await?;
    let before = prepare(&stand, each).await?;
    let loaded = back_up_under_load(&stand, &postgres).await?;
    let mut worker = stand.deployment.worker()?;
    worker.launch(&[]).await?;
    go_on(&mut stand, &before, each).await?;
    let known = (stand.github.effects(), stand.linear.effects());
    let effects: u64 = known.0.values().chain(known.1.values()).sum();
    let mut seen = Seen::default();

    // By the book: a new timeline.
    restore(&mut stand, (&mut postgres, &mut worker), (true, &[])).await?;
    held(&mut stand, &mut seen, "another_timeline", effects).await?;
    confirm(&mut stand, &mut seen, &before, effects).await?;
    resume(&mut stand, &mut seen, effects).await?;

    // A disk that was copied back: the same timeline, but Redis remembers a longer ledger.
    restore(&mut stand, (&mut postgres, &mut worker), (false, &[])).await?;
    held(&mut stand, &mut seen, "behind", effects + 1).await?;
    // The same backup for the second time: its epoch is newer than the first one's, which only Redis knows.
    confirm(&mut stand, &mut seen, &before, effects + 1).await?;

    // The same database under the name of another deployment; Redis knows nothing of it.
    postgres.restore(false).await?;
    forge(&stand).await?;
    restart(&mut stand, &mut worker, &[("COUNTERSIGN_DEPLOYMENT", "copy")])?;
    held(&mut stand, &mut seen, "another_name", effects + 1).await?;

    // The control: under its own name it acts, and does again what was done.
    restart(&mut stand, &mut worker, &[])?;
    stand.deployment.wait_ready().await?;
    let again =
        |stand: &Stand| before.approved.iter().filter(|title| stand.github.count_effect(title) > 1).count();
    let begun = Instant::now();
    while again(&stand) < before.approved.len() && begun.elapsed() < DONE {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let control = again(&stand);
    Ok(Finding {
        bar: "F9".to_owned(),
        figure: seen.wrong.len() as f64,
        unit: "things that happened before an owner resumed, happened twice or were not as they must be"
            .to_owned(),
        pass: seen.wrong.is_empty() && control == before.approved.len(),
        details: vec![
            ("calls during the backup".to_owned(), json!(loaded)),
            ("effects at the targets".to_owned(), json!(effects)),
            ("states".to_owned(), json!(seen.states)),
            ("ended by the operator".to_owned(), seen.ended),
            ("control: done twice without the guard, of".to_owned(), json!([control, before.approved.len()])),
            ("seconds".to_owned(), json!(started.elapsed().as_secs())),
            ("wrong".to_owned(), json!(seen.wrong)),
        ],
    })
}

/// Some are approved and not performed, because there is no worker; some wait.
async fn prepare(stand: &Stand, each: usize) -> anyhow::Result<Before> {
    let titles = |name: &str| (0..each).map(|number| format!("{name}-{number}-end")).collect::<Vec<_>>();
    let (approved, pending) = (titles("approved"), titles("pending"));
    for title in &approved {
        let waiting = stand.client.propose((Kind::Once, title), Some(title)).await?;
        stand.owner.approve(&waiting, "0s").await?;
    }
    for title in &pending {
        stand.client.propose((Kind::Once, title), Some(title)).await?;
    }
    Ok(Before { approved, pending, leaver: stand.deployment.member("member").await? })
}

/// Takes a backup while clients call; returns how many calls there were.
async fn back_up_under_load(stand: &Stand, postgres: &Postgres) -> anyhow::Result<usize> {
    let (over, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let call = async || {
        while !over.load(Ordering::Relaxed) {
            let title = format!("load-{}-end", next.fetch_add(1, Ordering::Relaxed));
            let _ = stand.client.ask((Kind::Checkable, &title), Some(&title)).await;
        }
    };
    let backup = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let backup = postgres.back_up().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        over.store(true, Ordering::Relaxed);
        backup
    };
    let (_, backup) = tokio::join!(join_all((0..CLIENTS).map(|_| call())), backup);
    backup.map(|()| next.into_inner())
}

/// What happens after the backup: everything is answered and performed, there are more calls, and a member leaves.
async fn go_on(stand: &mut Stand, before: &Before, each: usize) -> anyhow::Result<()> {
    for item in stand.owner.inbox().await? {
        stand.owner.approve(&testkit::Waiting::of(&item["invocation"])?, "0s").await?;
    }
    for number in 0..each {
        let title = format!("late-{number}-end");
        let (status, answer) = stand.client.ask((Kind::Checkable, &title), Some(&title)).await?;
        anyhow::ensure!(status == 200, "{title}: {status} {answer}");
    }
    let me = before.leaver.call(Method::GET, "/v1/me", None).await?.1;
    let path = format!("/v1/members/{}", me["user"].as_str().context("a person has an id")?);
    stand.owner.call(Method::DELETE, &path, None).await?;
    let left = stand.wait_until_over(DONE).await?;
    anyhow::ensure!(left == 0, "{left} invocations were not performed before the restore");
    for title in before.approved.iter().chain(&before.pending) {
        anyhow::ensure!(
            stand.github.count_effect(title) == 1,
            "{title} was not performed before the restore"
        );
    }
    // Each process tells Redis every fifteen seconds how long the ledger is.
    tokio::time::sleep(Duration::from_secs(18)).await;
    Ok(())
}

/// Kills everything, restores the backup, and starts everything again.
async fn restore(
    stand: &mut Stand,
    (postgres, worker): (&mut Postgres, &mut Worker),
    (new_timeline, more): (bool, &[(&str, &str)]),
) -> anyhow::Result<()> {
    stand.deployment.kill()?;
    worker.program.kill()?;
    postgres.restore(new_timeline).await?;
    lose_engine(stand).await?;
    restart(stand, worker, more)
}

/// The engine's data is not part of the backup: what the engine would remember of the work is gone.
async fn lose_engine(stand: &mut Stand) -> anyhow::Result<()> {
    let engine = stand.deployment.engine.as_mut().context("there is an engine")?;
    engine.kill()?;
    engine.wipe()?;
    engine.launch().await
}

fn restart(stand: &mut Stand, worker: &mut Worker, more: &[(&str, &str)]) -> anyhow::Result<()> {
    stand.deployment.kill()?;
    worker.program.kill()?;
    stand.deployment.spawn(more)?;
    worker.program.spawn(more)
}

/// Makes a restored database look as if it were the one from before.
async fn forge(stand: &Stand) -> anyhow::Result<()> {
    let mut sql = stand.deployment.sql().await?;
    let forged =
        "UPDATE deployment SET id = gen_random_uuid(), timeline = current_timeline(), held_because = NULL";
    sqlx::query(forged).execute(&mut sql).await?;
    Ok(())
}

fn count_effects(stand: &Stand) -> u64 {
    stand.github.effects().values().chain(stand.linear.effects().values()).sum()
}

/// The gateway and the worker are held: they say so, and nothing happens.
async fn held(stand: &mut Stand, seen: &mut Seen, state: &str, effects: u64) -> anyhow::Result<()> {
    let begun = Instant::now();
    let mut told = Value::Null;
    while told["code"] != "deployment_held" && begun.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(200)).await;
        if let Ok((_, answer)) = stand.owner.call(Method::GET, "/v1/me", None).await {
            seen.check(answer["org"].is_null(), || format!("{state}: a person was answered: {answer}"));
            told = answer;
        }
    }
    seen.check(told["code"] == "deployment_held", || format!("{state}: not held: {told}"));
    seen.states.push(format!("{state}: {}", told["detail"].as_str().unwrap_or_default()));
    tokio::time::sleep(WATCHED).await;
    let now = count_effects(stand);
    seen.check(now == effects, || format!("{state}: {now} effects instead of {effects} while it was held"));
    Ok(())
}

/// The operator says that a backup was restored: what was open has ended, and every organization is stopped.
async fn confirm(stand: &mut Stand, seen: &mut Seen, before: &Before, effects: u64) -> anyhow::Result<()> {
    let shown: Value = serde_json::from_str(&stand.deployment.run(&["restored", "--json"])?)?;
    let listed = shown["orgs"][0]["unknown"].as_u64().unwrap_or_default();
    let open = before.approved.len() as u64;
    seen.check(listed >= open, || format!("{listed} listed of {open} that may be repeated"));
    let confirm = ["restored", "--confirm", "--reason", "a drill", "--json"];
    let ended: Value = serde_json::from_str(&stand.deployment.run(&confirm)?)?;
    seen.ended = ended["orgs"][0].clone();
    stand.deployment.wait_ready().await?;
    stand.sql = stand.deployment.sql().await?;
    for (titles, wanted) in [(&before.approved, "unknown"), (&before.pending, "expired")] {
        for title in titles {
            let status: Option<String> =
                sqlx::query_scalar("SELECT status FROM invocations WHERE idempotency_key = $1")
                    .bind(title)
                    .fetch_optional(&mut stand.sql)
                    .await?;
            seen.check(status.as_deref() == Some(wanted), || {
                format!("{title} is {status:?} and not {wanted}")
            });
        }
    }
    let stuck = stand.stuck().await?;
    seen.check(stuck == 0, || format!("{stuck} invocations without exactly one receipt"));
    for (who, person) in [("the owner", &stand.owner), ("the member who left", &before.leaver)] {
        let (status, _) = person.call(Method::GET, "/v1/me", None).await?;
        seen.check(status == 401, || format!("the old token of {who} was answered with {status}"));
    }
    // A key that was used after the backup is unknown, so the session that used it is over.
    let (status, _) = stand.client.ask((Kind::Checkable, "late-0-end"), Some("late-0-end")).await?;
    seen.check(status == 401, || format!("a call with a key from the lost time was answered with {status}"));
    tokio::time::sleep(WATCHED).await;
    let now = count_effects(stand);
    seen.check(now == effects, || format!("{now} effects instead of {effects} before an owner resumed"));
    Ok(())
}

/// Two owners resume: nothing is repeated, and new work is done.
async fn resume(stand: &mut Stand, seen: &mut Seen, effects: u64) -> anyhow::Result<()> {
    let (first, second) = (stand.deployment.member("owner").await?, stand.deployment.member("owner").await?);
    let client = Client::open(&stand.client, &first).await?;
    let (status, answer) = client.ask((Kind::Checkable, "new-end"), None).await?;
    seen.check(status != 200, || format!("an action was performed while stopped: {answer}"));
    let normal = json!({ "scope": "org", "subject": "", "conduct": "normal", "reason": "reviewed" });
    let (status, proposed) = first.call(Method::PUT, "/v1/conduct", Some(&normal)).await?;
    anyhow::ensure!(status == 202, "resuming was answered with {status}: {proposed}");
    let path = format!("/v1/proposed-changes/{}/approve", proposed["id"].as_str().unwrap_or_default());
    let (status, answer) =
        second.call(Method::POST, &path, Some(&json!({ "digest": proposed["digest"] }))).await?;
    anyhow::ensure!(status == 200, "the second owner was answered with {status}: {answer}");
    tokio::time::sleep(WATCHED).await;
    let now = count_effects(stand);
    seen.check(now == effects, || format!("{now} effects instead of {effects} after it was resumed"));
    let (status, answer) = client.ask((Kind::Checkable, "new-end"), None).await?;
    seen.check(status == 200, || format!("a new action was answered with {status}: {answer}"));
    let now = count_effects(stand);
    seen.check(now == effects + 1, || format!("{now} effects instead of {} after a new action", effects + 1));
    Ok(())
}
