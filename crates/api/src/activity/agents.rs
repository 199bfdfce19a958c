//! Agents, by name.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ConductView, SessionView};

/// An agent: everything that works in sessions with this name.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentView {
    /// Name of the agent, as stated when its sessions were opened.
    pub agent: String,
    /// The stop or dry run that holds for the agent or for the whole organization. Absent if the conduct is normal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conduct: Option<ConductView>,
    /// Number of open sessions.
    pub open_sessions: i64,
    /// When the agent last asked for something, or when its last session was opened.
    #[schema(value_type = String, format = DateTime)]
    pub last_seen: Timestamp,
    /// Number of invocations in the last seven days, without dry runs. The other counts are of the same time.
    pub calls: i64,
    pub succeeded: i64,
    /// Failed, reverted or unknown.
    pub failed: i64,
    /// Denied or quarantined.
    pub denied: i64,
    /// Number of invocations that needed approval.
    pub asked: i64,
    /// Number of invocations that wait for approval now.
    pub waiting: i64,
    /// The sources it used.
    pub sources: Vec<String>,
}

/// An agent with its open sessions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentDetail {
    pub agent: AgentView,
    /// The open sessions, newest first; at most 50.
    pub sessions: Vec<AgentSession>,
    /// What the open sessions may use at most, taken together.
    pub capabilities: Vec<String>,
    /// The sources it used in the last seven days.
    pub sources: Vec<AgentSource>,
}

/// An open session of an agent.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentSession {
    #[serde(flatten)]
    pub session: SessionView,
    /// Name of the person who opened it. Absent if they are no longer a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by_name: Option<String>,
}

/// Use of a source by an agent in the last seven days.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentSource {
    pub source: String,
    pub calls: i64,
    pub succeeded: i64,
    /// Failed, reverted or unknown.
    pub failed: i64,
    /// Denied or quarantined.
    pub denied: i64,
}
