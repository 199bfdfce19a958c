//! HTTP handlers, one file per resource. Each translates the request, calls a crate, and translates the result.

pub(crate) mod actions;
pub(crate) mod activity;
pub(crate) mod agents;
pub(crate) mod approvals;
pub(crate) mod automations;
pub(crate) mod connectors;
pub(crate) mod events;
pub(crate) mod groups;
pub(crate) mod identity;
pub(crate) mod models;
pub(crate) mod notifiers;
pub(crate) mod oauth;
pub(crate) mod operations;
pub(crate) mod overview;
pub(crate) mod policy;
pub(crate) mod proof;
pub(crate) mod runs;
pub(crate) mod sources;
pub(crate) mod vault;
pub(crate) mod waiting;
pub(crate) mod webhooks;
