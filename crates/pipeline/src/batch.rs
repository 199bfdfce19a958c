//! Several actions that stand or fall together: decided as one, performed in order, undone in reverse.
//!
//! A batch is one invocation of `batch.run`, so it has one decision, one approval, one lease and one receipt, which lists
//! every part. A batch whose process died is not taken up again unless all of it only reads: nobody could tell how far
//! it came, and a person is told.

use std::{collections::HashMap, sync::Arc};

use catalog::{Action, Call, CallContext, Credential, FieldError, Outcome, connector::OrgCatalog};
use model::{
    ActionAddress, Decision, EffectClass, ErrorClass, Failure, IdempotencyKey, Mode, Risk, SourceSlug, Status,
};
use platform::fault::{self, Point};
use serde_json::{Value, json};

use crate::{
    Error, Pipeline, capture, context,
    dispatch::{self, attempt},
    standing::Standing,
    state::{Attempted, Claimed, Ending, Verified},
    verify::{self, verify},
};

/// What a part of a batch may not be: it tells people something, and only one telling belongs to an invocation.
const NOT_IN_BATCHES: [&str; 2] = ["batch.run", "data.notify"];

/// Whether it is the action that holds others; asked of every request, so without making a text of its address.
fn is_batch(action: &Action) -> bool {
    let address = &action.definition.address;
    address.source.as_str() == "batch" && address.action.as_str() == "run"
}

/// The action as it is asked for: a batch with its parts, anything else as it is.
pub(crate) fn expand(
    pipeline: &Pipeline,
    catalog: &OrgCatalog,
    action: Arc<Action>,
    params: &Value,
) -> Result<Arc<Action>, Error> {
    if !is_batch(&action) {
        return Ok(action);
    }
    action.validate(params).map_err(Error::InvalidParams)?;
    let mut parts = Vec::new();
    for (number, part) in wanted(params).iter().enumerate() {
        let at = |pointer: &str, message: String| FieldError {
            pointer: format!("/parts/{number}{pointer}"),
            message,
        };
        let name = part["action"].as_str().unwrap_or_default();
        let found = name.parse::<ActionAddress>().ok();
        let found = found.and_then(|address| pipeline.find_action(catalog, &address));
        let Some(found) = found.filter(|_| !NOT_IN_BATCHES.contains(&name)) else {
            return Err(Error::InvalidParams(vec![at(
                "/action",
                "no action that a batch can hold".to_owned(),
            )]));
        };
        found.validate(&params_of(part)).map_err(|errors| {
            let errors = errors.into_iter();
            Error::InvalidParams(
                errors.map(|error| at(&format!("/params{}", error.pointer), error.message)).collect(),
            )
        })?;
        parts.push(found);
    }
    let mut definition = action.definition.clone();
    let only_reads = parts.iter().all(|part| part.definition.effect == EffectClass::Read);
    definition.effect = if only_reads { EffectClass::Read } else { EffectClass::Once };
    definition.risk = parts.iter().map(|part| part.definition.risk).max().unwrap_or(Risk::R0);
    Ok(Arc::new(action.of_parts(definition, parts)?))
}

fn wanted(params: &Value) -> &[Value] {
    params["parts"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn params_of(part: &Value) -> Value {
    part.get("params").cloned().unwrap_or_else(|| json!({}))
}

/// The strictest of what is decided about the batch itself and about each part. A grant is for an action, not for a
/// batch of them: it would be used without being counted.
pub(crate) fn strictest(
    mut whole: Decision,
    action: &Action,
    standing: &Standing,
    now: jiff::Timestamp,
) -> Decision {
    for part in &action.parts {
        let mut decided = standing.decide((&part.definition, part.drift), None, now);
        if decided.grant.is_some() {
            decided.mode = Mode::RequireApproval;
        }
        if decided.mode > whole.mode {
            whole.mode = decided.mode;
            whole.mode_source = decided.mode_source;
            whole.reason = format!("`{}`: {}", part.definition.address, decided.reason);
        }
        whole.guardrails.extend(decided.guardrails);
        whole.gates.extend(decided.gates.into_iter().filter(|gate| !gate.reason.is_empty()));
        whole.quarantined |= decided.quarantined;
    }
    whole.grant = None;
    whole
}

/// A part that was done, and what it takes to undo it.
struct Done {
    number: usize,
    action: Arc<Action>,
    call: Call,
    outcome: Outcome,
    ctx: CallContext,
}

type Credentials = HashMap<SourceSlug, (Option<Credential>, i32)>;

/// Performs the parts in order, and undoes them in reverse if one fails.
pub(crate) async fn perform(pipeline: &Pipeline, claimed: Claimed) -> Verified {
    let credentials = match credentials(pipeline, &claimed).await {
        Ok(credentials) => credentials,
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "resolving the credentials of a batch");
            let ending = dispatch::nothing_sent(&claimed, ErrorClass::Auth, "a credential cannot be read");
            return over(claimed, ending, vec![], None);
        }
    };
    let versions = credentials.iter().filter(|(_, (credential, _))| credential.is_some());
    let versions = versions.map(|(source, (_, version))| (source.to_string(), *version)).collect();
    if claimed.recovered && claimed.action.definition.effect != EffectClass::Read {
        let message = "the process performing the batch died; some of it may have happened".to_owned();
        let failure = Failure { class: ErrorClass::OutcomeUnknown, message, sent: true };
        return over(claimed, Ending::Unknown(failure), vec![], None);
    }
    if !dispatch::is_permitted(&claimed, versions) {
        let message = "what was decided is not what would be sent";
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
        let credential =
            credentials.get(&action.definition.address.source).and_then(|(found, _)| found.clone());
        let redactor = capture::redactor(pipeline, credential.as_ref(), &part.call.params);
        let what = (&action.definition, part.record.invocation.id);
        let mut ctx = context::build(pipeline, part.record.org, what, credential.clone());
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
                stopped = Some((number, status, failure));
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
        Some((number, status, failure)) => {
            Some(fall(pipeline, (number, status, failure), done, &mut reports).await)
        }
    };
    let outcome = Outcome::new(json!({ "parts": reports }));
    over(claimed, Ending::Done(outcome), tries, overruled)
}

/// What a failed part makes of the whole. What nobody knows is not undone: a person must see how it stands.
async fn fall(
    pipeline: &Pipeline,
    (number, status, failure): (usize, Status, Option<Failure>),
    done: Vec<Done>,
    reports: &mut [Value],
) -> (Status, Failure) {
    let why = failure.as_ref().map(|failure| failure.message.clone()).unwrap_or_default();
    let class = failure.as_ref().map_or(ErrorClass::Permanent, |failure| failure.class);
    let part = number + 1;
    if status == Status::Unknown {
        let message = format!("nobody knows whether part {part} happened, so nothing was undone: {why}");
        return (Status::Unknown, Failure { class, message, sent: true });
    }
    let (happened, mut left) = (done.len(), 0);
    for undo in done.into_iter().rev() {
        if undo.action.definition.effect == EffectClass::Read {
            continue;
        }
        let redactor = capture::redactor(pipeline, undo.ctx.credential.as_ref(), &undo.call.params);
        let what = (&*undo.action, &undo.call);
        let (rollback, undone) = verify::undo(&redactor, what, &undo.outcome, &undo.ctx).await;
        left += usize::from(!undone);
        if let Some(report) = reports.get_mut(undo.number) {
            report["status"] = json!(if undone { "undone" } else { "not_undone" });
            report["undo"] = json!(rollback.map(|rollback| rollback.detail));
        }
    }
    let (status, end) = match (happened, left) {
        (0, _) => (Status::Failed, "nothing happened".to_owned()),
        (_, 0) => (Status::Reverted, "the parts before it were undone".to_owned()),
        (_, left) => (Status::Failed, format!("{left} of the parts before it could not be undone")),
    };
    (status, Failure { class, message: format!("part {part} failed, and {end}: {why}"), sent: happened > 0 })
}

/// How one part ended.
fn ended(verified: Verified) -> (Status, Option<Failure>, Option<Outcome>) {
    let (status, failure, outcome) = match verified.attempted.ending {
        Ending::Done(outcome) => (Status::Succeeded, None, Some(outcome)),
        Ending::Failed(failure) => (Status::Failed, Some(failure), None),
        Ending::Unknown(failure) => (Status::Unknown, Some(failure), None),
    };
    match verified.overruled {
        // It was undone already, or could not be: either way there is nothing left for the batch to undo.
        Some((status, failure)) => (status, Some(failure), None),
        None => (status, failure, outcome),
    }
}

async fn credentials(pipeline: &Pipeline, claimed: &Claimed) -> Result<Credentials, Error> {
    let mut all = Credentials::new();
    for part in &claimed.action.parts {
        let source = &part.definition.address.source;
        if !all.contains_key(source) {
            let standing = claimed.standing.as_deref();
            let found = context::credential(pipeline, claimed.record.org, &part.definition, standing).await?;
            all.insert(source.clone(), found);
        }
    }
    Ok(all)
}

fn part_of(claimed: &Claimed, number: usize, action: &Arc<Action>) -> Claimed {
    let params = wanted(&claimed.call.params).get(number).map(params_of).unwrap_or_default();
    Claimed {
        record: claimed.record.clone(),
        action: action.clone(),
        call: Call { action: action.definition.address.action.clone(), params },
        permit: None,
        standing: claimed.standing.clone(),
        recovered: false,
        started_at: claimed.started_at,
        timeout: claimed.timeout,
    }
}

/// The target knows each part by a key of its own, the same at every try.
fn part_key(claimed: &Claimed, number: usize) -> IdempotencyKey {
    let whole = claimed.record.invocation.id;
    format!("{whole}.{number}").parse().unwrap_or_else(|_| whole.into())
}

fn over(
    claimed: Claimed,
    ending: Ending,
    tries: Vec<crate::state::FailedTry>,
    overruled: Option<(Status, Failure)>,
) -> Verified {
    let attempted = Attempted { claimed, credential: None, tries, ending };
    Verified { attempted, verification: None, repair: None, rollback: None, overruled }
}
