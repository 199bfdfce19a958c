//! Programs in the sandbox, and programs that try to leave it.

mod attacks;
mod cage;
mod lives;
