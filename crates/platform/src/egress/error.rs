//! Errors of outbound requests, and whether a request may have had an effect.

use super::guard::Refusal;

/// No message contains the URL, a header or a body, because all of them can hold secrets.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("building the outbound HTTP client failed")]
    Setup(#[source] reqwest::Error),
    /// The guard refused the target.
    #[error("the outbound request was refused: {reason}")]
    Refused {
        /// What is wrong with the target.
        reason: String,
    },
    /// DNS, the connection or TLS failed.
    #[error("connecting to the target failed")]
    Connect(#[source] reqwest::Error),
    #[error("the target has no address, or does not accept connections")]
    Unreachable,
    #[error("the target did not answer in time")]
    Timeout {
        /// Whether the request may have reached the target by then.
        sent: bool,
    },
    /// The connection broke after the request may have been written.
    #[error("the connection to the target was lost before its response was complete")]
    Interrupted(#[source] reqwest::Error),
    /// The response is larger than the limit, counted after decompression.
    #[error("the response of the target is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
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
            Self::Setup(_) | Self::Refused { .. } | Self::Connect(_) | Self::Unreachable => false,
            Self::Timeout { sent } => *sent,
            Self::Interrupted(_) | Self::TooLarge { .. } | Self::Redirect { .. } => true,
        }
    }

    /// Classifies an error of the HTTP client. Anything that is not provably a connection failure counts as sent.
    pub(super) fn from_transport(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if let Some(refusal) = refusal_in(&error) {
            return Self::Refused { reason: refusal.0.clone() };
        }
        // Checked before the timeout: a connection that was not made in time was not made.
        if error.is_connect() {
            return Self::Connect(error);
        }
        if error.is_timeout() {
            return Self::Timeout { sent: true };
        }
        Self::Interrupted(error)
    }

    /// An error while reading the response: the request has certainly been sent.
    pub(super) fn interrupted(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::Timeout { sent: true };
        }
        Self::Interrupted(error.without_url())
    }

    /// The same error after a redirect: the first target has already been reached.
    pub(super) fn after_redirect(self) -> Self {
        match self {
            Self::Refused { reason } => Self::Redirect { reason },
            Self::Connect(error) => Self::Interrupted(error),
            Self::Timeout { .. } => Self::Timeout { sent: true },
            other => other,
        }
    }
}

// The refusal of the resolver is wrapped in errors of the HTTP client.
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
