//! Previews: what an invocation would change, asked of its source without changing anything.

use catalog::{Action, Call, Preview};
use model::{InvocationId, OrgId};
use serde_json::Value;

use crate::{context, credentials, parts::Reader, policy_snapshot::Snapshot, redaction};

/// An invocation whose preview is asked for.
pub(crate) struct Previewed<'a> {
    pub(crate) org: OrgId,
    pub(crate) id: InvocationId,
    pub(crate) action: &'a Action,
    pub(crate) params: Value,
}

/// The preview of an invocation. A source that cannot be asked is no reason for a dry run to fail or for an inbox to stay
/// empty.
pub(crate) async fn preview(
    reader: &Reader,
    previewed: Previewed<'_>,
    snapshot: Option<&Snapshot>,
) -> Option<Preview> {
    let Previewed { org, id, action, params } = previewed;
    let definition = &action.definition;
    if !definition.previews {
        return None;
    }
    let found = credentials::for_action(reader, org, definition, snapshot).await.ok()?;
    let credential = found.map(|(credential, _)| credential);
    let ctx = context::build(reader, org, definition, id, credential.clone());
    let call = Call { action: definition.address.action.clone(), params };
    let redactor = redaction::redactor(reader, credential.as_ref(), &call.params);
    match action.source.preview(&call, &ctx).await {
        Ok(preview) => preview.map(|preview| redaction::preview(&redactor, preview)),
        Err(error) => {
            tracing::info!(invocation.id = %id, class = error.class.as_str(), "no preview");
            None
        }
    }
}
