//! Hostile schemas of inputs.

use serde_json::{Map, Value, json};

use crate::attacks::bombs::inputs::definitions::{many, with};

/// An inputs schema whose references double `count` times.
pub(crate) fn doublings(count: usize) -> Value {
    let mut defs: Map<String, Value> = (0..count)
        .map(|n| (format!("d{n}"), json!({ "$ref": format!("#/$defs/d{}", n + 1) })))
        .map(|(name, next)| (name, json!({ "allOf": [next, next] })))
        .collect();
    defs.insert(format!("d{count}"), json!({ "type": "array" }));
    json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs })
}

/// Definitions whose inputs have a hostile schema.
pub(crate) fn schemas() -> Vec<(String, String)> {
    [dear(), crowded()].concat()
}

/// Expensive references and patterns.
fn dear() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add =
        |what: String, schema: Value| all.push((format!("inputs: {what}"), with("/inputs/schema", schema)));
    for count in [10, 30, 60, 200] {
        add(format!("{count} doublings"), doublings(count));
    }
    for target in [
        "http://127.0.0.1:1/x",
        "https://example.com/x",
        "file:///etc/passwd",
        "#",
        "#/nowhere",
        "#/properties/a",
        "../x",
        "",
        "urn:x",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef", "$schema", "$id"] {
            add(
                format!("{keyword} to {target}"),
                json!({ "type": "object", "properties": { "a": { keyword: target } } }),
            );
            add(format!("whole {keyword} to {target}"), json!({ "type": "object", keyword: target }));
        }
    }
    for pattern in [
        "(a+)+$",
        "(a{1000}){1000}",
        "\\w{200}",
        "[\\p{L}]{50}",
        "((((a{9}){9}){9}){9}){9}",
        "(?=a)",
        "\\1",
        "(",
        "[",
        "(?i)ß{99}",
        ".{0,1000}{0,1000}",
    ] {
        for count in [1, 100, 4_000] {
            let texts = many(count, |n| {
                (format!("p{n}"), json!({ "type": "string", "pattern": format!("{pattern}|{n}") }))
            });
            add(format!("{count} patterns {pattern}"), json!({ "type": "object", "properties": texts }));
            add(
                format!("{count} names by {pattern}"),
                json!({ "type": "object", "patternProperties": many(count, |n| (format!("{pattern}|{n}"), json!({}))) }),
            );
        }
    }
    all
}

/// Schemas with a very large number of one element.
fn crowded() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add =
        |what: String, schema: Value| all.push((format!("inputs: {what}"), with("/inputs/schema", schema)));
    for count in [1_000, 5_000] {
        let chain = many(count, |n| {
            (format!("d{n}"), json!({ "items": { "$ref": format!("#/$defs/d{}", (n + 1) % count) } }))
        });
        add(format!("a ring of {count}"), json!({ "type": "object", "$ref": "#/$defs/d0", "$defs": chain }));
        add(
            format!("{count} references to the whole"),
            json!({ "type": "object", "properties": many(count, |n| (format!("p{n}"), json!({ "anyOf": [{ "$ref": "#" }] }))) }),
        );
        add(
            format!("{count} values"),
            json!({ "type": "object", "properties": { "a": { "enum": (0..count * 4).collect::<Vec<_>>() } } }),
        );
        add(
            format!("{count} needed"),
            json!({ "type": "object", "required": (0..count).map(|n| format!("r{n}")).collect::<Vec<_>>() }),
        );
        add(
            format!("{count} defaults"),
            json!({ "type": "object", "properties": many(count, |n| (format!("p{n}"), json!({ "default": format!("$creato{n}") }))) }),
        );
        add(
            format!("{count} alternatives"),
            json!({ "type": "object", "oneOf": (0..count).map(|n| json!({ "required": [format!("f{n}")] })).collect::<Vec<_>>() }),
        );
    }
    for odd in [
        json!({ "type": "object", "minLength": -1 }),
        json!({ "type": "object", "multipleOf": 0 }),
        json!({ "type": 7 }),
        json!({}),
        json!({ "type": "object", "properties": [] }),
        json!({ "type": "object", "properties": { "a": { "maxItems": 1e300 } } }),
    ] {
        add(odd.to_string(), odd);
    }
    all
}
