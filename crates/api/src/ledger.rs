//! The ledger: checkpoints, proofs, and an org's entries.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// A signed state of the log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CheckpointView {
    #[schema(value_type = String, format = DateTime)]
    pub signed_at: Timestamp,
    /// A signed note: the log's name, its size, its root, and the signatures.
    pub checkpoint: String,
}

/// Which entry, in the log of which size.
#[derive(Debug, Clone, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct InclusionQuery {
    /// The entry's place in the log, from 0.
    pub index: u64,
    /// How many entries the log has.
    pub size: u64,
}

/// Between which sizes of the log.
#[derive(Debug, Clone, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyQuery {
    /// The smaller.
    pub first: u64,
    /// The greater.
    pub second: u64,
}

/// The hashes that prove something, as RFC 6962 orders them.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProofView {
    /// In base64.
    pub hashes: Vec<String>,
}

/// Which of the org's entries.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EntriesQuery {
    /// Those after this number; from the first when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// At most this many, 1 to 500; 100 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Some of the org's entries, in their order.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EntriesView {
    /// Records: the entry, its place, and the receipt or what is left of it. See docs/ledger.md.
    #[schema(value_type = Vec<Object>)]
    pub items: Vec<Value>,
    /// The number to go on after; absent when these were the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// Which receipts to prove.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BundlesQuery {
    /// Of one session only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// That ended at this moment or later, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// That ended before this moment, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// `next_cursor` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// At most this many, 1 to 100; 50 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Receipts with their proofs, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BundlesView {
    /// Bundles: each can be verified offline with the keys alone. See docs/ledger.md.
    #[schema(value_type = Vec<Object>)]
    pub items: Vec<Value>,
    /// How many receipts of this page are left out because the log does not hold them: older than the log, or so new that their
    /// place is still to come.
    pub not_logged: u32,
    /// Where the next page begins; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
