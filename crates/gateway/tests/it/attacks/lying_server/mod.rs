//! Attack 4: a server that claims less than it does.

pub(crate) mod annotations;
pub(crate) mod effects;
