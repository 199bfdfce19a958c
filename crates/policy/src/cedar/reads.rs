//! What a policy reads, found in its text: which facts must be computed for it, and whether it depends on the parameters.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What a policy reads of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    pub input: bool,
    pub text: bool,
    pub domains: bool,
    pub now: bool,
    pub asked: bool,
    /// Attributes of the session: its agent, who opened it.
    pub principal: bool,
    /// The facts, by name.
    pub facts: BTreeSet<String>,
    /// The numbers that facts are compared with, for people.
    pub limits: BTreeMap<String, i64>,
}

impl Reads {
    /// Of the conditions of a policy, in Cedar's JSON form. The inner text says what is wrong.
    pub(super) fn of(policy: &Value) -> Result<Self, String> {
        let mut reads = Self::default();
        reads.walk(policy.get("conditions").unwrap_or(&Value::Null))?;
        Ok(reads)
    }

    /// Whether the answer depends on more than the action and who asks.
    pub fn needs_params(&self) -> bool {
        self.input || self.text || self.domains || !self.facts.is_empty()
    }

    /// The names, for people.
    pub fn names(&self) -> Vec<&'static str> {
        let all = [
            (self.input, "input"),
            (self.text, "text"),
            (self.domains, "domains"),
            (self.now, "now"),
            (self.asked, "asked"),
            (self.principal, "principal"),
            (!self.facts.is_empty(), "history"),
        ];
        all.into_iter().filter_map(|(reads, name)| reads.then_some(name)).collect()
    }

    fn walk(&mut self, value: &Value) -> Result<(), String> {
        if let Some(path) = path(value) {
            return self.read(&path);
        }
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.walk(item)),
            Value::Object(fields) => {
                match fields.get("Var").and_then(Value::as_str) {
                    Some("context") => {
                        let message =
                            "`context` must be followed by one of its fields, such as `context.input`";
                        return Err(message.to_owned());
                    }
                    Some("principal") => self.principal = true,
                    _ => {}
                }
                self.compare(fields);
                fields.values().try_for_each(|field| self.walk(field))
            }
            _ => Ok(()),
        }
    }

    fn read(&mut self, path: &[&str]) -> Result<(), String> {
        match path {
            ["input", ..] => self.input = true,
            ["text", ..] => self.text = true,
            ["domains", ..] => self.domains = true,
            ["now", ..] => self.now = true,
            ["asked", ..] => self.asked = true,
            ["history", fact, ..] => {
                self.facts.insert((*fact).to_owned());
            }
            ["history"] => {
                return Err("`context.history` must be followed by the name of a fact".to_owned());
            }
            // Validation tells what the fields are.
            _ => {}
        }
        Ok(())
    }

    /// Notes `history.spent + … > 500000`.
    fn compare(&mut self, fields: &serde_json::Map<String, Value>) {
        for word in [">", ">=", "<", "<="] {
            let Some(sides) = fields.get(word) else { continue };
            let side = |name: &str| sides.get(name).unwrap_or(&Value::Null);
            for (facts, bound) in [("left", "right"), ("right", "left")] {
                let Some(bound) = side(bound).get("Value").and_then(Value::as_i64) else { continue };
                let mut named = BTreeSet::new();
                facts_in(side(facts), &mut named);
                if named.len() == 1 {
                    self.limits.extend(named.into_iter().map(|fact| (fact.to_owned(), bound)));
                }
            }
        }
    }
}

/// The facts that an expression reads. It is walked once for each comparison around it, of which brackets allow a few.
fn facts_in<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match (path(value).as_deref(), value) {
        (Some(["history", fact, ..]), _) => {
            found.insert(fact);
        }
        (Some(_), _) => {}
        (None, Value::Array(items)) => items.iter().for_each(|item| facts_in(item, found)),
        (None, Value::Object(fields)) => fields.values().for_each(|field| facts_in(field, found)),
        (None, _) => {}
    }
}

/// `["history", "spent"]` of `context.history.spent` or `context.history has spent`.
fn path(value: &Value) -> Option<Vec<&str>> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    let access = fields.get(".").or_else(|| fields.get("has"))?;
    let name = access.get("attr").and_then(Value::as_str)?;
    let left = access.get("left")?;
    if left.get("Var").and_then(Value::as_str) == Some("context") {
        return Some(vec![name]);
    }
    let mut found = path(left)?;
    found.push(name);
    Some(found)
}
