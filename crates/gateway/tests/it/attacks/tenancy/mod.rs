//! Attack 8: one organization tries to reach the data of another.

pub(crate) mod automations;
pub(crate) mod models;
pub(crate) mod policies;
pub(crate) mod routes;
pub(crate) mod rows;
pub(crate) mod setup;
