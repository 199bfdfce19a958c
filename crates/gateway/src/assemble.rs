//! Builds an [`App`] from the parts of its pipeline, the same way in the program and in tests.

use automation::Automations;
use changes::Recorder;
use events::Groups;
use metrics_exporter_prometheus::PrometheusHandle;
use model::{ConnectorId, OrgId};
use notify::{Notify, Outlets};
use oversight::Oversight;
use pipeline::{Parts, Pipeline};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::{App, Public, Web};

/// What an [`App`] needs besides the parts of its pipeline.
pub struct Surroundings {
    /// Connectors whose servers announce a change of their tools.
    pub changed_connectors: UnboundedReceiver<(OrgId, ConnectorId)>,
    pub outlets: Outlets,
    pub recorder: Recorder,
    pub web: Web,
    pub public: Public,
    /// `None` if metrics are not collected, as in tests.
    pub metrics: Option<PrometheusHandle>,
}

impl App {
    /// Builds the application and starts to follow changes of connectors.
    pub fn assemble(parts: Parts, surroundings: Surroundings) -> Self {
        let Surroundings { changed_connectors, outlets, recorder, web, public, metrics } = surroundings;
        let (db, world, shutdown) = (parts.db.clone(), parts.world.clone(), parts.shutdown.clone());
        let (tenancy, ledger, events) = (parts.tenancy.clone(), parts.ledger.clone(), parts.events.clone());
        let (rules, grants, redis) = (parts.rules.clone(), parts.grants.clone(), parts.redis.clone());
        let (sealer, egress, engine) = (parts.sealer.clone(), parts.egress.clone(), parts.engine.clone());
        let (sources, limits, conducts) = (parts.sources.clone(), parts.limits, parts.conducts.clone());
        let (public_url, pipeline) = (parts.public_url.clone(), Pipeline::new(parts));
        let oversight = Oversight::new(oversight::Parts {
            reader: pipeline.reader().clone(),
            db: db.clone(),
            world: world.clone(),
            sources,
            tenancy: tenancy.clone(),
            rules: rules.clone(),
            grants: grants.clone(),
            recorder: recorder.clone(),
            events: events.clone(),
            sealer: sealer.clone(),
            redis: redis.clone(),
            egress: egress.clone(),
            limits,
            shutdown: shutdown.clone(),
            engine: engine.clone(),
            public_url,
        });
        oversight.follow_changes(changed_connectors);
        let notify = Notify::new(notify::Parts {
            db: db.clone(),
            world: world.clone(),
            tenancy: tenancy.clone(),
            grants: grants.clone(),
            recorder: recorder.clone(),
            events: events.clone(),
            egress,
            shutdown: shutdown.clone(),
            reader: pipeline.reader().clone(),
            approvals: pipeline.approvals(),
            outlets,
        });
        let automations = Automations::new(automation::Parts {
            db: db.clone(),
            world: world.clone(),
            sealer,
            tenancy: tenancy.clone(),
            recorder,
            events: events.clone(),
            pipeline: pipeline.clone(),
            oversight: oversight.clone(),
            engine,
        });
        Self {
            groups: Groups::new(events.clone()),
            pipeline,
            oversight,
            notify,
            automations,
            tenancy,
            rules,
            conducts,
            grants,
            ledger,
            events,
            db,
            redis,
            world,
            shutdown,
            web,
            public,
            metrics,
        }
    }
}
