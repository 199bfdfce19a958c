//! Attacks, each with a control in which its guard is off and the attack succeeds. `abuse/run` counts the results.

mod exfiltration;
mod flooding;
pub(crate) mod forgery;
mod hidden_from_approver;
mod insider;
pub(crate) mod leaks;
pub(crate) mod loops;
pub(crate) mod lying_server;
mod obedient_model;
pub(crate) mod rug_pull;
pub(crate) mod ssrf;
pub(crate) mod stolen_token;
pub(crate) mod swapped_approval;
pub(crate) mod tenancy;
