//! Attack 7: addresses that lead inside.

pub(crate) mod webhooks;
