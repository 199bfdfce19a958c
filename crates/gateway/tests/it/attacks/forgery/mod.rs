//! Attack 12: forged, replayed and stale messages.

pub(crate) mod deliveries;
pub(crate) mod slack;
pub(crate) mod triggers;
