//! Attack 10: definitions and templates that cost too much.

pub(crate) mod definitions;
pub(crate) mod inputs;
pub(crate) mod templates;
