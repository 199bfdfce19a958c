//! Gates: checks that can only refuse.
//!
//! This file holds the verdicts. `settings` is what an organization sets; `detectors` and `recipients` find what is unsafe;
//! `consent` tells who agreed; `saved` stores all of it.

mod consent;
mod detectors;
pub(crate) mod paths;
mod recipients;
mod saved;
mod settings;

use model::{ActionDefinition, EffectClass, GateVerdict, Risk, Verdict, capability::is_covered};

pub use consent::{ConsentLookup, Consented, ConsentsWanted, StoredConsent, read_consents, subject_hash};
pub use detectors::{Detector, Inspected};
pub use saved::{ConsentFilter, NewConsent, StoredGates};
pub use settings::{AllowedRecipients, Crossing, GateSettings, Gates, Home, OwnDetector, Purpose};

pub(crate) use recipients::Allowlist;
pub(crate) use settings::{is_text, wrong};

use crate::Asked;

fn verdict(gate: &str, verdict: Verdict, reason: String) -> GateVerdict {
    GateVerdict { gate: gate.to_owned(), verdict, reason }
}

fn pass(gate: &str) -> GateVerdict {
    verdict(gate, Verdict::Pass, String::new())
}

/// The session holds every capability the definition asks for.
pub(crate) fn capability(definition: &ActionDefinition, held: &[String]) -> GateVerdict {
    match definition.capabilities.iter().find(|wanted| !is_covered(held, wanted)) {
        None => pass("capability"),
        Some(missing) => verdict(
            "capability",
            Verdict::Deny,
            format!("the session does not have the capability `{missing}`"),
        ),
    }
}

/// Everybody whom the request is about agreed to its purpose. Without parameters that cannot be told yet.
pub(crate) fn consent(gates: &Gates, definition: &ActionDefinition, asked: &Asked<'_>) -> GateVerdict {
    if asked.params.is_none() || gates.purposes_of(definition).next().is_none() {
        return pass("consent");
    }
    match asked.consent {
        Some(Consented::Given) => pass("consent"),
        Some(Consented::Missing(why)) => verdict("consent", Verdict::Deny, why.clone()),
        None => verdict("consent", Verdict::Deny, "nobody looked for the consent that it needs".to_owned()),
    }
}

/// The source belongs to the space of the session, or its effects may cross into that space.
pub(crate) fn space(gates: &Gates, definition: &ActionDefinition, space: &str) -> GateVerdict {
    let source = &definition.address.source;
    let only_reads = definition.risk < Risk::R2 && definition.effect == EffectClass::Read;
    match gates.home(source) {
        Some(home) if !only_reads && home != space && !gates.may_cross((space, home), source) => verdict(
            "space",
            Verdict::Deny,
            format!(
                "`{source}` belongs to the space `{home}`, and sessions in `{space}` may have no effect there"
            ),
        ),
        _ => pass("space"),
    }
}

/// Nothing in the parameters looks like an attack or a leak.
pub(crate) fn safety(finding: Option<&str>) -> GateVerdict {
    match finding {
        None => pass("safety"),
        Some(finding) => verdict("safety", Verdict::Quarantine, finding.to_owned()),
    }
}

#[cfg(test)]
mod tests;
