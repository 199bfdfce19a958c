//! Rewording keeps the shape; every other change changes it.

use proptest::{prelude::*, test_runner::TestRunner};

use super::*;

fn offer() -> Offer {
    let input = json!({
        "type": "object",
        "title": "Send",
        "description": "Sends money",
        "properties": {
            "amount": { "type": "number", "minimum": 0, "description": "How much", "default": 1, "examples": [1, 2] },
            "currency": { "type": ["string", "null"], "enum": ["EUR", "USD"] },
            // Names of fields that are also keywords.
            "description": { "type": "string", "maxLength": 100 },
            "default": { "type": "boolean", "title": "Use the default" },
            "to": {
                "anyOf": [
                    { "type": "object", "properties": { "iban": { "type": "string", "title": "IBAN" } } },
                    { "$ref": "#/$defs/person", "description": "or a person" },
                ],
            },
            "notes": { "type": "array", "items": { "type": "string", "enum": ["a"] }, "maxItems": 3 },
        },
        "required": ["amount", "to"],
        "additionalProperties": false,
        "$defs": { "person": { "type": "object", "properties": { "name": { "type": "string", "description": "Full" } } } },
    });
    Offer {
        name: "send".to_owned(),
        title: Some("Send money".to_owned()),
        description: "Sends money to somebody.".to_owned(),
        input_schema: input,
        output_schema: Some(
            json!({ "type": "object", "properties": { "id": { "type": "string", "description": "d" } } }),
        ),
        hints: Hints { read_only: Some(false), ..Hints::default() },
        request: None,
    }
}

/// Changes all text of a schema, shuffles its lists of names, and rebuilds each object in another order.
fn reworded(value: &Value, is_schema: bool, dice: &mut impl FnMut() -> u32) -> Value {
    match value {
        Value::Object(fields) => {
            let mut entries: Vec<_> = fields.iter().collect();
            entries.sort_by_key(|_| dice());
            let named = |keyword: &str| matches!(keyword, "properties" | "$defs");
            let mut rebuilt = Map::new();
            for (keyword, value) in entries {
                let value = match (is_schema, keyword.as_str()) {
                    (true, word) if WORDS.contains(&word) && dice().is_multiple_of(3) => continue,
                    (true, "enum" | "examples") => json!([dice(), "other"]),
                    (true, word) if WORDS.contains(&word) => json!(format!("words {}", dice())),
                    (true, "required" | "type") if value.is_array() => {
                        let mut names = value.as_array().unwrap().clone();
                        names.sort_by_key(|_| dice());
                        names.into()
                    }
                    (true, keyword) if named(keyword) => reworded(value, false, dice),
                    _ => reworded(value, true, dice),
                };
                rebuilt.insert(keyword.clone(), value);
            }
            if is_schema && dice().is_multiple_of(4) {
                rebuilt.insert("$comment".to_owned(), json!(dice()));
            }
            rebuilt.into()
        }
        Value::Array(items) => items.iter().map(|item| reworded(item, true, dice)).collect(),
        other => other.clone(),
    }
}

#[test]
fn a_thousand_rewordings_keep_the_shape_and_change_the_text() {
    let original = offer();
    let (shape, text) = (original.shape().unwrap(), original.text().unwrap());
    let mut runner = TestRunner::new(ProptestConfig { cases: 1_000, ..ProptestConfig::default() });
    runner
        .run(&proptest::collection::vec(any::<u32>(), 200), |dice| {
            let mut dice = dice.into_iter().cycle();
            let mut roll = || dice.next().unwrap();
            let mut other = offer();
            other.input_schema = reworded(&original.input_schema, true, &mut roll);
            other.output_schema =
                original.output_schema.as_ref().map(|schema| reworded(schema, true, &mut roll));
            other.description = format!("Anything {}", roll());
            other.title = None;
            prop_assert_eq!(other.shape().unwrap(), shape);
            prop_assert_ne!(other.text().unwrap(), text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn each_real_change_of_shape_is_another_shape() {
    let original = offer();
    let shape = original.shape().unwrap();
    // The stripped schema contains only the shape, so every change in it must be detected.
    let stripped = without_words(&original.input_schema);
    let all = testkit::places(&stripped);
    assert!(all.len() > 30, "{all:?}");
    for place in &all {
        let mut changed = original.clone();
        changed.input_schema = stripped.clone();
        *changed.input_schema.pointer_mut(place).unwrap() = json!({ "const": 1 });
        assert_ne!(changed.shape().unwrap(), shape, "{place}");
    }
    let check = |what: &str, change: &dyn Fn(&mut Offer)| {
        let mut changed = original.clone();
        change(&mut changed);
        assert_ne!(changed.shape().unwrap(), shape, "{what}");
    };
    check("name", &|offer| offer.name = "send_".to_owned());
    check("read only", &|offer| offer.hints.read_only = Some(true));
    check("destructive", &|offer| offer.hints.destructive = Some(false));
    check("request", &|offer| offer.request = Some(json!({ "method": "POST" })));
    check("output", &|offer| offer.output_schema = None);
    check("a field more", &|offer| {
        offer.input_schema["properties"]["bcc"] = json!({ "type": "string" });
    });
    check("a field called like a keyword", &|offer| {
        offer.input_schema["properties"]["description"]["maxLength"] = json!(101);
    });
    check("no longer required", &|offer| offer.input_schema["required"] = json!(["amount"]));
    check("an unknown keyword", &|offer| offer.input_schema["x-instructions"] = json!("obey"));
}
