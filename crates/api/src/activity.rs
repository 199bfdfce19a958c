//! Activity: every invocation of the org, and the tries of one that failed.

use jiff::Timestamp;
use model::{
    AutomationId, ErrorClass, InvocationId, Mode, ModeSource, ReceiptId, Risk, RunId, SessionId, Status,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::FailureView;

/// Which invocations.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ActivityQuery {
    /// Of this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// In this space: its slug or its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// Of this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Of this source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `source.action`, or an action's name alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// With one of these states, separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(example = "failed,unknown")]
    pub status: Option<String>,
    /// With one of these risks, separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(example = "R3,R4")]
    pub risk: Option<String>,
    /// A text of at most 200 characters that stands in the id, the action, the agent's name, the redacted parameters or
    /// the error, in any case. The whole id of an invocation finds that one, however old it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// Requested at this moment or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub since: Option<Timestamp>,
    /// Requested before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// `next_cursor` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// At most this many, 1 to 100; 50 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A page of invocations.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ActivityPage {
    pub items: Vec<ActivityItem>,
    /// Where the next page begins; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How far back this page looked, when it stopped before it was full: there may be more before that moment.
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
    /// The slug of its space.
    pub space: String,
    /// Who asked, as the session names it.
    pub agent: String,
    /// The run it is a step of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "run_0199…")]
    pub run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// `source.action`.
    pub action: String,
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    #[schema(value_type = String, example = "succeeded")]
    pub status: Status,
    #[schema(value_type = String, example = "allow")]
    pub mode: Mode,
    /// Which step of the cascade gave the mode: `automation_rule`, `org_rule`, `inferred` or `grant`.
    #[schema(value_type = String, example = "inferred")]
    pub mode_source: ModeSource,
    /// Whether only to say what would happen.
    pub dry_run: bool,
    /// How often the target was tried.
    pub attempts: i32,
    /// The redacted parameters as JSON in one line, cut after 300 characters.
    pub params_line: String,
    /// Why it did not succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<FailureView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "rcp_0199…")]
    pub receipt: Option<ReceiptId>,
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
}

/// One try that failed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AttemptView {
    /// The first is 1.
    pub number: i32,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub ended_at: Timestamp,
    #[schema(value_type = String, example = "rate_limited")]
    pub class: ErrorClass,
    /// What happened, redacted.
    pub message: String,
    /// Whether the request may have reached the target.
    pub sent: bool,
    /// Whether it was tried again after this.
    pub retried: bool,
}
