//! What needs a program of this crate as a process of its own.

mod stdio;
