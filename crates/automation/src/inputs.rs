//! The inputs of a run: the values that were sent or mapped, and defaults for the rest. Pure.

use catalog::{Checker, FieldError};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::limits::inputs::MOST_BYTES;

/// The values of the placeholders in defaults, which begin with `$`.
pub(crate) struct Defaults<'a> {
    pub(crate) last_fired_at: Timestamp,
    /// The e-mail address of the automation's creator.
    pub(crate) creator: &'a str,
    /// The slug of the automation's space.
    pub(crate) space: String,
}

/// Whether a default is a placeholder whose value must be looked up.
pub(crate) fn has_special_defaults(schema: &Map<String, Value>) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut defaults = properties.filter_map(|(_, property)| property.get("default")?.as_str());
    defaults.any(|default| default.starts_with('$'))
}

/// Fills in defaults and checks the result against the schema.
pub(crate) fn resolve(
    schema: &Map<String, Value>,
    mut given: Map<String, Value>,
    defaults: &Defaults<'_>,
) -> Result<Map<String, Value>, Vec<FieldError>> {
    let whole = |message: String| vec![FieldError { pointer: String::new(), message }];
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (name, property) in properties {
        if given.contains_key(name) {
            continue;
        }
        if let Some(default) = property.get("default") {
            let value = match default.as_str() {
                Some("$last_fired_at") => defaults.last_fired_at.to_string().into(),
                Some("$creator") => defaults.creator.into(),
                Some("$space_default") => defaults.space.as_str().into(),
                _ => default.clone(),
            };
            given.insert(name.clone(), value);
        }
    }
    let given = Value::Object(given);
    if given.to_string().len() > MOST_BYTES {
        return Err(whole(format!("at most {MOST_BYTES} bytes")));
    }
    let checker = Checker::compile(&Value::Object(schema.clone())).map_err(whole)?;
    checker.check(&given)?;
    match given {
        Value::Object(given) => Ok(given),
        _ => Ok(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Defaults, resolve};

    #[test]
    fn defaults_stand_for_what_is_not_given_and_everything_is_checked() {
        let schema = json!({
            "type": "object", "additionalProperties": false, "required": ["n"],
            "properties": {
                "n": { "type": "integer" }, "since": { "type": "string", "default": "$last_fired_at" },
                "who": { "default": "$creator" }, "where": { "default": "$space_default" },
                "plain": { "type": "array", "default": [1] },
            },
        });
        let schema = schema.as_object().unwrap();
        let defaults = Defaults {
            last_fired_at: "2026-11-15T09:00:00Z".parse().unwrap(),
            creator: "a@example.test",
            space: "main".to_owned(),
        };
        let given = |value: serde_json::Value| {
            resolve(schema, value.as_object().unwrap().clone(), &defaults).map(serde_json::Value::from)
        };
        assert_eq!(
            given(json!({ "n": 1, "plain": [] })).unwrap(),
            json!({ "n": 1, "plain": [], "since": "2026-11-15T09:00:00Z", "who": "a@example.test", "where": "main" })
        );
        assert!(given(json!({})).is_err() && given(json!({ "n": "x" })).is_err());
        assert!(given(json!({ "n": 1, "more": true })).is_err());
    }
}
