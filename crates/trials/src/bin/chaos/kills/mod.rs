//! F1: the gateway, or the worker, is killed in every window of an invocation.

pub(crate) mod findings;
pub(crate) mod gateway;
pub(crate) mod judge;
pub(crate) mod windows;
pub(crate) mod worker;
