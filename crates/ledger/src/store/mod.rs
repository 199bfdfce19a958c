//! Rows.

pub(crate) mod keys;
pub(crate) mod log;
pub(crate) mod receipts;
