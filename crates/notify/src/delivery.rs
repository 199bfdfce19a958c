//! Why a message was not delivered.

use std::time::Duration;

/// Why a message was not delivered, fit to be stored and shown: it holds no text of the other side.
#[derive(Debug, Clone)]
pub(crate) struct DeliveryError {
    pub(crate) why: String,
    pub(crate) retry_after: Option<Duration>,
    /// Whether a retry cannot succeed.
    pub(crate) permanent: bool,
}

impl DeliveryError {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), retry_after: None, permanent: false }
    }
}
