//! Invocations: execution, idempotency, limits and recovery.

pub(crate) mod abandoned;
pub(crate) mod batch;
pub(crate) mod idempotency;
pub(crate) mod invoke;
pub(crate) mod limits;
pub(crate) mod recovery;
