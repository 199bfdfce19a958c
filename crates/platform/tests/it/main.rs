//! Tests of the platform through its public interface.

mod egress;
mod target;
