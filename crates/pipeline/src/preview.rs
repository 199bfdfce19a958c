//! Previews: what an invocation would change, asked of its source without changing anything.

use catalog::{Action, Basis, Call, Preview, SourceError};
use model::{InvocationId, OrgId};
use serde_json::Value;

use crate::{
    approvals::shown::MAX_DEPTH, context, credentials, error::Error, parts::Reader,
    policy_snapshot::Snapshot, redaction,
};

/// An invocation whose preview is asked for.
pub(crate) struct Previewed<'a> {
    pub(crate) org: OrgId,
    pub(crate) id: InvocationId,
    pub(crate) action: &'a Action,
    pub(crate) params: Value,
}

/// A preview as people are shown it, and what it relies on as the source told it, which is compared later.
pub(crate) struct Found {
    pub(crate) shown: Preview,
    pub(crate) basis: Vec<Basis>,
}

/// The preview of an invocation. A source that cannot be asked is no reason for a dry run to fail or for an inbox to stay
/// empty.
pub(crate) async fn preview(
    reader: &Reader,
    previewed: Previewed<'_>,
    snapshot: Option<&Snapshot>,
) -> Option<Found> {
    let id = previewed.id;
    match read(reader, previewed, snapshot).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            tracing::info!(invocation.id = %id, class = error.class.as_str(), "no preview");
            None
        }
        Err(_) => None,
    }
}

/// A basis in a form that has a digest.
fn portable(basis: Basis) -> Basis {
    Basis { value: receipt::canonical::portable(basis.value, MAX_DEPTH), ..basis }
}

/// The preview of an invocation, or why its source could not tell.
pub(crate) async fn read(
    reader: &Reader,
    previewed: Previewed<'_>,
    snapshot: Option<&Snapshot>,
) -> Result<Result<Option<Found>, SourceError>, Error> {
    let Previewed { org, id, action, params } = previewed;
    let definition = &action.definition;
    if !definition.previews {
        return Ok(Ok(None));
    }
    let found = credentials::for_action(reader, org, definition, snapshot).await?;
    let credential = found.map(|(credential, _)| credential);
    let ctx = context::build(reader, org, definition, id, credential.clone());
    let call = Call { action: definition.address.action.clone(), params };
    let redactor = redaction::redactor(reader, credential.as_ref(), &call.params);
    // Its words go into a receipt, and a target may repeat the credential that it was sent.
    let told =
        |error: SourceError| SourceError { message: redaction::text(&redactor, &error.message), ..error };
    let found = action.source.preview(&call, &ctx).await.map_err(told);
    Ok(found.map(|found| {
        found.map(|preview| Found {
            basis: preview.basis.iter().cloned().map(portable).collect(),
            shown: redaction::preview(&redactor, preview),
        })
    }))
}
