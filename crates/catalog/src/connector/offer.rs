//! What a server says about one of its tools, and the two hashes of it.
//!
//! The shape is what a call depends on; the text also covers what readers see. A server may reword a tool every day
//! without a new review; a tool that takes or claims something else is a different tool.

use model::{CanonicalError, Digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A tool as its server describes it. Nothing in it is trusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The server's name for the tool.
    pub name: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default)]
    pub description: String,
    /// JSON Schema of the parameters.
    pub input_schema: Value,
    /// JSON Schema of the result, if the server gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// The server's claims about the effect.
    #[serde(default)]
    pub hints: Hints,
    /// For an operation of an HTTP service: the request that a call becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}

/// The claims of a server. They give a first estimate of the risk, and never decide whether a repeat is harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hints {
    /// The tool changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// The tool destroys something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// A second call changes nothing more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// The tool reaches beyond the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

/// Keywords of a schema that hold text for readers, or examples of values.
const WORDS: [&str; 6] = ["$comment", "default", "description", "enum", "examples", "title"];

/// Keywords that hold schemas by name.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

impl Offer {
    /// The hash of everything that a call depends on: the name, the schemas without text for readers, the claims, and
    /// the request that a call becomes.
    pub fn shape(&self) -> Result<Digest, CanonicalError> {
        Digest::of_canonical(&json!({
            "name": self.name,
            "input": without_words(&self.input_schema),
            "output": self.output_schema.as_ref().map(without_words),
            "hints": self.hints,
            "request": self.request,
        }))
    }

    /// The hash of the whole offer, including all text.
    pub fn text(&self) -> Result<Digest, CanonicalError> {
        Digest::of_canonical(self)
    }
}

/// A schema without text for readers, at every level. The name of a field is kept, even if it equals a keyword such as
/// `description`.
pub(crate) fn without_words(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else { return schema.clone() };
    let kept = keywords.iter().filter(|(keyword, _)| !WORDS.contains(&keyword.as_str()));
    Value::Object(
        kept.map(|(keyword, value)| (keyword.clone(), part_without_words(keyword, value))).collect(),
    )
}

fn part_without_words(keyword: &str, value: &Value) -> Value {
    match (keyword, value) {
        (map, Value::Object(named)) if NAMED.contains(&map) => {
            let named = named.iter().map(|(name, schema)| (name.clone(), without_words(schema)));
            named.collect::<Map<_, _>>().into()
        }
        ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(schemas)) => {
            schemas.iter().map(without_words).collect()
        }
        (
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "contains"
            | "else"
            | "if"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contentSchema",
            schema,
        ) => without_words(schema),
        // These lists are sets, so their order has no meaning.
        ("required" | "type", Value::Array(names)) => {
            let mut names = names.clone();
            names.sort_by_key(Value::to_string);
            names.into()
        }
        _ => value.clone(),
    }
}

/// Whether a location in an offer, as a JSON pointer, holds only text for readers.
pub(super) fn is_word(place: &str) -> bool {
    let mut parts = place.split('/').skip(1);
    match parts.next() {
        Some("title" | "description") => true,
        Some("input_schema" | "output_schema") => is_word_of_schema(parts),
        _ => false,
    }
}

fn is_word_of_schema<'a>(mut parts: impl Iterator<Item = &'a str>) -> bool {
    while let Some(part) = parts.next() {
        match part {
            word if WORDS.contains(&word) => return true,
            // The next part is a name that the server chose, not a keyword.
            map if NAMED.contains(&map) => drop(parts.next()),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
