//! What the engine calls: performing approved invocations, ending those whose time is over, carrying deliveries to
//! webhooks.
//!
//! A handler answers only when the invocation is over, so the engine's own retries carry it through every crash. What it
//! journals are ids and a status. Its timeouts are longer than any action: a handler that is slow is not called again
//! beside itself, and if it were, the lease of the invocation would turn it away. The engine never stops trying: by itself
//! it would set a workflow aside after 70 times, about eleven minutes without a database, and would then take every new
//! order for it as one it has.

use std::time::Duration;

use model::Status;
use restate_sdk::{
    endpoint::Builder,
    prelude::{
        Context, ContextClient as _, ContextSideEffects as _, ContextTimers as _, HandlerError,
        HandlerResult, Json, ObjectContext, RunFuture as _, WorkflowContext,
    },
};
use serde::{Deserialize, Serialize};

use super::client::{DeliveryOrder, HarvestOrder, Order};
use crate::{Error, Performed, Pipeline, connectors::DAILY};

/// What the journal keeps of an end.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    status: Status,
}

/// Performs one approved invocation; keyed by its id.
struct Effect {
    pipeline: Pipeline,
}

#[restate_sdk::workflow(
    name = "Effect",
    inactivity_timeout = "1h",
    abort_timeout = "1h",
    workflow_completion_retention = "1h",
    journal_retention = "1h",
    invocation_retry_policy(
        initial_interval = "200ms",
        factor = 2.0,
        max_interval = "10s",
        max_attempts = 4_294_967_295
    )
)]
impl Effect {
    #[handler]
    async fn run(&self, ctx: WorkflowContext<'_>, Json(order): Json<Order>) -> HandlerResult<Json<Ended>> {
        let pipeline = self.pipeline.clone();
        let perform = ctx.run(async move || perform(&pipeline, order).await.map(Json));
        Ok(perform.name("perform").await?)
    }
}

async fn perform(pipeline: &Pipeline, order: Order) -> Result<Ended, HandlerError> {
    match pipeline.perform(order.org, order.invocation).await {
        Ok(Performed::Ended(invocation)) => Ok(Ended { status: invocation.status }),
        Ok(Performed::NotYet) => Err(HandlerError::from(NotYet)),
        // It is gone with its retention, or was never there: nothing to do, for good.
        Err(Error::NotFound(_)) => Ok(Ended { status: Status::Expired }),
        Err(error) => {
            tracing::error!(invocation.id = %order.invocation, error = &error as &dyn std::error::Error, "performing");
            // The cause is in our log; the journal is no place for it.
            Err(HandlerError::from(NotYet))
        }
    }
}

/// Why a handler asks to be called again.
#[derive(Debug, thiserror::Error)]
#[error("not over yet")]
struct NotYet;

/// Ends invocations that nobody answered; called with a delay.
struct Expiry {
    pipeline: Pipeline,
}

#[restate_sdk::service(name = "Expiry", journal_retention = "0s")]
impl Expiry {
    #[handler]
    async fn expire(&self, _ctx: Context<'_>, Json(order): Json<Order>) -> HandlerResult<()> {
        let expired = self.pipeline.expire(order.org, order.invocation).await;
        expired.map(drop).map_err(|error| {
            tracing::error!(invocation.id = %order.invocation, error = &error as &dyn std::error::Error, "expiring");
            HandlerError::from(NotYet)
        })
    }
}

/// Asks a connector for its tools once a day; keyed by its id.
struct Harvest {
    pipeline: Pipeline,
}

#[restate_sdk::object(name = "Harvest", journal_retention = "0s")]
impl Harvest {
    #[handler]
    async fn daily(&self, ctx: ObjectContext<'_>, Json(order): Json<HarvestOrder>) -> HandlerResult<()> {
        let harvested = self.pipeline.harvest_daily(order.org, order.connector).await;
        let exists = harvested.map_err(|error| {
            tracing::error!(connector.id = %order.connector, error = &error as &dyn std::error::Error, "harvesting");
            HandlerError::from(NotYet)
        })?;
        // The timer sets itself again for as long as the connector is there.
        if exists {
            ctx.object_client::<HarvestClient<'_>>(ctx.key()).daily(Json(order)).send_after(DAILY);
        }
        Ok(())
    }
}

/// Carries one event to one webhook, however long that takes; keyed by the delivery's id and round.
struct Delivery {
    pipeline: Pipeline,
}

/// What the journal keeps of an attempt: how long to wait for the next, if there is to be one.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Next {
    wait_ms: Option<u64>,
}

// It is idle for most of its life, so it lets go of the worker soon, and is called again when its time comes.
#[restate_sdk::workflow(
    name = "Delivery",
    inactivity_timeout = "1m",
    abort_timeout = "10m",
    workflow_completion_retention = "10m",
    journal_retention = "10m",
    invocation_retry_policy(
        initial_interval = "200ms",
        factor = 2.0,
        max_interval = "10s",
        max_attempts = 4_294_967_295
    )
)]
impl Delivery {
    #[handler]
    async fn run(&self, ctx: WorkflowContext<'_>, Json(order): Json<DeliveryOrder>) -> HandlerResult<()> {
        loop {
            let pipeline = self.pipeline.clone();
            let attempt = ctx.run(async move || attempt(&pipeline, order).await.map(Json));
            let Json(next) = attempt.name("attempt").await?;
            let Some(wait_ms) = next.wait_ms else { return Ok(()) };
            ctx.sleep(Duration::from_millis(wait_ms)).await?;
        }
    }
}

async fn attempt(pipeline: &Pipeline, order: DeliveryOrder) -> Result<Next, HandlerError> {
    let attempted = pipeline.deliver(order.org, order.delivery, order.round).await;
    let wait = attempted.map_err(|error| {
        tracing::error!(delivery.id = %order.delivery, error = &error as &dyn std::error::Error, "delivering");
        HandlerError::from(NotYet)
    })?;
    Ok(Next { wait_ms: wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)) })
}

/// Everything of this crate that the engine may call.
pub fn bind(endpoint: Builder, pipeline: &Pipeline) -> Builder {
    endpoint
        .bind(Effect { pipeline: pipeline.clone() })
        .bind(Expiry { pipeline: pipeline.clone() })
        .bind(Harvest { pipeline: pipeline.clone() })
        .bind(Delivery { pipeline: pipeline.clone() })
}
