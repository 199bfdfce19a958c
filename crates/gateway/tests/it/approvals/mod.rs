//! Questions to people, and their answers.

pub(crate) mod answers;
pub(crate) mod notifiers;
pub(crate) mod passkeys;
pub(crate) mod slack;
