//! Stage 4: decide. Gathers the facts, asks `policy`, and binds the decision to exactly this request.

use model::{ActionDefinition, Digest, IdempotencyKey, Risk};
use policy::{Asked, Inspected, Permit};
use serde_json::Value;

use super::state::{Admitted, Decided, Resolved};
use crate::{
    batch,
    error::Error,
    facts::{Needs, Past},
    parts::Pipeline,
    subject,
};

/// Decides about an admitted request.
#[expect(clippy::disallowed_methods, reason = "the decision is made here")]
pub(crate) fn decide(
    pipeline: &Pipeline,
    admitted: Admitted,
    (needs, past): (Needs, Past),
) -> Result<Decided, Error> {
    let Admitted(resolved) = &admitted;
    let Resolved { request, snapshot, action, .. } = resolved;
    let params = &request.params;
    let definition = &action.definition;
    let released = request.released.as_ref().filter(|release| release.covers(params));
    // Whoever released the parameters has seen what was found.
    let findings = if released.is_some() { vec![] } else { findings(pipeline, resolved) };
    let released = released.map(|release| release.words());
    let now = pipeline.parts.world.clock.now();
    let step = request.step.as_ref().map(|step| step.hash);
    let asked = Asked {
        params: Some(params),
        step,
        finding: findings.first().and_then(Option::as_deref),
        is_part: false,
        consent: past.consent(0),
        released: released.as_deref(),
        history: past.of(0),
        facts: &past.told,
        provenance: request.provenance.as_deref(),
    };
    let decision = if action.parts.is_empty() {
        snapshot.decide(definition, action.drift, asked, now)
    } else {
        // A batch by itself has no effect; the decision is about its parts.
        let itself = ActionDefinition { risk: Risk::R0, ..definition.clone() };
        let itself = snapshot.decide(&itself, action.drift, asked, now);
        batch::strictest(itself, resolved, (&past, &findings), now)
    };
    let subject = Box::new(subject::of_request(resolved, &decision)?);
    let subject_digest = subject.digest()?;
    let request_digest =
        Digest::of_canonical(&serde_json::json!({ "action": subject.action, "params": params }))?;
    let key = if request.dry_run { None } else { key(resolved)? };
    let permit = Permit::of(&decision, subject_digest);
    Ok(Decided { admitted, needs, past, decision, permit, subject, subject_digest, request_digest, key })
}

/// What detectors find in the parameters of the action, and in those of each part of a batch.
fn findings(
    pipeline: &Pipeline,
    Resolved { request, snapshot, action, .. }: &Resolved,
) -> Vec<Option<String>> {
    let inspect = |definition: &ActionDefinition, params: &Value| {
        let gates = &snapshot.org.statutes.gates;
        gates.inspect(Inspected { definition, params }, &pipeline.reader.redactor)
    };
    let whole = inspect(&action.definition, &request.params);
    let parts = action.parts.iter().zip(batch::parts_of(&request.params));
    let parts = parts.map(|(part, asked)| inspect(&part.definition, &batch::params_of(asked)));
    std::iter::once(whole).chain(parts).collect()
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
