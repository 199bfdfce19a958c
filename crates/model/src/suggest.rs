//! "Did you mean …?": the known names that are most similar to one that does not exist.

/// At most three names, the most similar first. A name that differs in more than half of its length is no suggestion.
pub fn suggest(unknown: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let mut scored: Vec<_> = known.map(|name| (strsim::levenshtein(unknown, &name), name)).collect();
    scored.retain(|(distance, name)| *distance * 2 <= name.len());
    scored.sort();
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_gets_the_most_similar_ones() {
        let known =
            || ["linear.list_issues", "linear.get_issue", "slack.send_message"].into_iter().map(String::from);
        assert_eq!(suggest("linear.list_issue", known())[0], "linear.list_issues");
        assert_eq!(suggest("slack.sendmessage", known()), ["slack.send_message"]);
        assert!(suggest("utterly.different_thing_altogether", known()).is_empty());
    }
}
