//! Automations: definitions, triggers, runs.

pub(crate) mod definitions;
pub(crate) mod runs;
pub(crate) mod triggers;
