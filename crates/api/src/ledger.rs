//! The ledger: checkpoints, proofs, and the entries of an organization.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// A checkpoint: the signed size and root hash of the ledger.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CheckpointView {
    /// When the checkpoint was signed.
    #[schema(value_type = String, format = DateTime)]
    pub signed_at: Timestamp,
    /// The signed note: the ledger's name, size and root hash, followed by the signatures.
    pub checkpoint: String,
}

/// Selects an entry and the size of the ledger to prove it against.
#[derive(Debug, Clone, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct InclusionQuery {
    /// Position of the entry in the ledger, starting at 0.
    pub index: u64,
    /// Number of entries in the ledger, as stated by the checkpoint.
    pub size: u64,
}

/// Selects the two sizes of the ledger to compare.
#[derive(Debug, Clone, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyQuery {
    /// The smaller size.
    pub first: u64,
    /// The larger size.
    pub second: u64,
}

/// A Merkle proof: hashes in the order defined by RFC 6962.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProofView {
    /// The hashes, in base64.
    pub hashes: Vec<String>,
}

/// Selects entries of the organization.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EntriesQuery {
    /// Return entries after this number. By default, from the first entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Maximum number of entries, 1 to 500. The default is 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Entries of the organization, in order.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EntriesView {
    /// Records: the entry, its position in the ledger, and the receipt or the remaining facts of an erased one. See
    /// docs/ledger.md.
    #[schema(value_type = Vec<Object>)]
    pub items: Vec<Value>,
    /// Number of the last entry of this page; pass it as `after` to continue. Absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// Selects the receipts to export with proofs.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BundlesQuery {
    /// Only receipts of this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Only invocations that finished at or after this time (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only invocations that finished before this time (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The `next_cursor` of the previous page. Absent for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of receipts, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Receipts with their proofs, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BundlesView {
    /// Bundles. Each can be verified offline with only the public keys. See docs/ledger.md.
    #[schema(value_type = Vec<Object>)]
    pub items: Vec<Value>,
    /// Number of receipts on this page that were left out because they are not in the ledger: they are older than the
    /// ledger, or so new that they have no position yet.
    pub not_logged: u32,
    /// Cursor of the next page. Absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
