//! The engine: deferred work runs on Restate, which carries it through crashes. The only folder here that knows Restate.
//!
//! The database is the truth. The engine is told after the commit; if that fails, or if the engine loses all its data, a
//! sweep tells it again. Being told twice is harmless.

pub(crate) mod client;
mod endpoint;

use std::time::Duration;

use model::{InvocationId, OrgId};

use crate::parts::Parts;
use client::Order;

pub(crate) use client::DeliveryOrder;
pub use client::{Engine, Error as EngineError};
pub use endpoint::bind;

/// Submits an approved invocation to the engine. If that fails, the sweep does it.
pub(crate) async fn submit(parts: &Parts, org: OrgId, invocation: InvocationId) {
    let Some(engine) = &parts.engine else { return };
    if let Err(error) = engine.submit(Order { org, invocation }).await {
        tracing::warn!(invocation.id = %invocation, error = &error as &dyn std::error::Error, "submitting an approved invocation to the engine failed; it will be retried");
    }
}

/// Submits a delivery to the engine; returns whether that succeeded. If not, the sweep does it.
pub(crate) async fn deliver(parts: &Parts, order: DeliveryOrder) -> bool {
    let Some(engine) = &parts.engine else { return true };
    let submitted = engine.deliver(order).await;
    if let Err(error) = &submitted {
        tracing::warn!(delivery.id = %order.delivery, error = error as &dyn std::error::Error, "submitting a delivery to the engine failed; it will be retried");
    }
    submitted.is_ok()
}

/// Sets the timer that expires an invocation. If that fails, the sweep expires it.
pub(crate) async fn expire_later(parts: &Parts, org: OrgId, invocation: InvocationId, delay: Duration) {
    let Some(engine) = &parts.engine else { return };
    if let Err(error) = engine.expire_after(Order { org, invocation }, delay).await {
        tracing::warn!(invocation.id = %invocation, error = &error as &dyn std::error::Error, "setting the timer of an invocation failed; the sweep will expire it");
    }
}
