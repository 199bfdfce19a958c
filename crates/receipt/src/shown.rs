//! Shown documents: what people were shown before they voted, as the receipt keeps it.
//!
//! A vote names the digest of a document, and a passkey signs that digest. So a changed word in a document is found even
//! if the receipt is signed again.

use serde_json::{Map, Value};

use crate::canonical;

/// A document that no vote of the receipt is about, or that is about something else than the receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a shown document belongs to none of the votes, or to another invocation")]
pub struct ShownError;

impl ShownError {
    /// A stable code for the error.
    pub const fn code(self) -> &'static str {
        "shown_document"
    }
}

/// The fields that a document shares with the receipt: the name in the document, and in the receipt.
const SHARED: [(&str, &str); 4] =
    [("org", "org"), ("invocation", "invocation"), ("action", "action"), ("subject", "shown_digest")];

/// Checks every document of a receipt.
pub(crate) fn check_all(receipt: &Map<String, Value>) -> Result<(), ShownError> {
    let list =
        |name: &str| receipt.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for document in list("shown") {
        let is_about_this = SHARED.iter().all(|(its, own)| document.get(its) == receipt.get(*own));
        let digest = digest(document).map(Value::String).ok_or(ShownError)?;
        let is_voted_on = list("approvals").iter().any(|vote| vote.get("shown_digest") == Some(&digest));
        if !document.is_object() || !is_about_this || !is_voted_on {
            return Err(ShownError);
        }
    }
    Ok(())
}

/// How many votes of a receipt name a document that it keeps.
pub fn documented_votes(receipt: &crate::Receipt) -> usize {
    let digests: Vec<String> = receipt.shown.iter().filter_map(digest).collect();
    receipt.approvals.iter().filter(|vote| digests.contains(&vote.shown_digest)).count()
}

/// The digest that a vote names. `None` if the document has no canonical form.
fn digest(document: &Value) -> Option<String> {
    canonical::value_bytes(document).ok().map(|bytes| canonical::digest(&bytes))
}
