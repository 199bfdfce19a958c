//! Receipts, artifacts and the ledger that proves them.

pub(crate) mod artifacts;
pub(crate) mod changes;
pub(crate) mod ledger;
pub(crate) mod receipts;
