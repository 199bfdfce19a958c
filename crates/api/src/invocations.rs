//! Asking for an action, and what came of it.

use jiff::Timestamp;
use model::{
    AutomationId, Decision, ErrorClass, InvocationId, Mode, ReceiptId, Risk, RunId, SessionId, Status,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A request to perform one action.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvokeRequest {
    /// `source.action`.
    #[schema(example = "linear.list_issues")]
    pub action: String,
    /// Its parameters, as its input schema says.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub params: Value,
    /// Only say what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// An invocation: what was asked, what was decided, what came of it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct InvocationView {
    #[schema(value_type = String, example = "inv_0199…")]
    pub id: InvocationId,
    #[schema(value_type = String, example = "ses_0199…")]
    pub session: SessionId,
    /// The slug of its space.
    pub space: String,
    /// Who asked, as the session names it.
    pub agent: String,
    /// The run it is a step of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "run_0199…")]
    pub run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// `source.action`.
    pub action: String,
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    /// Where it stands.
    #[schema(value_type = String, example = "succeeded")]
    pub status: Status,
    #[schema(value_type = String, example = "allow")]
    pub mode: Mode,
    /// The whole derivation of the mode.
    #[schema(value_type = Object)]
    pub decision: Decision,
    /// The parameters, redacted.
    #[schema(value_type = Object)]
    pub params: Value,
    /// Whether only to say what would happen.
    pub dry_run: bool,
    /// For a dry run: what would happen, where the source can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<PreviewView>,
    /// What the action gave back, redacted; `_truncated` marks what was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub result: Option<Value>,
    /// Why it did not succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<FailureView>,
    /// How often the target was tried.
    pub attempts: i32,
    /// Whether this answer is that of an earlier request with the same key.
    #[serde(default)]
    pub replayed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// The signed account of it, once it is terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "rcp_0199…")]
    pub receipt: Option<ReceiptId>,
    /// What an approver's yes would be bound to.
    pub shown_digest: String,
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// Until when a person may answer, while it is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
}

/// Why an invocation did not succeed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FailureView {
    /// What kind of failure.
    #[schema(value_type = String, example = "rate_limited")]
    pub class: ErrorClass,
    /// What happened, redacted.
    pub message: String,
    /// Whether the request may have reached the target.
    pub sent: bool,
}

/// What would happen.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PreviewView {
    /// One sentence.
    pub summary: String,
    /// Field by field.
    pub changes: Vec<PreviewChange>,
}

/// One field's change.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PreviewChange {
    pub field: String,
    #[schema(value_type = Object)]
    pub before: Value,
    #[schema(value_type = Object)]
    pub after: Value,
}
