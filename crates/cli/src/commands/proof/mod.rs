//! Receipts, the log of all receipts, and results too large for a receipt.

pub(super) mod artifacts;
pub(super) mod changes;
pub(super) mod ledger;
mod proposed;
pub(super) mod receipts;
mod verify;
