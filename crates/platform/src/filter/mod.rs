//! Filters: structured conditions on an event or on the parameters of an action, without an expression language.
//!
//! Parts: a [`Filter`] is parsed from JSON with precise errors and evaluated for one event at a time; an [`Index`]
//! holds many filters and finds the matching ones without evaluating each.
//!
//! INVARIANT: the index and [`Filter::matches`] agree on every event, as a property test checks.
//! INVARIANT: a filter is bounded in size, depth and alternatives, and its patterns run in linear time.
//! Pure: no clock, no I/O.

mod index;
mod parse;
mod path;
mod schema;
mod value;
mod words;

use regex::Regex;
use serde_json::Value;

pub use index::Index;
pub use parse::{Complaint, MOST_CONDITIONS};
use path::Path;
pub use schema::schema;
use value::Scalar;

/// A condition on an event.
#[derive(Debug, Clone)]
pub struct Filter {
    node: Node,
}

#[derive(Debug, Clone)]
pub(crate) enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Test(Path, Test),
}

/// A condition on one path of an event.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    Equals(Value),
    StartsWith(String),
    EndsWith(String),
    Contains(Value),
    Regex(Regex),
    Gt(f64),
    Gte(f64),
    Lt(f64),
    Lte(f64),
    In(Vec<Value>),
    Exists(bool),
}

impl Filter {
    /// Parses a filter, or returns all its problems, each with a JSON pointer.
    pub fn parse(source: &Value) -> Result<Self, Vec<Complaint>> {
        parse::parse(source).map(|node| Self { node })
    }

    /// The conditions in words, for people.
    pub fn words(&self) -> String {
        self.node.words()
    }

    /// Whether a value matches: an event as CloudEvents JSON, or the parameters of an action.
    pub fn matches(&self, event: &Value) -> bool {
        self.node.holds(event)
    }
}

impl Node {
    fn holds(&self, event: &Value) -> bool {
        match self {
            Self::All(nodes) => nodes.iter().all(|node| node.holds(event)),
            Self::Any(nodes) => nodes.iter().any(|node| node.holds(event)),
            Self::Not(node) => !node.holds(event),
            Self::Test(path, test) => test.holds(path.find(event)),
        }
    }
}

impl Test {
    /// Whether the value at a path passes. A missing value passes only `exists: false`.
    fn holds(&self, found: Option<&Value>) -> bool {
        if let Self::Exists(wanted) = self {
            return found.is_some() == *wanted;
        }
        let Some(found) = found else { return false };
        match self {
            Self::Equals(wanted) => value::equal(found, wanted),
            Self::In(wanted) => wanted.iter().any(|wanted| value::equal(found, wanted)),
            Self::StartsWith(start) => found.as_str().is_some_and(|text| text.starts_with(start.as_str())),
            Self::EndsWith(end) => found.as_str().is_some_and(|text| text.ends_with(end.as_str())),
            Self::Contains(wanted) => match found {
                Value::String(text) => wanted.as_str().is_some_and(|part| text.contains(part)),
                Value::Array(items) => items.iter().any(|item| value::equal(item, wanted)),
                _ => false,
            },
            Self::Regex(pattern) => found.as_str().is_some_and(|text| pattern.is_match(text)),
            Self::Gt(bound) => found.as_f64().is_some_and(|number| number > *bound),
            Self::Gte(bound) => found.as_f64().is_some_and(|number| number >= *bound),
            Self::Lt(bound) => found.as_f64().is_some_and(|number| number < *bound),
            Self::Lte(bound) => found.as_f64().is_some_and(|number| number <= *bound),
            Self::Exists(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
