//! Tests of the catalog: every action against a stand-in that speaks the real protocol.

mod abuse_10_schemas;
mod abuse_7_ssrf;
mod data;
mod fakes;
mod files;
mod github;
mod linear;
mod openapi;
mod registry;
mod sentry;
mod slack;
mod support;
