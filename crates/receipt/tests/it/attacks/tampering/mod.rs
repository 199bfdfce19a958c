//! Attack 14: receipts and the ledger changed afterwards.

pub(crate) mod ledger;
pub(crate) mod passkeys;
mod post_quantum;
