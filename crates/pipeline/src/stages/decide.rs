//! Stage 4: decide. Gathers the facts, asks `policy`, and binds the decision to exactly this request.

use model::{ActionDefinition, Digest, IdempotencyKey, Risk};
use policy::{Asked, Permit};
use serde_json::Value;

use super::state::{Admitted, Decided, Resolved};
use crate::{batch, error::Error, parts::Pipeline, subject};

/// Decides about an admitted request.
#[expect(clippy::disallowed_methods, reason = "the decision is made here")]
pub(crate) fn decide(pipeline: &Pipeline, admitted: Admitted) -> Result<Decided, Error> {
    let Admitted(resolved) = &admitted;
    let Resolved { request, snapshot, action, .. } = resolved;
    let params = &request.params;
    let definition = &action.definition;
    let released = request.released.as_ref().filter(|release| release.covers(params));
    let finding = if released.is_some() { None } else { finding(pipeline, params) };
    let released = released.map(|release| release.words());
    let now = pipeline.parts.world.clock.now();
    let step = request.step.as_ref().map(|step| step.hash);
    let asked =
        Asked { params: Some(params), step, finding: finding.as_deref(), released: released.as_deref() };
    let decision = if action.parts.is_empty() {
        snapshot.decide(definition, action.drift, asked, now)
    } else {
        // A batch by itself has no effect; the decision is about its parts.
        let itself = ActionDefinition { risk: Risk::R0, ..definition.clone() };
        let itself = snapshot.decide(&itself, action.drift, asked, now);
        batch::strictest(itself, resolved, now)
    };
    let subject = Box::new(subject::of_request(resolved, &decision)?);
    let subject_digest = subject.digest()?;
    let request_digest =
        Digest::of_canonical(&serde_json::json!({ "action": subject.action, "params": params }))?;
    let key = if request.dry_run { None } else { key(resolved)? };
    let permit = Permit::of(&decision, subject_digest);
    Ok(Decided { admitted, decision, permit, subject, subject_digest, request_digest, key })
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
