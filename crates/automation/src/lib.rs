//! Do it by itself: saved work, described by a definition that is the program.
//!
//! Cast: a [`Definition`] says what is done, when, and within which bounds; [`check`] says everything that is wrong with one,
//! each with its place and a suggestion; a [`Schedule`] says when the clock starts it.
//!
//! INVARIANT: what [`check`] lets pass can be read as a [`Definition`], and every template in it names only what is there at
//! its place.
//! Pure so far: no clock, no I/O. Whoever asks gives the moment.
//! Not here: whether a step may be done (`policy`, by the invocation that each step is).

mod definition;
mod schedule;

pub use definition::{
    Backoff, Concurrency, Definition, Execution, Inputs, Known, Metadata, Problem, Step, StepBounds, Trigger,
    check, schema,
};
pub use schedule::{Missed, Schedule, ScheduleError};
