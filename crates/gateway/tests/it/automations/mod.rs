//! Automations: definitions, triggers, runs, steps of models.

mod agents;
mod authoring;
pub(crate) mod definitions;
mod examples;
pub(crate) mod runs;
pub(crate) mod triggers;
