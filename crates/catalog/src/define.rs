//! Writing definitions of actions in code: what most have in common is said once.

use model::{ActionAddress, ActionDefinition, EffectClass, Labels, Risk, SourceSlug};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::{Call, SourceError, registry::Error};

/// How long one try of an action may take.
const TIMEOUT_MS: u64 = 30_000;

/// The beginning of a definition.
#[derive(Debug, Clone)]
pub(crate) struct Define {
    action: &'static str,
    description: &'static str,
    risk: Risk,
    effect: EffectClass,
    labels: Labels,
    capability: Option<&'static str>,
    undo: Option<&'static str>,
    verifies: bool,
    previews: bool,
    needs_connection: bool,
}

impl Define {
    /// An action that reads what people in the org, or strangers, have written.
    pub(crate) const fn read(action: &'static str, description: &'static str) -> Self {
        Self {
            action,
            description,
            risk: Risk::R1,
            effect: EffectClass::Read,
            labels: Labels { reads_untrusted: true, reads_private: true, sends_out: false },
            capability: Some("read"),
            undo: None,
            verifies: false,
            previews: false,
            needs_connection: true,
        }
    }

    /// An action that changes something.
    pub(crate) const fn write(action: &'static str, effect: EffectClass, description: &'static str) -> Self {
        let labels = Labels { reads_untrusted: false, reads_private: false, sends_out: false };
        let read = Self::read(action, description);
        Self { risk: Risk::R2, effect, labels, capability: Some("write"), ..read }
    }

    pub(crate) const fn risk(mut self, risk: Risk) -> Self {
        self.risk = risk;
        self
    }

    pub(crate) const fn labels(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// Carries data to somebody outside the org.
    pub(crate) const fn sends_out(mut self) -> Self {
        self.labels.sends_out = true;
        self
    }

    pub(crate) const fn capability(mut self, capability: Option<&'static str>) -> Self {
        self.capability = capability;
        self
    }

    pub(crate) const fn undo(mut self, how: &'static str) -> Self {
        self.undo = Some(how);
        self
    }

    pub(crate) const fn verifies(mut self) -> Self {
        self.verifies = true;
        self
    }

    pub(crate) const fn previews(mut self) -> Self {
        self.previews = true;
        self
    }

    /// Works without a credential.
    pub(crate) const fn native(mut self) -> Self {
        self.needs_connection = false;
        self
    }

    /// Completes the definition with the schema of its parameters.
    pub(crate) fn takes<P: JsonSchema>(self, source: &SourceSlug) -> Result<ActionDefinition, Error> {
        let action = self.action.parse().map_err(Error::Slug)?;
        let capabilities = self.capability.map(|verb| format!("{source}:{verb}"));
        Ok(ActionDefinition {
            address: ActionAddress { source: source.clone(), action },
            description: self.description.to_owned(),
            input_schema: schemars::schema_for!(P).to_value(),
            output_schema: None,
            risk: self.risk,
            effect: self.effect,
            labels: self.labels,
            capabilities: capabilities.into_iter().collect(),
            undo: self.undo.map(str::to_owned),
            verifies: self.verifies,
            previews: self.previews,
            needs_connection: self.needs_connection,
            key_fields: Vec::new(),
            timeout_ms: TIMEOUT_MS,
        })
    }
}

/// The parameters of a call as their type. They have been validated; a mismatch is still refused, not trusted.
pub(crate) fn params<P: DeserializeOwned>(call: &Call) -> Result<P, SourceError> {
    serde_json::from_value(call.params.clone())
        .map_err(|_| SourceError::invalid("the parameters do not fit this action"))
}

/// A call of something this source does not have.
pub(crate) fn unknown(call: &Call) -> SourceError {
    SourceError::invalid(format!("there is no action `{}`", call.action))
}
