//! Builds an [`App`] from the parts of its pipeline, the same way in the program and in tests.

use automation::Automations;
use changes::Recorder;
use events::Groups;
use metrics_exporter_prometheus::PrometheusHandle;
use model::{ConnectorId, OrgId};
use notify::{Notify, Outlets};
use oversight::Oversight;
use pipeline::{Parts, Pipeline, read::Reader};
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
        let (rules, grants, policies) = (parts.rules.clone(), parts.grants.clone(), parts.policies.clone());
        let (sealer, egress, redis) = (parts.sealer.clone(), parts.egress.clone(), parts.redis.clone());
        let (conducts, engine) = (parts.conducts.clone(), parts.engine.clone());
        let oversee = oversight(&parts, recorder.clone());
        let pipeline = Pipeline::new(parts);
        let oversight = oversee(pipeline.reader().clone());
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
            policies,
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

/// Oversight, but for its reader.
fn oversight(parts: &Parts, recorder: Recorder) -> impl FnOnce(Reader) -> Oversight + use<> {
    let (db, world, sources) = (parts.db.clone(), parts.world.clone(), parts.sources.clone());
    let (tenancy, rules, policies) = (parts.tenancy.clone(), parts.rules.clone(), parts.policies.clone());
    let (grants, events, sealer) = (parts.grants.clone(), parts.events.clone(), parts.sealer.clone());
    let (redis, egress, limits) = (parts.redis.clone(), parts.egress.clone(), parts.limits);
    let (shutdown, engine) = (parts.shutdown.clone(), parts.engine.clone());
    let public_url = parts.public_url.clone();
    move |reader| {
        Oversight::new(oversight::Parts {
            reader,
            db,
            world,
            sources,
            tenancy,
            rules,
            policies,
            grants,
            recorder,
            events,
            sealer,
            redis,
            egress,
            limits,
            shutdown,
            engine,
            public_url,
        })
    }
}
