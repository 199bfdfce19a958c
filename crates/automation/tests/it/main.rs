//! Saved work as strangers write it.

mod abuse_10_definitions;
mod abuse_10_templates;
mod bombs_changes;
mod bombs_definitions;
mod bombs_schemas;
mod bombs_templates;
