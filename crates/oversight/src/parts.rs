//! What oversight is made of.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use catalog::connector::Sources;
use changes::Recorder;
use model::ConnectorId;
use moka::sync::Cache;
use pipeline::{
    Engine,
    read::{CatalogKey, Reader},
};
use platform::{
    World, config::Limits, db::Database, egress::Egress, redis::Redis, seal::Sealer, shutdown::Shutdown,
};
use policy::{Grants, Policies, Rules};
use tenancy::Tenancy;
use url::Url;

/// How many bytes of serialized catalogs are cached.
const MAX_CATALOG_BYTES: u64 = 64 << 20;

/// The parts of an [`Oversight`].
pub struct Parts {
    pub reader: Reader,
    pub db: Database,
    pub world: World,
    /// The clients of connectors.
    pub sources: Sources,
    pub tenancy: Tenancy,
    pub rules: Rules,
    pub policies: Policies,
    pub grants: Grants,
    pub recorder: Recorder,
    pub events: events::Log,
    pub sealer: Sealer,
    pub redis: Redis,
    pub egress: Egress,
    pub limits: Limits,
    pub shutdown: Shutdown,
    /// Runs the daily timer of connectors; without it only the sweep harvests them.
    pub engine: Option<Engine>,
    /// The address people reach this gateway at; without it no connector can be authorized.
    pub public_url: Option<Url>,
}

/// What people look at and set up, in all orgs. Cheap to clone.
#[derive(Clone)]
pub struct Oversight {
    pub(crate) parts: Arc<Parts>,
    /// Serialized catalogs, by everything they follow from. Bounded by bytes: one can be megabytes.
    pub(crate) catalogs: Cache<CatalogKey, Bytes>,
    /// Connectors that this process harvested recently.
    pub(crate) refreshed: Cache<ConnectorId, ()>,
}

impl Oversight {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        let idle = Duration::from_secs(600);
        Self {
            parts: Arc::new(parts),
            catalogs: Cache::builder()
                .weigher(|_, catalog: &Bytes| u32::try_from(catalog.len()).unwrap_or(u32::MAX))
                .max_capacity(MAX_CATALOG_BYTES)
                .time_to_idle(idle)
                .build(),
            refreshed: Cache::builder().max_capacity(20_000).time_to_live(idle / 2).build(),
        }
    }
}
