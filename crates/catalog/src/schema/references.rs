//! References to secrets: where a schema asks for a password, `{"$secret": "name"}` may stand instead of the value.

use serde_json::{Value, json};

use super::FieldError;

/// The only field of a reference.
const FIELD: &str = "$secret";
/// How many `$ref`s are followed.
const HOPS: usize = 8;

/// A reference to a secret in parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands, as a JSON pointer.
    pub pointer: String,
    /// The name of the secret.
    pub name: String,
}

/// The schema with references allowed wherever it asks for a password.
pub fn allowing(schema: &Value) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut fields = fields.clone();
    for name in ["properties", "$defs", "definitions"] {
        if let Some(Value::Object(members)) = fields.get_mut(name) {
            members.values_mut().for_each(|member| *member = allowing(member));
        }
    }
    for name in ["items", "additionalProperties"] {
        if let Some(member) = fields.get_mut(name) {
            *member = allowing(member);
        }
    }
    for name in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(members)) = fields.get_mut(name) {
            members.iter_mut().for_each(|member| *member = allowing(member));
        }
    }
    let whole = Value::Object(fields);
    if !is_password(&whole) {
        return whole;
    }
    let reference = json!({
        "type": "object", "required": [FIELD], "additionalProperties": false,
        "properties": { FIELD: { "type": "string", "minLength": 1, "maxLength": 100 } },
    });
    json!({ "anyOf": [whole, reference] })
}

/// The references in parameters. One where the schema does not ask for a password is an error: it would be sent as it is.
pub(crate) fn find(schema: &Value, params: &Value) -> Result<Vec<Reference>, Vec<FieldError>> {
    // Almost no parameters have one, and those are not walked with a pointer to every value.
    if !mentions(params) {
        return Ok(vec![]);
    }
    let mut found = Vec::new();
    collect(params, String::new(), &mut found);
    let misplaced: Vec<FieldError> = found
        .iter()
        .filter(|reference| !is_allowed(schema, &reference.pointer))
        .map(|reference| FieldError {
            pointer: reference.pointer.clone(),
            message: "a secret can be passed by reference only where the schema has the format `password`"
                .to_owned(),
        })
        .collect();
    if misplaced.is_empty() { Ok(found) } else { Err(misplaced) }
}

fn mentions(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.contains_key(FIELD) || fields.values().any(mentions),
        Value::Array(items) => items.iter().any(mentions),
        _ => false,
    }
}

fn collect(value: &Value, at: String, found: &mut Vec<Reference>) {
    match value {
        Value::Object(fields) => {
            if let (1, Some(Value::String(name))) = (fields.len(), fields.get(FIELD)) {
                found.push(Reference { pointer: at, name: name.clone() });
                return;
            }
            for (name, field) in fields {
                collect(field, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                collect(item, format!("{at}/{number}"), found);
            }
        }
        _ => {}
    }
}

fn is_allowed(schema: &Value, pointer: &str) -> bool {
    let tokens: Vec<String> =
        pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect();
    leads_to_password(schema, schema, &tokens, HOPS)
}

fn leads_to_password(root: &Value, node: &Value, tokens: &[String], hops: usize) -> bool {
    let goes_on = |node: &Value, tokens: &[String]| leads_to_password(root, node, tokens, hops);
    if let Some(target) = node.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        if let (Some(target), 1..) = (target, hops)
            && leads_to_password(root, target, tokens, hops - 1)
        {
            return true;
        }
    }
    let branches =
        ["anyOf", "oneOf", "allOf"].iter().filter_map(|name| node.get(*name)?.as_array()).flatten();
    if branches.into_iter().any(|branch| goes_on(branch, tokens)) {
        return true;
    }
    let Some((first, rest)) = tokens.split_first() else { return is_password(node) };
    let property = node.get("properties").and_then(|properties| properties.get(first));
    let other = node.get("additionalProperties").filter(|_| property.is_none());
    let number = first.parse::<usize>().ok();
    let item = number.and_then(|number| {
        let prefix = node.get("prefixItems").and_then(|items| items.get(number));
        prefix.or_else(|| node.get("items"))
    });
    [property, other, item].into_iter().flatten().any(|next| goes_on(next, rest))
}

fn is_password(node: &Value) -> bool {
    let kind = node.get("type");
    let is_text = kind.is_some_and(|kind| {
        kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
    });
    is_text && node.get("format").is_some_and(|format| format == "password")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "user": { "type": "string" },
                "password": { "type": "string", "format": "password", "minLength": 8 },
                "maybe": { "anyOf": [{ "type": "null" }, { "type": ["string", "null"], "format": "password" }] },
                "keys": { "type": "array", "items": { "$ref": "#/$defs/key" } },
                "open": { "type": "object" },
                "headers": { "type": "object", "additionalProperties": { "type": "string", "format": "password" } },
            },
            "$defs": { "key": { "type": "string", "format": "password" } },
        })
    }

    fn found(params: &Value) -> Result<Vec<(String, String)>, Vec<String>> {
        let found = find(&schema(), params);
        found
            .map(|all| all.into_iter().map(|one| (one.pointer, one.name)).collect())
            .map_err(|wrong| wrong.into_iter().map(|one| one.pointer).collect())
    }

    #[test]
    fn a_reference_is_found_where_a_password_is_asked_for() {
        let secret = |name: &str| json!({ "$secret": name });
        let params = json!({
            "user": "ada", "password": secret("one"), "maybe": secret("two"), "keys": ["plain", secret("three")],
            "headers": { "x/y": secret("four") },
        });
        let expected =
            [("/password", "one"), ("/maybe", "two"), ("/keys/1", "three"), ("/headers/x~1y", "four")];
        let expected = expected.map(|(pointer, name)| (pointer.to_owned(), name.to_owned()));
        assert_eq!(found(&params), Ok(expected.to_vec()));
        let checker = crate::schema::compile(&allowing(&schema())).unwrap();
        assert!(crate::schema::check(&checker, &params).is_ok());
        // The schema itself does not take it, and a wrong reference is no reference.
        let strict = crate::schema::compile(&schema()).unwrap();
        assert!(crate::schema::check(&strict, &params).is_err());
        for wrong in [json!({ "$secret": 5 }), json!({ "$secret": "a", "b": 1 }), json!({ "$secret": "" })] {
            let params = json!({ "password": wrong });
            assert!(crate::schema::check(&checker, &params).is_err(), "{params}");
        }
        assert!(crate::schema::check(&checker, &json!({ "password": "short" })).is_err());
    }

    #[test]
    fn it_is_refused_everywhere_else() {
        for (params, pointer) in [
            (json!({ "user": { "$secret": "one" } }), "/user"),
            (json!({ "open": { "deep": [{ "$secret": "one" }] } }), "/open/deep/0"),
            (json!({ "other": { "$secret": "one" } }), "/other"),
        ] {
            assert_eq!(found(&params), Err(vec![pointer.to_owned()]));
        }
    }

    #[test]
    fn a_schema_that_leads_in_a_circle_ends() {
        let circle = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/a" } } });
        assert!(find(&circle, &json!({ "x": { "$secret": "one" } })).is_err());
    }
}
