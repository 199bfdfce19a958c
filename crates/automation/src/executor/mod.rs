//! Performs runs: step by step as far as possible; the engine calls again when a run has to pause or wait.
//!
//! The state of a run follows from its rows alone. A run may be advanced again at any time, and by several processes at
//! once: each attempt of a step has one idempotency key, and each key has one invocation.

mod agent;
mod endpoint;
mod names;
mod step;
mod work;

use std::time::Duration;

use model::{InvocationId, OrgId, RunId, RunStatus};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::{
    Automations, Error,
    limits::run::PATIENCE,
    plan::{self, Next},
};
use step::Stepped;
use work::Work;

pub use endpoint::bind;
pub(crate) use work::event;

/// The result of advancing a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// The run has ended.
    Over,
    /// Call again after this time.
    Rest {
        /// In milliseconds.
        ms: u64,
    },
    /// Call again when this invocation is answered.
    Await {
        /// The invocation that waits for a person.
        invocation: InvocationId,
    },
}

impl Turn {
    fn rest(wait: Duration) -> Self {
        Self::Rest { ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX) }
    }
}

impl Automations {
    /// Advances a run as far as possible.
    pub async fn advance(&self, org: OrgId, run: RunId) -> Result<Turn, Error> {
        let Some(mut work) = Work::take_up(self, org, run).await? else { return Ok(Turn::Over) };
        // Each lane has its own places, so slow runs wait for each other and fast runs only for other fast runs.
        let lane = self.lanes.get(&work.run.lane);
        let mut place = lane.and_then(|lane| lane.try_acquire().ok());
        if let (None, Some(lane)) = (&place, lane) {
            place = lane.acquire().await.ok();
            if !work.look().await? {
                return Ok(Turn::Over);
            }
        }
        let _place = place;
        let until = Instant::now() + PATIENCE;
        loop {
            let definition = work.definition.clone();
            let moment = work.moment();
            let turn = match plan::next(&definition, &work.steps, &moment) {
                Next::Over(status, error) => {
                    work.finish(status, error).await?;
                    Some(Turn::Over)
                }
                Next::Rest(wait) => Some(work.rest(wait).await?),
                Next::Do(place) => match work.step(place).await? {
                    Stepped::On => None,
                    Stepped::Rest(wait) => Some(work.rest(wait).await?),
                    Stepped::Await(invocation, until) => work.wait_for(invocation, until).await?,
                },
            };
            match turn {
                Some(turn) => return Ok(turn),
                None if Instant::now() > until => return work.rest(Duration::ZERO).await,
                None if work.look().await? => {}
                None => return Ok(Turn::Over),
            }
        }
    }

    /// Submits a run to the engine; returns whether that succeeded. If not, the sweep submits it.
    pub(crate) async fn submit(&self, org: OrgId, run: RunId) -> bool {
        self.send(&format!("Run/{run}/run/send"), RunOrder { org, run }).await
    }

    /// Wakes a run that waits. The run is also submitted again, in case the engine lost it. The caller has made the run
    /// due soon: the engine may lose what it accepted, and a run that waits for a person would otherwise not be checked
    /// before the time to answer is over.
    pub(crate) async fn wake(&self, org: OrgId, run: RunId, invocation: InvocationId) {
        if self.submit(org, run).await {
            self.send(&format!("Run/{run}/wake/send"), WakeOrder { invocation }).await;
        }
    }

    /// Sends a message to the engine; returns whether that succeeded. If not, a sweep repeats it.
    pub(crate) async fn send(&self, path: &str, order: impl Serialize) -> bool {
        let Some(engine) = &self.parts.engine else { return true };
        let sent = engine.send(path, order).await;
        if let Err(error) = &sent {
            tracing::warn!(
                path,
                error = error as &dyn std::error::Error,
                "notifying the engine failed; it will be retried"
            );
        }
        sent.is_ok()
    }
}

/// The data that the engine stores for a run: two ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunOrder {
    pub(crate) org: OrgId,
    pub(crate) run: RunId,
}

/// The invocation that a run waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WakeOrder {
    pub(crate) invocation: InvocationId,
}

/// The event type that reports a status.
pub(crate) const fn told(status: RunStatus) -> model::EventType {
    use model::EventType;
    match status {
        RunStatus::Pending | RunStatus::Running => EventType::RunStarted,
        RunStatus::Waiting => EventType::RunWaiting,
        RunStatus::Succeeded => EventType::RunSucceeded,
        RunStatus::Failed | RunStatus::TimedOut => EventType::RunFailed,
        RunStatus::Cancelled => EventType::RunCancelled,
    }
}
