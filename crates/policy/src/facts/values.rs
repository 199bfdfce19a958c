//! The values of facts for one request.

use std::collections::BTreeMap;

/// The value of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactValue {
    Number(i64),
    Truth(bool),
}

impl FactValue {
    /// As a number: 0 and 1 for no and yes.
    pub fn as_number(self) -> i64 {
        match self {
            Self::Number(number) => number,
            Self::Truth(truth) => i64::from(truth),
        }
    }

    pub(crate) const fn as_truth(self) -> Option<bool> {
        match self {
            Self::Truth(truth) => Some(truth),
            Self::Number(_) => None,
        }
    }
}

/// The values of facts, by name. A fact whose value could not be computed is absent, and policies that read it hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactValues(BTreeMap<String, FactValue>);

impl FactValues {
    pub const EMPTY: &'static Self = &Self(BTreeMap::new());

    pub fn get(&self, name: &str) -> Option<FactValue> {
        self.0.get(name).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, FactValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Adds to a number, or makes an answer a yes.
    pub fn add(&mut self, name: &str, amount: i64) {
        if let Some(value) = self.0.get_mut(name) {
            *value = match *value {
                FactValue::Number(number) => FactValue::Number(number.saturating_add(amount)),
                FactValue::Truth(_) => FactValue::Truth(true),
            };
        }
    }
}

impl FromIterator<(String, FactValue)> for FactValues {
    fn from_iter<T: IntoIterator<Item = (String, FactValue)>>(values: T) -> Self {
        Self(values.into_iter().collect())
    }
}
