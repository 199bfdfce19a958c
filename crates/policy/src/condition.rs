//! Conditions: what the parameters of a request must be for a rule or a grant to apply.

use model::Digest;
use platform::filter::Filter;
use serde_json::Value;

use crate::{Asked, Error};

/// The longest condition, in bytes of JSON.
const LONGEST: usize = 8 << 10;

/// A condition on the parameters of one action, in the filter grammar.
#[derive(Debug, Clone)]
pub struct Condition {
    filter: Filter,
    source: Value,
    /// The source as text. Fields are in the order of their names, so equal conditions have equal texts.
    text: String,
}

/// Whether a rule or a grant that is bound to a condition and a step applies to what is asked.
pub(crate) fn applies(condition: Option<&Condition>, step: Option<Digest>, asked: &Asked<'_>) -> bool {
    condition.is_none_or(|condition| condition.holds(asked.params))
        && step.is_none_or(|step| Some(step) == asked.step)
}

/// ` where channel is "C0123"`, or nothing.
pub(crate) fn suffix(condition: Option<&Condition>) -> String {
    condition.map(|condition| format!(" where {}", condition.words())).unwrap_or_default()
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Condition {}

impl Condition {
    /// Parses a condition such as `{"channel": {"equals": "C0123"}}`.
    pub fn parse(source: &Value) -> Result<Self, Error> {
        let wrong = |message: String| Err(Error::Condition(message));
        let text = source.to_string();
        if text.len() > LONGEST {
            return wrong(format!("a condition must have at most {LONGEST} bytes"));
        }
        if source.as_object().is_some_and(serde_json::Map::is_empty) {
            return wrong("a condition must name at least one parameter".to_owned());
        }
        match Filter::parse(source) {
            Ok(filter) => Ok(Self { filter, source: source.clone(), text }),
            Err(complaints) => {
                let told = complaints.iter().map(|found| format!("{}: {}", found.pointer, found.message));
                wrong(told.collect::<Vec<_>>().join("; "))
            }
        }
    }

    /// Reads the stored text.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        Self::parse(&serde_json::from_str(text).ok()?).ok()
    }

    /// The text that is stored.
    pub(crate) fn as_text(&self) -> &str {
        &self.text
    }

    /// The condition as it was written.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// Whether it holds for these parameters. Without parameters it does not.
    pub fn holds(&self, params: Option<&Value>) -> bool {
        params.is_some_and(|params| self.filter.matches(params))
    }

    /// The condition in words: `channel is "C0123" and amount is at most 100`.
    pub fn words(&self) -> String {
        self.filter.words()
    }
}
