//! Tests of the whole product: dependencies between crates, the form of the source files, and running it with one
//! command.

mod dev;
mod edges;
mod eval;
mod examples;
mod idle;
mod master_key;
mod operating;
mod recorded;
mod sandboxed;
mod tidy;
mod webhooks;
