//! The overview: counts over time.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Selects a period.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OverviewQuery {
    /// Start of the period, rounded down to the start of a bucket. By default, one week before `until`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub since: Option<Timestamp>,
    /// End of the period, at most 92 days after `since`. By default, now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// Only invocations in this space: its slug or ID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

/// Counts of invocations and runs over a period.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OverviewView {
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// Length of a bucket, in seconds.
    pub bucket_s: i64,
    /// The buckets, oldest first, including empty ones.
    pub buckets: Vec<Bucket>,
    /// The whole period as one bucket.
    pub totals: Bucket,
    /// Number of invocations that are pending now.
    pub waiting: i64,
    /// The ten sources with the most invocations.
    pub sources: Vec<SourceCalls>,
    /// The ten agents with the most invocations.
    pub agents: Vec<AgentCalls>,
    /// The ten people who answered the most questions, of the whole organization.
    #[serde(default)]
    pub people: Vec<PersonAnswers>,
    /// Rules that would have answered the most questions, of the whole organization: at most three. People approved all
    /// of these questions and denied none.
    #[serde(default)]
    pub suggestions: Vec<RuleSuggestion>,
}

/// Invocations that were requested in one part of the period, counted by their current status. Dry runs are not
/// counted.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct Bucket {
    /// Start of the bucket.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Number of invocations.
    pub calls: i64,
    pub succeeded: i64,
    pub failed: i64,
    pub denied: i64,
    pub expired: i64,
    pub unknown: i64,
    pub quarantined: i64,
    pub reverted: i64,
    /// Number of invocations that needed approval.
    pub asked: i64,
    /// Number of invocations that needed approval and were answered.
    pub answered: i64,
    /// Median time to an answer, in seconds. Absent if nothing was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_p50_s: Option<f64>,
    /// 95th percentile of the time to an answer, in seconds. Absent if nothing was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_p95_s: Option<f64>,
    /// Number of runs started in this bucket that succeeded.
    pub runs_succeeded: i64,
    /// Number of runs started in this bucket that failed or timed out.
    pub runs_failed: i64,
    /// Reserved for the cost of models, in US dollars. Always 0, because no step uses a model yet.
    pub cost_usd: f64,
    /// Number of times that a tool was found to be new, changed, gone or back. Always counted for the whole
    /// organization, because tools do not belong to a space.
    pub drift: i64,
}

/// Use of a source.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SourceCalls {
    pub source: String,
    /// Number of invocations.
    pub calls: i64,
    /// Number of invocations that succeeded.
    pub succeeded: i64,
    /// Number of invocations that failed, were reverted or have an unknown outcome.
    pub failed: i64,
    /// Median duration of successful calls, in milliseconds. Absent if no call succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<i64>,
}

/// Use by an agent.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AgentCalls {
    /// Name of the agent, as stated when its sessions were opened.
    pub agent: String,
    /// Number of invocations.
    pub calls: i64,
}

/// The answers of a person.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PersonAnswers {
    /// Name of the person in the organization.
    pub name: String,
    /// Number of questions the person answered.
    pub answers: i64,
    /// Number of questions the person answered per day of the period.
    pub per_day: f64,
    /// Median time between opening a question and answering it, in seconds. Absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_s: Option<f64>,
}

/// A rule that would have answered questions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RuleSuggestion {
    /// Address of the action: `source.action`.
    pub action: String,
    /// Condition on the parameters: a filter, as in a rule.
    #[serde(rename = "where")]
    #[schema(value_type = Object)]
    pub condition: Value,
    /// The condition in words.
    pub where_words: String,
    /// Number of questions that the rule would have answered, among the last 1000 answers of the period.
    pub questions: usize,
}
