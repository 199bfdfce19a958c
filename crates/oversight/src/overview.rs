//! The overview: requests over time and their outcomes, counted on demand.

use std::collections::{BTreeMap, HashMap};

use model::{OrgId, SpaceId, Status};
use pipeline::read::{self, Durations, Group};
use platform::period::Period;
use policy::Answerer;

use crate::{error::Error, parts::Oversight, suggestions::Suggestion};

/// How many sources are listed.
const SOURCES: usize = 10;
/// How many people are listed.
const PEOPLE: i64 = 10;

/// The requests of one period, and their current state.
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
    /// How many needed approval, and how many of these were answered.
    pub asked: i64,
    pub answered: i64,
    /// The median and the 95th percentile of the time until the answer.
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

/// The use of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTally {
    pub source: String,
    pub calls: i64,
    pub succeeded: i64,
    /// Failed, reverted or unknown.
    pub failed: i64,
    pub p50_ms: Option<i64>,
}

/// The requests of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentTally {
    pub agent: String,
    pub calls: i64,
}

/// The summary of a period.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// By the index of a bucket, for buckets with requests; and in total.
    pub buckets: Vec<(usize, Tally)>,
    pub totals: Tally,
    /// How often a tool was found new, changed, gone or back, by the index of a bucket.
    pub drift: Vec<(usize, i64)>,
    /// How many invocations wait for approval now.
    pub waiting: i64,
    /// The ten with the most requests.
    pub sources: Vec<SourceTally>,
    /// The ten with the most requests.
    pub agents: Vec<AgentTally>,
    /// The ten who answered most, with their names.
    pub people: Vec<(Answerer, String)>,
    /// The permissions that would have answered most questions.
    pub suggestions: Vec<Suggestion>,
}

impl Oversight {
    /// The summary of an org, or of one of its spaces, for a period.
    pub async fn overview(
        &self,
        org: OrgId,
        space: Option<SpaceId>,
        period: Period,
    ) -> Result<Overview, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let drift = self.parts.events.drift(&mut tx, org, period).await?;
        let waiting = read::count_pending(&mut tx, org, space, self.parts.world.clock.now()).await?;
        let counted = read::count(&mut tx, org, space, period).await?;
        let people = policy::answerers(&mut tx, org, period, PEOPLE).await?;
        let users = people.iter().map(|found| found.user);
        let names = self.names(&mut tx, org, users).await?;
        let name = |user| names.get(&user).cloned().unwrap_or_else(|| "a former member".to_owned());
        let people = people.into_iter().map(|found| (found.clone(), name(found.user))).collect();
        let suggestions = self.suggestions(&mut tx, org, period).await?;
        drop(tx);
        Ok(Overview { drift, waiting, people, suggestions, ..summarize(counted) })
    }
}

/// A tally with the times until people answered.
#[derive(Default)]
struct Answered {
    tally: Tally,
    waited: Durations,
}

impl Answered {
    fn add(&mut self, status: Status, asked: bool, waited: Option<i32>, calls: i64) {
        self.tally.add(status, calls);
        self.tally.asked += if asked { calls } else { 0 };
        if let Some(class) = waited {
            self.waited.add(class, calls);
        }
    }

    fn total(self) -> Tally {
        let seconds = |percent| self.waited.percentile_ms(percent).map(|ms| ms / 1_000.0);
        Tally {
            answered: self.waited.count(),
            approval_p50_s: seconds(50),
            approval_p95_s: seconds(95),
            ..self.tally
        }
    }
}

fn summarize(counted: Vec<(Group, i64)>) -> Overview {
    let mut overview = Overview::default();
    let mut totals = Answered::default();
    let mut buckets: BTreeMap<i64, Answered> = BTreeMap::new();
    let mut sources: HashMap<String, (Tally, Durations)> = HashMap::new();
    for (group, calls) in counted {
        match group {
            Group::InBucket { bucket, status, asked, waited } => {
                buckets.entry(bucket).or_default().add(status, asked, waited, calls);
                totals.add(status, asked, waited, calls);
            }
            Group::OfSource { source, status, took } => {
                let (tally, durations) = sources.entry(source).or_default();
                tally.add(status, calls);
                if let Some(class) = took {
                    durations.add(class, calls);
                }
            }
            Group::ByAgent(agent) => overview.agents.push(AgentTally { agent, calls }),
        }
    }
    let index = |bucket| usize::try_from(bucket).unwrap_or_default();
    overview.buckets = buckets.into_iter().map(|(bucket, found)| (index(bucket), found.total())).collect();
    overview.totals = totals.total();
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
