//! Rules, grants and the matrix of decisions.

pub(crate) mod conduct;
pub(crate) mod flow;
pub(crate) mod gates;
pub(crate) mod grants;
pub(crate) mod matrix;
pub(crate) mod policies;
pub(crate) mod proposed;
pub(crate) mod rules;
mod view;
