//! Stage 8: what is kept and answered. Secrets are taken out, sizes are bounded, shape is kept.

use catalog::{Credential, Preview, SourceError};
use model::{Failure, Status};
use secrecy::ExposeSecret as _;
use serde_json::Value;

use crate::{
    Pipeline,
    prune::prune,
    state::{Captured, Ending, Verified},
};

/// How much of a result is stored and stands in the receipt.
const KEPT_BYTES: usize = 10 * 1024;
/// How much of a result the caller is answered with.
const ANSWERED_BYTES: usize = 256 * 1024;

/// Redacts and prunes whatever came of it.
pub(crate) async fn capture(pipeline: &Pipeline, verified: Verified) -> Captured {
    let Verified { attempted, verification, repair, rollback, overruled } = verified;
    let tries = attempted.tries;
    let credential = attempted.credential;
    let (mut status, mut failure, output, announce) = match attempted.ending {
        Ending::Done(outcome) => (Status::Succeeded, None, Some(outcome.output), outcome.announce),
        Ending::Failed(failure) => (Status::Failed, Some(failure), None, None),
        Ending::Unknown(failure) => (Status::Unknown, Some(failure), None, None),
    };
    let succeeded = status == Status::Succeeded;
    if let Some((verdict, why)) = overruled {
        (status, failure) = (verdict, Some(why));
    }
    let output = output.map(|output| value(pipeline, &output, credential.as_ref()));
    let kept = output.clone().map(|output| prune(output, KEPT_BYTES).value);
    let answered = output.map(|output| prune(output, ANSWERED_BYTES).value);
    let attempts = i32::try_from(tries.len()).unwrap_or(i32::MAX).saturating_add(i32::from(succeeded));
    Captured {
        record: attempted.claimed.record,
        status,
        failure,
        kept,
        answered,
        tries,
        attempts,
        verification,
        repair,
        rollback,
        announce: announce.filter(|_| status == Status::Succeeded),
        started_at: attempted.claimed.started_at,
    }
}

/// A value without secrets: the well-known kinds, and the very credential this call was made with.
pub(crate) fn value(pipeline: &Pipeline, value: &Value, credential: Option<&Credential>) -> Value {
    match credential {
        None => pipeline.redactor.redact_value(value),
        Some(credential) => {
            pipeline.redactor.with_known([credential.token.expose_secret().as_bytes()]).redact_value(value)
        }
    }
}

/// A text without secrets, as [`value`].
pub(crate) fn text(pipeline: &Pipeline, text: &str, credential: Option<&Credential>) -> String {
    match credential {
        None => pipeline.redactor.redact_text(text).into_owned(),
        Some(credential) => {
            let redactor = pipeline.redactor.with_known([credential.token.expose_secret().as_bytes()]);
            redactor.redact_text(text).into_owned()
        }
    }
}

/// What may be said of a source's error.
pub(crate) fn failure(pipeline: &Pipeline, error: &SourceError, credential: Option<&Credential>) -> Failure {
    let message: String = text(pipeline, &error.message, credential).chars().take(1_000).collect();
    Failure { class: error.class, message, sent: error.sent }
}

/// A preview without secrets.
pub(crate) fn redact_preview(
    pipeline: &Pipeline,
    mut preview: Preview,
    credential: Option<&Credential>,
) -> Preview {
    preview.summary = text(pipeline, &preview.summary, credential);
    for change in &mut preview.changes {
        change.before = prune(value(pipeline, &change.before, credential), KEPT_BYTES).value;
        change.after = prune(value(pipeline, &change.after, credential), KEPT_BYTES).value;
    }
    preview
}
