//! Automations in words: what is wanted, and what a model proposes.

use model::{AutomationId, SpaceId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::DefinitionProblem;

/// An automation in words.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeRequest {
    /// What is wanted, in words.
    #[schema(
        example = "Every weekday at nine, what is still to do in Linear, as one message in Slack",
        max_length = 4000
    )]
    pub words: String,
    /// The definition that is to be changed, for example one that was proposed before. By default, that of `automation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub definition: Option<Value>,
    /// ID of the automation that is to be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub automation: Option<AutomationId>,
    /// ID of the space of a new automation. By default, the first space of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
    /// Provider of language models, by its name. By default, the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "anthropic")]
    pub provider: Option<String>,
    /// Model of the provider. By default, its first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The person's time zone, as an IANA name. By default, that of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "Africa/Kigali")]
    pub time_zone: Option<String>,
}

/// What a model proposes. Nothing is saved.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProposedAutomation {
    /// A definition that can be saved. `null` if nothing is proposed.
    #[schema(value_type = Option<Object>, required = true)]
    pub definition: Option<Value>,
    /// The version that it changes. Absent for a new automation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_version: Option<i32>,
    /// What the model says about it. May be empty.
    pub notes: String,
    /// What the model asks.
    pub questions: Vec<String>,
    /// What was asked for and cannot be done, as the model says.
    pub gaps: Vec<String>,
    /// Why its last definition cannot be saved, if it gave up.
    pub problems: Vec<DefinitionProblem>,
    /// Why the model was not asked, or did not answer. Absent if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// How often the model answered.
    pub turns: u32,
    /// How many definitions it proposed before that cannot be saved.
    pub refused: u32,
    /// Cost in US dollars. `null` if nobody knows the price.
    #[schema(required = true)]
    pub cost_usd: Option<f64>,
}
