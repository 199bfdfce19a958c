//! Sources that need nobody else: computing on data, telling people, working on the org's files, several actions as one.

pub mod batch;
pub mod data;
pub mod files;
