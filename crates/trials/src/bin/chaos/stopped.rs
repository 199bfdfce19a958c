//! F10: people stop an agent, a source, an automation, a space and the organization under load. Nothing begins after a
//! stop, as the targets saw it, and after it is resumed nothing is lost.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use anyhow::Context as _;
use futures::future::try_join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Finding, MANY_PENDING, Person, Size, Waiting};
use tokio::time::Instant;

use crate::{
    automation::{Saved, Way, definition},
    setup::{BUSY, Setup, Stand, UNHURRIED},
};

/// What each client does. Its first letters are those of the titles by which the targets count.
const DIRECT: &str = "direct";
const ONCE: &str = "once";
const ASKED: &str = "asked";
const RUN: &str = "run";
/// How many clients of each kind there are: 64 together.
const CLIENTS: [(&str, usize); 4] = [(DIRECT, 32), (ONCE, 16), (ASKED, 8), (RUN, 8)];

/// How long there is load before a stop, and how long the stop lasts.
const LOAD: Duration = Duration::from_millis(1_500);
const HOLD: Duration = Duration::from_millis(1_500);
/// How long a stop waits after its commit, before it returns.
const GRACE: Duration = Duration::from_millis(100);
/// A call that was claimed before the stop reaches the target at the latest this long after the stop returned, on a busy
/// machine.
const LATEST: Duration = Duration::from_secs(1);
/// How long everything may take to end after the last resumption; runs look again every ten seconds.
const PATIENCE: Duration = Duration::from_secs(180);

/// A stop, and what it holds back.
struct Scope {
    kind: &'static str,
    subject: String,
    holds: &'static [&'static str],
}

/// What the targets saw of one stop.
#[derive(Default)]
struct Look {
    scope: &'static str,
    /// In its scope before it, so that there was something to stop.
    before: usize,
    /// In its scope after it returned, claimed before it was committed.
    in_flight: usize,
    /// How long after it returned the last of these arrived, in milliseconds.
    latest_ms: u128,
    /// In its scope and begun after it.
    begun: Vec<String>,
    /// Outside its scope meanwhile.
    elsewhere: usize,
}

/// The load: clients that repeat what was stopped until it is done.
struct Load {
    next: AtomicUsize,
    over: AtomicBool,
    refused: AtomicUsize,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let rounds = size.pick(1, 10);
    let mut env = MANY_PENDING.to_vec();
    env.push(UNHURRIED);
    let setup = Setup { engine: Some(vec![]), env, ..Setup::default() };
    let mut stand = Stand::set_up(setup).await?;
    let asks = json!({ "action": "github.create_issue", "mode": "require_approval", "where": { "body": { "equals": ASKED } } });
    stand.deployment.as_owner(Method::PUT, "/v1/rules", asks).await?;
    let mut gateway = stand.deployment.another_gateway()?;
    gateway.launch().await?;
    let mut workers = [stand.deployment.worker()?, stand.deployment.worker()?];
    for worker in &mut workers {
        worker.launch(&[]).await?;
    }
    let plan = json!([{
        "step_id": "make", "action": "linear.create_issue",
        "config": { "team_id": "team-1", "title": "{{ inputs.name }}" },
        "bounds": { "max_retries": 5 },
    }]);
    let saved = Saved::save(&stand.deployment, definition("Stopped", &plan, "allow_parallel")).await?;
    let spaces = stand.owner.call(Method::GET, "/v1/spaces", None).await?.1;
    let space = spaces["items"][0]["id"].as_str().context("a space has an id")?.to_owned();
    let scopes = [
        Scope { kind: "agent", subject: "chaos".to_owned(), holds: &[DIRECT, ONCE, ASKED] },
        Scope { kind: "source", subject: "linear".to_owned(), holds: &[DIRECT, RUN] },
        Scope { kind: "automation", subject: saved.id.clone(), holds: &[RUN] },
        Scope { kind: "space", subject: space, holds: &[DIRECT, ONCE, ASKED, RUN] },
        Scope { kind: "org", subject: String::new(), holds: &[DIRECT, ONCE, ASKED, RUN] },
    ];
    let load = Load { next: AtomicUsize::new(0), over: AtomicBool::new(false), refused: AtomicUsize::new(0) };
    let urls = [stand.deployment.url.clone(), gateway.url.clone()];
    let clients = work(&stand, &saved, &load, &urls);
    let stopping = async {
        let mut looks = Vec::new();
        let people = [stand.owner.clone(), stand.owner.at(&gateway.url)];
        for (number, scope) in (0..rounds).flat_map(|_| &scopes).enumerate() {
            looks.push(stop(&stand, &people[number % 2], scope).await?);
        }
        load.over.store(true, Ordering::Relaxed);
        Ok::<_, anyhow::Error>(looks)
    };
    let (titles, looks) = tokio::join!(clients, stopping);
    let (titles, looks) = (titles?, looks?);
    let left = over(&mut stand, size.allow(PATIENCE)).await?;
    let refused = load.refused.load(Ordering::Relaxed);
    finding(&mut stand, &titles, &looks, (left, refused)).await
}

/// All clients, until the load is over and each has done what it began; returns what was asked for.
async fn work(stand: &Stand, saved: &Saved, load: &Load, urls: &[String; 2]) -> anyhow::Result<Vec<String>> {
    let mut clients = Vec::new();
    let kinds = CLIENTS.iter().flat_map(|(kind, count)| std::iter::repeat_n(*kind, *count));
    for (number, kind) in kinds.enumerate() {
        let url = &urls[number % 2];
        let agent = stand.deployment.agent("chaos").await?;
        let agent = Person { http: stand.deployment.client.clone(), url: url.clone(), token: agent.token };
        let owner = stand.owner.at(url);
        clients.push(one(kind, (agent, owner), saved.at(url), load));
    }
    Ok(try_join_all(clients).await?.into_iter().flatten().collect())
}

async fn one(
    kind: &'static str,
    (agent, owner): (Person, Person),
    saved: Saved,
    load: &Load,
) -> anyhow::Result<Vec<String>> {
    let (_, me) = agent.call(Method::GET, "/v1/me", None).await?;
    let session = me["session"].as_str().context("an agent knows its session")?.to_owned();
    let path = format!("/v1/sessions/{session}/actions/invoke");
    let mut titles = Vec::new();
    while !load.over.load(Ordering::Relaxed) {
        let title = format!("{kind}-{:06}-end", load.next.fetch_add(1, Ordering::Relaxed));
        match kind {
            RUN => drop(saved.want(Way::Hook, &title).await?),
            ASKED => ask(&agent, &owner, (&path, &title), load).await?,
            _ => act(&agent, kind, (&path, &title), load).await?,
        }
        titles.push(title);
        tokio::time::sleep(Duration::from_millis(if kind == RUN { 250 } else { 40 })).await;
    }
    Ok(titles)
}

fn request(kind: &str, title: &str) -> Value {
    match kind {
        DIRECT => {
            json!({ "action": "linear.create_issue", "params": { "team_id": "team-1", "title": title } })
        }
        kind => json!({ "action": "github.create_issue", "params": {
            "owner": "acme", "repo": "web", "title": title, "body": kind,
        } }),
    }
}

/// Whether an answer says that nothing was sent because of a stop, so that it may be asked for again.
fn is_stopped((status, answer): &(u16, Value)) -> bool {
    let refused = *status == 409 && answer["code"] == "stopped";
    let unsent = answer["error"]["message"].as_str().is_some_and(|message| message.starts_with("not sent: "));
    refused || unsent
}

/// Acts, and repeats it while it is stopped.
async fn act(agent: &Person, kind: &str, (path, title): (&str, &str), load: &Load) -> anyhow::Result<()> {
    let body = request(kind, title);
    loop {
        let answered = agent.call(Method::POST, path, Some(&body)).await?;
        if is_stopped(&answered) || answered.0 == 503 {
            load.refused.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(60)).await;
            continue;
        }
        anyhow::ensure!(answered.1["status"] == "succeeded", "{title} was answered with {answered:?}");
        return Ok(());
    }
}

/// Asks a person, who says yes; both repeat it while it is stopped.
async fn ask(agent: &Person, owner: &Person, (path, title): (&str, &str), load: &Load) -> anyhow::Result<()> {
    let body = request(ASKED, title);
    let waiting = loop {
        let answered = agent.call(Method::POST, path, Some(&body)).await?;
        match answered.0 {
            202 => break Waiting::of(&answered.1)?,
            _ if is_stopped(&answered) || answered.0 == 503 => {}
            _ => anyhow::bail!("{title} was answered with {answered:?}"),
        }
        load.refused.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(60)).await;
    };
    loop {
        let answered = owner.approve(&waiting, "0s").await?;
        match answered.0 {
            200 | 202 => return Ok(()),
            // Policy changes with each stop; the person looks again.
            503 | 409 => load.refused.fetch_add(1, Ordering::Relaxed),
            _ => anyhow::bail!("the approval of {title} was answered with {answered:?}"),
        };
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
}

/// How many effects the targets saw since a moment.
fn seen_since(stand: &Stand, since: Instant, like: impl Fn(&str) -> bool) -> usize {
    let seen = stand.linear.effects_in_order().into_iter().chain(stand.github.effects_in_order());
    seen.filter(|(title, at)| *at > since && like(title)).count()
}

/// Waits at least this long, and until something holds, within reason.
async fn wait_for(least: Duration, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    tokio::time::sleep(least).await;
    while !holds() && begun.elapsed() < BUSY {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Stops a scope under load, resumes it, and looks at what reached the targets meanwhile.
async fn stop(stand: &Stand, person: &Person, scope: &Scope) -> anyhow::Result<Look> {
    let begun = Instant::now();
    // On a busy machine it takes longer until each kind of client has done something.
    let is_loaded =
        || scope.holds.iter().all(|kind| seen_since(stand, begun, |title| title.starts_with(kind)) > 0);
    wait_for(LOAD, is_loaded).await;
    let mut sql = stand.deployment.sql().await?;
    let set = async |conduct: &str| -> anyhow::Result<()> {
        let body =
            json!({ "scope": scope.kind, "subject": scope.subject, "conduct": conduct, "reason": "F10" });
        let (status, answer) = person.call(Method::PUT, "/v1/conduct", Some(&body)).await?;
        anyhow::ensure!(status == 200, "{} {conduct} was answered with {status}: {answer}", scope.kind);
        Ok(())
    };
    set("halted").await?;
    let stopped = Instant::now();
    let query = "SELECT extract(epoch FROM clock_timestamp())::float8";
    let now: f64 = sqlx::query_scalar(query).fetch_one(&mut sql).await?;
    let committed = now - GRACE.as_secs_f64();
    let is_held = |title: &str| scope.holds.iter().any(|kind| title.starts_with(kind));
    let all_are_held = scope.holds.len() == CLIENTS.len();
    wait_for(HOLD, || all_are_held || seen_since(stand, stopped, |title| !is_held(title)) > 0).await;
    let resumed = Instant::now();
    set("normal").await?;
    let mut look = Look { scope: scope.kind, ..Look::default() };
    let seen = stand.linear.effects_in_order().into_iter().chain(stand.github.effects_in_order());
    let mut late = BTreeMap::new();
    for (title, at) in seen {
        match (is_held(&title), at) {
            (true, at) if begun < at && at <= stopped => look.before += 1,
            (true, at) if stopped < at && at < resumed => drop(late.insert(title, at - stopped)),
            (false, at) if stopped < at && at < resumed => look.elsewhere += 1,
            _ => {}
        }
    }
    for (title, after) in late {
        let query = "SELECT extract(epoch FROM coalesce(started_at, requested_at))::float8 FROM invocations
                     WHERE params ->> 'title' = $1 ORDER BY 1 DESC LIMIT 1";
        let claimed: f64 = sqlx::query_scalar(query).bind(&title).fetch_one(&mut sql).await?;
        if claimed > committed || after > LATEST {
            look.begun.push(format!("{title} {after:?}"));
        } else {
            look.in_flight += 1;
            look.latest_ms = look.latest_ms.max(after.as_millis());
        }
    }
    Ok(look)
}

/// Waits until every invocation and every run is over; returns how many are not.
async fn over(stand: &mut Stand, patience: Duration) -> anyhow::Result<i64> {
    let begun = Instant::now();
    loop {
        let left = stand.wait_until_over(patience).await?;
        let query = "SELECT count(*) FROM runs WHERE status IN ('pending', 'running', 'waiting')";
        let runs: i64 = sqlx::query_scalar(query).fetch_one(&mut stand.sql).await?;
        if left + runs == 0 || begun.elapsed() > patience {
            return Ok(left + runs);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn finding(
    stand: &mut Stand,
    titles: &[String],
    looks: &[Look],
    (left, refused): (i64, usize),
) -> anyhow::Result<Finding> {
    let effects = |title: &String| stand.linear.count_effect(title) + stand.github.count_effect(title);
    let lost: Vec<&String> = titles.iter().filter(|title| effects(title) == 0).collect();
    let doubled = titles.iter().filter(|title| effects(title) > 1).count();
    let query = "SELECT concat_ws(' ', params ->> 'title', status, error ->> 'message') FROM invocations
                 WHERE params ->> 'title' = ANY($1) LIMIT 10";
    let names: Vec<&str> = lost.iter().map(|title| title.as_str()).collect();
    let ends: Vec<String> = sqlx::query_scalar(query).bind(&names).fetch_all(&mut stand.sql).await?;
    let stuck = stand.stuck().await?.max(left);
    let begun: Vec<&String> = looks.iter().flat_map(|look| &look.begun).collect();
    let bad = begun.len() + lost.len() + doubled + usize::try_from(stuck)?;
    let idle = looks.iter().filter(|look| look.before == 0).count();
    let narrow = |look: &&Look| matches!(look.scope, "agent" | "source" | "automation");
    let too_wide = looks.iter().filter(narrow).filter(|look| look.elsewhere == 0).count();
    let each = |value: fn(&Look) -> Value| -> Value {
        looks
            .iter()
            .map(|look| (look.scope.to_owned(), value(look)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    Ok(Finding {
        bar: "F10".to_owned(),
        figure: bad as f64,
        unit: format!("of {} begun after a stop, lost, doubled or stuck", titles.len()),
        pass: bad == 0 && idle == 0 && too_wide == 0,
        details: vec![
            ("lost".to_owned(), json!(ends)),
            ("stops".to_owned(), json!(looks.len())),
            ("begun after a stop".to_owned(), json!(begun)),
            ("lost, doubled, stuck".to_owned(), json!([lost.len(), doubled, stuck])),
            ("effects in the scope before the stop".to_owned(), each(|look| json!(look.before))),
            ("in flight when the stop returned".to_owned(), each(|look| json!(look.in_flight))),
            ("last of them, ms after it returned".to_owned(), each(|look| json!(look.latest_ms))),
            ("effects outside the scope during the stop".to_owned(), each(|look| json!(look.elsewhere))),
            ("requests refused and repeated".to_owned(), json!(refused)),
        ],
    })
}
