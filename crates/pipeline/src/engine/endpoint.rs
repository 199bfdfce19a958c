//! The handlers that the engine calls: perform approved invocations, expire unanswered ones, deliver to webhooks.
//!
//! A handler returns only when the invocation is over, so the engine's own retries carry it through every crash. Its
//! journal holds ids and a status. Its timeouts are longer than any action, so a slow handler is not called a second time
//! in parallel; if it were, the lease of the invocation would stop it. The engine never stops retrying: by default it would
//! pause a workflow after 70 attempts, about eleven minutes without a database, and then ignore every new order for it.

use std::time::Duration;

use model::Status;
use restate_sdk::{
    endpoint::Builder,
    prelude::{
        Context, ContextSideEffects as _, ContextTimers as _, HandlerError, HandlerResult, Json,
        RunFuture as _, WorkflowContext,
    },
};
use serde::{Deserialize, Serialize};

use super::client::{DeliveryOrder, Order};
use crate::{
    approvals::{Approvals, Performed},
    error::Error,
    parts::Pipeline,
    webhooks::Webhooks,
};

/// What the journal holds about an end.
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
        let perform = ctx.run(async move || Box::pin(perform(&pipeline, order)).await.map(Json));
        Ok(perform.name("perform").await?)
    }
}

async fn perform(pipeline: &Pipeline, order: Order) -> Result<Ended, HandlerError> {
    match pipeline.perform(order.org, order.invocation).await {
        Ok(Performed::Ended(invocation)) => Ok(Ended { status: invocation.status }),
        Ok(Performed::NotYet) => Err(HandlerError::from(NotYet)),
        // It was deleted after its retention, or never existed: there is nothing to do.
        Err(Error::NotFound(_)) => Ok(Ended { status: Status::Expired }),
        Err(error) => {
            tracing::error!(invocation.id = %order.invocation, error = &error as &dyn std::error::Error, "performing failed");
            // The cause is in our log and does not belong into the journal.
            Err(HandlerError::from(NotYet))
        }
    }
}

/// The reason why a handler asks to be called again.
#[derive(Debug, thiserror::Error)]
#[error("not finished yet")]
struct NotYet;

/// Expires invocations that nobody answered; called with a delay.
struct Expiry {
    approvals: Approvals,
}

#[restate_sdk::service(name = "Expiry", journal_retention = "0s")]
impl Expiry {
    #[handler]
    async fn expire(&self, _ctx: Context<'_>, Json(order): Json<Order>) -> HandlerResult<()> {
        let expired = self.approvals.expire(order.org, order.invocation).await;
        expired.map(drop).map_err(|error| {
            tracing::error!(invocation.id = %order.invocation, error = &error as &dyn std::error::Error, "expiring failed");
            HandlerError::from(NotYet)
        })
    }
}

/// Delivers one event to one webhook, however long that takes; keyed by the delivery's id and round.
struct Delivery {
    webhooks: Webhooks,
}

/// What the journal holds about an attempt: how long to wait for the next one, if any.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Next {
    wait_ms: Option<u64>,
}

// It waits for most of its life, so it releases the worker soon and is called again when the wait is over.
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
            let webhooks = self.webhooks.clone();
            let attempt = ctx.run(async move || attempt(&webhooks, order).await.map(Json));
            let Json(next) = attempt.name("attempt").await?;
            let Some(wait_ms) = next.wait_ms else { return Ok(()) };
            ctx.sleep(Duration::from_millis(wait_ms)).await?;
        }
    }
}

async fn attempt(webhooks: &Webhooks, order: DeliveryOrder) -> Result<Next, HandlerError> {
    let attempted = webhooks.deliver(order.org, order.delivery, order.round).await;
    let wait = attempted.map_err(|error| {
        tracing::error!(delivery.id = %order.delivery, error = &error as &dyn std::error::Error, "delivering failed");
        HandlerError::from(NotYet)
    })?;
    Ok(Next { wait_ms: wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)) })
}

/// Binds the handlers of this crate.
pub fn bind(endpoint: Builder, pipeline: &Pipeline) -> Builder {
    endpoint
        .bind(Effect { pipeline: pipeline.clone() })
        .bind(Expiry { approvals: pipeline.approvals() })
        .bind(Delivery { webhooks: pipeline.webhooks() })
}
