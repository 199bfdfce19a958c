//! Names of tools, over MCP and for models: `source__action`, if that is unambiguous.
//!
//! Both halves may contain `_`, so `a__b` + `c` and `a` + `b__c` would have the same name. A name is therefore plain
//! only if exactly one address leads to it; every other address gets a short digest appended. The name of a tool
//! depends only on its own address: no other action can take its name or change it.

use crate::{ActionAddress, Digest};

/// Separator between the halves of a name.
const BETWEEN: &str = "__";
/// The source of the gateway's own tools. No action of a source with this slug gets a plain name.
const OWN: &str = "countersign";
/// Maximum length of a name: model providers refuse longer ones.
pub const LONGEST: usize = 64;
/// `__`, a zero and seven digits. No slug begins with a digit, so this cannot be mistaken for an action.
const MARK: usize = 10;

/// The name of an action's tool.
pub fn name_of(address: &ActionAddress) -> String {
    let joined = format!("{}{BETWEEN}{}", address.source, address.action);
    if plain(&joined).is_some() {
        return joined;
    }
    let digest = Digest::of_bytes(address.to_string().as_bytes()).to_string();
    let hex = digest.rsplit(':').next().unwrap_or_default();
    let (kept, short) = (joined.get(..LONGEST - MARK).unwrap_or(&joined), hex.get(..7).unwrap_or_default());
    format!("{kept}{BETWEEN}0{short}")
}

/// The address a plain name stands for; `None` for a name that must be looked up.
pub fn plain(name: &str) -> Option<ActionAddress> {
    if name.len() > LONGEST || is_marked(name) {
        return None;
    }
    let mut readings = (1..name.len()).filter_map(|at| {
        let (source, rest) = (name.get(..at)?, name.get(at..)?);
        let action = rest.strip_prefix(BETWEEN)?;
        Some(ActionAddress { source: source.parse().ok()?, action: action.parse().ok()? })
    });
    let address = readings.next().filter(|_| readings.next().is_none())?;
    (address.source.as_str() != OWN).then_some(address)
}

/// Whether the name ends with a digest.
fn is_marked(name: &str) -> bool {
    let mark = name.len().checked_sub(MARK).and_then(|at| name.get(at..));
    mark.and_then(|mark| mark.strip_prefix("__0"))
        .is_some_and(|digits| digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn address(source: &str, action: &str) -> ActionAddress {
        ActionAddress { source: source.parse().unwrap(), action: action.parse().unwrap() }
    }

    #[test]
    fn a_name_that_can_be_read_in_one_way_is_plain_and_leads_back() {
        for (source, action) in
            [("linear", "create_issue"), ("billing-db", "query"), ("a_", "b"), ("a_b", "c_"), ("x", "y-z")]
        {
            let address = address(source, action);
            let name = name_of(&address);
            assert_eq!(name, format!("{source}__{action}"));
            assert_eq!(plain(&name), Some(address));
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_gets_a_digest_and_no_two_share_a_name() {
        let long = "s".repeat(64);
        let twin = name_of(&address("a", &"b".repeat(70 - 10)));
        let all = [
            address("a__b", "c"),
            address("a", "b__c"),
            address("a", "b__c__d"),
            address("a__b", "c__d"),
            address("countersign", "await"),
            address(&long, "a"),
            address(&long, "b"),
            address(&long, &long),
            address("a", &"b".repeat(60)),
            address("a", &"b".repeat(64)),
            // Actions whose own names look like the name of another tool.
            address("a", twin.strip_prefix("a__").unwrap()),
            address("a", name_of(&address("a", &"b".repeat(64))).strip_prefix("a__").unwrap()),
        ];
        let mut seen = HashMap::new();
        for address in all.iter().cloned().collect::<std::collections::BTreeSet<_>>() {
            let name = name_of(&address);
            assert!(name.len() <= LONGEST && plain(&name).is_none_or(|back| back == address), "{name}");
            if let Some(other) = seen.insert(name.clone(), address.clone()) {
                panic!("{name} is both {other} and {address}");
            }
        }
        assert!(name_of(&address("a__b", "c")).starts_with("a__b__c__0"));
        assert!(!seen.contains_key("countersign__await"));
    }

    #[test]
    fn no_action_can_take_the_plain_name_of_another() {
        // Every pair of slugs over a small alphabet: names are unique, and plain ones lead back.
        let mut slugs = vec![String::new()];
        let mut all = Vec::new();
        for _ in 0..5 {
            slugs = slugs.iter().flat_map(|slug| ["a", "_"].map(|next| format!("{slug}{next}"))).collect();
            all.extend(slugs.iter().filter(|slug| slug.starts_with('a')).cloned());
        }
        let mut seen = HashMap::new();
        for (source, action) in all.iter().flat_map(|source| all.iter().map(move |action| (source, action))) {
            let address = address(source, action);
            let name = name_of(&address);
            assert_eq!(plain(&name), (!is_marked(&name)).then(|| address.clone()), "{name}");
            assert!(seen.insert(name, address).is_none());
        }
    }
}
