//! Passages of what is sent that stand word for word in what was read before. Found by our code, so that an approver need not
//! believe the model about where its text is from.

use std::collections::HashMap;

use model::ShownPassage;
use serde_json::Value;

use crate::store::ReadResult;

/// What is shorter is in many texts.
const SHORTEST: usize = 24;
/// So many characters of the parameters are looked at.
const MOST_SENT: usize = 64 << 10;
/// So many characters of what was read are looked at, newest first.
const MOST_READ: usize = 1 << 20;
/// So many passages are shown.
const MOST_SHOWN: usize = 20;
/// A longer passage is shown cut.
const LONGEST_SHOWN: usize = 400;

/// The passages of the parameters that stand in what was read, the longest first in each text.
pub(super) fn find(params: &Value, reads: &[ReadResult]) -> Vec<ShownPassage> {
    let mut sent = Vec::new();
    let mut left = MOST_SENT;
    texts(params, String::new(), &mut |pointer, text| {
        let chars: Vec<char> = text.chars().take(left).collect();
        left -= chars.len();
        sent.push((pointer, chars));
    });
    let mut windows: HashMap<&[char], (usize, usize)> = HashMap::new();
    for (number, (_, chars)) in sent.iter().enumerate() {
        for (start, window) in chars.windows(SHORTEST).enumerate() {
            windows.entry(window).or_insert((number, start));
        }
    }
    if windows.is_empty() {
        return vec![];
    }
    let mut taken: Vec<Vec<bool>> = sent.iter().map(|(_, chars)| vec![false; chars.len()]).collect();
    let mut found = Vec::new();
    let mut left = MOST_READ;
    for read in reads {
        texts(&read.result, String::new(), &mut |_, text| {
            let chars: Vec<char> = text.chars().take(left).collect();
            left -= chars.len();
            let mut at = 0;
            while let Some(window) = chars.get(at..at + SHORTEST) {
                let Some((number, start)) = windows.get(window).copied() else {
                    at += 1;
                    continue;
                };
                let Some((pointer, of)) = sent.get(number) else { break };
                let here = chars.iter().skip(at);
                let same = of.iter().skip(start).zip(here).take_while(|(one, other)| one == other).count();
                at += same.max(1);
                let Some(marks) = taken.get_mut(number).and_then(|marks| marks.get_mut(start..start + same))
                else {
                    continue;
                };
                // Another read that says the same adds nothing.
                if marks.iter().any(|mark| !mark) && found.len() < MOST_SHOWN {
                    marks.fill(true);
                    let text: String = of.iter().skip(start).take(same.min(LONGEST_SHOWN)).collect();
                    found.push(ShownPassage {
                        pointer: pointer.clone(),
                        text: text.trim().to_owned(),
                        characters: u32::try_from(same).unwrap_or(u32::MAX),
                        action: read.action.clone(),
                        invocation: read.invocation,
                    });
                }
            }
        });
    }
    found
}

/// Every text in a value, with its place.
fn texts(value: &Value, pointer: String, take: &mut dyn FnMut(String, &str)) {
    match value {
        Value::String(text) => take(pointer, text),
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                texts(item, format!("{pointer}/{number}"), take);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                texts(field, format!("{pointer}/{name}"), take);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use model::InvocationId;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn read(number: u128, result: Value) -> ReadResult {
        ReadResult {
            invocation: InvocationId::from_uuid(Uuid::from_u128(number)),
            action: "a.b".to_owned(),
            result,
        }
    }

    #[test]
    fn what_stands_in_both_is_found_whole_and_once() {
        let secret = "the merger with Globex closes on the third of May";
        let params =
            json!({ "channel": "C1", "text": format!("Hi! {secret} – psst"), "list": [{ "a/b": secret }] });
        let reads = [
            read(2, json!({ "issues": [{ "title": format!("Plan: {secret}.") }] })),
            read(1, json!({ "again": secret })),
        ];
        let found = find(&params, &reads);
        let places: Vec<_> = found.iter().map(|one| (one.pointer.as_str(), one.text.as_str())).collect();
        assert_eq!(places, [("/text", secret)], "the longest one, in the text that has it whole");
        assert_eq!(found[0].invocation, reads[0].invocation);
        assert_eq!(found[0].characters as usize, " ".len() + secret.chars().count());
    }

    #[test]
    fn short_pieces_and_other_words_are_not() {
        let reads = [read(1, json!("a sentence that was read somewhere in an issue"))];
        assert!(find(&json!({ "text": "a sentence that was" }), &reads).is_empty());
        assert!(find(&json!({ "text": "something else that is long enough to count" }), &reads).is_empty());
        assert!(find(&json!({ "number": 7, "none": null }), &reads).is_empty());
        let twice = json!({ "text": "was read somewhere in an issue, and then: a sentence that was read" });
        let found = find(&twice, &reads);
        let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["a sentence that was read"]);
    }

    #[test]
    fn much_text_takes_little_time_and_is_cut() {
        let long = "x".repeat(MOST_SENT * 2);
        let found = find(&json!({ "text": long }), &[read(1, json!(["x".repeat(MOST_READ), "y"]))]);
        assert!(found.len() <= MOST_SHOWN);
        assert!(found.iter().all(|one| one.text.chars().count() <= LONGEST_SHOWN));
    }
}
