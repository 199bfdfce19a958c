//! A place in an event: `type`, `data.file.name`, or a JSON pointer where names have dots.

use serde_json::Value;

/// How deep a place may be.
pub(crate) const DEEPEST: usize = 16;

/// The names that lead to a place.
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
            return Err("a place is written `data.file.name`, or `/data/file.name` where a name has a dot");
        }
        if names.len() > DEEPEST || text.len() > 256 {
            return Err("a place has at most 16 names and 256 characters");
        }
        Ok(Self(names))
    }

    /// What stands there. A name that is a number also leads into a list.
    pub(crate) fn find<'e>(&self, event: &'e Value) -> Option<&'e Value> {
        self.0.iter().try_fold(event, |found, name| match found {
            Value::Object(fields) => fields.get(name),
            Value::Array(items) => items.get(name.parse::<usize>().ok()?),
            _ => None,
        })
    }
}
