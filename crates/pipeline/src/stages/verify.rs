//! Stage 7: did the effect take hold? If a check finds a difference twice, the effect is undone.
//!
//! The receipt says what was checked and no more: `passed` means that the first check found the effect as wanted,
//! `passed_on_second_check` that the second did, `unchecked` that nobody looked.

use std::time::Duration;

use catalog::{Action, Call, CallContext, Outcome, Undone, Verification};
use model::{EffectClass, ErrorClass, Failure, Status};
use platform::{
    fault::{self, Point},
    redact::Redactor,
};
use receipt::Followup;

use super::state::{Attempted, Ending, Verified};
use crate::{context, parts::Pipeline, redaction};

/// Targets may show a write a moment after they confirmed it. Checking again is harmless; undoing too early is not.
const SECOND_CHECK_AFTER: Duration = Duration::from_millis(250);

fn followup(outcome: &str, detail: impl Into<String>) -> Option<Followup> {
    Some(Followup { outcome: outcome.to_owned(), detail: detail.into() })
}

/// Checks the effect, where the definition says that it can be checked.
pub(crate) async fn verify(pipeline: &Pipeline, attempted: Attempted) -> Verified {
    let claimed = &attempted.claimed;
    let definition = &claimed.action.definition;
    let outcome = match &attempted.ending {
        Ending::Done(outcome) if definition.verifies => outcome.clone(),
        ending => {
            let has_effect = matches!(ending, Ending::Done(_)) && definition.effect != EffectClass::Read;
            let verification =
                has_effect.then(|| followup("unchecked", "this action has no check")).flatten();
            return Verified { attempted, verification, repair: None, rollback: None, overruled: None };
        }
    };
    let (reader, record) = (&pipeline.reader, &claimed.record);
    let (definition, credential) = (&claimed.action.definition, attempted.credential.clone());
    let ctx = context::build(reader, record.org, definition, record.invocation.id, credential);
    let redactor = redaction::of_claim(reader, ctx.credential.as_ref(), claimed);
    let mut passed = "passed";
    let mut found = check(&attempted, &outcome, &ctx).await;
    if let Check::Refuted(_) = &found {
        tokio::time::sleep(SECOND_CHECK_AFTER).await;
        found = check(&attempted, &outcome, &ctx).await;
        passed = "passed_on_second_check";
    }
    match found {
        Check::Confirmed => {
            let verification = followup(passed, "");
            Verified { attempted, verification, repair: None, rollback: None, overruled: None }
        }
        Check::Unchecked => {
            let verification = followup("unchecked", "the source did not check the effect");
            Verified { attempted, verification, repair: None, rollback: None, overruled: None }
        }
        // It did happen, says the target's own answer; only the check could not be made.
        Check::Inconclusive(why) => {
            let verification = followup("inconclusive", redaction::text(&redactor, &why));
            Verified { attempted, verification, repair: None, rollback: None, overruled: None }
        }
        Check::Refuted(why) => {
            let why = redaction::text(&redactor, &why);
            let claimed = &attempted.claimed;
            let (rollback, undone) = undo(&redactor, &claimed.action, &claimed.call, &outcome, &ctx).await;
            let status = if undone { Status::Reverted } else { Status::Failed };
            let message = if undone {
                format!("the effect was undone: {why}")
            } else {
                format!("the effect could not be undone: {why}")
            };
            let failure =
                Failure { class: ErrorClass::Unverified, message, sent: true, retry_after_ms: None };
            Verified {
                attempted,
                verification: followup("failed", why),
                repair: None,
                rollback,
                overruled: Some((status, failure)),
            }
        }
    }
}

/// The result of one check.
enum Check {
    Confirmed,
    Unchecked,
    Refuted(String),
    Inconclusive(String),
}

async fn check(attempted: &Attempted, outcome: &Outcome, ctx: &CallContext) -> Check {
    let claimed = &attempted.claimed;
    match claimed.action.source.verify(&claimed.call, outcome, ctx).await {
        Ok(Verification::Confirmed) => Check::Confirmed,
        Ok(Verification::Unchecked) => Check::Unchecked,
        Ok(Verification::Refuted(why)) => Check::Refuted(why),
        Err(error) => Check::Inconclusive(error.message),
    }
}

/// Undoes the effect; returns whether it succeeded. Sources make this harmless to repeat, because a process may die in it.
pub(crate) async fn undo(
    redactor: &Redactor,
    action: &Action,
    call: &Call,
    outcome: &Outcome,
    ctx: &CallContext,
) -> (Option<Followup>, bool) {
    let undone = action.source.rollback(call, outcome, ctx).await;
    fault::point(Point::InsideRollback);
    let text = |text: &str| redaction::text(redactor, text);
    match undone {
        Ok(Undone::Done(how)) => (followup("done", text(&how)), true),
        Ok(Undone::NotPossible(why)) => (followup("not_possible", text(&why)), false),
        Err(error) => (followup("failed", text(&error.message)), false),
    }
}
