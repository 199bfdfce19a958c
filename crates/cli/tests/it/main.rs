//! The commands against a gateway that answers as the test says, and offline verification of receipts.

mod actions;
mod automations;
mod connectors;
mod events;
mod gates;
mod help;
mod inbox;
mod ledger;
mod lists;
mod policies;
mod policy_folders;
mod receipts;
mod runs;
mod stub;
mod tenancy;
mod webhooks;
