//! Flows of data: those of a definition, what was observed of them, and endorsements.

use jiff::Timestamp;
use model::InvocationId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::FlowConsent;

/// The flows of an automation that matter.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FlowsView {
    /// Whether flows are held. Otherwise what would be held is only recorded.
    pub holds: bool,
    pub flows: Vec<FlowView>,
}

/// Data that a step sends.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FlowView {
    pub step_id: String,
    #[schema(example = "slack.send_message")]
    pub action: String,
    /// Where it goes, as the definition says it: may be templates. Empty if nobody says.
    pub to: Vec<String>,
    /// `internal`, `partner` or `public`: the widest audience of these places.
    #[schema(example = "public")]
    pub audience: String,
    /// Who chooses the place: `definition`, `person`, `data` or `model`.
    #[schema(example = "definition")]
    pub chosen_by: String,
    /// What is read that is not public.
    pub private: Vec<String>,
    /// What is read that may hold text of strangers.
    pub untrusted: Vec<String>,
    /// `allow`, `require_approval` or `deny`: the most permissive mode that is acceptable for it.
    #[schema(example = "require_approval")]
    pub mode: String,
    /// Why. Empty if nothing is held.
    pub why: String,
    /// Whether an admin agreed to it.
    pub consented: bool,
    /// What to add to the consents of the gate settings to agree to it. Absent if nobody can agree to it in advance, or somebody did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consents: Vec<FlowConsent>,
}

/// What was held of the flow of data, or would have been.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FlowReport {
    /// Since when it is.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// Number of runs in that time.
    pub runs: u64,
    /// Number of questions that flows alone asked, or would have asked: nothing else asked about these requests.
    pub questions: u64,
    /// Of these, how many came from runs.
    pub questions_of_runs: u64,
    /// Number of requests that waited because of their flow, among other things, and that people denied.
    pub denied: u64,
    pub items: Vec<FlowReportItem>,
}

/// The same flow, counted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FlowReportItem {
    #[schema(example = "slack.send_message")]
    pub action: String,
    /// `internal`, `partner` or `public`.
    pub audience: String,
    /// `definition`, `person`, `data` or `model`.
    pub chosen_by: String,
    /// What flows demand: `require_approval` or `deny`.
    pub mode: String,
    /// Whether it was only recorded.
    pub observing: bool,
    pub count: u64,
    /// Of these, how many nothing else held.
    pub alone: u64,
    /// Some of these invocations, newest first.
    #[schema(value_type = Vec<String>)]
    pub examples: Vec<InvocationId>,
}

/// Trust in what a session had read when it asked.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndorseRequest {
    /// Digest of the document that you were shown: it lists what was read.
    #[schema(example = "sha256:…")]
    pub shown_digest: String,
    /// Why it can be trusted.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub note: String,
}

/// What is trusted for the rest of the session.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EndorsementView {
    /// What was read. Whatever is read later is not covered.
    pub origins: Vec<String>,
}
