//! The daily timer of connectors, on the engine. The only file here that knows Restate.

use std::time::Duration;

use model::{ConnectorId, OrgId};
use restate_sdk::{
    endpoint::Builder,
    prelude::{ContextClient as _, HandlerError, HandlerResult, Json, ObjectContext},
};
use serde::{Deserialize, Serialize};

use crate::{harvest::DAILY, parts::Oversight};

/// The connector to harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HarvestOrder {
    pub(crate) org: OrgId,
    pub(crate) connector: ConnectorId,
}

impl Oversight {
    /// Sets the timer of a connector. If that fails, the sweep harvests it.
    pub(crate) async fn harvest_later(&self, org: OrgId, connector: ConnectorId, delay: Duration) {
        let Some(engine) = &self.parts.engine else { return };
        let path = format!("Harvest/{connector}/daily/send?delay={}ms", delay.as_millis());
        if let Err(error) = engine.send(&path, HarvestOrder { org, connector }).await {
            tracing::warn!(connector.id = %connector, error = &error as &dyn std::error::Error, "setting the timer of a connector failed; the sweep will harvest it");
        }
    }
}

/// Why the handler asks to be called again.
#[derive(Debug, thiserror::Error)]
#[error("not finished yet")]
struct NotYet;

/// Harvests a connector once a day; keyed by its id.
struct Harvest {
    oversight: Oversight,
}

#[restate_sdk::object(name = "Harvest", journal_retention = "0s")]
impl Harvest {
    #[handler]
    async fn daily(&self, ctx: ObjectContext<'_>, Json(order): Json<HarvestOrder>) -> HandlerResult<()> {
        let harvested = self.oversight.harvest_daily(order.org, order.connector).await;
        let exists = harvested.map_err(|error| {
            tracing::error!(connector.id = %order.connector, error = &error as &dyn std::error::Error, "harvesting failed");
            HandlerError::from(NotYet)
        })?;
        // The timer is set again while the connector exists.
        if exists {
            ctx.object_client::<HarvestClient<'_>>(ctx.key()).daily(Json(order)).send_after(DAILY);
        }
        Ok(())
    }
}

/// Binds the handlers of this crate.
pub fn bind(endpoint: Builder, oversight: &Oversight) -> Builder {
    endpoint.bind(Harvest { oversight: oversight.clone() })
}
