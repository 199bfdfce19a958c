//! Tests of the catalog: every action against a fake that implements the real protocol.

mod attacks;
mod data;
mod fakes;
mod files;
mod github;
mod linear;
mod models;
mod openapi;
mod registry;
mod sentry;
mod slack;
mod support;
