//! Stage 6: dispatch. The only place in the code where an effect can happen, and it needs a permit.

use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use catalog::{CallContext, Credential, Outcome, SourceError};
use model::{CredentialVersion, EffectClass, ErrorClass, Failure};
use platform::fault::{self, Point};

use super::state::{Attempted, Claimed, Ending, FailedTry};
use crate::{
    breaker::Target,
    conduct, context,
    credentials::{self, references},
    error::Error,
    models::payloads,
    parts::Pipeline,
    redaction,
    subject::{self, Credentials},
};

/// The longest delay before a retry, whatever the target asks for: an agent waits for the answer.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(5);

/// Performs the action of a claim, retries while a retry is harmless, and returns how it ended.
pub(crate) async fn dispatch(pipeline: &Pipeline, mut claimed: Claimed) -> Attempted {
    let org = claimed.record.org;
    let mut tries = Vec::new();
    let found = match secrets(pipeline, &mut claimed).await {
        Ok(found) => found,
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "resolving a credential failed");
            let ending = nothing_sent(&claimed, ErrorClass::Auth, credentials::unreadable(&error));
            return Attempted { claimed, credential: None, tries, ending };
        }
    };
    let definition = &claimed.action.definition;
    let source = definition.address.source.as_str();
    let version = found.as_ref().map(|(_, version)| (definition.address.target(), version.clone()));
    let filled = claimed.filled.iter();
    let referenced = filled.map(|filled| (references::key(source, &filled.name), filled.version.clone()));
    let versions = version.into_iter().chain(referenced).collect();
    let credential = found.map(|(credential, _)| credential);
    let id = claimed.record.invocation.id;
    let mut ctx = context::build(&pipeline.reader, org, definition, id, credential.clone());
    ctx.timeout = claimed.timeout.map_or(ctx.timeout, |timeout| timeout.min(ctx.timeout));
    match payloads::of_call(&pipeline.reader, &claimed).await {
        Ok(payloads) => ctx.payloads = payloads.into(),
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "reading a prompt failed");
            let ending = nothing_sent(&claimed, ErrorClass::Transient, "the prompt could not be read");
            return Attempted { claimed, credential, tries, ending };
        }
    }
    let permitted = is_permitted(&claimed, versions);
    let ending = match (claimed.recovered, permitted) {
        (true, _) => resume(pipeline, &claimed, &ctx, permitted, &mut tries).await,
        (false, true) => attempt(pipeline, &claimed, &ctx, &mut tries).await,
        (false, false) => {
            nothing_sent(&claimed, ErrorClass::Conflict, "the request differs from the one that was decided")
        }
    };
    fault::point(Point::AfterAnswer);
    Attempted { claimed, credential, tries, ending }
}

/// The credential of a claim; the secrets that its parameters refer to are put into the claim.
async fn secrets(
    pipeline: &Pipeline,
    claimed: &mut Claimed,
) -> Result<Option<(Credential, CredentialVersion)>, Error> {
    let (reader, org) = (&pipeline.reader, claimed.record.org);
    claimed.filled = references::open(reader, org, &claimed.action, &claimed.call.params).await?;
    credentials::for_action(reader, org, &claimed.action.definition, claimed.snapshot.as_deref()).await
}

/// Whether the permit is for exactly what is about to be sent, with these credentials.
pub(crate) fn is_permitted(claimed: &Claimed, credentials: Credentials) -> bool {
    let permitted = claimed.permit.as_ref();
    permitted.is_some_and(|permitted| subject::is_for(permitted, &claimed.action, &claimed.call, credentials))
}

/// The ending without a call: nothing happened, unless an earlier process may have called.
pub(crate) fn nothing_sent(claimed: &Claimed, class: ErrorClass, message: &str) -> Ending {
    let failure =
        Failure { class, message: message.to_owned(), sent: claimed.recovered, retry_after_ms: None };
    match claimed.action.definition.effect {
        EffectClass::Read => Ending::Failed(failure),
        _ if claimed.recovered => Ending::Unknown(failure),
        _ => Ending::Failed(failure),
    }
}

/// What to do after a failed attempt.
enum Next {
    /// A repeat is harmless.
    Repeat,
    /// The effect happened after all.
    Happened(Box<Outcome>),
    /// The effect did not happen, and a retry would not change that.
    Stop,
    /// Whether the effect happened is unknown.
    Doubt,
}

/// Calls the target until it succeeds, or until another attempt would be pointless or harmful.
pub(crate) async fn attempt(
    pipeline: &Pipeline,
    claimed: &Claimed,
    ctx: &CallContext,
    tries: &mut Vec<FailedTry>,
) -> Ending {
    let most_retries = usize::try_from(context::attempts(&claimed.action.definition) - 1).unwrap_or(0);
    let mut delays = ExponentialBuilder::default()
        .with_jitter()
        .with_min_delay(Duration::from_millis(100))
        .with_max_delay(Duration::from_secs(2))
        .with_max_times(most_retries)
        .build();
    // A target that honours our key is called again without a lookup, so a call that may have arrived stays in doubt
    // until one is answered: a later call that was never sent proves nothing about it.
    let keyed = claimed.action.definition.effect == EffectClass::Keyed;
    let mut in_doubt = keyed && claimed.recovered;
    loop {
        let started_at = pipeline.parts.world.clock.now();
        let error = match call_once(pipeline, claimed, ctx).await {
            Ok(outcome) => return Ending::Done(Box::new(outcome)),
            Err(error) => error,
        };
        in_doubt |= keyed && !error.nothing_happened();
        let next = judge(claimed, ctx, &error).await;
        let asked = error.retry_after.unwrap_or_default().min(MAX_RETRY_DELAY);
        let delay = (delays.next().map(|delay| delay.max(asked)))
            .filter(|delay| matches!(next, Next::Repeat) && is_ours(pipeline, claimed, *delay + ctx.timeout));
        let redactor = redaction::of_claim(&pipeline.reader, ctx.credential.as_ref(), claimed);
        let failure = redaction::failure(&redactor, &error);
        let ended_at = pipeline.parts.world.clock.now();
        tries.push(FailedTry { started_at, ended_at, failure: failure.clone(), retried: delay.is_some() });
        match (next, delay) {
            (Next::Happened(outcome), _) => return Ending::Done(outcome),
            (Next::Doubt, _) => return Ending::Unknown(failure),
            (Next::Repeat, Some(delay)) => tokio::time::sleep(delay).await,
            (Next::Repeat | Next::Stop, _) if in_doubt => return Ending::Unknown(failure),
            (Next::Repeat | Next::Stop, _) => return Ending::Failed(failure),
        }
    }
}

/// Whether a repeat is harmless follows from the effect class, which we or the operator set, never the target.
async fn judge(claimed: &Claimed, ctx: &CallContext, error: &SourceError) -> Next {
    let again = if error.is_transient() { Next::Repeat } else { Next::Stop };
    if !error.sent {
        return again;
    }
    // A target that refused says that nothing happened. That is enough to end the execution but not to repeat it: a
    // target that lies would charge twice.
    let refused = error.nothing_happened();
    match claimed.action.definition.effect {
        EffectClass::Read => again,
        EffectClass::Keyed if refused || error.is_transient() => again,
        EffectClass::Once if refused => Next::Stop,
        EffectClass::Keyed | EffectClass::Once => Next::Doubt,
        EffectClass::Checkable if refused && !error.is_transient() => Next::Stop,
        EffectClass::Checkable => match claimed.action.source.lookup(&claimed.call, ctx).await {
            Ok(Some(outcome)) => Next::Happened(Box::new(outcome)),
            Ok(None) => again,
            Err(_) if refused => Next::Stop,
            Err(_) => Next::Doubt,
        },
    }
}

/// Whether the lease lasts that much longer. A process that was suspended, or whose lookups took long, must not send
/// what another one may have recovered by then: two that look up before they send can both find nothing and both send.
fn is_ours(pipeline: &Pipeline, claimed: &Claimed, longer: Duration) -> bool {
    let end = pipeline.parts.world.clock.now() + longer;
    claimed.record.lease_until.is_some_and(|until| end <= until)
}

/// One call, within its timeout, unless the lease or the circuit breaker forbids it.
#[expect(clippy::disallowed_methods, reason = "this is the one place where an effect may happen")]
async fn call_once(
    pipeline: &Pipeline,
    claimed: &Claimed,
    ctx: &CallContext,
) -> Result<Outcome, SourceError> {
    let target = claimed.action.definition.address.target();
    if !is_ours(pipeline, claimed, ctx.timeout) {
        let message = "not sent: too little time was left before another process may take over";
        return Err(SourceError::not_sent(ErrorClass::Permanent, message));
    }
    match conduct::look_again(pipeline, claimed).await {
        Ok(()) => {}
        Err(stopped @ Error::Stopped { .. }) => {
            return Err(SourceError::not_sent(ErrorClass::Denied, format!("not sent: {stopped}")));
        }
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "looking for a stop failed");
            let message = "not sent: whether it is stopped could not be read";
            return Err(SourceError::not_sent(ErrorClass::Transient, message));
        }
    }
    let circuit = Target { org: ctx.org, name: &target };
    let Some(pass) = pipeline.breakers.admits(circuit, pipeline.parts.world.clock.now()) else {
        let message = format!("`{target}` keeps failing; calls to it are paused for up to 30 seconds");
        // A step of a model asks again; everybody else is told to come back.
        let is_model = claimed.action.definition.address.is_model();
        let class = if is_model { ErrorClass::RateLimited } else { ErrorClass::Permanent };
        let retry_after = is_model.then_some(crate::breaker::REST);
        return Err(SourceError { retry_after, ..SourceError::not_sent(class, message) });
    };
    let sent = references::fill(&claimed.call, &claimed.filled);
    let call = claimed.action.source.execute(&sent, ctx);
    let result = tokio::time::timeout(ctx.timeout, call).await.unwrap_or_else(|_| {
        Err(SourceError::sent(
            ErrorClass::Timeout,
            format!("no answer from `{target}` within {} s", ctx.timeout.as_secs()),
        ))
    });
    let healthy = match &result {
        Ok(_) => Some(true),
        Err(error) if matches!(error.class, ErrorClass::Transient | ErrorClass::Timeout) => Some(false),
        // A call that was not sent says nothing about the target.
        Err(error) => error.sent.then_some(true),
    };
    if let Some(healthy) = healthy {
        pipeline.breakers.report(circuit, pass, healthy, pipeline.parts.world.clock.now());
    }
    result
}

/// Continues what a dead process left. It may have called the target or not; nothing here assumes either.
async fn resume(
    pipeline: &Pipeline,
    claimed: &Claimed,
    ctx: &CallContext,
    permitted: bool,
    tries: &mut Vec<FailedTry>,
) -> Ending {
    let lost = |message: &str| Failure {
        class: ErrorClass::OutcomeUnknown,
        message: message.to_owned(),
        sent: true,
        retry_after_ms: None,
    };
    let withdrawn = "the executing process died, and repeating the action is no longer permitted";
    match claimed.action.definition.effect {
        EffectClass::Once => {
            Ending::Unknown(lost("the executing process died; the action may have happened"))
        }
        EffectClass::Read if claimed.action.definition.address.is_model() => {
            Ending::Failed(lost("the executing process died; the reply is lost and may have been paid for"))
        }
        EffectClass::Read if !permitted => Ending::Failed(Failure { sent: false, ..lost(withdrawn) }),
        EffectClass::Keyed if !permitted => Ending::Unknown(lost(withdrawn)),
        EffectClass::Read | EffectClass::Keyed => attempt(pipeline, claimed, ctx, tries).await,
        EffectClass::Checkable => match lookup_patiently(claimed, ctx).await {
            Ok(Some(outcome)) => Ending::Done(Box::new(outcome)),
            Ok(None) if permitted => attempt(pipeline, claimed, ctx, tries).await,
            Ok(None) => Ending::Failed(Failure { sent: false, ..lost(withdrawn) }),
            Err(_) => Ending::Unknown(lost("the executing process died, and the target could not be asked")),
        },
    }
}

/// Asks the target whether the effect happened; a target that is briefly unavailable is asked again.
async fn lookup_patiently(claimed: &Claimed, ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
    let mut answer = claimed.action.source.lookup(&claimed.call, ctx).await;
    for wait_ms in [500, 2_000] {
        match &answer {
            Err(error) if error.is_transient() => tokio::time::sleep(Duration::from_millis(wait_ms)).await,
            _ => break,
        }
        answer = claimed.action.source.lookup(&claimed.call, ctx).await;
    }
    answer
}
