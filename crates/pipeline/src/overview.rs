//! The overview: what was asked for over time and what became of it, counted when somebody looks.

use std::collections::{BTreeMap, HashMap};

use model::{OrgId, SpaceId, Status};
use platform::period::Period;

use crate::{
    Error, Pipeline,
    durations::Durations,
    store::{self, Alike},
};

/// How many sources are named.
const SOURCES: usize = 10;

/// What was asked for in one stretch of time, and what became of it by now.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    pub calls: i64,
    pub succeeded: i64,
    pub failed: i64,
    pub denied: i64,
    pub expired: i64,
    pub unknown: i64,
    pub quarantined: i64,
    pub reverted: i64,
    /// How many a person was asked about, and how many of these a person answered.
    pub asked: i64,
    pub answered: i64,
    /// How long half of those answers took at most, and how long all but a twentieth.
    pub approval_p50_s: Option<f64>,
    pub approval_p95_s: Option<f64>,
}

impl Tally {
    fn add(&mut self, status: Status, calls: i64) {
        self.calls += calls;
        match status {
            Status::Succeeded => self.succeeded += calls,
            Status::Failed => self.failed += calls,
            Status::Denied => self.denied += calls,
            Status::Expired => self.expired += calls,
            Status::Unknown => self.unknown += calls,
            Status::Quarantined => self.quarantined += calls,
            Status::Reverted => self.reverted += calls,
            Status::Pending | Status::Approved | Status::Executing | Status::Skipped => {}
        }
    }
}

/// How a source was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTally {
    pub source: String,
    pub calls: i64,
    pub succeeded: i64,
    /// Failed, reverted or unknown.
    pub failed: i64,
    pub p50_ms: Option<i64>,
}

/// How much an agent asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentTally {
    pub agent: String,
    pub calls: i64,
}

/// What happened in a period.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// By the place of a bucket, of those in which something was asked for; and all together.
    pub buckets: Vec<(usize, Tally)>,
    pub totals: Tally,
    /// How often a tool was found to be no longer what was reviewed, by the place of a bucket.
    pub drift: Vec<(usize, i64)>,
    /// How many invocations wait for a person now.
    pub waiting: i64,
    /// The ten that were asked the most.
    pub sources: Vec<SourceTally>,
    /// The ten that asked the most.
    pub agents: Vec<AgentTally>,
}

impl Pipeline {
    /// What happened in an org, or in one of its spaces, in a period.
    pub async fn overview(
        &self,
        org: OrgId,
        space: Option<SpaceId>,
        period: Period,
    ) -> Result<Overview, Error> {
        let whose = (org, space);
        let mut tx = self.parts.db.begin(org).await?;
        let drift = self.parts.events.drift(&mut tx, org, period).await?;
        let waiting = store::waiting(&mut tx, whose, self.parts.world.clock.now()).await?;
        let counted = store::count(&mut tx, whose, period).await?;
        drop(tx);
        Ok(Overview { drift, waiting, ..put_together(counted) })
    }
}

/// What was counted, with how long people took to answer.
#[derive(Default)]
struct Answered {
    tally: Tally,
    waited: Durations,
}

impl Answered {
    fn add(&mut self, (status, asked, waited): (Status, bool, Option<i32>), calls: i64) {
        self.tally.add(status, calls);
        self.tally.asked += if asked { calls } else { 0 };
        if let Some(class) = waited {
            self.waited.add(class, calls);
        }
    }

    fn told(self) -> Tally {
        let seconds = |percent| self.waited.percentile_ms(percent).map(|ms| ms / 1_000.0);
        Tally {
            answered: self.waited.count(),
            approval_p50_s: seconds(50),
            approval_p95_s: seconds(95),
            ..self.tally
        }
    }
}

fn put_together(counted: Vec<(Alike, i64)>) -> Overview {
    let mut overview = Overview::default();
    let mut totals = Answered::default();
    let mut buckets: BTreeMap<i64, Answered> = BTreeMap::new();
    let mut sources: HashMap<String, (Tally, Durations)> = HashMap::new();
    for (alike, calls) in counted {
        match alike {
            Alike::InBucket { bucket, status, asked, waited } => {
                buckets.entry(bucket).or_default().add((status, asked, waited), calls);
                totals.add((status, asked, waited), calls);
            }
            Alike::OfSource { source, status, took } => {
                let (tally, durations) = sources.entry(source).or_default();
                tally.add(status, calls);
                if let Some(class) = took {
                    durations.add(class, calls);
                }
            }
            Alike::ByAgent(agent) => overview.agents.push(AgentTally { agent, calls }),
        }
    }
    let place = |bucket| usize::try_from(bucket).unwrap_or_default();
    overview.buckets = buckets.into_iter().map(|(bucket, found)| (place(bucket), found.told())).collect();
    overview.totals = totals.told();
    let tallied = sources.into_iter().map(|(source, (tally, durations))| SourceTally {
        source,
        calls: tally.calls,
        succeeded: tally.succeeded,
        failed: tally.failed + tally.reverted + tally.unknown,
        p50_ms: durations.whole_ms(50),
    });
    overview.sources = tallied.collect();
    overview.sources.sort_by(|one, other| (other.calls, &one.source).cmp(&(one.calls, &other.source)));
    overview.sources.truncate(SOURCES);
    overview.agents.sort_by(|one, other| (other.calls, &one.agent).cmp(&(one.calls, &other.agent)));
    overview
}
