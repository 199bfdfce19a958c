//! Activity: all invocations of the organization, and the failed attempts of an invocation.

pub(crate) mod agents;
pub(crate) mod overview;

use jiff::Timestamp;
use model::{
    AutomationId, ErrorClass, InvocationId, Mode, ModeSource, ReceiptId, Risk, RunId, SessionId, Status,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::FailureView;

/// Filters and pages the list of invocations.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ActivityQuery {
    /// Only invocations of this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Only invocations in this space: its slug or ID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// Only invocations of this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Only invocations of the agent with this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(max_length = 100)]
    pub agent: Option<String>,
    /// Only invocations of this source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Only invocations of this action: `source.action`, or the name of the action alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Only invocations with one of these statuses, separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(example = "failed,unknown")]
    pub status: Option<String>,
    /// Only invocations with one of these risk levels, separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(example = "R3,R4")]
    pub risk: Option<String>,
    /// Text to search for in the ID, the action, the agent's name, the redacted parameters and the error, ignoring
    /// case; at most 200 characters. The complete ID of an invocation finds it, however old it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// Only invocations requested at or after this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub since: Option<Timestamp>,
    /// Only invocations requested before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// The `next_cursor` of the previous page. Absent for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of invocations, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A page of invocations.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ActivityPage {
    pub items: Vec<ActivityItem>,
    /// Cursor of the next page. Absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How far back the search went, if it stopped before the page was full. There may be more results before this
    /// time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub searched_until: Option<Timestamp>,
}

/// An invocation in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ActivityItem {
    #[schema(value_type = String, example = "inv_0199…")]
    pub id: InvocationId,
    #[schema(value_type = String, example = "ses_0199…")]
    pub session: SessionId,
    /// Slug of the space.
    pub space: String,
    /// Name of the agent, as stated when its session was opened.
    pub agent: String,
    /// ID of the run that the invocation is a step of. Absent if it is not part of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "run_0199…")]
    pub run: Option<RunId>,
    /// ID of the automation of the run. Absent if the invocation is not part of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// Address of the action: `source.action`.
    pub action: String,
    /// Risk level, `R0` to `R4`.
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    #[schema(value_type = String, example = "succeeded")]
    pub status: Status,
    /// `allow`, `require_approval` or `deny`.
    #[schema(value_type = String, example = "allow")]
    pub mode: Mode,
    /// Where the mode comes from: `automation_rule`, `org_rule`, `inferred` or `grant`.
    #[schema(value_type = String, example = "inferred")]
    pub mode_source: ModeSource,
    /// Whether the invocation is a dry run, which executes nothing.
    pub dry_run: bool,
    /// Number of attempts to call the target.
    pub attempts: i32,
    /// The redacted parameters as one line of JSON, truncated to 300 characters.
    pub params_line: String,
    /// Why the invocation did not succeed. Absent if it succeeded or has not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<FailureView>,
    /// ID of the receipt. Absent until the invocation has finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "rcp_0199…")]
    pub receipt: Option<ReceiptId>,
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: Timestamp,
    /// When the action was started. Absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    /// When the invocation finished. Absent until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// When its parameters and results were erased, at the end of the organization's retention. Absent until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub erased_at: Option<Timestamp>,
}

/// A failed attempt.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AttemptView {
    /// Number of the attempt, starting at 1.
    pub number: i32,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub ended_at: Timestamp,
    /// Class of the failure.
    #[schema(value_type = String, example = "rate_limited")]
    pub class: ErrorClass,
    /// What happened, redacted.
    pub message: String,
    /// Whether the request may have reached the target.
    pub sent: bool,
    /// Whether another attempt followed.
    pub retried: bool,
}
