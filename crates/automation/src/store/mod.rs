//! Rows of `automations`, `automation_versions`, `triggers`, `runs`, `run_steps` and `run_traces`.

pub(crate) mod agents;
pub(crate) mod automations;
pub(crate) mod runs;
pub(crate) mod steps;
pub(crate) mod sweeps;
pub(crate) mod traces;
pub(crate) mod triggers;
