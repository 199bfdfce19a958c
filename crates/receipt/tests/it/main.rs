//! What outsiders rely on: vectors that must verify for ever, and logs with everything done to them that must be found.

mod attacks;
mod log;
mod made;
mod vectors;
