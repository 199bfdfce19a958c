//! Attack 13: automations that start each other without end.

pub(crate) mod innocent;
pub(crate) mod inside;
pub(crate) mod outside;
pub(crate) mod setup;
