//! Automations: definitions, triggers, runs.

mod agents;
pub(crate) mod definitions;
pub(crate) mod runs;
pub(crate) mod triggers;
