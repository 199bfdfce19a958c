//! The nine stages of an invocation, in order. Each file is one stage; `state` holds the types they hand on.

pub(crate) mod capture;
pub(crate) mod claim;
pub(crate) mod decide;
pub(crate) mod dispatch;
pub(crate) mod resolve;
pub(crate) mod settle;
pub(crate) mod state;
pub(crate) mod throttle;
pub(crate) mod validate;
pub(crate) mod verify;

use model::{Decision, EffectClass};
use platform::fault::{self, Point};

use self::state::{Admitted, Claim, Claimed, Request};
use crate::{batch, conduct, error::Error, invocation::Invocation, outbound, parts::Pipeline};

/// How often a decision is made again because the policy changed between deciding and recording.
const DECISIONS: usize = 5;

/// All stages, from a request to its receipt.
pub(crate) async fn walk(pipeline: &Pipeline, mut request: Request) -> Result<Invocation, Error> {
    let dry_run = request.dry_run;
    // No order of fields reaches a target that an approver does not see, wherever the parameters come from.
    request.params.sort_all_objects();
    let resolved = resolve::resolve(pipeline, request).await?;
    let validated = validate::validate_by_newest(pipeline, resolved).await?;
    let mut admitted = throttle::throttle(pipeline, validated).await?;
    for _ in 0..DECISIONS {
        admitted = conduct::admit(pipeline, admitted, dry_run).await?;
        admitted = outbound::redact(&pipeline.reader, admitted)?;
        pipeline.reader.trace(&mut admitted.0).await?;
        let past = pipeline.reader.past_of(&admitted.0).await?;
        let decided = decide::decide(pipeline, admitted, past)?;
        fault::point(Point::BeforeClaim);
        match Box::pin(claim::claim(pipeline, decided)).await? {
            Claim::Execute(claimed) => return execute(pipeline, *claimed).await,
            Claim::Answered(invocation) => return Ok(*invocation),
            Claim::Stale(stale) => admitted = resolve::resolve_again(pipeline, *stale).await?,
        }
    }
    Err(Error::PolicyInMotion)
}

/// The decision about a request and the effect of its action, as of now. Nothing is recorded, and nothing is performed.
pub(crate) async fn foresee(
    pipeline: &Pipeline,
    mut request: Request,
) -> Result<(Decision, EffectClass), Error> {
    request.params.sort_all_objects();
    let resolved = resolve::resolve(pipeline, request).await?;
    let validated = validate::validate_by_newest(pipeline, resolved).await?;
    let mut admitted = outbound::redact(&pipeline.reader, Admitted(validated.0))?;
    pipeline.reader.trace(&mut admitted.0).await?;
    let past = pipeline.reader.past_of(&admitted.0).await?;
    let decided = decide::decide(pipeline, admitted, past)?;
    let effect = decided.admitted.0.action.definition.effect;
    Ok((decided.decision, effect))
}

/// From a committed claim to a receipt. Recovery and approved invocations enter here.
pub(crate) async fn execute(pipeline: &Pipeline, claimed: Claimed) -> Result<Invocation, Error> {
    fault::point(Point::AfterClaim);
    let verified = if claimed.action.parts.is_empty() {
        let attempted = Box::pin(dispatch::dispatch(pipeline, claimed)).await;
        if conduct::is_stopped_unsent(&attempted)
            && Box::pin(conduct::put_back(pipeline, &attempted.claimed.record)).await?
        {
            return Err(Error::Stopped {
                what: "an approved request".to_owned(),
                reason: "it rests".to_owned(),
            });
        }
        verify::verify(pipeline, attempted).await
    } else {
        batch::perform::perform(pipeline, claimed).await
    };
    let captured = capture::capture(pipeline, verified).await;
    let settled = settle::settle(pipeline, captured).await?;
    fault::point(Point::AfterSettle);
    Ok(settled)
}
