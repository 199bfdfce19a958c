//! Equality of values, and their form for lookups.

use serde_json::{Number, Value};

/// A scalar value in the canonical form for comparison and lookup.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Null,
    Bool(bool),
    /// A whole number, however it was written: `1` and `1.0` are the same.
    Whole(i128),
    /// Any other number, by its bits.
    Fraction(u64),
    Text(String),
}

impl Scalar {
    /// The form of a value; `None` for lists and objects.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self::Null),
            Value::Bool(is) => Some(Self::Bool(*is)),
            Value::Number(number) => Some(of_number(number)),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Array(_) | Value::Object(_) => None,
        }
    }
}

fn of_number(number: &Number) -> Scalar {
    if let Some(whole) = number.as_i64() {
        return Scalar::Whole(whole.into());
    }
    if let Some(whole) = number.as_u64() {
        return Scalar::Whole(whole.into());
    }
    let float = number.as_f64().unwrap_or_default();
    // Below 2^53 every integer is exact as a float; beyond, several integers share one.
    if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and far smaller than the type")]
        return Scalar::Whole(float as i128);
    }
    Scalar::Fraction(float.to_bits())
}

/// Whether two values are equal: numbers by value, not by notation.
pub(crate) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one == other,
        (Value::Number(one), Value::Number(other)) => of_number(one) == of_number(other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}
