//! Gates: checks that can only refuse.

use model::{ActionDefinition, GateVerdict, Verdict, capability::is_covered};

fn verdict(gate: &str, verdict: Verdict, reason: String) -> GateVerdict {
    GateVerdict { gate: gate.to_owned(), verdict, reason }
}

/// The session holds every capability the definition asks for.
pub(crate) fn capability(definition: &ActionDefinition, held: &[String]) -> GateVerdict {
    match definition.capabilities.iter().find(|wanted| !is_covered(held, wanted)) {
        None => verdict("capability", Verdict::Pass, String::new()),
        Some(missing) => verdict(
            "capability",
            Verdict::Deny,
            format!("the session does not have the capability `{missing}`"),
        ),
    }
}

/// Nothing in the parameters looks like an attack or a leak.
pub(crate) fn safety(finding: Option<&str>) -> GateVerdict {
    match finding {
        None => verdict("safety", Verdict::Pass, String::new()),
        Some(finding) => verdict("safety", Verdict::Quarantine, finding.to_owned()),
    }
}
