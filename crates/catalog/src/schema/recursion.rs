//! Detects schemas that refer to themselves through alternatives. Collecting the errors of a value with such a schema
//! takes exponential time in the depth of the value.

use std::collections::HashSet;

use serde_json::Value;

/// Whether following the references from some definition leads back to it through `anyOf` or `oneOf`.
pub(super) fn is_recursive_through_alternatives(root: &Value) -> bool {
    let mut targets = Vec::new();
    collect_refs(root, false, &mut targets);
    let mut seen = HashSet::new();
    // Many places may refer to the same target.
    let starts: HashSet<String> = targets.into_iter().map(|(target, _)| target).collect();
    starts.iter().any(|start| {
        seen.clear();
        reaches(root, start, start, false, &mut seen)
    })
}

fn reaches(
    root: &Value,
    from: &str,
    goal: &str,
    alternative: bool,
    seen: &mut HashSet<(String, bool)>,
) -> bool {
    if !seen.insert((from.to_owned(), alternative)) {
        return false;
    }
    let Some(schema) = target(root, from) else { return false };
    let mut next = Vec::new();
    collect_refs(schema, alternative, &mut next);
    next.into_iter()
        .any(|(target, through)| (through && target == goal) || reaches(root, &target, goal, through, seen))
}

fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}

fn collect_refs(value: &Value, alternative: bool, found: &mut Vec<(String, bool)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_refs(item, alternative, found)),
        Value::Object(fields) => fields.iter().for_each(|(keyword, field)| match (keyword.as_str(), field) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(target)) => {
                found.push((target.clone(), alternative));
            }
            ("anyOf" | "oneOf", field) => collect_refs(field, true, found),
            (_, field) => collect_refs(field, alternative, found),
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_way_back_through_alternatives_is_found() {
        let twice = json!({ "$defs": {
            "n": { "anyOf": [{ "items": { "$ref": "#/$defs/n" } }, { "items": { "$ref": "#/$defs/n" } }] } },
            "properties": { "a": { "$ref": "#/$defs/n" } } });
        let detour = json!({ "$defs": {
            "a": { "properties": { "b": { "$ref": "#/$defs/b" } } },
            "b": { "oneOf": [{ "$ref": "#/$defs/a" }, { "type": "null" }] } },
            "properties": { "a": { "$ref": "#/$defs/a" } } });
        let whole = json!({ "anyOf": [{ "items": { "$ref": "#" } }, { "type": "null" }] });
        for schema in [twice, detour, whole] {
            assert!(is_recursive_through_alternatives(&schema), "{schema}");
        }
        let tree = json!({ "$defs": { "x": { "properties": { "child": { "$ref": "#/$defs/x" } } } },
            "properties": { "a": { "anyOf": [{ "$ref": "#/$defs/x" }, { "type": "null" }] } } });
        assert!(!is_recursive_through_alternatives(&tree));
    }
}
