//! Stage 7: did it take hold? If not, one repair, then it is undone.

use std::time::Duration;

use catalog::{Action, Call, CallContext, Outcome, Undone, Verification};
use model::{ErrorClass, Failure, Status};
use platform::{
    fault::{self, Point},
    redact::Redactor,
};
use receipt::Followup;

use crate::{
    Pipeline, capture, context,
    state::{Attempted, Ending, Verified},
};

/// Targets may show a write a moment after they confirmed it; a second look is the one repair that is always harmless.
const SECOND_LOOK: Duration = Duration::from_millis(250);

fn followup(outcome: &str, detail: impl Into<String>) -> Option<Followup> {
    Some(Followup { outcome: outcome.to_owned(), detail: detail.into() })
}

/// Looks at what was done, where the definition says that can be looked at.
pub(crate) async fn verify(pipeline: &Pipeline, attempted: Attempted) -> Verified {
    let claimed = &attempted.claimed;
    let outcome = match &attempted.ending {
        Ending::Done(outcome) if claimed.action.definition.verifies => outcome.clone(),
        _ => {
            return Verified { attempted, verification: None, repair: None, rollback: None, overruled: None };
        }
    };
    let what = (&claimed.action.definition, claimed.record.invocation.id);
    let ctx = context::build(pipeline, claimed.record.org, what, attempted.credential.clone());
    let redactor = capture::redactor(pipeline, ctx.credential.as_ref(), &claimed.call.params);
    let mut repair = None;
    let mut found = look(&attempted, &outcome, &ctx).await;
    if let Looked::Refuted(first) = &found {
        let first = first.clone();
        tokio::time::sleep(SECOND_LOOK).await;
        found = look(&attempted, &outcome, &ctx).await;
        let outcome = if matches!(found, Looked::Confirmed) { "done" } else { "failed" };
        repair = followup(outcome, capture::text(&redactor, &format!("looked again after: {first}")));
    }
    match found {
        Looked::Confirmed => Verified {
            attempted,
            verification: followup("passed", ""),
            repair,
            rollback: None,
            overruled: None,
        },
        // It did happen, says the target's own answer; only the check could not be made.
        Looked::Inconclusive(why) => {
            let verification = followup("inconclusive", capture::text(&redactor, &why));
            Verified { attempted, verification, repair, rollback: None, overruled: None }
        }
        Looked::Refuted(why) => {
            let why = capture::text(&redactor, &why);
            let claimed = &attempted.claimed;
            let (rollback, undone) = undo(&redactor, (&claimed.action, &claimed.call), &outcome, &ctx).await;
            let status = if undone { Status::Reverted } else { Status::Failed };
            let message = if undone {
                format!("it was undone: {why}")
            } else {
                format!("it happened and could not be undone: {why}")
            };
            let failure = Failure { class: ErrorClass::Unverified, message, sent: true };
            Verified {
                attempted,
                verification: followup("failed", why),
                repair,
                rollback,
                overruled: Some((status, failure)),
            }
        }
    }
}

enum Looked {
    Confirmed,
    Refuted(String),
    Inconclusive(String),
}

async fn look(attempted: &Attempted, outcome: &Outcome, ctx: &CallContext) -> Looked {
    let claimed = &attempted.claimed;
    match claimed.action.source.verify(&claimed.call, outcome, ctx).await {
        Ok(Verification::Confirmed | Verification::Unchecked) => Looked::Confirmed,
        Ok(Verification::Refuted(why)) => Looked::Refuted(why),
        Err(error) => Looked::Inconclusive(error.message),
    }
}

/// Undoes it; says whether it is as before. Sources make this harmless to repeat, because a process may die in it.
pub(crate) async fn undo(
    redactor: &Redactor,
    (action, call): (&Action, &Call),
    outcome: &Outcome,
    ctx: &CallContext,
) -> (Option<Followup>, bool) {
    let undone = action.source.rollback(call, outcome, ctx).await;
    fault::point(Point::InsideRollback);
    let text = |text: &str| capture::text(redactor, text);
    match undone {
        Ok(Undone::Done(how)) => (followup("done", text(&how)), true),
        Ok(Undone::NotPossible(why)) => (followup("not_possible", text(&why)), false),
        Err(error) => (followup("failed", text(&error.message)), false),
    }
}
