//! Sources that call no service: computing on data, notifying people, working on the organization's files, and several
//! actions as one.

pub(crate) mod batch;
pub(crate) mod data;
pub(crate) mod files;
