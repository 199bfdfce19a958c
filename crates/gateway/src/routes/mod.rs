//! Handlers, one file per resource. Each translates, calls, and translates back.

pub(crate) mod actions;
pub(crate) mod activity;
pub(crate) mod approvals;
pub(crate) mod artifacts;
pub(crate) mod automations;
pub(crate) mod connectors;
pub(crate) mod events;
pub(crate) mod grants;
pub(crate) mod groups;
pub(crate) mod ledger;
pub(crate) mod matrix;
pub(crate) mod notifiers;
pub(crate) mod oauth;
pub(crate) mod operations;
pub(crate) mod overview;
pub(crate) mod passkeys;
pub(crate) mod people;
pub(crate) mod receipts;
pub(crate) mod rules;
pub(crate) mod runs;
pub(crate) mod sessions;
pub(crate) mod signin;
pub(crate) mod sources;
pub(crate) mod vault;
pub(crate) mod webhooks;
