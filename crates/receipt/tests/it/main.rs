//! What outsiders rely on: vectors that must verify for ever, and logs with everything done to them that must be found.
mod log;
mod made;
mod vectors;
