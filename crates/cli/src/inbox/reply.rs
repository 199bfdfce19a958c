//! A person's answer on its way: which route, which body, and what to do when nobody knows whether it arrived.

use std::time::Duration;

use api::{ApproveRequest, DenyRequest, GrantAnswer, ReconcileRequest};
use model::{GrantRequestId, InvocationId};
use reqwest::Method;

use super::Key;
use crate::{
    client::{Answer, Client},
    error::Error,
};

/// The longest the gateway keeps a request open for a result.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// What the way there and back may take besides.
const MARGIN: Duration = Duration::from_secs(15);

const LOOK_FIRST: &str = "hint:  look with `countersign inbox list`; a second answer to the same item is refused, so \
                          repeating it is safe\n";

/// What a person answers.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Yes, and how long to wait for the result.
    Approve { id: InvocationId, request: ApproveRequest, wait: Duration },
    /// No.
    Deny { id: InvocationId, request: DenyRequest },
    /// What became of what nobody knew.
    Reconcile { id: InvocationId, request: ReconcileRequest },
    /// Whether an agent is granted what it asked for.
    Grant { id: GrantRequestId, request: GrantAnswer },
}

impl Reply {
    pub(crate) fn key(&self) -> Key {
        match self {
            Self::Approve { id, .. } | Self::Deny { id, .. } | Self::Reconcile { id, .. } => {
                Key::Invocation(*id)
            }
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
            Self::Grant { request, .. } => {
                client.send_body(Method::POST, &["v1", "grant-requests", &key, "answer"], request)?
            }
        };
        // Each of these may have been recorded although no answer came back.
        call.send().await.map_err(|error| error.in_doubt(LOOK_FIRST))
    }
}
