//! The log of receipts, on a real database.

mod log;
mod mirrors;
mod proofs;
mod stage;
