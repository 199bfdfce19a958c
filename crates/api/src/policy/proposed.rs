//! Changes that wait for a second owner.

use jiff::Timestamp;
use model::{Digest, ProposedChangeId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Filters the list of proposed changes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ProposedQuery {
    /// `waiting`: only changes that wait. By default, all of the last 30 days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// A change that waits, or waited, for a second owner.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProposedChangeView {
    #[schema(value_type = String, example = "pch_0199…")]
    pub id: ProposedChangeId,
    /// `waiting`, `approved`, `denied`, `withdrawn`, `expired` or `failed`.
    #[schema(example = "waiting")]
    pub status: String,
    pub changes: Vec<ProposedPart>,
    /// Digest of the change as it would be made. An approval carries it.
    #[schema(value_type = String, example = "sha256:1f0c…")]
    pub digest: Digest,
    #[schema(value_type = String, example = "usr_0199…")]
    pub proposed_by: UserId,
    /// Name of the person who proposed it. Absent if they are no longer a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed_by_name: Option<String>,
    /// The reason that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub proposed_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// ID of the person who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "usr_0199…")]
    pub answered_by: Option<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub answered_at: Option<Timestamp>,
    /// The reason of the answer, or why the change failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What would be changed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProposedPart {
    /// What would be changed and how, as in a change record.
    #[schema(example = "rule.set")]
    pub change: String,
    /// ID of what would be changed. Something new gets its ID when it is made.
    pub subject: String,
    /// Name of what would be changed, for people.
    pub name: String,
    /// The state before; `null` for something new.
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// The state after; `null` for something removed.
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    /// What it loosens, in words.
    #[schema(example = "allows without asking")]
    pub loosens: String,
}

/// The agreement of a second owner.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreeRequest {
    /// The `digest` of what was shown.
    #[schema(value_type = String)]
    pub digest: Digest,
    /// At most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

/// The denial of a second owner.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefuseRequest {
    /// At most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}
