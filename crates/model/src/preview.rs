//! Previews: what an action would change.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What an action would change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PreviewView)]
pub struct Preview {
    /// A summary in one sentence.
    pub summary: String,
    /// The changed fields, if the action has a before and an after.
    pub changes: Vec<Change>,
    /// What the preview relies on about the target, for example the head commit of a pull request. If it is different when
    /// an approved action is about to be performed, the approval no longer counts and people are asked again.
    #[serde(default)]
    #[schema(required = true)]
    pub basis: Vec<Basis>,
}

/// Something about the target that a person relies on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PreviewBasis)]
pub struct Basis {
    /// What it is, for example `head commit`.
    pub name: String,
    /// Its value when the preview was made.
    #[schema(value_type = Object)]
    pub value: Value,
}

impl Basis {
    pub fn new(name: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

impl Preview {
    /// A preview that only says in a sentence what would happen.
    pub fn of(summary: impl Into<String>) -> Self {
        Self { summary: summary.into(), ..Self::default() }
    }
}

/// The change of one field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PreviewChange)]
pub struct Change {
    /// Name of the field.
    pub field: String,
    /// The current value; `null` if there is none.
    #[schema(value_type = Object)]
    pub before: Value,
    /// The value after the change.
    #[schema(value_type = Object)]
    pub after: Value,
}
