//! The published JSON Schema, generated from the types of this version.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::Definition;

/// The JSON Schema (2020-12) of a definition.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Definition>().to_value();
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("title".to_owned(), "Automation, version 1.0".into());
    }
    if let Some(trigger) = schema.pointer_mut("/$defs/Trigger") {
        *trigger = by_type(trigger);
    }
    if let Some(kinds) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        let mut task = super::agent::schema();
        if let Some(fields) = task.as_object_mut() {
            fields.remove("$schema");
        }
        kinds.insert("AgentTask".to_owned(), task);
    }
    schema
}

/// Distinguishes alternatives by their `type`. For a plain `oneOf`, a validator can only report that none matches.
fn by_type(alternatives: &Value) -> Value {
    let alternatives = alternatives["oneOf"].as_array().cloned().unwrap_or_default();
    let types: Vec<Value> =
        alternatives.iter().map(|one| one["properties"]["type"]["const"].clone()).collect();
    let chosen: Vec<Value> = types
        .iter()
        .zip(&alternatives)
        .map(|(name, one)| json!({ "if": { "properties": { "type": { "const": name } } }, "then": one }))
        .collect();
    json!({
        "description": "What starts a run.",
        "type": "object",
        "required": ["type", "config"],
        "properties": { "type": { "enum": types } },
        "allOf": chosen,
    })
}
