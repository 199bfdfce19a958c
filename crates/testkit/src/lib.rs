//! Helpers shared by tests and trials: databases per test, the whole application in one process or as real processes,
//! and fakes of outside services.
//!
//! - [`TestDb`]: a migrated database, dropped with its value.
//! - [`TestApp`]: the real router over such a database, with a clock that a test sets.
//! - [`Deployment`]: the real binary in processes of its own, which a trial kills.
//! - [`Engine`], [`Postgres`], [`RedisServer`]: servers of its own, for trials that kill those as well.
//! - [`Relay`]: cuts connections to PostgreSQL at a chosen moment, and counts.
//! - [`Counters`]: servers of its own that count every message, to measure what a piece of work costs.
//! - [`Person`]: approves and denies.
//! - [`Terminal`]: runs client commands as a person would.
//! - [`fakes`]: implement the protocols of the services we integrate.
//! - [`Report`]: the findings of a trial.
//!
//! INVARIANT: no code of the product is replaced. A fake is always an outside service.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "this plays the outside: it serves, spawns, calls and prints as outsiders do"
)]

mod app;
mod attack;
mod cage;
mod counters;
mod db;
mod deployment;
mod dice;
mod engine;
pub mod fakes;
mod identity;
mod inside;
mod passkey;
mod person;
mod postgres;
mod program;
mod redis;
mod relay;
mod report;
mod servers;
mod terminal;

pub use app::{Answered, Dump, TestApp, recorder};
pub use attack::{places, tried};
pub use cage::{Trial, caged, try_each};
pub use counters::{Counters, Counts};
pub use db::TestDb;
pub use deployment::{
    Agent, Deployment, Gateway, MANY_PENDING, Opened, Options, Worker, http_client, master_key,
};
pub use dice::Dice;
pub use engine::Engine;
pub use identity::IdentityKey;
pub use inside::{Door, INSIDE, LOOPBACK};
pub use passkey::Passkey;
pub use person::{Person, Waiting, shown_digest};
pub use postgres::Postgres;
pub use program::{Program, ROWS, free_port};
pub use redis::{RedisServer, connect_redis};
pub use relay::{Lost, Relay};
pub use report::{Finding, Report, Size};
pub use servers::Servers;
pub use terminal::{Ran, Terminal};
