//! What must hold of the whole: which crate may know which, how the files look, and that it runs with one command.

mod dev;
mod edges;
mod examples;
mod idle;
mod tidy;
mod webhooks;
