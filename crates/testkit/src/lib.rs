//! What tests and trials share: databases of their own, the whole application in one process or as a real one, and
//! stand-ins for outside services.
//!
//! Cast: [`TestDb`] is a migrated database that goes with its owner; [`TestApp`] is the real router over it, with a clock
//! to turn; [`Deployment`] is the real binary in processes of its own, to be killed, with an [`Engine`], a [`Postgres`]
//! and a [`RedisServer`] of its own where those are to be killed as well; [`Relay`] cuts connections to PostgreSQL at a chosen moment; [`Person`] answers what waits; `fakes` speak the protocols of the
//! services we integrate; [`Report`] is how a trial says what it found.
//!
//! INVARIANT: nothing of our own is replaced. What stands in for something stands outside.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "this plays the outside: it serves, spawns, calls and prints as outsiders do"
)]

mod app;
mod attack;
mod cage;
mod db;
mod deployment;
mod dice;
mod engine;
pub mod fakes;
mod inside;
mod passkey;
mod person;
mod postgres;
mod program;
mod redis;
mod relay;
mod report;
mod servers;

pub use app::{Answered, TestApp};
pub use attack::{places, tried};
pub use cage::{Trial, caged, try_each};
pub use db::TestDb;
pub use deployment::{Agent, Deployment, Gateway, Options, Worker, http_client};
pub use dice::Dice;
pub use engine::Engine;
pub use inside::{Door, INSIDE, LOOPBACK};
pub use passkey::Passkey;
pub use person::{Person, Waiting};
pub use postgres::Postgres;
pub use program::{Program, ROWS, free_port};
pub use redis::{RedisServer, connect_redis};
pub use relay::{Lost, Relay};
pub use report::{Finding, Report, Size};
pub use servers::Servers;
