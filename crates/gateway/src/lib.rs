//! The HTTP interface, and the Model Context Protocol over it. Every other way in uses it too.
//!
//! Parts: [`App`] holds what handlers need; `router.rs` lists all routes; `access.rs` has the permission of each
//! route; `problem.rs` turns every error into a response that says what to do next; [`serve`] listens, with time
//! limits.
//!
//! Flow: connection → limits → `access` (authentication or `public`, permission) → handler → response.
//!
//! INVARIANT: a route that is not in the table of `access.rs` is refused for everyone.
//! INVARIANT: an ID of another organization is answered exactly like an ID that does not exist.
//! Not here: SQL, decisions, effects.

mod access;
mod assemble;
mod browser;
mod extract;
mod holding;
mod mcp;
mod metrics;
mod problem;
mod public;
mod router;
mod routes;
mod second_person;
mod serve;
mod view;
mod web;

use automation::Automations;
use events::{Groups, Log};
use ledger::Ledger;
use metrics_exporter_prometheus::PrometheusHandle;
use notify::Notify;
use oversight::Oversight;
use pipeline::Pipeline;
use platform::{World, db::Database, redis::Redis, shutdown::Shutdown};
use policy::{Conducts, Grants, Policies, Rules};
use tenancy::{Tenancy, oidc::Provider};
use url::Url;

pub use access::{Access, table as access_table};
pub use assemble::Surroundings;
pub use holding::holding;
pub use metrics::metrics_router;
pub use public::Public;
pub use router::{openapi, router};
pub use serve::{Limits, serve};

/// What handlers need. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub pipeline: Pipeline,
    pub oversight: Oversight,
    pub notify: Notify,
    pub automations: Automations,
    pub tenancy: Tenancy,
    pub rules: Rules,
    pub policies: Policies,
    pub conducts: Conducts,
    pub grants: Grants,
    pub ledger: Ledger,
    pub events: Log,
    pub groups: Groups,
    pub db: Database,
    pub redis: Redis,
    pub world: World,
    pub shutdown: Shutdown,
    pub web: Web,
    /// The limit of requests without a token.
    pub public: Public,
    /// `None` if metrics are not collected, as in tests.
    pub metrics: Option<PrometheusHandle>,
}

/// Settings of the web app.
#[derive(Clone, Default)]
pub struct Web {
    /// The public URL of the gateway. With https, cookies are sent only over https.
    pub public_url: Option<Url>,
    /// The identity provider. Without one, people sign in with an API token.
    pub provider: Option<Provider>,
}
