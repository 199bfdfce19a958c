//! Stage 8: what is kept and answered. Secrets are taken out, sizes are bounded, shape is kept; what is too large for the
//! receipt is kept beside it, whole.

use catalog::{Announcement, Credential, Preview, SourceError};
use ledger::{Artifact, MAX_ARTIFACT_BYTES};
use model::{Failure, OrgId, Status};
use platform::redact::Redactor;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::{
    Pipeline,
    prune::{STORED_BYTES, prune},
    state::{Captured, Ending, Verified},
};

/// How much of a result the caller is answered with.
const ANSWERED_BYTES: usize = 256 * 1024;

/// Room for a marker.
const TELLING_BYTES: usize = 128;

/// How much of a target's words is passed on. They are cut here, after they were redacted, and nowhere before: a secret
/// of which a part was cut off is no longer recognised.
const MOST_WORDS: usize = 400;

/// Redacts and prunes whatever came of it.
pub(crate) async fn capture(pipeline: &Pipeline, verified: Verified) -> Captured {
    let Verified { attempted, verification, repair, rollback, overruled } = verified;
    let tries = attempted.tries;
    let redactor = redactor(pipeline, attempted.credential.as_ref(), &attempted.claimed.call.params);
    let (mut status, mut failure, output, announce) = match attempted.ending {
        Ending::Done(outcome) => (Status::Succeeded, None, Some(outcome.output), outcome.announce),
        Ending::Failed(failure) => (Status::Failed, Some(failure), None, None),
        Ending::Unknown(failure) => (Status::Unknown, Some(failure), None, None),
    };
    let succeeded = status == Status::Succeeded;
    if let Some((verdict, why)) = overruled {
        (status, failure) = (verdict, Some(why));
    }
    let output = output.map(|output| redactor.redact_value(&output));
    let (kept, artifact) = match &output {
        Some(output) => keep(pipeline, attempted.claimed.record.org, output).await,
        None => (None, None),
    };
    let answered = output.map(|output| prune(output, ANSWERED_BYTES).value);
    let attempts = i32::try_from(tries.len()).unwrap_or(i32::MAX).saturating_add(i32::from(succeeded));
    Captured {
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
        started_at: attempted.claimed.started_at,
    }
}

/// What of a result goes into the receipt, and the whole of it where that is less.
async fn keep(pipeline: &Pipeline, org: OrgId, output: &Value) -> (Option<Value>, Option<Artifact>) {
    let pruned = prune(output.clone(), STORED_BYTES);
    let ledger = &pipeline.parts.ledger;
    if !pruned.truncated || !ledger.keeps_artifacts() {
        return (Some(pruned.value), None);
    }
    // It came in as JSON, so it can be written as JSON.
    let whole = serde_json::to_vec(output).unwrap_or_default();
    if whole.len() > MAX_ARTIFACT_BYTES {
        let told = prune(output.clone(), STORED_BYTES - TELLING_BYTES).value;
        return (Some(tell_not_kept(told, whole.len())), None);
    }
    (Some(pruned.value), ledger.keep_artifact(org, &whole).await)
}

/// Marks a result of which no more is kept than this.
fn tell_not_kept(pruned: Value, bytes: usize) -> Value {
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

/// What knows the secrets of one call: the well-known kinds, the very credential it is made with, and what its
/// parameters hold under telling names. Whatever a target answers is seen through it.
pub(crate) fn redactor(pipeline: &Pipeline, credential: Option<&Credential>, params: &Value) -> Redactor {
    let named = Redactor::named_secrets(params).into_iter().map(str::as_bytes);
    let used = credential.map(|credential| credential.token.expose_secret().as_bytes());
    pipeline.redactor.with_known(used.into_iter().chain(named))
}

/// A text without secrets, and then not too long.
pub(crate) fn text(redactor: &Redactor, text: &str) -> String {
    redactor.redact_text(text).chars().take(MOST_WORDS).collect()
}

/// What may be said of a source's error.
pub(crate) fn failure(redactor: &Redactor, error: &SourceError) -> Failure {
    Failure { class: error.class, message: text(redactor, &error.message), sent: error.sent }
}

/// A preview without secrets.
pub(crate) fn redact_preview(redactor: &Redactor, mut preview: Preview) -> Preview {
    preview.summary = text(redactor, &preview.summary);
    for change in &mut preview.changes {
        change.before = prune(redactor.redact_value(&change.before), STORED_BYTES).value;
        change.after = prune(redactor.redact_value(&change.after), STORED_BYTES).value;
    }
    preview
}
