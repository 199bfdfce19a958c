//! Tests of the application through its real router, over a real database, with real protocols on the other side.

mod activity;
mod approvals;
mod attacks;
mod automations;
mod contract;
mod counts;
mod events;
mod invocations;
mod ledger;
mod matrix;
mod mcp;
mod models;
mod overview;
mod people;
mod policies;
mod public;
mod restored;
mod serving;
mod sources;
mod upgrade;
mod webhooks;
