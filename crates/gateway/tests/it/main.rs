//! The application through its real router, over a real database, with real protocols on the far side.

mod contract;
mod idempotency;
mod invoke;
mod limits;
mod people;
mod recovery;
mod sealing;
mod serving;
