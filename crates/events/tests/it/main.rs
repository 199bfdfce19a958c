//! Tests of events, with a real database and a real Redis.
#![expect(clippy::disallowed_methods, reason = "tests play several processes at once")]

mod attacks;
mod groups;
mod publish;
mod relay;
mod stage;
