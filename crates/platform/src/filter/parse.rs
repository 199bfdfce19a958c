//! Parsing filters. Every problem has a JSON pointer.

use regex::RegexBuilder;
use serde_json::Value;

use super::{Node, Path, Test};

pub use crate::limits::filter::MOST_CONDITIONS;
use crate::limits::filter::{
    DEEPEST, LONGEST_PATTERN, LONGEST_POINTER, LONGEST_TEXT, MOST_COMPLAINTS, MOST_VALUES,
};

const OPERATORS: &str =
    "equals, not_equals, starts_with, ends_with, contains, regex, gt, gte, lt, lte, in, not_in, exists";

/// A problem of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The location as a JSON pointer.
    pub pointer: String,
    /// The problem, and what to write instead.
    pub message: String,
}

pub(super) fn parse(source: &Value) -> Result<Node, Vec<Complaint>> {
    let mut reader = Reader::default();
    let node = reader.filter(source, "", 0);
    if reader.conditions > MOST_CONDITIONS {
        reader.complain("", format!("a filter must have at most {MOST_CONDITIONS} conditions"));
    }
    if reader.complaints.is_empty() { Ok(node) } else { Err(reader.complaints) }
}

#[derive(Default)]
struct Reader {
    complaints: Vec<Complaint>,
    conditions: usize,
}

impl Reader {
    fn complain(&mut self, pointer: &str, message: impl Into<String>) {
        if self.complaints.len() < MOST_COMPLAINTS {
            // The pointer contains names, which may be as long as the filter.
            let pointer = pointer.chars().take(LONGEST_POINTER).collect();
            self.complaints.push(Complaint { pointer, message: message.into() });
        }
    }

    fn filter(&mut self, source: &Value, at: &str, depth: usize) -> Node {
        let Value::Object(fields) = source else {
            self.complain(at, "expected an object such as {\"data.status\": {\"equals\": \"failed\"}}");
            return Node::All(vec![]);
        };
        if depth > DEEPEST {
            self.complain(at, format!("a filter must be nested at most {DEEPEST} levels deep"));
            return Node::All(vec![]);
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(fields.len());
        for (key, value) in fields {
            let here = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            match key.as_str() {
                "$and" => nodes.push(Node::All(self.several(value, &here, depth))),
                "$or" => nodes.push(Node::Any(self.several(value, &here, depth))),
                "$not" => nodes.push(Node::Not(Box::new(self.filter(value, &here, depth + 1)))),
                unknown if unknown.starts_with('$') => {
                    self.complain(&here, "unknown operator; use $and, $or or $not");
                }
                place => match Path::parse(place) {
                    Ok(path) => self.tests(&path, value, &here, &mut nodes),
                    Err(rule) => self.complain(&here, rule),
                },
            }
        }
        one_or_all(nodes)
    }

    fn several(&mut self, source: &Value, at: &str, depth: usize) -> Vec<Node> {
        match source {
            Value::Array(filters) if !filters.is_empty() => {
                let filters = filters.iter().enumerate();
                filters
                    .map(|(number, filter)| self.filter(filter, &format!("{at}/{number}"), depth + 1))
                    .collect()
            }
            _ => {
                self.complain(at, "expected a list of filters, with at least one");
                vec![]
            }
        }
    }

    fn tests(&mut self, path: &Path, source: &Value, at: &str, nodes: &mut Vec<Node>) {
        let Value::Object(operators) = source else {
            self.complain(at, format!("expected an operator: {{\"equals\": {}}}", shortened(source)));
            return;
        };
        if operators.is_empty() {
            self.complain(at, format!("expected an operator, one of {OPERATORS}"));
        }
        for (operator, value) in operators {
            self.conditions += 1;
            let here = format!("{at}/{operator}");
            match test(operator, value) {
                Ok((test, negated)) => {
                    let node = Node::Test(path.clone(), test);
                    nodes.push(if negated { Node::Not(Box::new(node)) } else { node });
                }
                Err(message) => self.complain(&here, message),
            }
        }
    }
}

fn one_or_all(mut nodes: Vec<Node>) -> Node {
    match nodes.pop() {
        Some(node) if nodes.is_empty() => node,
        Some(node) => {
            nodes.push(node);
            Node::All(nodes)
        }
        None => Node::All(nodes),
    }
}

/// An operator with its value, and whether it is negated.
fn test(operator: &str, value: &Value) -> Result<(Test, bool), String> {
    let plain = |test: Test| Ok((test, false));
    match operator {
        "equals" => plain(Test::Equals(bounded(value)?)),
        "not_equals" => Ok((Test::Equals(bounded(value)?), true)),
        "starts_with" => plain(Test::StartsWith(text(value)?)),
        "ends_with" => plain(Test::EndsWith(text(value)?)),
        "contains" => plain(Test::Contains(bounded(value)?)),
        "regex" => pattern(value).map(|test| (test, false)),
        "gt" => plain(Test::Gt(number(value)?)),
        "gte" => plain(Test::Gte(number(value)?)),
        "lt" => plain(Test::Lt(number(value)?)),
        "lte" => plain(Test::Lte(number(value)?)),
        "in" => plain(Test::In(values(value)?)),
        "not_in" => Ok((Test::In(values(value)?), true)),
        "exists" => value
            .as_bool()
            .map(|is| (Test::Exists(is), false))
            .ok_or_else(|| "expected true or false".to_owned()),
        _ => Err(format!("unknown operator; use one of {OPERATORS}")),
    }
}

fn text(value: &Value) -> Result<String, String> {
    let text = value.as_str().filter(|text| !text.is_empty() && text.len() <= LONGEST_TEXT);
    text.map(ToOwned::to_owned).ok_or_else(|| format!("expected a text of 1 to {LONGEST_TEXT} bytes"))
}

fn number(value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| "expected a number".to_owned())
}

fn bounded(value: &Value) -> Result<Value, String> {
    if value.to_string().len() > LONGEST_TEXT {
        return Err(format!("a value must have at most {LONGEST_TEXT} bytes"));
    }
    Ok(value.clone())
}

fn values(value: &Value) -> Result<Vec<Value>, String> {
    match value.as_array().filter(|values| (1..=MOST_VALUES).contains(&values.len())) {
        Some(values) => values.iter().map(bounded).collect(),
        None => Err(format!("expected a list of 1 to {MOST_VALUES} values")),
    }
}

fn pattern(value: &Value) -> Result<Test, String> {
    let source = value.as_str().filter(|source| source.len() <= LONGEST_PATTERN);
    let source = source.ok_or_else(|| format!("expected a pattern of at most {LONGEST_PATTERN} bytes"))?;
    let built = RegexBuilder::new(source).size_limit(1 << 18).dfa_size_limit(1 << 18).build();
    built
        .map(Test::Regex)
        .map_err(|_| "the pattern is invalid, too large, or uses look-around or back references".to_owned())
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= 40 { text } else { "…".to_owned() }
}
