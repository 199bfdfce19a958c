//! The catalog of actions, from the point of view of a session.

use model::{Drift, EffectClass, Mode, Risk};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The actions that a session can invoke.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CatalogView {
    /// The sources of the actions.
    pub sources: Vec<SourceView>,
    /// The actions, sorted by address.
    pub actions: Vec<ActionView>,
}

/// A source of actions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceView {
    /// Slug of the source.
    pub source: String,
    /// Whether the source has the credential that it needs, or needs none.
    pub connected: bool,
    /// Why the source is unavailable. Absent if it is available.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// An action, with the decision that policy would make for it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ActionView {
    /// Address of the action: `source.action`.
    #[schema(example = "linear.create_issue")]
    pub action: String,
    /// What the action does.
    pub description: String,
    /// Risk level, `R0` to `R4`.
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    /// Whether a repeat is harmless: `read`, `keyed`, `checkable` or `once`.
    #[schema(value_type = String, example = "checkable")]
    pub effect: EffectClass,
    /// What policy would decide now.
    #[schema(value_type = String, example = "require_approval")]
    pub mode: Mode,
    /// Reason for the mode, as a sentence.
    pub reason: String,
    /// How the action differs from the reviewed one: `changed` or `never_reviewed`. Absent if it does not differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "never_reviewed")]
    pub drift: Option<Drift>,
    /// How to undo the action. Absent if it cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// JSON Schema of the parameters.
    #[schema(value_type = Object)]
    pub input_schema: Value,
}
