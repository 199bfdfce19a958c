//! Attack 7: addresses that lead into a private network.

pub(crate) mod webhooks;
