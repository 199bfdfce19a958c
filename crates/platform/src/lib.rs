//! The platform of the process: configuration, clock, randomness, PostgreSQL, Redis, outbound HTTP, encryption,
//! tokens, logs, shutdown.
//!
//! Parts: [`World`] is the clock and the source of randomness; [`db::Database`] opens transactions that are limited
//! to one organization; [`redis::Redis`] responds within milliseconds or counts as unavailable; [`counter::Counter`]
//! counts in this process; [`egress::Egress`] is
//! the only HTTP client; [`objects::Objects`] stores bytes in a directory or a bucket; [`seal::Sealer`] encrypts
//! values at rest; [`redact::Redactor`] removes secrets from what is shown.
//!
//! INVARIANT: time, randomness, the environment, spawning and outbound HTTP are used only through this crate. clippy
//! forbids the originals elsewhere, so that tests can set the clock and seed the randomness.
//! Not here: domain types other than IDs; tables other than `data_keys`.

pub mod config;
pub mod counter;
pub mod db;
pub mod egress;
pub mod fault;
pub mod filter;
pub mod limits;
pub mod objects;
pub mod period;
pub mod redact;
pub mod redis;
pub mod seal;
pub mod shutdown;
pub mod telemetry;
pub mod token;
mod world;

pub use world::{Clock, Dice, World, processor_time};
