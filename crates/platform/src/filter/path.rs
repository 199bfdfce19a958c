//! A path in an event: `type`, `data.file.name`, or a JSON pointer if names contain dots.

use serde_json::Value;

use crate::limits::path::DEEPEST;

/// The names of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Path(pub(crate) Vec<String>);

impl Path {
    /// Reads `a.b.c` or `/a/b/c`.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let names: Vec<String> = match text.strip_prefix('/') {
            Some(pointer) => {
                pointer.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect()
            }
            None => text.split('.').map(ToOwned::to_owned).collect(),
        };
        if names.iter().any(String::is_empty) {
            return Err("a path must be `data.file.name`, or `/data/file.name` if a name contains a dot");
        }
        if names.len() > DEEPEST || text.len() > 256 {
            return Err("a path must have at most 16 names and 256 characters");
        }
        Ok(Self(names))
    }

    /// The value at the path. A numeric name is also an index into a list.
    pub(crate) fn find<'e>(&self, event: &'e Value) -> Option<&'e Value> {
        self.0.iter().try_fold(event, |found, name| match found {
            Value::Object(fields) => fields.get(name),
            Value::Array(items) => items.get(name.parse::<usize>().ok()?),
            _ => None,
        })
    }
}
