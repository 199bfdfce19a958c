//! What a server says of one of its tools, and the two hashes of it.
//!
//! The shape is what a call depends on; the words are what is read. A server may reword a tool every day without anybody
//! having to look; a tool that takes or claims something else is another tool.

use model::{CanonicalError, Digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A tool as its server describes it. Nothing in it is trusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// What the server calls it.
    pub name: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// JSON Schema of what it takes.
    pub input_schema: Value,
    /// JSON Schema of what it gives back, if the server says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// What the server claims about its effect.
    #[serde(default)]
    pub hints: Hints,
    /// For an operation of an HTTP service: the request it becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}

/// What a server claims. Claims set a first guess of the risk, and never whether a repeat is harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hints {
    /// It changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// It destroys something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// A second call changes nothing more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// It reaches beyond the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

/// Keywords of a schema that are words for readers, or examples of values.
const WORDS: [&str; 6] = ["$comment", "default", "description", "enum", "examples", "title"];

/// Keywords that hold schemas by name.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

impl Offer {
    /// Over what a call depends on: the schemas without their words, the claims, and the request it becomes.
    pub fn shape(&self) -> Result<Digest, CanonicalError> {
        Digest::of_canonical(&json!({
            "name": self.name,
            "input": without_words(&self.input_schema),
            "output": self.output_schema.as_ref().map(without_words),
            "hints": self.hints,
            "request": self.request,
        }))
    }

    /// Over all of it, to the last word.
    pub fn text(&self) -> Result<Digest, CanonicalError> {
        Digest::of_canonical(self)
    }
}

/// A schema without anything written for a reader, at every level. What is a name of a field, and not a keyword, stays,
/// even if it is called `description`.
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
        // Sets, written as lists: their order says nothing.
        ("required" | "type", Value::Array(names)) => {
            let mut names = names.clone();
            names.sort_by_key(Value::to_string);
            names.into()
        }
        _ => value.clone(),
    }
}

/// Whether a place in an offer, as a JSON pointer, holds words only.
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
            // What follows is a name of the server's choice, not a keyword.
            map if NAMED.contains(&map) => drop(parts.next()),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
