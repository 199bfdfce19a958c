//! The context of one call of a source: its credential, timeout and workspace; and how long a lease lasts.

use std::{sync::Arc, time::Duration};

use catalog::{Action, CallContext, Credential};
use model::{ActionDefinition, InvocationId, OrgId};

use crate::parts::Reader;

/// How often one invocation may call its target.
pub(crate) const MAX_ATTEMPTS: u32 = 3;

/// How often one invocation of this action may call its target. Each call of a model is paid for, so its step asks again.
pub(crate) fn attempts(definition: &ActionDefinition) -> u32 {
    if definition.address.is_model() { 1 } else { MAX_ATTEMPTS }
}

/// The timeout of one call: what the definition says, at most what the operator allows.
fn timeout(reader: &Reader, definition: &ActionDefinition) -> Duration {
    let limits = &reader.parts.limits;
    let most = if definition.address.is_model() { limits.model_timeout } else { limits.action_timeout };
    Duration::from_millis(definition.timeout_ms).min(most)
}

/// The lease of an execution whose calls have this timeout: long enough for every attempt. Another process may recover
/// the execution afterwards, so no attempt begins that could last longer.
pub(crate) fn lease(reader: &Reader, timeout: Duration, attempts: u32) -> Duration {
    timeout * attempts + reader.parts.limits.lease_margin
}

/// The lease of an execution of this action: for a batch, the leases of all its parts.
pub(crate) fn lease_of(reader: &Reader, action: &Action) -> Duration {
    let alone = std::iter::once(&action.definition).filter(|_| action.parts.is_empty());
    let parts = action.parts.iter().map(|part| &part.definition);
    alone
        .chain(parts)
        .map(|definition| lease(reader, timeout(reader, definition), attempts(definition)))
        .sum()
}

/// The context of one call. The target sees the invocation's own id: a caller may use an idempotency key again after a
/// day and must not meet the effect of the day before.
pub(crate) fn build(
    reader: &Reader,
    org: OrgId,
    definition: &ActionDefinition,
    invocation: InvocationId,
    credential: Option<Credential>,
) -> CallContext {
    CallContext {
        org,
        key: invocation.into(),
        credential,
        timeout: timeout(reader, definition),
        egress: reader.parts.egress.clone(),
        workspace: reader.parts.workspace_root.as_ref().map(|root| root.join(org.to_string())),
        payloads: Arc::default(),
    }
}
