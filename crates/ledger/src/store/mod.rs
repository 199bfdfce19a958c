//! SQL over the tables of this crate.

pub(crate) mod artifacts;
pub(crate) mod keys;
pub(crate) mod log;
pub(crate) mod receipts;
