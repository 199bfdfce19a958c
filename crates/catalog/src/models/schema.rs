//! Schemas as providers accept them: the part of JSON Schema that all of them take. What they do not take is told in the
//! description of its place; the answer is always checked by us against the whole schema.

use serde_json::{Map, Value, json};

/// Words that some provider refuses, and that a description can say as well.
const TOLD: [&str; 13] = [
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "default",
];

/// Words without effect on what fits.
const DROPPED: [&str; 5] = ["$schema", "$id", "title", "examples", "$comment"];

/// The schema for a provider; `None` if it needs something that a provider may refuse.
pub(super) fn for_wire(schema: &Value) -> Option<Value> {
    // Only an object may be at the top.
    part(schema).filter(|schema| schema.get("type") == Some(&json!("object")))
}

fn part(schema: &Value) -> Option<Value> {
    let fields = schema.as_object()?;
    let mut written = Map::new();
    let mut told = Vec::new();
    for (name, value) in fields {
        match name.as_str() {
            "properties" => {
                let properties = value.as_object()?.iter();
                let properties = properties.map(|(name, below)| Some((name.clone(), part(below)?)));
                written.insert(name.clone(), Value::Object(properties.collect::<Option<_>>()?));
            }
            "items" => drop(written.insert(name.clone(), part(value)?)),
            "anyOf" => {
                let all = value.as_array()?.iter().map(part).collect::<Option<Vec<_>>>()?;
                written.insert(name.clone(), Value::Array(all));
            }
            // Not all of them take a list of types.
            "type" if !value.is_string() => return None,
            "type" | "enum" | "const" | "required" | "description" => {
                written.insert(name.clone(), value.clone());
            }
            // Said of every object below.
            "additionalProperties" if value == &json!(false) => {}
            _ if TOLD.contains(&name.as_str()) => told.push(format!("{name}: {value}")),
            _ if DROPPED.contains(&name.as_str()) => {}
            _ => return None,
        }
    }
    if fields.get("type") == Some(&json!("object")) {
        // An object of any shape cannot be told to a provider that decodes by the schema.
        fields.get("properties")?;
        written.insert("additionalProperties".to_owned(), json!(false));
    }
    if !told.is_empty() {
        let said = written.get("description").and_then(Value::as_str).unwrap_or_default();
        let told = format!("{said} ({})", told.join(", "));
        written.insert("description".to_owned(), json!(told.trim()));
    }
    Some(Value::Object(written))
}

/// Whether every property of every object is required: some providers decode strictly only then.
pub(super) fn is_closed(schema: &Value) -> bool {
    let below = |name: &str| schema.get(name).is_none_or(is_closed);
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|all| all.contains(&json!(name)));
    // Strict decoding wants the type of every value.
    if schema.get("type").is_none() && schema.get("anyOf").is_none() {
        return false;
    }
    let all_closed =
        properties.is_none_or(|all| all.iter().all(|(name, below)| is_required(name) && is_closed(below)));
    let any_closed =
        schema.get("anyOf").and_then(Value::as_array).is_none_or(|all| all.iter().all(is_closed));
    all_closed && any_closed && below("items")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_provider_may_refuse_is_told_instead() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "kind": { "enum": ["bug", "question"] },
                "score": { "type": "integer", "minimum": 1, "maximum": 5, "description": "How sure." },
                "tags": { "type": "array", "items": { "type": "string", "maxLength": 9 } },
            },
            "required": ["kind"],
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "kind": { "enum": ["bug", "question"] },
                "score": { "type": "integer", "description": "How sure. (minimum: 1, maximum: 5)" },
                "tags": { "type": "array", "items": { "type": "string", "description": "(maxLength: 9)" } },
            },
            "required": ["kind"],
            "additionalProperties": false,
        });
        assert_eq!(for_wire(&schema), Some(expected));
        assert!(!is_closed(&schema));
        let closed =
            |below| is_closed(&json!({ "type": "object", "properties": { "a": below }, "required": ["a"] }));
        assert!(closed(json!({ "type": "string" })));
        assert!(!closed(json!({ "enum": ["a"] })), "without a type");
        for open in [
            json!({ "type": "object" }),
            json!({ "oneOf": [{ "type": "string" }] }),
            json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/a" } } }),
            json!({ "type": "object", "properties": {}, "additionalProperties": true }),
            json!(true),
            json!({ "type": "array", "items": { "type": "string" } }),
            json!({ "type": "object", "properties": { "a": { "type": ["string", "null"] } } }),
        ] {
            assert_eq!(for_wire(&open), None, "{open}");
        }
    }
}
