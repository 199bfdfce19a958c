//! Gates: checks that can only refuse.

use model::{ActionDefinition, GateVerdict, Verdict};

fn verdict(gate: &str, verdict: Verdict, reason: String) -> GateVerdict {
    GateVerdict { gate: gate.to_owned(), verdict, reason }
}

/// The session holds every capability the definition asks for.
pub(crate) fn capability(definition: &ActionDefinition, held: &[String]) -> GateVerdict {
    match definition.capabilities.iter().find(|wanted| !held.iter().any(|held| covers(held, wanted))) {
        None => verdict("capability", Verdict::Pass, String::new()),
        Some(missing) => verdict(
            "capability",
            Verdict::Deny,
            format!("the session does not have the capability `{missing}`"),
        ),
    }
}

/// `*` covers everything, `linear:*` everything of `linear`, and anything else itself.
fn covers(held: &str, wanted: &str) -> bool {
    held == "*"
        || held == wanted
        || held
            .strip_suffix(":*")
            .is_some_and(|area| wanted.split_once(':').is_some_and(|(first, _)| first == area))
}

/// Nothing in the parameters looks like an attack or a leak.
pub(crate) fn safety(finding: Option<&str>) -> GateVerdict {
    match finding {
        None => verdict("safety", Verdict::Pass, String::new()),
        Some(finding) => verdict("safety", Verdict::Quarantine, finding.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn a_capability_covers_itself_and_its_area_only() {
        for (held, wanted, expected) in [
            ("*", "linear:write", true),
            ("linear:*", "linear:write", true),
            ("linear:write", "linear:write", true),
            ("linear:read", "linear:write", false),
            ("lin:*", "linear:write", false),
            ("linear:*", "linearx:write", false),
            ("linear", "linear:write", false),
            ("", "linear:write", false),
            (":*", "linear:write", false),
        ] {
            assert_eq!(covers(held, wanted), expected, "{held} {wanted}");
        }
    }
}
