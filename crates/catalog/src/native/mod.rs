//! Sources that need nobody else: computing on data, telling people, working on the org's files, several actions as one.

pub(crate) mod batch;
pub(crate) mod data;
pub(crate) mod files;
