//! F8: jumping clocks, two workers, and days that are longer, shorter or skipped. Each time of day fires once per local
//! day.

mod calendar;
mod workers;

use std::{collections::BTreeSet, time::Duration};

use jiff::Timestamp;
use serde_json::json;
use sqlx::PgConnection;
use testkit::{Finding, Size};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    clocks::calendar::{Kind, Planned, Tally},
    clocks::workers::{Guard, Lived, Window, live},
    setup::{Setup, Stand, UNHURRIED},
};

/// Zones that change their offset at different hours, by an hour or half an hour, at midnight, or no longer.
const ZONES: [&str; 8] = [
    "Europe/Berlin",
    "America/New_York",
    "Africa/Cairo",
    "Asia/Tehran",
    "Pacific/Apia",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Africa/Casablanca",
];
/// Times of day: on some days in some of these zones, some of them are skipped and some occur twice.
const TIMES: [(i8, i8); 6] = [(0, 0), (0, 30), (1, 30), (2, 30), (9, 0), (23, 45)];
/// Weeks around the changes of 2026, and around some notable ones: midnight skipped in São Paulo, a day in Samoa,
/// midnight in Tehran.
const WEEKS: [(&str, &str); 5] = [
    ("2026-09-20T00:00:00Z", "2026-11-21T00:00:00Z"),
    ("2026-02-25T00:00:00Z", "2026-05-01T00:00:00Z"),
    ("2018-10-01T00:00:00Z", "2018-12-01T00:00:00Z"),
    ("2011-11-15T00:00:00Z", "2012-01-16T00:00:00Z"),
    ("2022-02-20T00:00:00Z", "2022-04-22T00:00:00Z"),
];
/// How long intervals are followed, from the start of each window.
const INTERVALS_FOR: Duration = Duration::from_secs(16 * 24 * 3_600);

fn window((from, until): (&str, &str)) -> anyhow::Result<Window> {
    let (from, until): (Timestamp, Timestamp) = (from.parse()?, until.parse()?);
    let mut schedules = Vec::new();
    for zone in ZONES {
        let daily = TIMES.map(|(hour, minute)| Kind::Daily(hour, minute));
        let all = daily.into_iter().chain([Kind::MonthEnd(2, 30)]);
        schedules.extend(all.map(|kind| Planned { zone, kind, until: None }));
    }
    let until_then = Some(from + INTERVALS_FOR);
    for (zone, minutes) in [("Australia/Lord_Howe", 15), ("Europe/Berlin", 60)] {
        schedules.push(Planned { zone, kind: Kind::Every(minutes), until: until_then });
    }
    Ok(Window { from, until, schedules })
}

fn judge(tally: &mut Tally, window: &Window, lived: &Lived) -> anyhow::Result<()> {
    for (planned, fired) in window.schedules.iter().zip(&lived.fired) {
        tally.judge(planned, fired, (window.from, window.until))?;
    }
    Ok(())
}

/// The same with the guards against double fires switched off, for a few days: some times must fire twice, or the trial
/// proves nothing.
async fn control() -> anyhow::Result<usize> {
    let mut window = window(WEEKS[0])?;
    window.until = "2026-09-27T00:00:00Z".parse()?;
    window.schedules.retain(|planned| planned.kind == Kind::Daily(9, 0));
    let (mut tally, lived) = (Tally::default(), Box::pin(live(&window, Guard::Off, 5)).await?);
    judge(&mut tally, &window, &lived)?;
    Ok(tally.doubled)
}

/// The results of the trial on the real engine.
struct Minutes {
    wanted: usize,
    /// Runs of these minutes, and those of them that succeeded with one effect.
    runs: usize,
    once: usize,
    /// Minutes with a run.
    minutes: usize,
    /// Effects that belong to no run.
    strays: usize,
}

impl Minutes {
    fn is_right(&self) -> bool {
        [self.runs, self.once, self.minutes] == [self.wanted; 3] && self.strays == 0
    }
}

/// A schedule of every minute, two workers, and the real engine: the target counts the effects of each minute.
async fn on_the_engine(minutes: usize) -> anyhow::Result<Minutes> {
    let mut stand =
        Stand::set_up(Setup { engine: Some(vec![]), env: vec![UNHURRIED], ..Setup::default() }).await?;
    let mut workers = [stand.deployment.worker()?, stand.deployment.worker()?];
    for worker in &mut workers {
        worker.launch(&[]).await?;
    }
    let definition = json!({
        "schema_version": "1.0", "name": "Every minute",
        "triggers": [{ "type": "schedule", "config": { "cron": "* * * * *", "timezone": "UTC" } }],
        "plan": [{ "step_id": "make", "action": "linear.create_issue",
                   "config": { "team_id": "team-1", "title": "minute {{ run.id }}" } }],
        "execution": { "concurrency": "allow_parallel" },
    });
    let body = json!({ "definition": definition });
    let saved = stand.deployment.as_owner(reqwest::Method::POST, "/v1/automations", body).await?;
    let first: Timestamp = saved["triggers"][0]["next_at"].as_str().unwrap_or_default().parse()?;
    let (start, patience) = (Instant::now(), Duration::from_secs(60 * minutes as u64 + 240));
    let over = async |sql: &mut PgConnection| -> anyhow::Result<Vec<(Uuid, String, bool)>> {
        let all = "SELECT id, cause, status = 'succeeded' FROM runs";
        Ok(sqlx::query_as(all).fetch_all(sql).await?)
    };
    while over(&mut stand.sql).await?.iter().filter(|run| run.2).count() < minutes
        && start.elapsed() < patience
    {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    // A duplicate would come within a moment.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut effects = stand.linear.effects();
    let runs = over(&mut stand.sql).await?;
    let last = first + jiff::SignedDuration::from_mins(i64::try_from(minutes)? - 1);
    let (mut seen, mut once, mut meant) = (BTreeSet::new(), 0, 0);
    for (id, cause, succeeded) in &runs {
        let moment: Timestamp = cause.splitn(3, ':').nth(2).unwrap_or_default().parse()?;
        let effect = effects.remove(&format!("minute run_{}", id.simple()));
        if moment <= last {
            (meant, once) = (meant + 1, once + usize::from(*succeeded && effect == Some(1)));
            seen.insert(moment);
        }
    }
    Ok(Minutes { wanted: minutes, runs: meant, once, minutes: seen.len(), strays: effects.len() })
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let started = Instant::now();
    let simulated = async {
        let (mut tally, mut all, mut schedules) = (Tally::default(), Lived::default(), 0_usize);
        for (weeks, seed) in WEEKS[..size.pick(1, WEEKS.len())].iter().zip(1..) {
            let window = window(*weeks)?;
            let lived = Box::pin(live(&window, Guard::On, seed)).await?;
            judge(&mut tally, &window, &lived)?;
            schedules += window.schedules.len();
            all.add(&lived);
        }
        let took = started.elapsed();
        Ok::<_, anyhow::Error>((tally, all, schedules, control().await?, took))
    };
    let (simulated, engine) =
        futures::try_join!(Box::pin(simulated), Box::pin(on_the_engine(size.pick(2, 4))))?;
    let (tally, lived, schedules, control, simulating) = simulated;
    let bad = tally.missed + tally.doubled + tally.astray;
    let was_hit = lived.jumps > 100 && lived.at_once > 100 && lived.twice > 100 && lived.late > 100;
    Ok(Finding {
        bar: "F8".to_owned(),
        figure: bad as f64,
        unit: format!(
            "of {} local days of {schedules} schedules missed or doubled by clocks that jump",
            tally.days
        ),
        pass: bad == 0 && engine.is_right() && control > 0 && was_hit && tally.days > 1_000,
        details: vec![
            (
                "missed, doubled, at a moment not meant".to_owned(),
                json!([tally.missed, tally.doubled, tally.astray]),
            ),
            ("moments of intervals, each fired once".to_owned(), json!(tally.moments)),
            ("timers that came".to_owned(), json!(lived.ticks)),
            (
                "clocks set, both workers at once, one twice, late".to_owned(),
                json!([lived.jumps, lived.at_once, lived.twice, lived.late]),
            ),
            ("control: doubled without the guards".to_owned(), json!(control)),
            (
                "on the engine, two workers: minutes, with a run, runs, done once".to_owned(),
                json!([engine.wanted, engine.minutes, engine.runs, engine.once]),
            ),
            (
                "every zone to 2037".to_owned(),
                json!("crates/automation/src/schedule/zones.rs, in every test run"),
            ),
            (
                "rate of wrong days, below (95 %)".to_owned(),
                json!((bad == 0).then(|| 3.0 / tally.days as f64)),
            ),
            (
                "seconds simulating, in all".to_owned(),
                json!([simulating.as_secs(), started.elapsed().as_secs()]),
            ),
            ("complaints".to_owned(), json!(tally.complaints)),
        ],
    })
}
