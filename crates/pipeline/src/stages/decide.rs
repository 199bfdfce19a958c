//! Stage 4: decide. Gathers the facts, asks `policy`, and binds the decision to exactly this request.

use std::collections::BTreeMap;

use model::{ActionDefinition, Digest, IdempotencyKey, Risk};
use policy::Permit;
use serde::Serialize;
use serde_json::Value;
use tenancy::SealedCredential;

use super::state::{Admitted, Decided, Resolved};
use crate::{batch, error::Error, parts::Pipeline};

/// What a permit is bound to. A difference in any field is another subject.
#[derive(Serialize)]
pub(crate) struct Subject<'a> {
    pub(crate) action: String,
    pub(crate) definition: &'a Digest,
    pub(crate) params: &'a Value,
    /// The versions of the credentials it would use, by source.
    pub(crate) credentials: BTreeMap<String, i32>,
    pub(crate) org: String,
}

impl Subject<'_> {
    pub(crate) fn digest(&self) -> Result<Digest, Error> {
        Ok(Digest::of_canonical(self)?)
    }
}

/// Decides about an admitted request.
#[expect(clippy::disallowed_methods, reason = "the decision is made here")]
pub(crate) fn decide(pipeline: &Pipeline, admitted: Admitted) -> Result<Decided, Error> {
    let Admitted(resolved) = &admitted;
    let Resolved { request, snapshot, action } = resolved;
    let params = &request.params;
    let definition = &action.definition;
    let finding = finding(pipeline, params);
    let now = pipeline.parts.world.clock.now();
    let decision = if action.parts.is_empty() {
        snapshot.decide(definition, action.drift, finding.as_deref(), now)
    } else {
        // A batch by itself has no effect; the decision is about its parts.
        let itself = ActionDefinition { risk: Risk::R0, ..definition.clone() };
        let itself = snapshot.decide(&itself, action.drift, finding.as_deref(), now);
        batch::strictest(itself, action, snapshot, now)
    };
    let subject = Subject {
        action: definition.address.to_string(),
        definition: &action.hash,
        params,
        credentials: credentials(resolved),
        org: request.org.to_string(),
    };
    let shown_digest = subject.digest()?;
    let request_digest =
        Digest::of_canonical(&serde_json::json!({ "action": subject.action, "params": params }))?;
    let key = if request.dry_run { None } else { key(resolved)? };
    let permit = Permit::of(&decision, shown_digest);
    Ok(Decided { admitted, decision, permit, shown_digest, request_digest, key })
}

/// The versions of the credentials that an action or its parts use.
fn credentials(resolved: &Resolved) -> BTreeMap<String, i32> {
    let action = &resolved.action;
    let alone = std::iter::once(action).filter(|action| action.parts.is_empty());
    let connected = alone.chain(&action.parts).filter(|action| action.definition.needs_connection);
    let versions = connected.map(|action| {
        let source = action.definition.address.source.to_string();
        let version = resolved.snapshot.org.connected.get(&source).map_or(0, SealedCredential::version);
        (source, version)
    });
    versions.collect()
}

/// The first finding of the detectors in the parameters.
fn finding(pipeline: &Pipeline, params: &Value) -> Option<String> {
    if let Some((pointer, character)) = platform::redact::find_hidden_unicode(params) {
        return Some(format!(
            "an invisible or direction-changing character (U+{:04X}) at `{pointer}`",
            u32::from(character)
        ));
    }
    pipeline
        .reader
        .redactor
        .contains_credential(params)
        .map(|kind| format!("something that looks like a credential ({kind})"))
}

/// The caller's idempotency key, or one derived from the fields that the definition names.
fn key(resolved: &Resolved) -> Result<Option<IdempotencyKey>, Error> {
    let definition = &resolved.action.definition;
    if resolved.request.key.is_some() || definition.key_fields.is_empty() {
        return Ok(resolved.request.key.clone());
    }
    let fields: Vec<_> =
        definition.key_fields.iter().map(|field| resolved.request.params.get(field)).collect();
    let digest = Digest::of_canonical(&serde_json::json!([definition.address, fields]))?;
    Ok(format!("derived:{digest}").parse().ok())
}
