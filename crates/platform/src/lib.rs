//! stub
pub mod egress;
