//! Batches: several actions that succeed or fail together, decided as one, performed in order, undone in reverse.
//!
//! A batch is one invocation of `batch.run`, so it has one decision, one approval, one lease and one receipt, which lists
//! every part. This file says what a batch consists of; `perform` executes it.

pub(crate) mod perform;

use std::sync::Arc;

use catalog::{Action, FieldError, connector::OrgCatalog};
use jiff::Timestamp;
use model::{ActionAddress, Decision, EffectClass, GateVerdict, Risk, Verdict};
use policy::Asked;
use serde_json::{Value, json};

use crate::{error::Error, facts::Past, parts::Reader, stages::state::Resolved};

/// Actions that a batch may not contain. `data.notify` sends a notification, and an invocation sends at most one.
const NOT_IN_BATCHES: [&str; 2] = ["batch.run", "data.notify"];

/// Whether this is `batch.run`. Every request is asked, so the address is compared without formatting it.
pub(crate) fn is_batch(action: &Action) -> bool {
    let address = &action.definition.address;
    address.source.as_str() == "batch" && address.action.as_str() == "run"
}

/// The action of a request: a batch with its parts, any other action unchanged.
pub(crate) fn expand(
    reader: &Reader,
    catalog: &OrgCatalog,
    action: Arc<Action>,
    params: &Value,
) -> Result<Arc<Action>, Error> {
    if !is_batch(&action) {
        return Ok(action);
    }
    action.validate(params).map_err(Error::InvalidParams)?;
    let mut parts = Vec::new();
    for (number, part) in parts_of(params).iter().enumerate() {
        let at = |pointer: &str, message: String| FieldError {
            pointer: format!("/parts/{number}{pointer}"),
            message,
        };
        let name = part["action"].as_str().unwrap_or_default();
        let found = name.parse::<ActionAddress>().ok();
        let found = found.and_then(|address| reader.find_action(catalog, &address));
        let found = found.filter(|found| !found.definition.address.is_model());
        let Some(found) = found.filter(|_| !NOT_IN_BATCHES.contains(&name)) else {
            return Err(Error::InvalidParams(vec![at(
                "/action",
                "this action cannot be part of a batch".to_owned(),
            )]));
        };
        found.validate(&params_of(part)).map_err(|errors| {
            let errors = errors.into_iter();
            Error::InvalidParams(
                errors.map(|error| at(&format!("/params{}", error.pointer), error.message)).collect(),
            )
        })?;
        parts.push(found);
    }
    let mut definition = action.definition.clone();
    let only_reads = parts.iter().all(|part| part.definition.effect == EffectClass::Read);
    definition.effect = if only_reads { EffectClass::Read } else { EffectClass::Once };
    definition.risk = parts.iter().map(|part| part.definition.risk).max().unwrap_or(Risk::R0);
    Ok(Arc::new(action.of_parts(definition, parts)?))
}

pub(crate) fn parts_of(params: &Value) -> &[Value] {
    params["parts"].as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn params_of(part: &Value) -> Value {
    part.get("params").cloned().unwrap_or_else(|| json!({}))
}

/// The strictest of the decisions about the batch itself and about each part.
pub(crate) fn strictest(
    mut whole: Decision,
    Resolved { request, snapshot, action, .. }: &Resolved,
    (past, findings): (&Past, &[Option<String>]),
    now: Timestamp,
) -> Decision {
    let step = request.step.as_ref().map(|step| step.hash);
    for (number, (part, asked)) in (1..).zip(action.parts.iter().zip(parts_of(&request.params))) {
        let params = params_of(asked);
        let asked = Asked {
            params: Some(&params),
            is_part: true,
            step,
            finding: findings.get(number).and_then(Option::as_deref),
            consent: past.consent(number),
            history: past.of(number),
            provenance: request.provenance.as_deref(),
            ..Asked::default()
        };
        let decided = snapshot.decide(&part.definition, part.drift, asked, now);
        if decided.mode > whole.mode {
            whole.mode = decided.mode;
            whole.mode_source = decided.mode_source;
            whole.reason = format!("`{}`: {}", part.definition.address, decided.reason);
        }
        whole.guardrails.extend(decided.guardrails);
        refuse(&mut whole.gates, decided.gates);
        whole.quarantined |= decided.quarantined;
        whole.policies.extend(decided.policies);
        whole.flow = match (whole.flow.take(), decided.flow) {
            (Some(one), Some(other)) => Some(Box::new(one.merged(*other))),
            (one, other) => one.or(other),
        };
        whole.approvers = whole.approvers.max(decided.approvers);
    }
    whole.grant = None;
    whole
}

/// Adds the verdicts of gates that refuse a part. Each takes the place of the same gate's pass, if there is one.
fn refuse(gates: &mut Vec<GateVerdict>, of_part: Vec<GateVerdict>) {
    for refused in of_part.into_iter().filter(|gate| gate.verdict != Verdict::Pass) {
        let is_pass = |gate: &&mut GateVerdict| gate.gate == refused.gate && gate.verdict == Verdict::Pass;
        if let Some(passed) = gates.iter_mut().find(is_pass) {
            *passed = refused;
        } else if !gates.contains(&refused) {
            gates.push(refused);
        }
    }
}
