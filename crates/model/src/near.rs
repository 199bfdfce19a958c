//! What was most likely meant by a name that is not there.

/// The known names that are most like the one that was asked for, the nearest first; at most three.
pub fn near(asked: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let mut scored: Vec<_> = known.map(|name| (distance(asked, &name), name)).collect();
    scored.retain(|(distance, name)| *distance * 2 <= name.len());
    scored.sort();
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Levenshtein distance over bytes; both texts are short.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.bytes().enumerate() {
        let mut before = i;
        let mut here = i + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(b.bytes()) {
            let substituted = before + usize::from(left != right);
            before = *cell;
            here = substituted.min(before + 1).min(here + 1);
            *cell = here;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_is_answered_with_the_nearest_ones() {
        let known =
            || ["linear.list_issues", "linear.get_issue", "slack.send_message"].into_iter().map(String::from);
        assert_eq!(near("linear.list_issue", known())[0], "linear.list_issues");
        assert_eq!(near("slack.sendmessage", known()), ["slack.send_message"]);
        assert!(near("utterly.different_thing_altogether", known()).is_empty());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
