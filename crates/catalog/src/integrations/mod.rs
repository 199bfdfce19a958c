//! Services we speak to in their own protocol. One folder each: parameters, definitions, wire, guide.

pub mod github;
pub mod linear;
pub mod sentry;
pub mod slack;
