//! The inputs of these attacks.

pub(crate) mod changes;
pub(crate) mod definitions;
pub(crate) mod schemas;
pub(crate) mod templates;
