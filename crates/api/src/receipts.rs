//! Receipts.

use jiff::Timestamp;
use model::{InvocationId, ReceiptId, SessionId, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Filters and pages the list of receipts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ReceiptsQuery {
    /// Only receipts of this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Only receipts of this invocation. An invocation has two if a person reconciled its unknown outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation: Option<String>,
    /// The `next_cursor` of the previous page. Absent for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of receipts, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A receipt, with the fields it can be searched by.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ReceiptView {
    #[schema(value_type = String, example = "rcp_0199…")]
    pub id: ReceiptId,
    /// The invocation that the receipt documents.
    #[schema(value_type = String, example = "inv_0199…")]
    pub invocation: InvocationId,
    /// The session of the invocation.
    #[schema(value_type = String, example = "ses_0199…")]
    pub session: SessionId,
    /// Address of the action: `source.action`.
    pub action: String,
    /// Final status of the invocation.
    #[schema(value_type = String, example = "succeeded")]
    pub status: Status,
    /// When the invocation finished.
    #[schema(value_type = String, format = DateTime)]
    pub finished_at: Timestamp,
    /// The signed receipt, as a DSSE envelope. Save it and verify it with `countersign receipts verify`. Absent if
    /// the receipt's body was erased at the end of its retention.
    #[schema(value_type = Option<Object>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Value>,
    /// The remaining facts of an erased receipt, and their proof. Absent if the receipt was not erased. See
    /// docs/ledger.md.
    #[schema(value_type = Option<Object>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Value>,
}
