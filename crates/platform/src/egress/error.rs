//! Why an outbound request failed, and whether it can have had an effect.

use super::guard::Refusal;

/// A request that got no usable answer.
///
/// No message holds the URL, a header or a body: all of them can carry secrets, and messages travel.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The client could not be built.
    #[error("building the outbound HTTP client")]
    Setup(#[source] reqwest::Error),
    /// The guard did not let it out.
    #[error("the outbound request was refused: {reason}")]
    Refused {
        /// What is wrong with the target.
        reason: String,
    },
    /// No connection came about: the name did not resolve, nobody listened, or TLS failed.
    #[error("no connection to the target could be made")]
    Connect(#[source] reqwest::Error),
    /// The time limit ran out.
    #[error("the target did not answer in time")]
    Timeout {
        /// Whether the request may have reached the target by then.
        sent: bool,
    },
    /// The connection broke after the request may have been written.
    #[error("the connection to the target broke before its answer was complete")]
    Interrupted(#[source] reqwest::Error),
    /// The answer is larger than the cap, counted after decompression.
    #[error("the answer of the target is larger than {limit} bytes")]
    TooLarge {
        /// The cap.
        limit: usize,
    },
    /// The target redirected, and it was not followed.
    #[error("a redirect of the target was not followed: {reason}")]
    Redirect {
        /// Why not.
        reason: String,
    },
}

impl Error {
    /// Whether the request may have reached the target. `false` is a proof that it did not.
    pub fn sent(&self) -> bool {
        match self {
            Self::Setup(_) | Self::Refused { .. } | Self::Connect(_) => false,
            Self::Timeout { sent } => *sent,
            Self::Interrupted(_) | Self::TooLarge { .. } | Self::Redirect { .. } => true,
        }
    }

    /// Sorts a failure of the HTTP stack. Whatever is not provably a failure to connect counts as sent.
    pub(super) fn from_transport(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if let Some(refusal) = refusal_in(&error) {
            return Self::Refused { reason: refusal.0.clone() };
        }
        // Asked before the timeout: a connection that was not made in time was not made.
        if error.is_connect() {
            return Self::Connect(error);
        }
        if error.is_timeout() {
            return Self::Timeout { sent: true };
        }
        Self::Interrupted(error)
    }

    /// A failure while the answer was read: the request has certainly been sent.
    pub(super) fn interrupted(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::Timeout { sent: true };
        }
        Self::Interrupted(error.without_url())
    }

    /// The same failure on a later hop: the first target has been reached by then.
    pub(super) fn after_redirect(self) -> Self {
        match self {
            Self::Refused { reason } => Self::Redirect { reason },
            Self::Connect(error) => Self::Interrupted(error),
            Self::Timeout { .. } => Self::Timeout { sent: true },
            other => other,
        }
    }
}

// The resolver's refusal arrives wrapped in the layers of the HTTP stack.
fn refusal_in(error: &reqwest::Error) -> Option<&Refusal> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    while let Some(error) = cause {
        if let Some(refusal) = error.downcast_ref::<Refusal>() {
            return Some(refusal);
        }
        cause = error.source();
    }
    None
}
