//! The state of a pipeline: its parts, what it keeps in memory, and the half of it that only reads.
//!
//! The types only. What is done with them stands in the files of the stages, so that no stage imports another one to
//! reach the state.

use std::{path::PathBuf, sync::Arc, time::Duration};

use catalog::{Registry, connector::Sources};
use ledger::Ledger;
use model::{ConnectorId, OrgId, WebhookId};
use platform::{
    World, config::Limits, db::Database, egress::Egress, redact::Redactor, redis::Redis, seal::Sealer,
    shutdown::Shutdown,
};
use policy::{Conducts, Grants, Policies, Rules};
use tenancy::Tenancy;
use tokio::sync::{Mutex, Semaphore};
use url::Url;

use crate::{
    breaker::Breakers,
    engine::client::Engine,
    group_commit::GroupCommit,
    policy_snapshot::Snapshots,
    stages::state::{NewClaim, NewSettlement},
};

/// How long an idle lock or semaphore is kept; longer than anything holds one.
pub(crate) const IDLE: Duration = Duration::from_secs(600);

/// What a pipeline is made of.
pub struct Parts {
    pub db: Database,
    pub world: World,
    pub registry: Registry,
    /// The clients of connectors.
    pub sources: Sources,
    pub tenancy: Tenancy,
    pub rules: Rules,
    pub policies: Policies,
    pub grants: Grants,
    pub conducts: Conducts,
    pub ledger: Ledger,
    pub events: events::Log,
    pub sealer: Sealer,
    pub redis: Redis,
    pub egress: Egress,
    pub limits: Limits,
    /// Where the `files` source works, one directory per org.
    pub workspace_root: Option<PathBuf>,
    pub shutdown: Shutdown,
    /// Runs deferred work; without it an approved invocation waits until someone calls `perform`.
    pub engine: Option<Engine>,
    /// The address people reach this gateway at; without it no passkey can be used.
    pub public_url: Option<Url>,
}

/// The locks of token renewals in this process, by connector.
pub(crate) type Renewals = moka::sync::Cache<(OrgId, ConnectorId), Arc<Mutex<()>>>;

/// The free places for deliveries in this process, by webhook.
pub(crate) type Places = moka::sync::Cache<WebhookId, Arc<Semaphore>>;

/// The half of the pipeline that has no effect at a target: recorded invocations, policy, credentials. Cheap to clone.
#[derive(Clone)]
pub struct Reader {
    pub(crate) parts: Arc<Parts>,
    pub(crate) snapshots: Arc<Snapshots>,
    pub(crate) redactor: Arc<Redactor>,
    pub(crate) renewals: Renewals,
}

/// The one way to an effect. Cheap to clone.
#[derive(Clone)]
pub struct Pipeline {
    pub(crate) parts: Arc<Parts>,
    pub(crate) reader: Reader,
    pub(crate) breakers: Arc<Breakers>,
    pub(crate) claims: Arc<GroupCommit<Pipeline, NewClaim, bool>>,
    pub(crate) settlements: Arc<GroupCommit<Pipeline, NewSettlement, bool>>,
    pub(crate) webhooks: events::Webhooks,
    pub(crate) places: Places,
}
