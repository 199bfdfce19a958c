//! What model calls need besides other calls: stored prompts and replies, and budgets.

pub(crate) mod budgets;
pub(crate) mod payloads;
