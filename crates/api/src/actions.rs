//! The catalog, as a session sees it.

use model::{Drift, EffectClass, Mode, Risk};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Everything a session could ask for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CatalogView {
    /// The sources, with whether they can be used now.
    pub sources: Vec<SourceView>,
    /// The actions, sorted by address.
    pub actions: Vec<ActionView>,
}

/// An origin of actions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceView {
    /// Its slug.
    pub source: String,
    /// Whether it needs a credential and the org has given one.
    pub connected: bool,
    /// What stands in the way, in words; absent when nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// One action, with what would be decided about it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ActionView {
    /// `source.action`.
    #[schema(example = "linear.create_issue")]
    pub action: String,
    /// What it does.
    pub description: String,
    /// How much can go wrong.
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    /// Whether a repeat is harmless.
    #[schema(value_type = String, example = "checkable")]
    pub effect: EffectClass,
    /// What would be decided now.
    #[schema(value_type = String, example = "require_approval")]
    pub mode: Mode,
    /// Why, in words.
    pub reason: String,
    /// Whether it is what a person reviewed: absent if so, else `changed` or `never_reviewed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "never_reviewed")]
    pub drift: Option<Drift>,
    /// How it is undone, in words; absent where it cannot be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// JSON Schema of the parameters.
    #[schema(value_type = Object)]
    pub input_schema: Value,
}
