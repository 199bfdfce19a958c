//! Redaction: secrets taken out of whatever a target says, and its words cut to a length.

use catalog::{Credential, Preview, SourceError};
use model::Failure;
use platform::redact::Redactor;
use secrecy::ExposeSecret as _;
use serde_json::Value;

use crate::{
    parts::Reader,
    prune::{STORED_BYTES, prune},
    stages::state::Claimed,
};

/// How many characters of a target's words are passed on. They are cut here, after redaction, and nowhere before: a
/// secret of which a part was cut off is no longer recognised.
const MAX_TEXT_CHARS: usize = 400;
/// A longer text that a preview relies on is told by its length.
const MAX_BASIS_CHARS: usize = 200;

/// A redactor that knows the secrets of one call: the well-known kinds, the credential of the call, and the parameters
/// whose names say that they are secret.
pub(crate) fn redactor(reader: &Reader, credential: Option<&Credential>, params: &Value) -> Redactor {
    let named = Redactor::named_secrets(params).into_iter().map(str::as_bytes);
    let used = credential.map(|credential| credential.token.expose_secret().as_bytes());
    reader.redactor.with_known(used.into_iter().chain(named))
}

/// The same for a claim: it also knows the secrets that the parameters refer to.
pub(crate) fn of_claim(reader: &Reader, credential: Option<&Credential>, claimed: &Claimed) -> Redactor {
    let named = Redactor::named_secrets(&claimed.call.params).into_iter().map(str::as_bytes);
    let used = credential.map(|credential| &credential.token);
    let used = used.into_iter().chain(claimed.filled.iter().map(|filled| &filled.value));
    reader.redactor.with_known(used.map(|secret| secret.expose_secret().as_bytes()).chain(named))
}

/// A text without secrets, then cut.
pub(crate) fn text(redactor: &Redactor, text: &str) -> String {
    redactor.redact_text(text).chars().take(MAX_TEXT_CHARS).collect()
}

/// The failure that a source's error is recorded as.
pub(crate) fn failure(redactor: &Redactor, error: &SourceError) -> Failure {
    let retry_after_ms = error.retry_after.and_then(|wait| u64::try_from(wait.as_millis()).ok());
    Failure { class: error.class, message: text(redactor, &error.message), sent: error.sent, retry_after_ms }
}

/// A preview without secrets.
pub(crate) fn preview(redactor: &Redactor, mut preview: Preview) -> Preview {
    preview.summary = text(redactor, &preview.summary);
    for change in &mut preview.changes {
        change.before = prune(redactor.redact_value(&change.before), STORED_BYTES).value;
        change.after = prune(redactor.redact_value(&change.after), STORED_BYTES).value;
    }
    for basis in &mut preview.basis {
        // A long text is shown as a change, not a second time here.
        let length = basis.value.as_str().map_or(0, |text| text.chars().count());
        basis.value = match length {
            0..=MAX_BASIS_CHARS => prune(redactor.redact_value(&basis.value), STORED_BYTES).value,
            _ => format!("a text of {length} characters").into(),
        };
    }
    preview
}
