//! Capabilities: what a session may use. `linear:read` is one, `linear:*` is all of `linear`, and `*` is everything.

/// Everything.
pub const EVERYTHING: &str = "*";

/// `*` covers everything, `linear:*` everything of `linear`, and anything else itself.
pub fn covers(held: &str, wanted: &str) -> bool {
    held == EVERYTHING
        || held == wanted
        || held
            .strip_suffix(":*")
            .is_some_and(|area| wanted.split_once(':').is_some_and(|(first, _)| first == area))
}

/// Whether one of those held covers it.
pub fn is_covered(held: &[String], wanted: &str) -> bool {
    held.iter().any(|held| covers(held, wanted))
}

/// What is wanted, as far as it is held: all of `linear` becomes `linear:read` where only that is held.
pub fn within(held: &[String], wanted: &[String]) -> Vec<String> {
    let mut all: Vec<String> = wanted.iter().filter(|wanted| is_covered(held, wanted)).cloned().collect();
    all.extend(held.iter().filter(|held| is_covered(wanted, held)).cloned());
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capability_covers_itself_and_its_area_only() {
        for (held, wanted, expected) in [
            ("*", "linear:write", true),
            ("*", "*", true),
            ("linear:*", "linear:write", true),
            ("linear:*", "linear:*", true),
            ("linear:write", "linear:write", true),
            ("linear:read", "linear:write", false),
            ("linear:read", "linear:*", false),
            ("linear:*", "*", false),
            ("lin:*", "linear:write", false),
            ("linear:*", "linearx:write", false),
            ("linear", "linear:write", false),
            ("", "linear:write", false),
            (":*", "linear:write", false),
        ] {
            assert_eq!(covers(held, wanted), expected, "{held} {wanted}");
        }
    }

    #[test]
    fn nothing_is_within_what_is_not_held() {
        let of = |words: &str| words.split_whitespace().map(ToOwned::to_owned).collect::<Vec<_>>();
        for (held, wanted, expected) in [
            ("*", "linear:* slack:*", "linear:* slack:*"),
            ("linear:read slack:*", "linear:* slack:*", "linear:read slack:*"),
            ("linear:read", "*", "linear:read"),
            ("linear:read", "linear:write", ""),
            ("linear:*", "linear:write", "linear:write"),
            ("", "*", ""),
        ] {
            assert_eq!(within(&of(held), &of(wanted)), of(expected), "{held} | {wanted}");
        }
    }
}
