//! The doors: HTTP, and the Model Context Protocol over it; every other way in comes through here too.
//!
//! Cast: [`App`] is what handlers work with; `router.rs` lists every route in reading order; `access.rs` says who may use
//! it; `problem.rs` turns every error into an answer that says what to do next; [`serve`] listens, with time limits.
//!
//! Flow: connection → limits → `access` (who is it, may they) → handler (translate, call, translate back) → answer.
//!
//! INVARIANT: a route that is not in the table of `access.rs` answers nobody.
//! INVARIANT: an id of another org is answered exactly like an id that never existed.
//! Not here: SQL, decisions, effects.

mod access;
mod browser;
mod extract;
mod mcp;
mod problem;
mod router;
mod routes;
mod serve;
mod view;
mod web;

use automation::Automations;
use events::{Groups, Log};
use ledger::Ledger;
use metrics_exporter_prometheus::PrometheusHandle;
use pipeline::Pipeline;
use platform::{World, db::Database, redis::Redis, shutdown::Shutdown};
use policy::{Grants, Rules};
use tenancy::{Tenancy, oidc::Provider};
use url::Url;

pub use access::{Access, table as access_table};
pub use router::{openapi, router};
pub use serve::{Limits, serve};

/// What handlers work with. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub pipeline: Pipeline,
    pub automations: Automations,
    pub tenancy: Tenancy,
    pub rules: Rules,
    pub grants: Grants,
    pub ledger: Ledger,
    pub events: Log,
    pub groups: Groups,
    pub db: Database,
    pub redis: Redis,
    pub world: World,
    pub shutdown: Shutdown,
    pub web: Web,
    /// `None` where metrics are not collected, as in tests.
    pub metrics: Option<PrometheusHandle>,
}

/// What the web needs to know of its place.
#[derive(Clone, Default)]
pub struct Web {
    /// Where people reach the gateway, as their browsers write it. With https here, cookies travel by https only.
    pub public_url: Option<Url>,
    /// Who proves who people are; without one, a token does.
    pub provider: Option<Provider>,
}
