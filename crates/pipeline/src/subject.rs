//! The subject of an invocation, from what was asked and again from what is about to be sent.

use std::{collections::BTreeMap, sync::Arc};

use catalog::{Action, Call};
use model::{CanonicalError, CredentialVersion, Decision, Destination, Digest, Proposer};
use policy::Subject;
use serde_json::Value;

use crate::{
    credentials::references,
    error::Error,
    policy_snapshot::Snapshot,
    stages::state::{Permitted, Resolved},
};

/// The credentials of a call, by source; of models, by provider.
pub(crate) type Credentials = BTreeMap<String, CredentialVersion>;

/// The subject of a request under a decision.
pub(crate) fn of_request(resolved: &Resolved, decision: &Decision) -> Result<Subject, Error> {
    let Resolved { request, snapshot, action, asked_before } = resolved;
    let session = &snapshot.facts.session;
    Ok(Subject {
        org: request.org,
        action: action.definition.address.clone(),
        definition: action.hash,
        params: Digest::of_canonical(&request.params)?,
        destination: destinations(action),
        credential: credentials(action, snapshot, &request.params),
        proposer: Proposer {
            session: session.id,
            opened_by: session.created_by,
            started_by: session.run.as_ref().and_then(|run| run.started_by),
            agent: session.agent.clone(),
            automation: session.run.as_ref().map(|run| run.automation),
            step: request.step.clone(),
        },
        decision: decision.clone(),
        asked_before: *asked_before,
    })
}

/// Whether a permit is for exactly this call with these credentials.
pub(crate) fn is_for(permitted: &Permitted, action: &Action, call: &Call, credential: Credentials) -> bool {
    let sent = || -> Result<Digest, CanonicalError> {
        let subject = Subject {
            action: action.definition.address.clone(),
            definition: action.hash,
            params: Digest::of_canonical(&call.params)?,
            destination: destinations(action),
            credential,
            ..permitted.subject.clone()
        };
        subject.digest()
    };
    sent().is_ok_and(|sent| sent == *permitted.permit.subject())
}

/// Where the calls of an action and its parts go, by source.
fn destinations(action: &Action) -> BTreeMap<String, Destination> {
    // The sources of the parts, because a batch itself calls nothing.
    let source =
        |action: &Action| (action.definition.address.source.to_string(), action.source.destination());
    if action.parts.is_empty() {
        return [source(action)].into();
    }
    action.parts.iter().map(|part| source(part)).collect()
}

/// The credentials that an action or its parts would use, and the secrets that its parameters refer to. A source that is
/// not connected has none.
fn credentials(action: &Arc<Action>, snapshot: &Snapshot, params: &Value) -> Credentials {
    let alone = std::iter::once(action).filter(|action| action.parts.is_empty());
    let connected = alone.chain(&action.parts).filter(|action| action.definition.needs_connection);
    let versions = connected.filter_map(|action| {
        let target = action.definition.address.target();
        let version = snapshot.org.connected.get(&target)?.version();
        Some((target, version))
    });
    versions.chain(references::versions(action, snapshot, params)).collect()
}
