//! Sources that need nobody else: computing on data, telling people, working on the org's files.

pub mod data;
pub mod files;
mod template;
