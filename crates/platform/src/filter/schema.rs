//! The grammar, as the JSON Schema that is published.

use serde_json::{Value, json};

/// JSON Schema 2020-12 of a filter.
pub fn schema() -> Value {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": 1024 });
    let values = json!({ "type": "array", "minItems": 1, "maxItems": 100 });
    let number = json!({ "type": "number" });
    let filters = json!({ "type": "array", "minItems": 1, "items": { "$ref": "#" } });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Filter",
        "description": "Conditions on an event. All must be true. A key is a path (`type`, `subject`, `data.file.name`, or a JSON \
                        pointer), its value the operators to apply. `$and`, `$or` and `$not` combine filters.",
        "type": "object",
        "properties": {
            "$and": filters,
            "$or": filters,
            "$not": { "$ref": "#" },
        },
        "patternProperties": { "^[^$]": { "$ref": "#/$defs/operators" } },
        "additionalProperties": false,
        "$defs": {
            "operators": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": false,
                "properties": {
                    "equals": true,
                    "not_equals": true,
                    "starts_with": text,
                    "ends_with": text,
                    "contains": true,
                    "regex": { "type": "string", "maxLength": 256, "description": "No look-around, no back references." },
                    "gt": number,
                    "gte": number,
                    "lt": number,
                    "lte": number,
                    "in": values,
                    "not_in": values,
                    "exists": { "type": "boolean" },
                },
            },
        },
    })
}
