//! The overview: what happened over time, counted.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which stretch of time.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OverviewQuery {
    /// From this moment on, moved back to where its bucket begins; a week before `until` when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub since: Option<Timestamp>,
    /// Up to this moment; now when not given. At most 92 days after `since`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// In this space only: its slug or its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

/// What happened, counted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OverviewView {
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// How long a bucket is, in seconds.
    pub bucket_s: i64,
    /// From the oldest to the newest, also those in which nothing happened.
    pub buckets: Vec<Bucket>,
    /// The whole stretch as one bucket.
    pub totals: Bucket,
    /// How many invocations wait for a person now, whenever they were asked for.
    pub waiting: i64,
    /// The ten sources that were asked the most.
    pub sources: Vec<SourceCalls>,
    /// The ten agents that asked the most.
    pub agents: Vec<AgentCalls>,
}

/// What was asked for in one stretch of time, and what became of it by now. Dry runs are left out.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct Bucket {
    /// When it begins.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    pub calls: i64,
    pub succeeded: i64,
    pub failed: i64,
    pub denied: i64,
    pub expired: i64,
    pub unknown: i64,
    pub quarantined: i64,
    pub reverted: i64,
    /// Of those: how many a person was asked about, and how many of these a person answered.
    pub asked: i64,
    pub answered: i64,
    /// How long half of those answers took at most, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_p50_s: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_p95_s: Option<f64>,
    /// Runs that began in it, by how they ended.
    pub runs_succeeded: i64,
    /// Failed or timed out.
    pub runs_failed: i64,
    /// What models cost in runs that began in it.
    pub cost_usd: f64,
    /// How often a tool was found to be no longer what was reviewed. Tools belong to no space, so this is of the org.
    pub drift: i64,
}

/// How a source was used.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceCalls {
    pub source: String,
    pub calls: i64,
    pub succeeded: i64,
    /// Failed, reverted or unknown.
    pub failed: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<i64>,
}

/// How much an agent asked for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentCalls {
    /// As its sessions name it.
    pub agent: String,
    pub calls: i64,
}
