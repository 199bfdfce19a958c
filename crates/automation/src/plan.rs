//! The next action of a run: a pure function of the plan and of the attempts so far.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use model::{InvocationId, RunId, RunStatus, StepStatus};
use sha2::{Digest as _, Sha256};

use crate::{
    Backoff, Definition, Step,
    limits::run::{LONGEST, SHORTEST},
    run::{RunError, RunStep},
};

/// Steps that follow a failure have ordinals from this number.
pub const AFTER_FAILURE: i16 = 1_000;

/// The state of a run at one time.
pub(crate) struct Moment {
    pub(crate) run: RunId,
    pub(crate) now: Timestamp,
    /// How long it has worked, not counting the time it waited for people.
    pub(crate) worked: Duration,
    pub(crate) cancelled: bool,
}

/// An attempt of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place<'a> {
    pub(crate) ordinal: i16,
    pub(crate) attempt: i16,
    pub(crate) step: &'a Step,
    /// Whether the attempt has already started.
    pub(crate) begun: bool,
    /// Its invocation, if known.
    pub(crate) invocation: Option<InvocationId>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Next<'a> {
    /// Perform this attempt.
    Do(Place<'a>),
    /// Do nothing for this time.
    Rest(Duration),
    /// End the run.
    Over(RunStatus, Option<RunError>),
}

/// The next action of a run.
pub(crate) fn next<'a>(definition: &'a Definition, done: &[RunStep], moment: &Moment) -> Next<'a> {
    let failure = match forward(definition, done, moment) {
        Ok(next) => return next,
        Err(failure) => failure,
    };
    if failure.class == "cancelled" {
        // A step that has started is completed, and no other step is started.
        let mut after = (AFTER_FAILURE..).zip(&definition.execution.on_failure);
        let begun = after.find_map(|(ordinal, step)| {
            last(done, ordinal)
                .filter(|tried| tried.finished_at.is_none())
                .map(|tried| under_way(step, tried))
        });
        return begun.map_or(Next::Over(RunStatus::Cancelled, Some(failure)), Next::Do);
    }
    for (ordinal, step) in (AFTER_FAILURE..).zip(&definition.execution.on_failure) {
        match last(done, ordinal) {
            None => return Next::Do(Place { ordinal, attempt: 1, step, begun: false, invocation: None }),
            Some(tried) if tried.finished_at.is_none() => return Next::Do(under_way(step, tried)),
            // One attempt each: a failed step is not retried here, and does not prevent the others.
            Some(_) => {}
        }
    }
    let status = if failure.class == "timed_out" { RunStatus::TimedOut } else { RunStatus::Failed };
    Next::Over(status, Some(failure))
}

/// The next step of the plan, or the failure that ends it.
fn forward<'a>(definition: &'a Definition, done: &[RunStep], moment: &Moment) -> Result<Next<'a>, RunError> {
    for (ordinal, step) in (0..).zip(&definition.plan) {
        let tried = last(done, ordinal);
        match tried {
            Some(tried) if tried.finished_at.is_none() => return Ok(Next::Do(under_way(step, tried))),
            Some(tried) if tried.status != StepStatus::Failed => continue,
            _ => {}
        }
        if moment.cancelled {
            return Err(RunError::cancelled());
        }
        let failure = tried.map(failure_of);
        let attempt = tried.map_or(1, |tried| tried.attempt + 1);
        if let (Some(tried), Some(failure)) = (tried, failure)
            && (!is_passing(&failure) || tried.attempt > most_retries(definition, step))
        {
            return Err(failure);
        }
        let most = definition.execution.timeout_seconds;
        if moment.worked >= Duration::from_secs(u64::from(most)) {
            let message = format!("the run did not finish within {most} s of work");
            return Err(RunError {
                step_id: Some(step.step_id.clone()),
                ..RunError::new("timed_out", message)
            });
        }
        if let Some(tried) = tried {
            let wait = wait(definition, step, tried, moment);
            if !wait.is_zero() {
                return Ok(Next::Rest(wait));
            }
        }
        return Ok(Next::Do(Place { ordinal, attempt, step, begun: false, invocation: None }));
    }
    Ok(Next::Over(RunStatus::Succeeded, None))
}

fn last(done: &[RunStep], ordinal: i16) -> Option<&RunStep> {
    done.iter().filter(|tried| tried.ordinal == ordinal).max_by_key(|tried| tried.attempt)
}

fn under_way<'a>(step: &'a Step, tried: &RunStep) -> Place<'a> {
    let (ordinal, attempt) = (tried.ordinal, tried.attempt);
    Place { ordinal, attempt, step, begun: true, invocation: tried.invocation }
}

fn failure_of(tried: &RunStep) -> RunError {
    let failure = tried.error.clone().unwrap_or_else(|| RunError::new("failed", "it failed"));
    RunError { step_id: Some(tried.step_id.clone()), ..failure }
}

/// Whether another attempt may succeed. A failed attempt did nothing, or its effect is known; an attempt with an
/// unknown outcome has another class.
fn is_passing(failure: &RunError) -> bool {
    matches!(failure.class.as_str(), "transient" | "rate_limited" | "timeout")
}

fn most_retries(definition: &Definition, step: &Step) -> i16 {
    let own = step.bounds.and_then(|bounds| bounds.max_retries);
    i16::from(own.unwrap_or(definition.execution.max_retries))
}

/// How long until a step may be retried. The jitter is derived from the run's id, so asking again gives the same wait.
fn wait(definition: &Definition, step: &Step, tried: &RunStep, moment: &Moment) -> Duration {
    let own = step.bounds.and_then(|bounds| bounds.retry_backoff);
    let times = u32::try_from(tried.attempt).unwrap_or(1);
    let wait = match own.unwrap_or(definition.execution.retry_backoff) {
        Backoff::None => return Duration::ZERO,
        Backoff::Linear => SHORTEST * times,
        Backoff::Exponential => SHORTEST * 2_u32.pow(times.saturating_sub(1).min(16)),
    };
    let dice = Sha256::digest(format!("{}/{}/{}", moment.run, tried.ordinal, tried.attempt));
    // Between 75 % and 125 %.
    let wait = wait.min(LONGEST) * (75 + u32::from(dice[0]) * 50 / 255) / 100;
    let since = moment.now.duration_since(tried.finished_at.unwrap_or(moment.now)).max(SignedDuration::ZERO);
    wait.saturating_sub(since.unsigned_abs())
}

#[cfg(test)]
mod tests;
