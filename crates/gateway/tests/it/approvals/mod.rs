//! Approvals and how people are notified.

pub(crate) mod answers;
mod conditions;
mod edits;
pub(crate) mod notifiers;
pub(crate) mod passkeys;
mod shown;
pub(crate) mod slack;
