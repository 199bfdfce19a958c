//! What the engine calls: runs, and the timers of schedules.
//!
//! Its journal holds ids, moments and how long to wait. Everything else is in the rows, and what the handlers do is harmless
//! to do again.

use std::time::Duration;

use jiff::Timestamp;
use restate_sdk::{
    endpoint::Builder,
    prelude::{
        ContextClient as _, ContextPromises as _, ContextReadState as _, ContextSideEffects as _,
        ContextTimers as _, ContextWriteState as _, HandlerError, HandlerResult, Json, ObjectContext,
        RunFuture as _, SharedWorkflowContext, WorkflowContext,
    },
};
use serde::{Deserialize, Serialize};

use super::{RunOrder, Turn, WakeOrder};
use crate::{Automations, Error, dispatch::TimerOrder, limits::run::AGAIN};

/// Why a handler asks to be called again. The cause is in our log; the journal is no place for it.
#[derive(Debug, thiserror::Error)]
#[error("not over yet")]
struct NotYet;

fn again(what: &str, error: &Error) -> HandlerError {
    tracing::error!(error = error as &dyn std::error::Error, "{what}");
    HandlerError::from(NotYet)
}

/// Carries one run to its end; keyed by its id.
struct Run {
    automations: Automations,
}

// It waits for most of its life, so it lets go of the worker soon; and it is forgotten at once when it is over, because
// handing over again what is over finds nothing to do.
#[restate_sdk::workflow(
    name = "Run",
    inactivity_timeout = "1m",
    abort_timeout = "1h",
    workflow_completion_retention = "0s",
    journal_retention = "0s",
    invocation_retry_policy(
        initial_interval = "200ms",
        factor = 2.0,
        max_interval = "10s",
        max_attempts = 4_294_967_295
    )
)]
impl Run {
    #[handler]
    async fn run(&self, ctx: WorkflowContext<'_>, Json(order): Json<RunOrder>) -> HandlerResult<()> {
        let mut woken_for = None;
        loop {
            let automations = self.automations.clone();
            let advance = ctx.run(async move || {
                let turn = automations.advance(order.org, order.run).await;
                turn.map(Json).map_err(|error| again("advancing a run", &error))
            });
            let Json(turn) = advance.name("advance").await?;
            match turn {
                Turn::Over => return Ok(()),
                Turn::Rest { ms } => ctx.sleep(Duration::from_millis(ms)).await?,
                // It was woken for this, and it waits for it still.
                Turn::Await { invocation } if woken_for == Some(invocation) => ctx.sleep(AGAIN).await?,
                Turn::Await { invocation } => {
                    woken_for = Some(invocation);
                    let name = invocation.to_string();
                    ctx.promise::<bool>(&name).await?;
                }
            }
        }
    }

    #[handler]
    async fn wake(&self, ctx: SharedWorkflowContext<'_>, Json(order): Json<WakeOrder>) -> HandlerResult<()> {
        ctx.resolve_promise(&order.invocation.to_string(), true);
        Ok(())
    }
}

/// The timer of one schedule; keyed by its trigger's id. It is set for one moment at a time, whoever sets it how often.
struct Timer {
    automations: Automations,
}

/// What the journal keeps of a moment: the one after it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Comes {
    next: Option<(Timestamp, Duration)>,
}

/// The moment that a timer is set for.
const SET_FOR: &str = "set_for";

#[restate_sdk::object(
    name = "Timer",
    journal_retention = "0s",
    invocation_retry_policy(
        initial_interval = "200ms",
        factor = 2.0,
        max_interval = "10s",
        max_attempts = 4_294_967_295
    )
)]
impl Timer {
    /// Sets the timer, unless it is set for this moment already.
    #[handler]
    async fn arm(&self, ctx: ObjectContext<'_>, Json(order): Json<TimerOrder>) -> HandlerResult<()> {
        if ctx.get::<String>(SET_FOR).await? == Some(order.at.to_string()) {
            return Ok(());
        }
        // How far it is, is for a worker's clock to say, and what it says is kept.
        let clock = self.automations.clone();
        let far = ctx.run(async move || Ok(Json(clock.until(order.at)))).name("until");
        let Json(far) = far.await?;
        set(&ctx, order, far);
        Ok(())
    }

    /// The moment has come, if the timer is still set for it.
    #[handler]
    async fn come(&self, ctx: ObjectContext<'_>, Json(order): Json<TimerOrder>) -> HandlerResult<()> {
        if ctx.get::<String>(SET_FOR).await? != Some(order.at.to_string()) {
            return Ok(());
        }
        let automations = self.automations.clone();
        let tick = ctx.run(async move || {
            let next = automations.tick(order.org, order.trigger, order.at).await;
            next.map(|next| Json(Comes { next })).map_err(|error| again("firing a schedule", &error))
        });
        let Json(comes) = tick.name("tick").await?;
        match comes.next {
            Some((at, far)) => set(&ctx, TimerOrder { at, ..order }, far),
            None => ctx.clear(SET_FOR),
        }
        Ok(())
    }
}

fn set(ctx: &ObjectContext<'_>, order: TimerOrder, far: Duration) {
    ctx.set(SET_FOR, order.at.to_string());
    ctx.object_client::<TimerClient<'_>>(ctx.key()).come(Json(order)).send_after(far);
}

/// Everything of this crate that the engine may call.
pub fn bind(endpoint: Builder, automations: &Automations) -> Builder {
    endpoint.bind(Run { automations: automations.clone() }).bind(Timer { automations: automations.clone() })
}
