//! Stage 8: capture the result. Secrets are redacted and sizes are bounded; a result that is too large for the receipt is
//! stored beside it as an artifact.

use catalog::Announcement;
use ledger::{Artifact, MAX_ARTIFACT_BYTES};
use model::{OrgId, Status};
use serde_json::{Value, json};

use super::state::{Captured, Ending, Verified};
use crate::{
    facts, flow,
    parts::Pipeline,
    prune::{STORED_BYTES, prune},
    redaction,
};

/// The most of a result that is returned to the caller.
const ANSWERED_BYTES: usize = 256 * 1024;

/// Room for the marker of a result that is not stored whole.
const MARKER_BYTES: usize = 128;

/// Redacts and prunes the result of an execution.
pub(crate) async fn capture(pipeline: &Pipeline, verified: Verified) -> Captured {
    let Verified { attempted, verification, repair, rollback, overruled } = verified;
    let tries = attempted.tries;
    let redactor = redaction::of_claim(&pipeline.reader, attempted.credential.as_ref(), &attempted.claimed);
    let (mut status, mut failure, done) = match attempted.ending {
        Ending::Done(outcome) => (Status::Succeeded, None, Some(*outcome)),
        Ending::Failed(failure) => (Status::Failed, Some(failure), None),
        Ending::Unknown(failure) => (Status::Unknown, Some(failure), None),
    };
    let (output, announce, payload) = match done {
        Some(outcome) => (Some(outcome.output), outcome.announce, outcome.payload),
        None => (None, None, None),
    };
    let succeeded = status == Status::Succeeded;
    if let Some((verdict, why)) = overruled {
        (status, failure) = (verdict, Some(why));
    }
    let outcomes = match &output {
        Some(output) if status == Status::Succeeded => {
            facts::outcomes(pipeline, &attempted.claimed, output).await
        }
        _ => None,
    };
    let output = output.map(|output| without_nul(redactor.redact_value(&output)));
    let (kept, artifact) = match &output {
        Some(output) => keep(pipeline, attempted.claimed.record.org, output).await,
        None => (None, None),
    };
    let answered = output.map(|output| prune(output, ANSWERED_BYTES).value);
    let given = flow::given(&attempted.claimed.record, &attempted.claimed.action, status);
    let attempts = i32::try_from(tries.len()).unwrap_or(i32::MAX).saturating_add(i32::from(succeeded));
    Captured {
        outcomes,
        record: attempted.claimed.record,
        status,
        failure,
        kept,
        answered,
        artifact,
        tries,
        attempts,
        verification,
        repair,
        rollback,
        announce: announce.filter(|_| status == Status::Succeeded).map(|told| Announcement {
            title: redactor.redact_text(&told.title).into_owned(),
            body: redactor.redact_text(&told.body).into_owned(),
            level: told.level,
        }),
        payload,
        started_at: attempted.claimed.started_at,
        given,
    }
}

/// U+0000 is valid JSON, and no database stores it: without this, an effect whose result holds one would never be settled.
fn without_nul(value: Value) -> Value {
    let clean = |text: String| if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
    match value {
        Value::String(text) => Value::String(clean(text)),
        Value::Array(items) => Value::Array(items.into_iter().map(without_nul).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, field)| (clean(name), without_nul(field))).collect())
        }
        other => other,
    }
}

/// The part of a result that goes into the receipt, and the whole as an artifact where that is more.
async fn keep(pipeline: &Pipeline, org: OrgId, output: &Value) -> (Option<Value>, Option<Artifact>) {
    let pruned = prune(output.clone(), STORED_BYTES);
    let ledger = &pipeline.parts.ledger;
    if !pruned.truncated || !ledger.keeps_artifacts() {
        return (Some(pruned.value), None);
    }
    // It was parsed from JSON, so it can be written as JSON.
    let whole = serde_json::to_vec(output).unwrap_or_default();
    if whole.len() > MAX_ARTIFACT_BYTES {
        let part = prune(output.clone(), STORED_BYTES - MARKER_BYTES).value;
        return (Some(mark_not_kept(part, whole.len())), None);
    }
    (Some(pruned.value), ledger.keep_artifact(org, &whole).await)
}

/// Marks a result of which only this part is stored.
fn mark_not_kept(pruned: Value, bytes: usize) -> Value {
    let marker = json!({ "_not_kept": true, "_bytes": bytes });
    match pruned {
        Value::Object(mut members) => {
            members.insert("_whole".to_owned(), marker);
            Value::Object(members)
        }
        Value::Array(mut items) => {
            items.push(marker);
            Value::Array(items)
        }
        other => json!({ "_whole": marker, "_part": other }),
    }
}
