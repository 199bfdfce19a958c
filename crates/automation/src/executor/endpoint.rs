//! The handlers that the engine calls: runs, and the timers of schedules.
//!
//! The engine's journal holds ids, times and durations. Everything else is in the rows, and the handlers can be
//! repeated without harm.

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

/// Why a handler asks to be called again. The cause is in our log, because it does not belong in the journal.
#[derive(Debug, thiserror::Error)]
#[error("not finished yet")]
struct NotYet;

fn again(what: &str, error: &Error) -> HandlerError {
    tracing::error!(error = error as &dyn std::error::Error, "{what}");
    HandlerError::from(NotYet)
}

/// Carries one run to its end; keyed by the run's id.
struct Run {
    automations: Automations,
}

// A run waits for most of its life, so it releases the worker after a short time. It is forgotten as soon as it ends,
// because submitting an ended run again finds nothing to do.
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
                // The run was woken for this invocation and still waits for it.
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

/// The timer of one schedule; keyed by the trigger's id. It is set for one time, however often and by whomever it is
/// armed.
struct Timer {
    automations: Automations,
}

/// The data that the journal stores when a timer is due: the next due time.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Comes {
    next: Option<(Timestamp, Duration)>,
}

/// The state key of the time that a timer is set for.
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
    /// Sets the timer, unless it is already set for this time.
    #[handler]
    async fn arm(&self, ctx: ObjectContext<'_>, Json(order): Json<TimerOrder>) -> HandlerResult<()> {
        if ctx.get::<String>(SET_FOR).await? == Some(order.at.to_string()) {
            return Ok(());
        }
        // The wait is computed from a worker's clock and recorded in the journal.
        let clock = self.automations.clone();
        let far = ctx.run(async move || Ok(Json(clock.until(order.at)))).name("until");
        let Json(far) = far.await?;
        set(&ctx, order, far);
        Ok(())
    }

    /// Called when the timer is due. Does nothing if the timer has been set for another time.
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

/// Binds the handlers of this crate to the engine's endpoint.
pub fn bind(endpoint: Builder, automations: &Automations) -> Builder {
    endpoint.bind(Run { automations: automations.clone() }).bind(Timer { automations: automations.clone() })
}
