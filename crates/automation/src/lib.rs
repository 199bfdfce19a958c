//! Automations: definitions that are saved, started by triggers and performed without a person.
//!
//! Cast: a [`Definition`] states what is done, when, and within which limits; [`check`] reports every problem of one,
//! each with its place and a suggestion; [`Automations`] stores them with all their versions; a trigger (`triggers.rs`)
//! starts one: a [`Schedule`], a request from outside or an event; the dispatcher (`dispatch/`) records one [`Run`] for
//! each fire; the executor (`executor/`) performs its steps in order, each as an invocation of the run's own session,
//! and the engine carries it through crashes.
//!
//! Flow: trigger → dispatch (inputs, loops, concurrency, one row) → engine → `plan::next` → `pipeline::invoke` → … →
//! end.
//!
//! INVARIANT: a value that passes [`check`] can be parsed as a [`Definition`], and every template in it uses only names
//! that exist at its place.
//! INVARIANT: one cause starts at most one run of an automation, and one attempt of a step is at most one invocation.
//! INVARIANT: the rows are authoritative. The engine holds ids; if it loses everything, the rows state where each run
//! is.
//! INVARIANT: inputs of a run are sealed where they are stored for execution, and redacted where they are shown.
//! Not here: whether a step is allowed (`policy`, for the invocation of each step), and HTTP (`gateway`).

mod agent;
mod authoring;
mod automations;
mod definition;
mod dispatch;
mod error;
mod executor;
mod flow;
mod inputs;
pub mod limits;
mod mapping;
mod outlook;
pub mod plan;
mod run;
mod runs;
mod schedule;
mod store;
mod triggers;
mod worth;

use std::{collections::HashMap, sync::Arc, time::Duration};

use changes::Recorder;
use model::{AutomationId, Lane, OrgId};
use moka::sync::Cache;
use oversight::Oversight;
use pipeline::{Engine, Pipeline};
use platform::{World, db::Database, redact::Redactor, seal::Sealer};
use tenancy::Tenancy;
use tokio::sync::Semaphore;

pub use agent::{AgentCall, AgentTurn, CallStatus, SaidCall, SaidTurn, Transcript, TurnUsage};
pub use authoring::{Proposal, Wish};
pub use automations::{Automation, Change, Listed, Version};
pub use definition::{
    AgentTask, Backoff, Concurrency, Definition, Execution, Inputs, Known, Metadata, Problem, Step,
    StepBounds, StepKind, Trigger, check, schema,
};
pub use dispatch::{Hooked, Started};
pub use error::Error;
pub use executor::{Turn, bind};
pub use flow::FoundFlow;
pub use outlook::StepOutlook;
pub use run::{Recent, Run, RunError, RunStep, RunTally};
pub use runs::{RunFilter, Watched, WatchedAgent};
pub use schedule::{Missed, Schedule, ScheduleError, Upcoming};
pub use triggers::{NewToken, TriggerRow};
pub use worth::{Worth, WorthKind};

/// The parts of [`Automations`].
pub struct Parts {
    pub db: Database,
    pub world: World,
    pub sealer: Sealer,
    pub tenancy: Tenancy,
    pub recorder: Recorder,
    pub events: events::Log,
    pub pipeline: Pipeline,
    /// Predicts decisions while a definition is written.
    pub oversight: Oversight,
    /// The engine that carries runs; without it, runs continue only when they are advanced by a call.
    pub engine: Option<Engine>,
}

/// The automations of all orgs. Cheap to clone.
#[derive(Clone)]
pub struct Automations {
    parts: Arc<Parts>,
    redactor: Arc<Redactor>,
    /// The definition of a version never changes, so it is cached.
    definitions: Cache<(OrgId, AutomationId, i32), Arc<Definition>>,
    /// The event triggers of an org, by their version.
    indexes: Cache<(OrgId, i64), Arc<dispatch::Index>>,
    lanes: Arc<HashMap<Lane, Semaphore>>,
    /// The lane of an automation, measured again after the entry expires.
    measured: Cache<(OrgId, AutomationId), Lane>,
}

/// How many runs of each lane one process performs at the same time: slow runs must not keep fast ones waiting.
const LANES: [(Lane, usize); 3] = [(Lane::Fast, 64), (Lane::Medium, 32), (Lane::Long, 16)];

impl Automations {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        let lanes = LANES.into_iter().map(|(lane, places)| (lane, Semaphore::new(places)));
        Self {
            parts: Arc::new(parts),
            redactor: Arc::new(Redactor::new()),
            definitions: Cache::builder().max_capacity(2_000).build(),
            indexes: Cache::builder().max_capacity(2_000).build(),
            lanes: Arc::new(lanes.collect()),
            measured: Cache::builder().max_capacity(10_000).time_to_live(Duration::from_secs(60)).build(),
        }
    }
}
