//! Fires that come while an automation runs: dropped, queued or started in parallel, exactly as its policy says, with
//! many fires at once at several gateways. The target's clock shows which runs were active when.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use futures::future::try_join_all;
use serde_json::{Value, json};
use sqlx::PgConnection;
use testkit::{Finding, Gateway, Size};
use tokio::time::Instant;

use crate::{
    automation::{Saved, Way, definition},
    setup::{Setup, Stand, UNHURRIED},
};

const CLIENTS: usize = 50;
const POLICIES: [&str; 3] = ["drop_if_running", "queue", "allow_parallel"];
/// How long the target takes to answer, so that fires come in between.
const SLOW: Duration = Duration::from_millis(30);
/// After this time without any run ending, the trial counts as stuck.
const PATIENCE: Duration = Duration::from_secs(90);

/// A run as stored in its row: its number, its name, its status and error class, and when it was created and ended, in
/// seconds.
type Row = (i64, String, String, Option<String>, f64, Option<f64>);

/// The results for one policy.
#[derive(Debug, Default)]
struct Shown {
    policy: &'static str,
    fires: usize,
    ran: usize,
    dropped: usize,
    /// Fires without a row, runs with a wrong end, and effects that did not happen exactly once.
    wrong: usize,
    /// Pairs of runs that overlapped by the target's clock, and pairs that ran in the wrong order.
    overlaps: usize,
    disordered: usize,
    seconds: f64,
    complaints: Vec<String>,
}

/// When the end of each run was first seen, by its number, in seconds. The end time in the row is slightly before
/// others can see it.
type Ends = BTreeMap<i64, f64>;

/// The whole deployment.
struct Crowd {
    stand: Stand,
    others: [Gateway; 2],
}

/// Two steps, so that the target sees when a run begins and when it ends.
fn plan() -> Value {
    let make = |step: &str| {
        json!({ "step_id": step, "action": "linear.create_issue",
                "config": { "team_id": "team-1", "title": format!("{{{{ inputs.name }}}}-{step}") } })
    };
    json!([make("begin"), make("end")])
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (fires, started) = (size.pick(100, 1_000), Instant::now());
    let stand =
        Stand::set_up(Setup { engine: Some(vec![]), env: vec![UNHURRIED], ..Setup::default() }).await?;
    stand.linear.answer_late(|_| SLOW);
    let mut others = [stand.deployment.another_gateway()?, stand.deployment.another_gateway()?];
    for gateway in &mut others {
        gateway.launch().await?;
    }
    let mut workers = [stand.deployment.worker()?, stand.deployment.worker()?];
    for worker in &mut workers {
        worker.launch(&[]).await?;
    }
    let mut crowd = Crowd { stand, others };
    let mut shown = Vec::new();
    for policy in POLICIES {
        shown.push(crowd.try_policy(policy, fires).await?);
    }
    Ok(finding(&shown, started.elapsed()))
}

/// Polls which runs have ended, while fires come.
async fn watch_ends(mut sql: PgConnection, policy: &str, over: &AtomicBool) -> anyhow::Result<Ends> {
    let query = "SELECT r.number, extract(epoch FROM clock_timestamp())::float8
                 FROM runs r JOIN automations a ON a.id = r.automation_id
                 WHERE a.name = $1 AND r.status = 'succeeded'";
    let mut ends = Ends::new();
    while !over.load(Ordering::Relaxed) {
        let ended: Vec<(i64, f64)> = sqlx::query_as(query).bind(policy).fetch_all(&mut sql).await?;
        for (number, now) in ended {
            ends.entry(number).or_insert(now);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(ends)
}

impl Crowd {
    async fn try_policy(&mut self, policy: &'static str, fires: usize) -> anyhow::Result<Shown> {
        let begun = Instant::now();
        let saved = Saved::save(&self.stand.deployment, definition(policy, &plan(), policy)).await?;
        let mut doors = vec![saved.clone()];
        doors.extend(self.others.iter().map(|gateway| saved.at(&gateway.url)));
        let client = async |client: usize| {
            for number in (client..fires).step_by(CLIENTS) {
                let way = [Way::Person, Way::Hook][number % 2];
                doors[number % doors.len()].want(way, &format!("{policy}-{number:04}")).await?;
            }
            Ok::<_, anyhow::Error>(())
        };
        let over = AtomicBool::new(false);
        let storm = async {
            let fired = try_join_all((0..CLIENTS).map(client)).await;
            over.store(true, Ordering::Relaxed);
            fired
        };
        let watching = watch_ends(self.stand.deployment.sql().await?, policy, &over);
        let (_, ends) = futures::try_join!(storm, watching)?;
        let rows = self.wait_until_over(policy).await?;
        let mut shown = Shown { policy, fires, seconds: begun.elapsed().as_secs_f64(), ..Shown::default() };
        self.judge(&mut shown, &rows, &ends);
        // One more fire when nothing runs: it must run under every policy.
        doors[0].want(Way::Person, &format!("{policy}-last")).await?;
        let rows = self.wait_until_over(policy).await?;
        if rows.last().is_none_or(|last| last.2 != "succeeded") || rows.len() != fires + 1 {
            shown.wrong += 1;
            shown.complain(format!("what was fired when nothing ran did not run: {:?}", rows.last()));
        }
        Ok(shown)
    }

    /// The runs of an automation, once all of them have ended or none has ended for a while.
    async fn wait_until_over(&mut self, policy: &str) -> anyhow::Result<Vec<Row>> {
        let (mut ended, mut since) = (0, Instant::now());
        loop {
            let rows: Vec<Row> = sqlx::query_as(
                "SELECT r.number, coalesce(r.inputs->>'name', ''), r.status, r.error->>'class',
                        extract(epoch FROM r.created_at)::float8, extract(epoch FROM r.finished_at)::float8
                 FROM runs r JOIN automations a ON a.id = r.automation_id WHERE a.name = $1 ORDER BY r.number",
            )
            .bind(policy)
            .fetch_all(&mut self.stand.sql)
            .await?;
            let now = rows.iter().filter(|row| row.5.is_some()).count();
            if now > ended {
                (ended, since) = (now, Instant::now());
            }
            if now == rows.len() || since.elapsed() > PATIENCE {
                return Ok(rows);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn judge(&self, shown: &mut Shown, rows: &[Row], ends: &Ends) {
        shown.wrong += shown.fires.abs_diff(rows.len());
        let ran: Vec<&Row> = rows.iter().filter(|row| row.2 == "succeeded").collect();
        shown.ran = ran.len();
        for row in rows.iter().filter(|row| row.2 != "succeeded") {
            let is_dropped = row.2 == "cancelled" && row.3.as_deref() == Some("already_running");
            // It overlapped with a run that was recorded before it and had not ended.
            let met = |other: &&&Row| {
                other.0 < row.0 && other.4 <= row.4 && ends.get(&other.0).is_none_or(|end| row.4 <= *end)
            };
            if is_dropped && shown.policy == "drop_if_running" && ran.iter().any(|other| met(&other)) {
                shown.dropped += 1;
            } else {
                shown.wrong += 1;
                shown.complain(format!("#{} ended {} ({:?})", row.0, row.2, row.3));
            }
        }
        // A refused fire stores no inputs, so the target's effects are compared with the runs that succeeded, and there
        // must be no others.
        let seen = self.intervals(shown);
        let mut order = Vec::new();
        for row in ran {
            match seen.get(&row.1) {
                Some(Interval { begin: Some(begin), end: Some(end), effects: 2 }) if begin < end => {
                    order.push((row.0, *begin, *end));
                }
                other => {
                    shown.wrong += 1;
                    shown.complain(format!("#{}: the target saw {other:?}", row.0));
                }
            }
        }
        shown.wrong += seen.len().abs_diff(shown.ran);
        // The rows are sorted by number; the target shows in which order the runs began.
        shown.disordered = order.windows(2).filter(|pair| pair[1].1 < pair[0].1).count();
        order.sort_by_key(|(_, begin, _)| *begin);
        let mut busy_until = None;
        for (_, begin, end) in order {
            shown.overlaps += usize::from(busy_until.is_some_and(|until| begin < until));
            busy_until = busy_until.max(Some(end));
        }
    }

    /// When the target saw each run begin and end, by name.
    fn intervals(&self, shown: &Shown) -> BTreeMap<String, Interval> {
        let mut seen: BTreeMap<String, Interval> = BTreeMap::new();
        for (effect, at) in self.stand.linear.effects_in_order() {
            let Some((name, step)) = effect.rsplit_once('-') else { continue };
            if !name.starts_with(shown.policy) {
                continue;
            }
            let interval = seen.entry(name.to_owned()).or_default();
            interval.effects += 1;
            if step == "begin" {
                interval.begin = Some(at);
            } else {
                interval.end = Some(at);
            }
        }
        seen
    }
}

/// A run as the target saw it.
#[derive(Debug, Default)]
struct Interval {
    begin: Option<Instant>,
    end: Option<Instant>,
    effects: usize,
}

impl Shown {
    fn complain(&mut self, what: String) {
        if self.complaints.len() < 10 {
            self.complaints.push(format!("{}: {what}", self.policy));
        }
    }

    /// The number of violations of the policy.
    fn bad(&self) -> usize {
        let at_once = if self.policy == "allow_parallel" { 0 } else { self.overlaps + self.disordered };
        self.wrong + at_once
    }

    /// Whether the policy was really exercised.
    fn is_lively(&self) -> bool {
        match self.policy {
            "drop_if_running" => self.ran >= 1 && self.dropped > self.ran,
            "queue" => self.ran == self.fires,
            // The control of the other policies: without a restriction, the target sees overlapping runs.
            _ => self.ran == self.fires && self.overlaps > 0,
        }
    }
}

fn finding(shown: &[Shown], took: Duration) -> Finding {
    let bad: usize = shown.iter().map(Shown::bad).sum();
    let fires: usize = shown.iter().map(|one| one.fires).sum();
    let mut details: Vec<(String, Value)> = (shown.iter())
        .map(|one| {
            let told = json!({
                "fires": one.fires, "ran": one.ran, "dropped": one.dropped, "wrong": one.wrong,
                "at once": one.overlaps, "out of order": one.disordered, "seconds": one.seconds.round(),
            });
            (one.policy.to_owned(), told)
        })
        .collect();
    let complaints: Vec<&String> = shown.iter().flat_map(|one| &one.complaints).collect();
    details.push(("seconds".to_owned(), json!(took.as_secs())));
    details.push(("complaints".to_owned(), json!(complaints)));
    Finding {
        bar: "policies".to_owned(),
        figure: bad as f64,
        unit: format!(
            "of {fires} fires, by {CLIENTS} clients at three gateways, that went otherwise than their policy says"
        ),
        pass: bad == 0 && shown.iter().all(Shown::is_lively),
        details,
    }
}
