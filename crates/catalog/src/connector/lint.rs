//! Decides which of a server's offers can be used: their names must be unmistakable, and their schemas must not be
//! bombs.

use std::collections::{BTreeMap, HashMap};

use model::ActionName;
use serde_json::Value;

use super::offer::{Hints, Offer};
pub use crate::limits::connector::MOST_TOOLS;
use crate::{
    limits::connector::{MOST_DEPTH, MOST_NODES, MOST_OFFER_BYTES, MOST_REFS},
    schema,
};

/// An offer with the name of the action it becomes, or why it cannot be called.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) offer: Offer,
    pub(super) action: Result<ActionName, String>,
}

/// Judges all offers of a server together: two that could be mistaken for each other must not both be callable. `known`
/// are the tools that people already accepted; they keep their names.
pub(super) fn judge(offers: Vec<Offer>, known: &HashMap<String, ActionName>) -> Vec<Judged> {
    let mut taken: BTreeMap<String, String> =
        known.iter().map(|(name, action)| (skeleton(action.as_str()), name.clone())).collect();
    // Sorted by name, so that the order in which a server lists its tools does not matter.
    let mut offers = offers;
    offers.sort_by(|a, b| a.name.cmp(&b.name));
    offers.dedup_by(|a, b| a.name == b.name);
    let judged = offers.into_iter().enumerate().map(|(number, offer)| {
        let action = if number < MOST_TOOLS {
            callable(&offer).and_then(|action| unmistakable(&mut taken, &offer.name, action))
        } else {
            Err(format!("a connector has at most {MOST_TOOLS} tools"))
        };
        Judged { offer, action }
    });
    judged.collect()
}

/// A tool that the source itself found to be uncallable, with the reason. Only its name is stored.
pub(super) fn unusable(name: String, why: String) -> Judged {
    let offer = Offer {
        name,
        title: None,
        description: String::new(),
        input_schema: Value::Null,
        output_schema: None,
        hints: Hints::default(),
        request: None,
    };
    Judged { offer, action: Err(why) }
}

fn unmistakable(
    taken: &mut BTreeMap<String, String>,
    name: &str,
    action: ActionName,
) -> Result<ActionName, String> {
    let holder = taken.entry(skeleton(action.as_str())).or_insert_with(|| name.to_owned());
    if holder == name { Ok(action) } else { Err(format!("its name resembles that of `{holder}`")) }
}

fn callable(offer: &Offer) -> Result<ActionName, String> {
    let action = action_name(&offer.name).ok_or("its name cannot be written with a-z, 0-9, `_` and `-`")?;
    let bytes = serde_json::to_vec(offer).map_or(usize::MAX, |bytes| bytes.len());
    if bytes > MOST_OFFER_BYTES {
        return Err(format!("its description and schemas are larger than {MOST_OFFER_BYTES} bytes"));
    }
    harmless(&offer.input_schema)?;
    offer.output_schema.as_ref().map_or(Ok(()), harmless)?;
    if offer.input_schema.get("type").is_some_and(|kind| kind != "object") {
        return Err("its input schema is not that of an object".to_owned());
    }
    offer.shape().and_then(|_| offer.text()).map_err(|_| "its schemas have no canonical form".to_owned())?;
    schema::compile(&offer.input_schema).map_err(|_| "its input schema does not compile".to_owned())?;
    Ok(action)
}

/// The second part of an address, derived from the server's name for the tool. Only ASCII, so that no two names look
/// alike because they are written in different alphabets.
fn action_name(name: &str) -> Option<ActionName> {
    let written = |c: char| match c {
        'A'..='Z' => Some(c.to_ascii_lowercase()),
        'a'..='z' | '0'..='9' | '_' | '-' => Some(c),
        '.' | '/' | ' ' | ':' => Some('_'),
        _ => None,
    };
    let name: String = name.chars().map(written).collect::<Option<_>>()?;
    name.parse().ok()
}

/// Reduces a name to what a quick reader sees. Names with the same result can be mistaken for each other.
pub fn skeleton(name: &str) -> String {
    let folded: String = name
        .chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .map(|c| match c {
            '0' => 'o',
            '1' | 'i' => 'l',
            '5' => 's',
            c => c,
        })
        .collect();
    folded.replace("rn", "m").replace("vv", "w")
}

/// Refuses schemas that are cheap to send and expensive to check.
pub(crate) fn harmless(schema: &Value) -> Result<(), String> {
    let mut count = Count::default();
    count.walk(schema, 0)?;
    if count.refs > MOST_REFS {
        return Err(format!("its schema has more than {MOST_REFS} references"));
    }
    Ok(())
}

#[derive(Default)]
struct Count {
    nodes: usize,
    refs: usize,
}

impl Count {
    fn walk(&mut self, value: &Value, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if depth > MOST_DEPTH {
            return Err(format!("its schema is nested more than {MOST_DEPTH} levels deep"));
        }
        if self.nodes > MOST_NODES {
            return Err(format!("its schema has more than {MOST_NODES} parts"));
        }
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.walk(item, depth + 1)),
            Value::Object(fields) => fields.iter().try_for_each(|(keyword, field)| {
                if let ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(target)) =
                    (keyword.as_str(), field)
                {
                    self.refs += 1;
                    if !target.starts_with('#') {
                        return Err("its schema refers to another document".to_owned());
                    }
                }
                self.walk(field, depth + 1)
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn offer(name: &str, input_schema: Value) -> Offer {
        Offer {
            name: name.to_owned(),
            title: None,
            description: String::new(),
            input_schema,
            output_schema: None,
            hints: Hints::default(),
            request: None,
        }
    }

    fn judged(names: &[&str], known: &[(&str, &str)]) -> Vec<(String, Option<String>)> {
        let offers = names.iter().map(|name| offer(name, json!({ "type": "object" }))).collect();
        let known =
            known.iter().map(|(name, action)| ((*name).to_owned(), action.parse().unwrap())).collect();
        let judged = judge(offers, &known).into_iter();
        judged.map(|one| (one.offer.name, one.action.ok().map(|action| action.to_string()))).collect()
    }

    #[test]
    fn names_become_addresses_and_none_can_be_taken_for_another() {
        let some = |name: &str, action: &str| (name.to_owned(), Some(action.to_owned()));
        let none = |name: &str| (name.to_owned(), None);
        assert_eq!(
            judged(&["getUser", "repos/list"], &[]),
            [some("getUser", "getuser"), some("repos/list", "repos_list")]
        );
        // The first one by name keeps its name.
        assert_eq!(judged(&["turn_0n", "turn_on"], &[]), [some("turn_0n", "turn_0n"), none("turn_on")]);
        // An accepted tool keeps its name when new ones appear.
        assert_eq!(
            judged(&["turn_0n", "turn_on"], &[("turn_on", "turn_on")]),
            [none("turn_0n"), some("turn_on", "turn_on")]
        );
        assert_eq!(
            judged(&["sеnd", "pay\u{200b}", "", "9lives", "a b"], &[])
                .iter()
                .filter(|(_, action)| action.is_some())
                .count(),
            1
        );
        assert_eq!(judged(&["get", "Get"], &[]), [some("Get", "get"), none("get")]);
    }

    fn nested(levels: usize) -> Value {
        (0..levels).fold(
            json!({ "type": "string" }),
            |inner, _| json!({ "type": "object", "properties": { "a": inner } }),
        )
    }

    #[test]
    fn bombs_are_not_callable() {
        let wide: serde_json::Map<_, _> =
            (0..3_000).map(|n| (format!("f{n}"), json!({ "type": "string" }))).collect();
        let refs: Vec<_> = (0..200).map(|n| json!({ "$ref": format!("#/$defs/d{n}") })).collect();
        for (what, schema) in [
            ("deep", nested(40)),
            ("wide", json!({ "type": "object", "properties": wide })),
            ("many references", json!({ "type": "object", "allOf": refs })),
            (
                "outside",
                json!({ "type": "object", "properties": { "a": { "$ref": "http://169.254.169.254/x" } } }),
            ),
            ("file", json!({ "$ref": "file:///etc/passwd" })),
            ("large", json!({ "type": "object", "description": "x".repeat(MOST_OFFER_BYTES) })),
            ("no object", json!({ "type": "string" })),
            ("regex", json!({ "type": "object", "properties": { "a": { "pattern": "(a{1000}){1000}" } } })),
            ("look-around", json!({ "type": "object", "properties": { "a": { "pattern": "(?=a)b" } } })),
            ("not a schema", json!({ "type": "object", "properties": 5 })),
        ] {
            let judged = judge(vec![offer("bomb", schema)], &HashMap::new());
            assert!(judged[0].action.is_err(), "{what}");
        }
        let fine = json!({ "type": "object", "properties": { "a": { "anyOf": [{ "$ref": "#/$defs/x" }, { "type": "null" }] } },
            "$defs": { "x": { "type": "object", "properties": { "child": { "$ref": "#/$defs/x" } } } } });
        assert!(judge(vec![offer("fine", fine)], &HashMap::new())[0].action.is_ok());
        assert!(judge(vec![offer("fine", nested(10))], &HashMap::new())[0].action.is_ok());
    }
}
