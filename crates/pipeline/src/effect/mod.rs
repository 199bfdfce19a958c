//! Deferred work: what was approved later runs on the engine, which carries it through crashes.
//!
//! The database is the truth. The engine is told after the commit; if that fails, or if it loses everything it knows, the
//! sweep tells it again. Being told twice is harmless.

mod client;
mod endpoint;

use std::time::Duration;

use model::{ConnectorId, InvocationId, OrgId, Status};

use crate::{Error, Pipeline, store};
use client::{HarvestOrder, Order};

pub(crate) use client::DeliveryOrder;
pub use client::{Engine, Error as EngineError};
pub use endpoint::bind;

/// How long after its approval an invocation that is not begun is handed over again.
const RESUBMIT_AFTER: Duration = Duration::from_secs(10);
/// How many are seen to in one sweep; what is left is found by the next.
const BATCH: i32 = 200;

impl Pipeline {
    /// Hands an approved invocation to the engine. If that fails, the sweep will do it.
    pub(crate) async fn submit(&self, org: OrgId, invocation: InvocationId) {
        let Some(engine) = &self.parts.engine else { return };
        if let Err(error) = engine.submit(Order { org, invocation }).await {
            tracing::warn!(invocation.id = %invocation, error = &error as &dyn std::error::Error, "handing an approved invocation to the engine; it will be tried again");
        }
    }

    /// Has the engine ask a connector for its tools again. If that fails, the sweep will.
    pub(crate) async fn harvest_later(&self, org: OrgId, connector: ConnectorId, delay: Duration) {
        let Some(engine) = &self.parts.engine else { return };
        if let Err(error) = engine.harvest_after(HarvestOrder { org, connector }, delay).await {
            tracing::warn!(connector.id = %connector, error = &error as &dyn std::error::Error, "setting the timer of a connector; the sweep will ask it");
        }
    }

    /// Hands a delivery to the engine; says whether that went well. If not, the sweep will do it.
    pub(crate) async fn hand_over(&self, order: DeliveryOrder) -> bool {
        let Some(engine) = &self.parts.engine else { return true };
        let handed = engine.deliver(order).await;
        if let Err(error) = &handed {
            tracing::warn!(delivery.id = %order.delivery, error = error as &dyn std::error::Error, "handing a delivery to the engine; it will be tried again");
        }
        handed.is_ok()
    }

    /// Has the engine end an invocation when its time is over. If that fails, the sweep will end it.
    pub(crate) async fn expire_later(&self, org: OrgId, invocation: InvocationId, delay: Duration) {
        let Some(engine) = &self.parts.engine else { return };
        if let Err(error) = engine.expire_after(Order { org, invocation }, delay).await {
            tracing::warn!(invocation.id = %invocation, error = &error as &dyn std::error::Error, "setting the timer of an invocation; the sweep will end it");
        }
    }

    /// Ends what nobody answered, and hands over again what was approved and is not begun, in every org. Says how many
    /// it saw to.
    pub async fn sweep(&self) -> Result<usize, Error> {
        let now = self.parts.world.clock.now();
        let mut conn = self.parts.db.unscoped().await?;
        let overdue = store::overdue(&mut conn, now, now - RESUBMIT_AFTER, BATCH).await?;
        drop(conn);
        for late in &overdue {
            match late.status {
                Status::Pending => {
                    if let Err(error) = self.expire(late.org, late.id).await {
                        tracing::error!(invocation.id = %late.id, error = &error as &dyn std::error::Error, "expiring an invocation");
                    }
                }
                _ => self.submit(late.org, late.id).await,
            }
        }
        Ok(overdue.len())
    }
}
