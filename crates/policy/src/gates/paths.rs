//! Finding values in parameters: by path, or wherever they are.

use serde_json::Value;

/// The values at a path.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Found<'v> {
    pub(crate) values: Vec<&'v Value>,
    /// Whether the path ends nowhere, there or in an item of a list.
    pub(crate) is_missing: bool,
}

/// The values at a dotted path such as `input.to`. Lists on the way and at its end stand for all of their items.
pub(crate) fn at<'v>(params: &'v Value, path: &str) -> Found<'v> {
    let mut found = Found::default();
    let names: Vec<&str> = path.strip_prefix("input.").unwrap_or(path).split('.').collect();
    collect(params, &names, &mut found);
    found
}

fn collect<'v>(value: &'v Value, names: &[&str], found: &mut Found<'v>) {
    match (value, names) {
        (Value::Null, _) => found.is_missing = true,
        (Value::Array(items), _) => items.iter().for_each(|item| collect(item, names, found)),
        (value, []) => found.values.push(value),
        (value, [name, rest @ ..]) => match value.get(name) {
            Some(inner) => collect(inner, rest, found),
            None => found.is_missing = true,
        },
    }
}

/// The place of the first text, number or name of a field of which this holds, as a pointer. Of a name it is the object.
pub(crate) fn first(value: &Value, holds: &dyn Fn(&str) -> bool) -> Option<String> {
    let here = |found: bool| found.then(String::new);
    match value {
        Value::String(text) => here(holds(text)),
        Value::Number(number) => here(holds(&number.to_string())),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(number, item)| first(item, holds).map(|inner| format!("/{number}{inner}"))),
        Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            here(holds(name))
                .or_else(|| first(field, holds).map(|inner| format!("/{}{inner}", escaped(name))))
        }),
        Value::Null | Value::Bool(_) => None,
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A name of somebody as it is compared: an e-mail address is the same in capitals.
pub(crate) fn plain(text: &str) -> String {
    let text = text.trim();
    if text.contains('@') { text.to_ascii_lowercase() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_stand_for_their_items_and_what_is_missing_is_told() {
        let check = |params: Value, expected: &[Value], is_missing: bool| {
            let found = at(&params, "input.to.address");
            let values: Vec<Value> = found.values.into_iter().cloned().collect();
            assert_eq!((values.as_slice(), found.is_missing), (expected, is_missing), "{params}");
        };
        check(json!({ "to": { "address": "a" } }), &[json!("a")], false);
        check(json!({ "to": { "address": ["a", "b"] } }), &[json!("a"), json!("b")], false);
        check(json!({ "to": [{ "address": "a" }, { "address": 2 }] }), &[json!("a"), json!(2)], false);
        check(json!({ "to": [{ "address": "a" }, {}] }), &[json!("a")], true);
        check(json!({ "to": { "address": null } }), &[], true);
        check(json!({ "to": "a" }), &[], true);
        check(json!({}), &[], true);
        check(json!({ "to": [] }), &[], false);
    }

    #[test]
    fn places_are_pointers() {
        let params = json!({ "a": [1, { "b/c": "x4711" }], "key4711": {} });
        assert_eq!(first(&params, &|text| text.contains("4711")).as_deref(), Some("/a/1/b~1c"));
        assert_eq!(first(&params, &|text| text == "1").as_deref(), Some("/a/0"));
        assert_eq!(first(&json!({ "x": params }), &|text| text.starts_with("key")).as_deref(), Some("/x"));
        assert_eq!(first(&params, &|text| text == "y"), None);
    }
}
