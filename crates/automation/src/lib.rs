//! Do it by itself: saved work, described by a definition that is the program.
//!
//! Cast: a [`Definition`] says what is done, when, and within which bounds; [`check`] says everything that is wrong with one,
//! each with its place and a suggestion; [`Automations`] keep them with all their versions; a trigger (`triggers.rs`) is what
//! starts one: the clock ([`Schedule`]), a request from outside or an event; the dispatcher (`dispatch/`) makes a [`Run`] of
//! each fire, once; the executor (`executor/`) does its steps one after the other, each as an invocation of the run's own
//! session, and is carried through crashes by the engine.
//!
//! Flow: trigger → dispatch (inputs, loops, concurrency, one row) → engine → `plan::next` → `pipeline::invoke` → … → over.
//!
//! INVARIANT: what [`check`] lets pass can be read as a [`Definition`], and every template in it names only what is there at
//! its place.
//! INVARIANT: one cause starts at most one run of an automation, and one try of a step is at most one invocation.
//! INVARIANT: the rows are the truth. The engine holds ids; if it loses everything, the rows say where each run is.
//! INVARIANT: inputs of a run are sealed where they are kept for execution, and redacted where they are shown.
//! Not here: whether a step may be done (`policy`, by the invocation that each step is), and HTTP (`gateway`).

mod automations;
mod definition;
mod dispatch;
mod error;
mod executor;
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

use std::{collections::HashMap, sync::Arc, time::Duration};

use model::{AutomationId, Lane, OrgId};
use moka::sync::Cache;
use oversight::Oversight;
use pipeline::{Engine, Pipeline};
use platform::{World, db::Database, redact::Redactor, seal::Sealer};
use tenancy::Tenancy;
use tokio::sync::Semaphore;

pub use automations::{Automation, Change, Listed, Version};
pub use definition::{
    Backoff, Concurrency, Definition, Execution, Inputs, Known, Metadata, Problem, Step, StepBounds,
    StepKind, Trigger, check, schema,
};
pub use dispatch::{Hooked, Started};
pub use error::Error;
pub use executor::{Turn, bind};
pub use outlook::StepOutlook;
pub use run::{Recent, Run, RunError, RunStep, RunTally};
pub use runs::{RunFilter, Watched};
pub use schedule::{Missed, Schedule, ScheduleError, Upcoming};
pub use triggers::{NewToken, TriggerRow};

/// What automations are made of.
pub struct Parts {
    pub db: Database,
    pub world: World,
    pub sealer: Sealer,
    pub tenancy: Tenancy,
    pub events: events::Log,
    pub pipeline: Pipeline,
    /// Predicts decisions while a definition is written.
    pub oversight: Oversight,
    /// Where runs are carried; without it they go on when somebody advances them.
    pub engine: Option<Engine>,
}

/// The automations of all orgs. Cheap to clone.
#[derive(Clone)]
pub struct Automations {
    parts: Arc<Parts>,
    redactor: Arc<Redactor>,
    /// Definitions never change, so they are read once.
    definitions: Cache<(OrgId, AutomationId, i32), Arc<Definition>>,
    /// What events start, by the version of an org's triggers.
    indexes: Cache<(OrgId, i64), Arc<dispatch::Index>>,
    lanes: Arc<HashMap<Lane, Semaphore>>,
    /// In which lane an automation's runs are, measured now and then.
    measured: Cache<(OrgId, AutomationId), Lane>,
}

/// How many runs of each lane one process works on at once: those that take long must not keep the quick ones waiting.
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
