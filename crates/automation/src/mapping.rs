//! Finds the inputs of a run in a payload: JSONPath (RFC 9535) without the parts that could take long. Pure.

use serde_json::{Map, Value};
use serde_json_path::JsonPath;

use crate::limits::definition::LONGEST;

/// Parses a path. Recursive descent and filters are not supported: on a large payload their time grows faster than its
/// size.
pub(crate) fn path(text: &str) -> Result<JsonPath, String> {
    if text.len() > LONGEST {
        return Err(format!("a path must have at most {LONGEST} characters"));
    }
    if text.contains("..") || text.contains('?') {
        return Err(
            "a path must name places, such as `$.data.file.id` or `$.items[*].name`; `..` and `?` are not supported"
                .to_owned(),
        );
    }
    if text.matches('*').count() > 2 {
        return Err("a path must have at most two `*`".to_owned());
    }
    JsonPath::parse(text)
        .map_err(|_| "must be a JSONPath that begins with `$`, such as `$.data.file`".to_owned())
}

/// The inputs that the mapping finds in a payload. An input that is not found is left out, so that its default applies.
pub(crate) fn apply(mapping: &Map<String, Value>, payload: &Value) -> Map<String, Value> {
    let mut inputs = Map::new();
    for (name, text) in mapping {
        let text = text.as_str().unwrap_or_default();
        let Ok(path) = path(text) else { continue };
        let mut found = path.query(payload).all();
        // A path that can match several places gives a list, however many it matches.
        let several = text.contains('*') || text.contains(':') || text.contains(',');
        let value = match (several, found.len()) {
            (false, 0) => continue,
            (false, _) => found.swap_remove(0).clone(),
            (true, _) => found.into_iter().cloned().collect(),
        };
        inputs.insert(name.clone(), value);
    }
    inputs
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{apply, path};

    #[test]
    fn inputs_are_taken_from_where_the_mapping_says() {
        let payload = json!({ "a": { "b c": [1, 2, { "d": "x" }] }, "n": null });
        let mapping = json!({
            "one": "$.a['b c'][0]", "deep": "$.a['b c'][2].d", "all": "$.a['b c'][*]", "none": "$.nothing",
            "null": "$.n", "whole": "$", "nobody": "$.nothing[*]", "slice": "$.a['b c'][0:2]",
        });
        let found = apply(mapping.as_object().unwrap(), &payload);
        assert_eq!(
            serde_json::Value::from(found),
            json!({
                "one": 1, "deep": "x", "all": [1, 2, { "d": "x" }], "null": null, "whole": payload, "nobody": [],
                "slice": [1, 2],
            })
        );
    }

    #[test]
    fn paths_that_search_or_filter_are_refused() {
        for bad in ["$..a", "$[?@.a]", "a.b", "", "$.[", "$.a[*][*][*]", &format!("$.{}", "a".repeat(300))] {
            assert!(path(bad).is_err(), "{bad}");
        }
    }
}
