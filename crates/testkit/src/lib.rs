//! What tests and trials share: databases of their own, the whole application in one process or as a real one, and
//! stand-ins for outside services.
//!
//! Cast: [`TestDb`] is a migrated database that goes with its owner; [`TestApp`] is the real router over it, with a clock
//! to turn; [`Deployment`] is the real binary in a process of its own, to be killed; `fakes` speak the protocols of the
//! services we integrate; [`Report`] is how a trial says what it found.
//!
//! INVARIANT: nothing of our own is replaced. What stands in for something stands outside.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "this plays the outside: it serves, spawns, calls and prints as outsiders do"
)]

mod app;
mod db;
mod deployment;
pub mod fakes;
mod report;
mod servers;

pub use app::{Answered, TestApp};
pub use db::TestDb;
pub use deployment::{Agent, Deployment, Options};
pub use report::{Finding, Report, Size};
pub use servers::Servers;
