//! Receipts.

use jiff::Timestamp;
use model::{InvocationId, ReceiptId, SessionId, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Which receipts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ReceiptsQuery {
    /// Of one session only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Of one invocation only: its receipt, and the one before it where a person found out what became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation: Option<String>,
    /// `next_cursor` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// At most this many, 1 to 100; 50 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A receipt, with what it can be found by.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ReceiptView {
    #[schema(value_type = String, example = "rcp_0199…")]
    pub id: ReceiptId,
    #[schema(value_type = String, example = "inv_0199…")]
    pub invocation: InvocationId,
    #[schema(value_type = String, example = "ses_0199…")]
    pub session: SessionId,
    pub action: String,
    #[schema(value_type = String, example = "succeeded")]
    pub status: Status,
    #[schema(value_type = String, format = DateTime)]
    pub finished_at: Timestamp,
    /// The signed receipt: a DSSE envelope. Save it and verify it with `countersign receipts verify`. Absent once the body was
    /// erased.
    #[schema(value_type = Option<Object>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Value>,
    /// What is left of a receipt whose body was erased: its facts, and what proves them. See docs/ledger.md.
    #[schema(value_type = Option<Object>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Value>,
}
