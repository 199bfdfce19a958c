//! Differences between two versions of the parameters of an invocation.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// How objects with different fields differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// As a whole.
    Whole,
    /// In each field that only one of them has.
    Each,
}

/// The places at which two values differ, as JSON pointers.
pub(super) fn differing(one: &Value, other: &Value, fields: Fields) -> Vec<String> {
    let mut walk = Walk { fields, pointer: String::new(), found: vec![] };
    walk.compare(Some(one), Some(other));
    walk.found
}

/// Whatever their order: a database keeps another one than a sender.
fn have_same_fields(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    one.len() == other.len() && one.keys().all(|name| other.contains_key(name))
}

struct Walk {
    fields: Fields,
    pointer: String,
    found: Vec<String>,
}

impl Walk {
    fn compare(&mut self, one: Option<&Value>, other: Option<&Value>) {
        if one == other {
            return;
        }
        match (one, other) {
            (Some(Value::Object(one)), Some(Value::Object(other)))
                if self.fields == Fields::Each || have_same_fields(one, other) =>
            {
                let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
                for name in names {
                    let step = name.replace('~', "~0").replace('/', "~1");
                    self.within(&step, one.get(name), other.get(name));
                }
            }
            (Some(Value::Array(one)), Some(Value::Array(other))) if one.len() == other.len() => {
                for (index, (one, other)) in one.iter().zip(other).enumerate() {
                    self.within(&index.to_string(), Some(one), Some(other));
                }
            }
            _ => self.found.push(self.pointer.clone()),
        }
    }

    fn within(&mut self, step: &str, one: Option<&Value>, other: Option<&Value>) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(step);
        self.compare(one, other);
        self.pointer.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_difference_has_one_place() {
        let one = json!({ "a": 1, "b": { "c": [1, 2], "x/y~z": "old" }, "gone": true, "list": [1] });
        let other = json!({ "a": 1, "b": { "c": [1, 3], "x/y~z": "new" }, "new": null, "list": [1, 2] });
        let places = differing(&one, &other, Fields::Each);
        assert_eq!(places, ["/b/c/1", "/b/x~1y~0z", "/gone", "/list", "/new"]);
        assert_eq!(differing(&one, &other, Fields::Whole), [""]);
        assert!(differing(&one, &one, Fields::Each).is_empty());
        assert_eq!(differing(&json!(1), &json!({}), Fields::Each), [""]);
        // The order of fields is no difference, and does not hide where one is.
        let (one, other) = (json!({ "a": { "b": 1, "c": 2 } }), json!({ "a": { "c": 3, "b": 1 } }));
        assert_eq!(differing(&one, &other, Fields::Whole), ["/a/c"]);
    }
}
