//! The process: configuration, time and dice, PostgreSQL, Redis, outbound HTTP, sealing, tokens, logs, shutdown.
//!
//! Cast: [`World`] is the clock and the dice; [`db::Database`] hands out transactions that are fenced to one org;
//! [`redis::Redis`] answers within milliseconds or not at all; [`egress::Egress`] is the only way out;
//! [`objects::Objects`] keeps bytes in a directory or a bucket; [`seal::Sealer`] keeps what must not be read at rest;
//! [`redact::Redactor`] takes secrets out of what is shown.
//!
//! INVARIANT: time, randomness, the environment, spawning and outbound HTTP are reached through this crate only;
//! clippy bans the originals elsewhere, so tests can turn the clock and seed the dice.
//! Not here: any word of the domain beyond ids; any table but `data_keys`.

pub mod config;
pub mod db;
pub mod egress;
pub mod fault;
pub mod objects;
pub mod period;
pub mod redact;
pub mod redis;
pub mod seal;
pub mod shutdown;
pub mod telemetry;
pub mod token;
mod world;

pub use world::{Clock, Dice, World};
