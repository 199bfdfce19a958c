//! Converts the schemas of an OpenAPI document to self-contained JSON Schema 2020-12.
//!
//! OpenAPI 3.0 has its own dialect, and both versions refer to components of the document. The result refers only to
//! its own `$defs`, contains only keywords of JSON Schema, and is no larger than a budget.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::limits::openapi::MOST_DEPTH;

/// Whether the described value is sent or received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Sent,
    Received,
}

/// Converts the schemas of one operation and collects the components they need.
pub(super) struct Converter<'a> {
    root: &'a Value,
    is_30: bool,
    direction: Direction,
    /// The number of bytes that may still be written.
    left: usize,
    defs: BTreeMap<String, Value>,
    wanted: BTreeSet<String>,
}

impl<'a> Converter<'a> {
    pub(super) fn new(root: &'a Value, is_30: bool, direction: Direction, budget: usize) -> Self {
        Self { root, is_30, direction, left: budget, defs: BTreeMap::new(), wanted: BTreeSet::new() }
    }

    /// Converts one schema.
    pub(super) fn schema(&mut self, schema: &Value) -> Result<Value, String> {
        self.at(schema, 0)
    }

    /// The components that were referred to, by name, including all that they refer to.
    pub(super) fn defs(mut self) -> Result<Map<String, Value>, String> {
        while let Some(name) = self.wanted.pop_first() {
            if self.defs.contains_key(&name) {
                continue;
            }
            let root = self.root;
            let component = root.pointer(&format!("/components/schemas/{name}"));
            let component =
                component.ok_or_else(|| format!("it refers to the schema `{name}`, which is not there"))?;
            // Inserted before it is converted, so that a component that refers to itself is converted only once.
            self.defs.insert(name.clone(), Value::Bool(true));
            self.spend(name.len())?;
            let converted = self.at(component, 0)?;
            self.defs.insert(name, converted);
        }
        Ok(self.defs.into_iter().collect())
    }

    fn at(&mut self, schema: &Value, depth: usize) -> Result<Value, String> {
        if depth > MOST_DEPTH {
            return Err(format!("its schemas are nested more than {MOST_DEPTH} levels deep"));
        }
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(_) => return Ok(schema.clone()),
            _ => return Err("one of its schemas is not an object or a boolean".to_owned()),
        };
        let mut converted = Map::new();
        if let Some(target) = keywords.get("$ref") {
            converted.insert("$ref".to_owned(), self.reference(target)?.into());
            // In 3.0, keywords next to a reference have no meaning.
            if self.is_30 {
                return Ok(converted.into());
            }
        }
        for (keyword, value) in keywords.iter().filter(|(keyword, _)| *keyword != "$ref") {
            self.spend(keyword.len())?;
            if let Some(value) = self.keyword(keyword, value, depth)? {
                converted.insert(keyword.clone(), value);
            }
        }
        self.tidy(&mut converted, keywords);
        Ok(converted.into())
    }

    /// Converts the value of a keyword; `None` for keywords that are not part of JSON Schema.
    fn keyword(&mut self, keyword: &str, value: &Value, depth: usize) -> Result<Option<Value>, String> {
        Ok(Some(match (keyword, value) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(named)) => {
                let mut schemas = Map::new();
                for (name, schema) in named {
                    self.spend(name.len())?;
                    schemas.insert(name.clone(), self.at(schema, depth + 1)?);
                }
                schemas.into()
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                let converted: Result<Vec<Value>, String> =
                    schemas.iter().map(|schema| self.at(schema, depth + 1)).collect();
                converted?.into()
            }
            (
                "items"
                | "additionalProperties"
                | "contains"
                | "not"
                | "if"
                | "then"
                | "else"
                | "propertyNames"
                | "unevaluatedItems"
                | "unevaluatedProperties",
                schema,
            ) => self.at(schema, depth + 1)?,
            // These keywords change what references refer to.
            (
                "$id" | "$anchor" | "$dynamicAnchor" | "$dynamicRef" | "$recursiveRef" | "$recursiveAnchor",
                _,
            ) => return Err(format!("its schemas use `{keyword}`")),
            (plain, value) if PLAIN.contains(&plain) => {
                self.spend(value.to_string().len())?;
                value.clone()
            }
            _ => return Ok(None),
        }))
    }

    /// Handles what depends on several keywords: the notation of 3.0, and properties of the other direction.
    fn tidy(&self, converted: &mut Map<String, Value>, original: &Map<String, Value>) {
        let is = |keyword: &str| original.get(keyword) == Some(&Value::Bool(true));
        if let (Some(example), None) = (original.get("example"), original.get("examples"))
            && example.to_string().len() <= 200
        {
            converted.insert("examples".to_owned(), json!([example]));
        }
        if self.is_30 {
            if let (true, Some(Value::String(kind))) = (is("nullable"), original.get("type")) {
                converted.insert("type".to_owned(), json!([kind, "null"]));
            }
            for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
                if let Some(Value::Bool(excluded)) = original.get(exclusive) {
                    converted.remove(exclusive);
                    if let (true, Some(limit)) = (*excluded, converted.remove(limit)) {
                        converted.insert(exclusive.to_owned(), limit);
                    } else if let (false, Some(bound)) = (*excluded, original.get(limit)) {
                        converted.insert(limit.to_owned(), bound.clone());
                    }
                }
            }
        }
        self.drop_other_direction(converted, original);
    }

    fn drop_other_direction(&self, converted: &mut Map<String, Value>, original: &Map<String, Value>) {
        let mark = if self.direction == Direction::Sent { "readOnly" } else { "writeOnly" };
        let Some(Value::Object(properties)) = original.get("properties") else { return };
        let other = properties.iter().filter(|(_, schema)| schema.get(mark) == Some(&Value::Bool(true)));
        let other: Vec<&String> = other.map(|(name, _)| name).collect();
        if let Some(Value::Object(kept)) = converted.get_mut("properties") {
            kept.retain(|name, _| !other.contains(&name));
        }
        if let Some(Value::Array(required)) = converted.get_mut("required") {
            required.retain(|name| !other.iter().any(|other| name.as_str() == Some(other)));
        }
    }

    /// The location of a reference's target among the `$defs`. Nothing is ever fetched for a reference.
    fn reference(&mut self, target: &Value) -> Result<String, String> {
        let target = target.as_str().unwrap_or_default();
        if !target.starts_with('#') {
            return Err("it refers to another document".to_owned());
        }
        let inside = target.strip_prefix("#/components/schemas/").filter(|path| is_plain(path));
        let inside = inside.ok_or("it refers to something that is not among the document's schemas")?;
        let name = inside.split('/').next().unwrap_or_default();
        self.wanted.insert(name.to_owned());
        self.spend(target.len())?;
        Ok(format!("#/$defs/{inside}"))
    }

    fn spend(&mut self, bytes: usize) -> Result<(), String> {
        // A few bytes more for the punctuation around it.
        self.left =
            self.left.checked_sub(bytes + 4).ok_or("its schemas, with all they refer to, are too large")?;
        Ok(())
    }
}

/// Keywords whose value is copied unchanged.
const PLAIN: [&str; 28] = [
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "required",
    "title",
    "type",
    "uniqueItems",
];

/// Whether a pointer means the same, however it is decoded.
fn is_plain(pointer: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '/');
    !pointer.is_empty() && pointer.split('/').all(|part| !part.is_empty()) && pointer.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn converted(is_30: bool, direction: Direction, schema: &Value) -> Result<Value, String> {
        let root = json!({ "components": { "schemas": {
            "Pet": { "type": "object", "required": ["id", "name"], "properties": {
                "id": { "type": "integer", "readOnly": true }, "name": { "type": "string" },
                "pin": { "type": "string", "writeOnly": true },
                "parent": { "$ref": "#/components/schemas/Pet" }, "tag": { "$ref": "#/components/schemas/Tag" } } },
            "Tag": { "type": "string", "x-internal": 1, "xml": { "name": "t" }, "example": "a" },
            "Big": { "type": "string", "description": "x".repeat(5_000) },
        } } });
        let mut converter = Converter::new(&root, is_30, direction, 2_000);
        let schema = converter.schema(schema)?;
        let defs = converter.defs()?;
        Ok(if defs.is_empty() { schema } else { json!({ "is": schema, "$defs": defs }) })
    }

    fn check(is_30: bool, schema: Value, expected: Expect) {
        let said = match converted(is_30, Direction::Sent, &schema) {
            Ok(schema) => schema.to_string(),
            Err(why) => format!("no: {why}"),
        };
        expected.assert_eq(&said);
    }

    #[test]
    fn the_dialect_of_3_0_becomes_json_schema() {
        check(
            true,
            json!({ "type": "string", "nullable": true, "example": "x" }),
            expect![[r#"{"type":["string","null"],"examples":["x"]}"#]],
        );
        check(
            true,
            json!({ "type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false }),
            expect![[r#"{"type":"number","exclusiveMinimum":1,"maximum":9}"#]],
        );
        check(
            true,
            json!({ "$ref": "#/components/schemas/Tag", "description": "ignored", "nullable": true }),
            expect![[
                r##"{"is":{"$ref":"#/$defs/Tag"},"$defs":{"Tag":{"type":"string","examples":["a"]}}}"##
            ]],
        );
        check(
            false,
            json!({ "$ref": "#/components/schemas/Tag", "maxLength": 3, "uniqueItems": true }),
            expect![[
                r##"{"is":{"$ref":"#/$defs/Tag","maxLength":3,"uniqueItems":true},"$defs":{"Tag":{"type":"string","examples":["a"]}}}"##
            ]],
        );
        check(
            false,
            json!({ "type": ["integer", "null"], "exclusiveMinimum": 0, "discriminator": { "propertyName": "k" } }),
            expect![[r#"{"type":["integer","null"],"exclusiveMinimum":0}"#]],
        );
    }

    #[test]
    fn references_are_carried_along_and_each_direction_has_its_own_fields() {
        let pet = json!({ "$ref": "#/components/schemas/Pet" });
        let sent = converted(true, Direction::Sent, &pet).unwrap();
        assert_eq!(sent["$defs"]["Pet"]["required"], json!(["name"]));
        let names = |schema: &Value| {
            schema["$defs"]["Pet"]["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(names(&sent), ["name", "pin", "parent", "tag"]);
        assert_eq!(sent["$defs"]["Pet"]["properties"]["parent"], json!({ "$ref": "#/$defs/Pet" }));
        let received = converted(true, Direction::Received, &pet).unwrap();
        assert_eq!(names(&received), ["id", "name", "parent", "tag"]);
    }

    #[test]
    fn what_cannot_stand_by_itself_is_refused() {
        for schema in [
            json!({ "$ref": "http://169.254.169.254/latest" }),
            json!({ "$ref": "other.json#/Pet" }),
            json!({ "$ref": "//elsewhere.example/x" }),
            json!({ "$ref": "file:///etc/passwd" }),
            json!({ "$ref": "#/paths/~1pets/get" }),
            json!({ "$ref": "#/components/schemas/" }),
            json!({ "$ref": "#/components/schemas/Missing" }),
            json!({ "$ref": "#/components/schemas/Pet%2F..%2F.." }),
            json!({ "$ref": 5 }),
            json!({ "$ref": "#/components/schemas/Big" }),
            json!({ "$id": "http://elsewhere.example/", "type": "string" }),
            json!({ "items": { "$dynamicRef": "#x" } }),
            json!({ "properties": { "a": 5 } }),
            (0..60).fold(json!({}), |inner, _| json!({ "items": inner })),
        ] {
            for is_30 in [true, false] {
                assert!(converted(is_30, Direction::Sent, &schema).is_err(), "{schema}");
            }
        }
    }
}
