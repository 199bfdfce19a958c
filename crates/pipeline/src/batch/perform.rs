//! Performing a batch. A batch whose process died is not repeated unless all of it only reads: nobody could tell how far
//! it came, and a person is told.

use std::{collections::HashMap, sync::Arc};

use catalog::{Action, Call, CallContext, Credential, Outcome};
use model::{CredentialVersion, EffectClass, ErrorClass, Failure, IdempotencyKey, SourceSlug, Status};
use platform::fault::{self, Point};
use serde_json::{Value, json};

use super::{params_of, parts_of};
use crate::{
    context, credentials,
    error::Error,
    parts::Pipeline,
    redaction,
    stages::{
        dispatch::{self, attempt},
        state::{Attempted, Claimed, Ending, FailedTry, Verified},
        verify::{self, verify},
    },
};

/// A part that succeeded, and what is needed to undo it.
struct Done {
    number: usize,
    action: Arc<Action>,
    call: Call,
    outcome: Outcome,
    ctx: CallContext,
}

/// The part that failed, or whose outcome is unknown.
struct Stopped {
    number: usize,
    status: Status,
    failure: Option<Failure>,
}

type Credentials = HashMap<SourceSlug, Option<(Credential, CredentialVersion)>>;

/// Performs the parts in order, and undoes them in reverse if one fails.
pub(crate) async fn perform(pipeline: &Pipeline, claimed: Claimed) -> Verified {
    let credentials = match credentials(pipeline, &claimed).await {
        Ok(credentials) => credentials,
        Err(error) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "resolving the credentials of a batch failed"
            );
            let ending = dispatch::nothing_sent(&claimed, ErrorClass::Auth, "a credential cannot be read");
            return over(claimed, ending, vec![], None);
        }
    };
    let versions = credentials
        .iter()
        .filter_map(|(source, found)| Some((source.to_string(), found.as_ref()?.1.clone())))
        .collect();
    if claimed.recovered && claimed.action.definition.effect != EffectClass::Read {
        let message = "the process executing the batch died; some parts may have happened".to_owned();
        let failure =
            Failure { class: ErrorClass::OutcomeUnknown, message, sent: true, retry_after_ms: None };
        return over(claimed, Ending::Unknown(failure), vec![], None);
    }
    if !dispatch::is_permitted(&claimed, versions) {
        let message = "the request differs from the one that was decided";
        let ending = dispatch::nothing_sent(&claimed, ErrorClass::Conflict, message);
        return over(claimed, ending, vec![], None);
    }
    in_order(pipeline, claimed, &credentials).await
}

async fn in_order(pipeline: &Pipeline, claimed: Claimed, credentials: &Credentials) -> Verified {
    let parts = claimed.action.parts.clone();
    let mut reports: Vec<Value> = Vec::with_capacity(parts.len());
    let (mut done, mut tries) = (Vec::new(), Vec::new());
    let mut stopped = None;
    for (number, action) in parts.iter().enumerate() {
        let part = part_of(&claimed, number, action);
        let credential = credentials
            .get(&action.definition.address.source)
            .and_then(Option::as_ref)
            .map(|(it, _)| it.clone());
        let redactor = redaction::redactor(&pipeline.reader, credential.as_ref(), &part.call.params);
        let (org, id) = (part.record.org, part.record.invocation.id);
        let mut ctx = context::build(&pipeline.reader, org, &action.definition, id, credential.clone());
        ctx.key = part_key(&claimed, number);
        let call = part.call.clone();
        let mut failed = Vec::new();
        let ending = attempt(pipeline, &part, &ctx, &mut failed).await;
        fault::point(Point::InsideBatch);
        let verified = verify(pipeline, Attempted { claimed: part, credential, tries: vec![], ending }).await;
        tries.append(&mut failed);
        let (status, failure, outcome) = ended(verified);
        let output = outcome.as_ref().map(|outcome| redactor.redact_value(&outcome.output));
        reports.push(json!({
            "action": action.definition.address, "status": status.as_str(), "output": output,
            "error": failure.as_ref().map(|failure| &failure.message),
        }));
        match (outcome, failure) {
            (Some(outcome), None) => done.push(Done { number, action: action.clone(), call, outcome, ctx }),
            (_, failure) => {
                stopped = Some(Stopped { number, status, failure });
                break;
            }
        }
    }
    let reports = reports.into_iter().chain(
        parts
            .iter()
            .skip(done.len() + 1)
            .map(|action| json!({ "action": action.definition.address, "status": "not_begun" })),
    );
    let mut reports: Vec<Value> = reports.take(parts.len()).collect();
    let overruled = match stopped {
        None => None,
        Some(stopped) => Some(roll_back(pipeline, stopped, done, &mut reports).await),
    };
    let outcome = Outcome::new(json!({ "parts": reports }));
    over(claimed, Ending::Done(Box::new(outcome)), tries, overruled)
}

/// Undoes the parts before a failed one; returns how the batch ended. Nothing is undone when the outcome of a part is
/// unknown: a person must see the state as it is.
async fn roll_back(
    pipeline: &Pipeline,
    Stopped { number, status, failure }: Stopped,
    done: Vec<Done>,
    reports: &mut [Value],
) -> (Status, Failure) {
    let why = failure.as_ref().map(|failure| failure.message.clone()).unwrap_or_default();
    let class = failure.as_ref().map_or(ErrorClass::Permanent, |failure| failure.class);
    let part = number + 1;
    if status == Status::Unknown {
        let message = format!("the outcome of part {part} is unknown, so nothing was undone: {why}");
        return (Status::Unknown, Failure { class, message, sent: true, retry_after_ms: None });
    }
    if class == ErrorClass::Denied && !done.is_empty() {
        // Undoing would be an effect after the stop.
        let message =
            format!("part {part} was not performed, and the parts before it were not undone: {why}");
        return (Status::Failed, Failure { class, message, sent: true, retry_after_ms: None });
    }
    let (happened, mut left) = (done.len(), 0);
    for undo in done.into_iter().rev() {
        if undo.action.definition.effect == EffectClass::Read {
            continue;
        }
        let redactor = redaction::redactor(&pipeline.reader, undo.ctx.credential.as_ref(), &undo.call.params);
        let (rollback, undone) =
            verify::undo(&redactor, &undo.action, &undo.call, &undo.outcome, &undo.ctx).await;
        left += usize::from(!undone);
        if let Some(report) = reports.get_mut(undo.number) {
            report["status"] = json!(if undone { "undone" } else { "not_undone" });
            report["undo"] = json!(rollback.map(|rollback| rollback.detail));
        }
    }
    // Its own effect was refuted, and is there nevertheless.
    let is_there = status == Status::Failed
        && failure.as_ref().is_some_and(|failure| failure.class == ErrorClass::Unverified && failure.sent);
    let (status, end) = match (happened, left) {
        _ if is_there => {
            (Status::Failed, format!("its effect and {left} of the parts before it are not undone"))
        }
        (0, _) => (Status::Failed, "nothing happened".to_owned()),
        (_, 0) => (Status::Reverted, "the parts before it were undone".to_owned()),
        (_, left) => (Status::Failed, format!("{left} of the parts before it could not be undone")),
    };
    (
        status,
        Failure {
            class,
            message: format!("part {part} failed, and {end}: {why}"),
            sent: happened > 0 || is_there,
            retry_after_ms: None,
        },
    )
}

/// The end of one part.
fn ended(verified: Verified) -> (Status, Option<Failure>, Option<Outcome>) {
    let (status, failure, outcome) = match verified.attempted.ending {
        Ending::Done(outcome) => (Status::Succeeded, None, Some(*outcome)),
        Ending::Failed(failure) => (Status::Failed, Some(failure), None),
        Ending::Unknown(failure) => (Status::Unknown, Some(failure), None),
    };
    match verified.overruled {
        // The part was undone already or could not be: either way nothing is left for the batch to undo.
        Some((status, failure)) => (status, Some(failure), None),
        None => (status, failure, outcome),
    }
}

async fn credentials(pipeline: &Pipeline, claimed: &Claimed) -> Result<Credentials, Error> {
    let mut all = Credentials::new();
    for part in &claimed.action.parts {
        let source = &part.definition.address.source;
        if !all.contains_key(source) {
            let (org, snapshot) = (claimed.record.org, claimed.snapshot.as_deref());
            let found = credentials::for_action(&pipeline.reader, org, &part.definition, snapshot).await?;
            all.insert(source.clone(), found);
        }
    }
    Ok(all)
}

fn part_of(claimed: &Claimed, number: usize, action: &Arc<Action>) -> Claimed {
    let params = parts_of(&claimed.call.params).get(number).map(params_of).unwrap_or_default();
    Claimed {
        record: claimed.record.clone(),
        action: action.clone(),
        call: Call { action: action.definition.address.action.clone(), params },
        permit: None,
        snapshot: claimed.snapshot.clone(),
        recovered: false,
        started_at: claimed.started_at,
        timeout: claimed.timeout,
        claimed_at: claimed.claimed_at,
        filled: vec![],
    }
}

/// The idempotency key of a part at its target: its own, and the same for every attempt.
fn part_key(claimed: &Claimed, number: usize) -> IdempotencyKey {
    let whole = claimed.record.invocation.id;
    format!("{whole}.{number}").parse().unwrap_or_else(|_| whole.into())
}

fn over(
    claimed: Claimed,
    ending: Ending,
    tries: Vec<FailedTry>,
    overruled: Option<(Status, Failure)>,
) -> Verified {
    let attempted = Attempted { claimed, credential: None, tries, ending };
    Verified { attempted, verification: None, repair: None, rollback: None, overruled }
}
