//! A person's answer to an inbox item: its route, its body, and the hint if it is unknown whether it arrived.

use std::time::Duration;

use api::{ApproveRequest, DenyRequest, GrantAnswer, ReconcileRequest, RulingRequest};
use model::{GrantRequestId, InvocationId};
use reqwest::Method;

use super::Key;
use crate::{
    client::{Answer, Client},
    error::Error,
};

/// How long the gateway keeps a request open for a result, at most.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Network time on top of that.
const MARGIN: Duration = Duration::from_secs(15);

const CHECK_FIRST: &str = "hint:  check `countersign inbox list`; a second answer to the same item is refused, so \
                           repeating it is safe\n";

#[derive(Debug, Clone)]
pub(crate) enum Reply {
    Approve { id: InvocationId, request: ApproveRequest, wait: Duration },
    Deny { id: InvocationId, request: DenyRequest },
    Reconcile { id: InvocationId, request: ReconcileRequest },
    Release { id: InvocationId, request: RulingRequest },
    Discard { id: InvocationId, request: RulingRequest },
    Grant { id: GrantRequestId, request: GrantAnswer },
}

impl Reply {
    pub(crate) fn key(&self) -> Key {
        match self {
            Self::Approve { id, .. }
            | Self::Deny { id, .. }
            | Self::Reconcile { id, .. }
            | Self::Release { id, .. }
            | Self::Discard { id, .. } => Key::Invocation(*id),
            Self::Grant { id, .. } => Key::Request(*id),
        }
    }

    pub(crate) async fn send(&self, client: &Client) -> Result<Answer, Error> {
        let key = self.key().to_string();
        let call = match self {
            Self::Approve { request, wait, .. } => {
                let wait = (*wait).min(LONGEST_WAIT);
                client
                    .send_body(Method::POST, &["v1", "invocations", &key, "approve"], request)?
                    .query("wait", &format!("{}ms", wait.as_millis()))
                    .timeout(wait + MARGIN)
            }
            Self::Deny { request, .. } => {
                client.send_body(Method::POST, &["v1", "invocations", &key, "deny"], request)?
            }
            Self::Reconcile { request, .. } => {
                client.send_body(Method::POST, &["v1", "invocations", &key, "reconcile"], request)?
            }
            Self::Release { request, .. } => {
                client.send_body(Method::POST, &["v1", "invocations", &key, "release"], request)?
            }
            Self::Discard { request, .. } => {
                client.send_body(Method::POST, &["v1", "invocations", &key, "discard"], request)?
            }
            Self::Grant { request, .. } => {
                client.send_body(Method::POST, &["v1", "grant-requests", &key, "answer"], request)?
            }
        };
        // The answer may have been recorded although no response arrived.
        call.send().await.map_err(|error| error.in_doubt(CHECK_FIRST))
    }
}
