//! The commands against a gateway that answers what the test says, and receipts against nobody.

mod actions;
mod automations;
mod connectors;
mod events;
mod help;
mod inbox;
mod ledger;
mod lists;
mod receipts;
mod runs;
mod stub;
mod tenancy;
mod webhooks;
