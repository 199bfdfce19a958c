//! The endpoint for clients of the Model Context Protocol.

pub(crate) mod calls;
pub(crate) mod tasks;
