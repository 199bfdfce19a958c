//! Rules, grants and the matrix of decisions.

pub(crate) mod grants;
pub(crate) mod matrix;
pub(crate) mod rules;
