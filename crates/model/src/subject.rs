//! What an approval is bound to besides the action and its parameters: where a call goes, with which credential, and for
//! whom it is made.

use serde::{Deserialize, Serialize};

use crate::{AutomationId, Digest, SessionId, UserId};

/// Where the calls of a source go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Destination {
    /// `native`, `integration`, `mcp`, `openapi`, `stdio` or `model`.
    pub kind: &'static str,
    /// Scheme, host and port; `None` if nothing leaves this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The path below which everything is called, with its query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The digest of the command that is started, for `stdio`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Digest>,
    /// How calls are authenticated, for connectors: the method, and the header if it is not `Authorization`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<String>,
}

impl Destination {
    /// A destination on this machine.
    pub const NATIVE: Self = Self { kind: "native", origin: None, path: None, command: None, auth: None };
}

/// A credential at one moment. The row is never used again and the version rises with every replacement, so two
/// different credentials never have the same one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CredentialVersion {
    /// The id of the connection or the secret.
    pub row: String,
    pub version: i32,
}

/// The step of an automation that an invocation comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepOrigin {
    /// The version of the automation.
    pub version: i32,
    /// The digest of the step's action and configuration, before any template is filled.
    pub hash: Digest,
}

/// Who proposes an invocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proposer {
    pub session: SessionId,
    /// The person who opened the session, or who is responsible for the automation.
    pub opened_by: UserId,
    /// The person who started the run, if a person did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_by: Option<UserId>,
    pub agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automation: Option<AutomationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepOrigin>,
}
