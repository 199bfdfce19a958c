//! The differences between the accepted version of a tool and the one that is offered now, by location.

use serde_json::Value;

use super::offer::{Offer, is_word};

use crate::limits::connector::MOST;

#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// A JSON pointer into the offer.
    pub place: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// Whether the difference is only in text for readers, which no call depends on.
    pub words: bool,
}

/// The differences, ordered by location.
pub fn differences(before: &Offer, after: &Offer) -> Vec<Difference> {
    let (before, after) = (as_value(before), as_value(after));
    let mut found = Vec::new();
    walk(Some(&before), Some(&after), String::new(), &mut found);
    for difference in &mut found {
        difference.words = is_word(&difference.place);
    }
    found
}

fn as_value(offer: &Offer) -> Value {
    serde_json::to_value(offer).unwrap_or_default()
}

fn walk(before: Option<&Value>, after: Option<&Value>, place: String, found: &mut Vec<Difference>) {
    if before == after || found.len() >= MOST {
        return;
    }
    if let (Some(Value::Object(old)), Some(Value::Object(new))) = (before, after) {
        let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            walk(old.get(name), new.get(name), format!("{place}/{escaped}"), found);
        }
        return;
    }
    found.push(Difference { place, before: before.cloned(), after: after.cloned(), words: false });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_difference_has_its_place_and_words_are_told_apart() {
        let offer = |description: &str, properties: Value| -> Offer {
            serde_json::from_value(json!({ "name": "send", "description": description,
                "input_schema": { "type": "object", "properties": properties } }))
            .unwrap()
        };
        let before = offer(
            "Sends",
            json!({ "to": { "type": "string", "description": "whom" }, "title": { "type": "string" } }),
        );
        let after = offer(
            "Sends.",
            json!({ "to": { "type": "string", "description": "who" }, "title": { "type": "null" },
            "bcc": { "type": "string" } }),
        );
        let found: Vec<_> =
            differences(&before, &after).into_iter().map(|one| (one.place, one.words)).collect();
        assert_eq!(
            found,
            [
                ("/description".to_owned(), true),
                ("/input_schema/properties/bcc".to_owned(), false),
                ("/input_schema/properties/title/type".to_owned(), false),
                ("/input_schema/properties/to/description".to_owned(), true),
            ]
        );
        assert!(differences(&before, &before).is_empty());
    }
}
