//! The overview: what was asked for over time and what became of it, counted when somebody looks.

use model::{OrgId, SpaceId};
use platform::period::Period;

use crate::{Error, Pipeline, store};

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
        let mut overview = Overview {
            drift: self.parts.events.drift(&mut tx, org, period).await?,
            waiting: store::waiting(&mut tx, whose, self.parts.world.clock.now()).await?,
            sources: store::by_source(&mut tx, whose, period).await?,
            agents: store::by_agent(&mut tx, whose, period).await?,
            ..Overview::default()
        };
        for (bucket, tally) in store::by_bucket(&mut tx, whose, period).await? {
            match bucket.map(usize::try_from) {
                None => overview.totals = tally,
                Some(place) => overview.buckets.push((place.unwrap_or_default(), tally)),
            }
        }
        Ok(overview)
    }
}
