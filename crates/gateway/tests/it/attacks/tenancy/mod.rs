//! Attack 8: one org reaches for what belongs to another.

pub(crate) mod automations;
pub(crate) mod routes;
pub(crate) mod rows;
pub(crate) mod setup;
