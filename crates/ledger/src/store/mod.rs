//! Rows.

pub(crate) mod artifacts;
pub(crate) mod keys;
pub(crate) mod log;
pub(crate) mod receipts;
