//! Two workers with their own clocks on one database, and schedules whose timers come when one of the workers said: a
//! simulated day takes only as long as its fires do. The engine's part, storing a timer, is simulated; handling a due
//! timer is the product's code.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    time::Duration,
};

use anyhow::Context as _;
use futures::future::join_all;
use gateway::App;
use jiff::{SignedDuration, Timestamp};
use model::TriggerId;
use platform::Clock;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::PgConnection;
use testkit::{Dice, TestApp};

use crate::clocks::calendar::Planned;

/// How wrong a clock may be, in minutes.
const JUMPS: [i64; 6] = [-60, -23, 0, 0, 31, 60];
/// How late a timer may come, in minutes.
const LATEST: usize = 50;

/// A period with schedules.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
    pub(crate) schedules: Vec<Planned>,
}

/// What happened in a window.
#[derive(Debug, Default)]
pub(crate) struct Lived {
    /// The times for which there is a run, by schedule.
    pub(crate) fired: Vec<Vec<Timestamp>>,
    pub(crate) ticks: usize,
    /// How often both workers were called at once, one worker was called twice, a timer was late, and a clock was
    /// changed.
    pub(crate) at_once: usize,
    pub(crate) twice: usize,
    pub(crate) late: usize,
    pub(crate) jumps: usize,
}

impl Lived {
    /// Adds the counts of another window.
    pub(crate) fn add(&mut self, other: &Self) {
        self.ticks += other.ticks;
        self.at_once += other.at_once;
        self.twice += other.twice;
        self.late += other.late;
        self.jumps += other.jumps;
    }
}

/// Whether the guards against double fires are in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    On,
    /// The row does not remember that it was advanced, and the run does not remember its cause.
    Off,
}

struct Sim {
    app: TestApp,
    workers: [App; 2],
    clocks: [Clock; 2],
    /// How wrong each clock is, in minutes.
    skews: [i64; 2],
    triggers: Vec<TriggerId>,
    /// The engine's data: the time that each timer is set for, and when it comes by true time.
    set_for: Vec<Option<Timestamp>>,
    timers: BinaryHeap<Reverse<(Timestamp, usize, Timestamp)>>,
    dice: Dice,
    lived: Lived,
    guard: Guard,
    breaker: PgConnection,
}

/// Simulates a window.
pub(crate) async fn live(window: &Window, guard: Guard, seed: u64) -> anyhow::Result<Lived> {
    let app = TestApp::start().await?;
    let clocks = [app.app.world.clock.clone(), Clock::manual(window.from)];
    clocks[0].set(window.from);
    app.app.db.ensure_partitions(window.from).await?;
    let workers = [app.app.clone(), app.another_clock(clocks[1].clone()).await?];
    let mut breaker = app.db.owner().await?;
    // Row-level security applies to the owner as well. Here there is one org, and rows must be read and, for the
    // control, corrupted.
    for table in ["runs", "triggers"] {
        let lift = format!("ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY");
        sqlx::raw_sql(sqlx::AssertSqlSafe(lift)).execute(&mut breaker).await?;
    }
    let mut sim = Sim {
        app,
        workers,
        clocks,
        skews: [0, 0],
        triggers: vec![],
        set_for: vec![],
        timers: BinaryHeap::new(),
        dice: Dice::new(seed),
        lived: Lived::default(),
        guard,
        breaker,
    };
    for planned in &window.schedules {
        sim.save(planned).await?;
    }
    while let Some(Reverse((now, which, at))) = sim.timers.pop() {
        let until = window.schedules[which].until.unwrap_or(window.until);
        if now < until && sim.set_for[which] == Some(at) {
            // In the first half one clock is right; in the second half both are changed.
            let is_late = now > window.from + window.until.duration_since(window.from) / 2;
            sim.come(now, (which, at), is_late).await?;
        }
    }
    sim.read_fired().await?;
    Ok(sim.lived)
}

impl Sim {
    /// Saves an automation with one schedule, and sets its timer.
    async fn save(&mut self, planned: &Planned) -> anyhow::Result<()> {
        let name = format!("{} in {}", planned.cron(), planned.zone);
        let definition = json!({
            "schema_version": "1.0", "name": name,
            "plan": [{ "step_id": "look", "action": "files.list", "config": {} }],
            "triggers": [{ "type": "schedule", "config": { "cron": planned.cron(), "timezone": planned.zone } }],
            "execution": { "concurrency": "allow_parallel" },
        });
        let body = Some(json!({ "definition": definition }));
        let saved = self.app.send(Method::POST, "/v1/automations", &self.app.owner_token, body).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let trigger = &saved.body["triggers"][0];
        let at: Timestamp = text(&trigger["next_at"]).parse().with_context(|| saved.text.clone())?;
        self.triggers.push(text(&trigger["id"]).parse()?);
        self.set_for.push(Some(at));
        self.timers.push(Reverse((at, self.triggers.len() - 1, at)));
        Ok(())
    }

    /// A timer comes: to one worker, to both at once, or twice to one. It is then set as they say.
    async fn come(
        &mut self,
        now: Timestamp,
        (which, at): (usize, Timestamp),
        both: bool,
    ) -> anyhow::Result<()> {
        self.turn(now, both);
        let first = self.dice.below(2);
        let callers: &[usize] = match self.dice.below(8) {
            0 => {
                self.lived.at_once += 1;
                &[0, 1]
            }
            1 => {
                self.lived.twice += 1;
                &[first, first]
            }
            _ => &[first],
        };
        self.lived.ticks += callers.len();
        let (org, trigger) = (self.app.org, self.triggers[which]);
        let called = callers.iter().map(|caller| self.workers[*caller].automations.tick(org, trigger, at));
        let mut said = join_all(called).await;
        if self.guard == Guard::Off {
            self.forget(which, at).await?;
            said.push(self.workers[1 - first].automations.tick(org, trigger, at).await);
        }
        for next in said {
            let (next, far) = next?.with_context(|| format!("{trigger} has no next moment after {at}"))?;
            self.set_for[which] = Some(next);
            let mut comes = now + far;
            // A timer that a slow clock postponed is not late in addition: that would be another kind of fault.
            if next != at && self.dice.below(5) == 0 {
                self.lived.late += 1;
                comes += Duration::from_secs(60 * self.dice.below(LATEST) as u64);
            }
            self.timers.push(Reverse((comes, which, next)));
        }
        Ok(())
    }

    /// Sets each clock to true time plus its error, which changes now and then.
    fn turn(&mut self, now: Timestamp, both: bool) {
        for worker in 0..2 {
            if self.dice.below(3) == 0 {
                let skew = if both || worker == 1 { self.dice.one(&JUMPS) } else { 0 };
                self.lived.jumps += usize::from(skew != self.skews[worker]);
                self.skews[worker] = skew;
            }
            self.clocks[worker].set(now + SignedDuration::from_mins(self.skews[worker]));
        }
    }

    /// Removes the guards against a double fire, for the control.
    async fn forget(&mut self, which: usize, at: Timestamp) -> anyhow::Result<()> {
        let trigger = self.triggers[which].uuid();
        sqlx::query(
            "UPDATE runs SET cause = cause || '#' || id WHERE trigger_id = $1 AND cause NOT LIKE '%#%'",
        )
        .bind(trigger)
        .execute(&mut self.breaker)
        .await?;
        let done = sqlx::query("UPDATE triggers SET next_at = $2::timestamptz WHERE id = $1")
            .bind(trigger)
            .bind(at.to_string())
            .execute(&mut self.breaker)
            .await?;
        anyhow::ensure!(done.rows_affected() == 1, "the guard could not be switched off");
        Ok(())
    }

    /// Reads the times for which there are runs.
    async fn read_fired(&mut self) -> anyhow::Result<()> {
        let rows: Vec<(uuid::Uuid, String)> =
            sqlx::query_as("SELECT trigger_id, cause FROM runs").fetch_all(&mut self.breaker).await?;
        let mut by_trigger: BTreeMap<uuid::Uuid, Vec<Timestamp>> = BTreeMap::new();
        for (trigger, cause) in rows {
            let moment = cause.splitn(3, ':').nth(2).unwrap_or_default();
            let moment = moment.split('#').next().unwrap_or_default();
            by_trigger.entry(trigger).or_default().push(moment.parse().context(cause.clone())?);
        }
        let of = |id: &TriggerId| by_trigger.remove(&id.uuid()).unwrap_or_default();
        self.lived.fired = self.triggers.iter().map(of).collect();
        Ok(())
    }
}
