//! The tables of this crate, one file each.

pub(crate) mod approvals;
pub(crate) mod grants;
pub(crate) mod rules;
