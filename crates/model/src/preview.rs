//! Previews: what an action would change.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What an action would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PreviewView)]
pub struct Preview {
    /// A summary in one sentence.
    pub summary: String,
    /// The changed fields, if the action has a before and an after.
    pub changes: Vec<Change>,
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
