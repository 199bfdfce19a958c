//! Approvals and how people are notified.

pub(crate) mod answers;
mod conditions;
mod edits;
pub(crate) mod notifiers;
mod pace;
pub(crate) mod passkeys;
mod quarantine;
mod shown;
pub(crate) mod slack;
pub(crate) mod stop;
