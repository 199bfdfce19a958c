//! Tests of the platform through its public face.

mod egress;
mod target;
