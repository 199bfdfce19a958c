//! Stopping and resuming.

use jiff::Timestamp;
use model::{Conduct, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Stops something, turns it into a dry run, or resumes it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConductRequest {
    /// `org`, `space`, `source`, `agent` or `automation`.
    #[schema(example = "agent")]
    pub scope: String,
    /// Which one: the ID of a space or an automation, the name of a source or an agent. Empty for the organization.
    #[serde(default)]
    #[schema(example = "support-triage")]
    pub subject: String,
    /// `halted` stops; `dry_run` lets it read, and tells for everything else what would be done; `normal` resumes.
    #[schema(value_type = String, example = "halted")]
    pub conduct: Conduct,
    /// The reason. Agents and people who are stopped by it read it.
    #[schema(max_length = 500)]
    pub reason: String,
}

/// Something that is stopped, or in a dry run.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConductView {
    /// `org`, `space`, `source`, `agent` or `automation`.
    pub scope: String,
    /// Which one: an ID, or the name of a source or an agent. Empty for the organization.
    pub subject: String,
    /// What people call it.
    pub name: String,
    /// `halted`, `dry_run` or, right after resuming, `normal`.
    #[schema(value_type = String, example = "halted")]
    pub conduct: Conduct,
    pub reason: String,
    /// ID of the person who set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "usr_0199…")]
    pub set_by: Option<UserId>,
    /// Name of the person who set it. Absent if nobody did, or if they are no longer a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by_name: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub set_at: Timestamp,
}
