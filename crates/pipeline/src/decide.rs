//! Stage 4: may it happen? Gathers the facts, asks `policy`, and binds the answer to exactly this request.

use std::collections::BTreeMap;

use model::{ActionDefinition, Digest, IdempotencyKey, Risk};
use policy::Permit;
use serde::Serialize;
use serde_json::Value;
use tenancy::SealedCredential;

use crate::{
    Error, Pipeline, batch,
    state::{Admitted, Decided, Resolved},
};

/// What a yes is bound to. Any difference in any of these is another subject.
#[derive(Serialize)]
pub(crate) struct Subject<'a> {
    pub(crate) action: String,
    pub(crate) definition: &'a Digest,
    pub(crate) params: &'a Value,
    /// Which credentials it would be done with: their versions, by source.
    pub(crate) credentials: BTreeMap<String, i32>,
    pub(crate) org: String,
}

impl Subject<'_> {
    pub(crate) fn digest(&self) -> Result<Digest, Error> {
        Ok(Digest::of_canonical(self)?)
    }
}

/// Decides about an admitted request.
pub(crate) fn decide(pipeline: &Pipeline, mut admitted: Admitted) -> Result<Decided, Error> {
    let Admitted(resolved) = &mut admitted;
    let facts = &resolved.standing.facts;
    if facts.outbound_redaction {
        // Before anything is bound to the parameters, so that what is approved is what is sent.
        resolved.request.params = pipeline.redactor.redact_value(&resolved.request.params);
        let catalog = &resolved.standing.org.catalog;
        resolved.action =
            batch::expand(pipeline, catalog, resolved.action.clone(), &resolved.request.params)?;
    }
    let params = &resolved.request.params;
    let definition = &resolved.action.definition;
    let finding = finding(pipeline, params);
    let now = pipeline.parts.world.clock.now();
    let decision = if resolved.action.parts.is_empty() {
        resolved.standing.decide((definition, resolved.action.drift), finding.as_deref(), now)
    } else {
        // What a batch is by itself computes nothing; its parts are what is decided about.
        let itself = ActionDefinition { risk: Risk::R0, ..definition.clone() };
        let itself = resolved.standing.decide((&itself, resolved.action.drift), finding.as_deref(), now);
        batch::strictest(itself, &resolved.action, &resolved.standing, now)
    };
    let subject = Subject {
        action: definition.address.to_string(),
        definition: &resolved.action.hash,
        params,
        credentials: credentials(resolved),
        org: resolved.request.org.to_string(),
    };
    let shown_digest = subject.digest()?;
    let request_digest =
        Digest::of_canonical(&serde_json::json!({ "action": subject.action, "params": params }))?;
    let key = if resolved.request.dry_run { None } else { key(resolved)? };
    let permit = Permit::of(&decision, shown_digest);
    Ok(Decided { admitted, decision, permit, shown_digest, request_digest, key })
}

/// The versions of the credentials an action or its parts are done with.
fn credentials(resolved: &Resolved) -> BTreeMap<String, i32> {
    let action = &resolved.action;
    let alone = std::iter::once(action).filter(|action| action.parts.is_empty());
    let connected = alone.chain(&action.parts).filter(|action| action.definition.needs_connection);
    let versions = connected.map(|action| {
        let source = action.definition.address.source.to_string();
        let version = resolved.standing.org.connected.get(&source).map_or(0, SealedCredential::version);
        (source, version)
    });
    versions.collect()
}

/// What the detectors say about the parameters: the first thing that has no business there.
fn finding(pipeline: &Pipeline, params: &Value) -> Option<String> {
    if let Some((pointer, character)) = platform::redact::find_hidden_unicode(params) {
        return Some(format!(
            "an invisible or direction-changing character (U+{:04X}) at `{pointer}`",
            u32::from(character)
        ));
    }
    pipeline
        .redactor
        .contains_credential(params)
        .map(|kind| format!("something that looks like a credential ({kind})"))
}

/// The caller's key, or one made from the fields the definition names.
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
