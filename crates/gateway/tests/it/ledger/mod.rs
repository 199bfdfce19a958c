//! Receipts and the ledger.

pub(crate) mod artifacts;
pub(crate) mod changes;
pub(crate) mod receipts;
pub(crate) mod retention;
pub(crate) mod rotation;
pub(crate) mod sealing;
