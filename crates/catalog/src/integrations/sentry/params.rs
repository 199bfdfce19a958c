//! The parameters of Sentry's actions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A selection of issues.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListIssues {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9_-]{0,63}$"))]
    pub(super) organization: String,
    /// Only issues of the project with this slug.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9_-]{0,99}$"))]
    pub(super) project: Option<String>,
    /// Sentry's search language, for example `is:unresolved level:error`. Unresolved issues if left out.
    #[schemars(length(max = 500))]
    pub(super) query: Option<String>,
    /// Maximum number of results, 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    #[schemars(regex(pattern = r"^[0-9:-]{1,100}$"))]
    pub(super) cursor: Option<String>,
}

/// An issue.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetIssue {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9_-]{0,63}$"))]
    pub(super) organization: String,
    /// The issue's number.
    #[schemars(regex(pattern = r"^[0-9]{1,20}$"))]
    pub(super) issue_id: String,
}

/// An issue whose events are listed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListIssueEvents {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9_-]{0,63}$"))]
    pub(super) organization: String,
    /// The issue's number.
    #[schemars(regex(pattern = r"^[0-9]{1,20}$"))]
    pub(super) issue_id: String,
    /// The `next_cursor` of the previous page.
    #[schemars(regex(pattern = r"^[0-9:-]{1,100}$"))]
    pub(super) cursor: Option<String>,
}

/// An event of an issue.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetEvent {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9_-]{0,63}$"))]
    pub(super) organization: String,
    /// The issue's number.
    #[schemars(regex(pattern = r"^[0-9]{1,20}$"))]
    pub(super) issue_id: String,
    /// The event's id of 32 hexadecimal digits, or `latest`, `oldest` or `recommended`.
    #[schemars(regex(pattern = r"^([0-9a-f]{32}|latest|oldest|recommended)$"))]
    pub(super) event_id: String,
}

/// The status of an issue.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum IssueStatus {
    /// Resolved.
    Resolved,
    /// Open.
    Unresolved,
    /// Archived.
    Ignored,
}

/// The issue to change, and at least one field with its new value.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 3))]
pub(super) struct UpdateIssue {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9_-]{0,63}$"))]
    pub(super) organization: String,
    /// The issue's number.
    #[schemars(regex(pattern = r"^[0-9]{1,20}$"))]
    pub(super) issue_id: String,
    /// The new status.
    pub(super) status: Option<IssueStatus>,
    /// The assignee, as `user:<id>` or `team:<id>`; empty for none.
    #[schemars(regex(pattern = r"^((user|team):[0-9]{1,20})?$"))]
    pub(super) assigned_to: Option<String>,
}

impl UpdateIssue {
    /// Sentry's body: the fields that change.
    pub(super) fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        if let Some(status) = self.status {
            body.insert("status".to_owned(), json!(status));
        }
        if let Some(assigned) = &self.assigned_to {
            body.insert("assignedTo".to_owned(), json!(assigned));
        }
        body
    }
}
