//! The parameters of Linear's actions. The schemas that agents see are generated from these types, including the
//! comments.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A selection of issues, most recently changed first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListIssues {
    /// Only issues of the team with this key, for example `ENG`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_]{1,32}$"))]
    pub(super) team_key: Option<String>,
    /// Only issues whose state has this name, for example `In Progress`.
    #[schemars(length(min = 1, max = 100))]
    pub(super) state: Option<String>,
    /// Only issues assigned to the person with this id.
    #[schemars(regex(pattern = r"^[A-Za-z0-9-]{1,64}$"))]
    pub(super) assignee_id: Option<String>,
    /// Only issues whose title contains this text, in any case.
    #[schemars(length(min = 1, max = 200))]
    pub(super) title_contains: Option<String>,
    /// How many, 1 to 50.
    #[schemars(range(min = 1, max = 50))]
    pub(super) first: Option<u32>,
    /// The `next_cursor` of the previous page.
    #[schemars(length(min = 1, max = 500))]
    pub(super) cursor: Option<String>,
}

/// An issue.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetIssue {
    /// The issue's id or identifier, for example `ENG-123`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub(super) issue: String,
}

/// The issue to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateIssue {
    /// The id of the team it belongs to.
    #[schemars(regex(pattern = r"^[A-Za-z0-9-]{1,64}$"))]
    pub(super) team_id: String,
    /// The title, one line.
    #[schemars(length(min = 1, max = 255))]
    pub(super) title: String,
    /// The description, in Markdown.
    #[schemars(length(max = 50_000))]
    pub(super) description: Option<String>,
    /// 0 none, 1 urgent, 2 high, 3 normal, 4 low.
    #[schemars(range(min = 0, max = 4))]
    pub(super) priority: Option<u8>,
    /// The id of the assignee.
    #[schemars(regex(pattern = r"^[A-Za-z0-9-]{1,64}$"))]
    pub(super) assignee_id: Option<String>,
    /// The id of the workflow state to start in.
    #[schemars(regex(pattern = r"^[A-Za-z0-9-]{1,64}$"))]
    pub(super) state_id: Option<String>,
    /// The ids of its labels, at most 20.
    #[schemars(length(max = 20), inner(regex(pattern = r"^[A-Za-z0-9-]{1,64}$")))]
    pub(super) label_ids: Option<Vec<String>>,
}

/// The issue to change, and at least one field with its new value.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 2))]
pub(super) struct UpdateIssue {
    /// The issue's id or identifier, for example `ENG-123`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub(super) issue: String,
    /// The new title.
    #[schemars(length(min = 1, max = 255))]
    pub(super) title: Option<String>,
    /// The new description, in Markdown; it replaces the old one.
    #[schemars(length(max = 50_000))]
    pub(super) description: Option<String>,
    /// The new priority: 0 none, 1 urgent, 2 high, 3 normal, 4 low.
    #[schemars(range(min = 0, max = 4))]
    pub(super) priority: Option<u8>,
    /// The id of the new assignee.
    #[schemars(regex(pattern = r"^[A-Za-z0-9-]{1,64}$"))]
    pub(super) assignee_id: Option<String>,
    /// The id of the new workflow state.
    #[schemars(regex(pattern = r"^[A-Za-z0-9-]{1,64}$"))]
    pub(super) state_id: Option<String>,
    /// The ids of all its labels, at most 20. They replace the old ones.
    #[schemars(length(max = 20), inner(regex(pattern = r"^[A-Za-z0-9-]{1,64}$")))]
    pub(super) label_ids: Option<Vec<String>>,
}

/// The comment to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddComment {
    /// The issue's id or identifier, for example `ENG-123`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub(super) issue: String,
    /// The text, in Markdown.
    #[schemars(length(min = 1, max = 20_000))]
    pub(super) body: String,
}

impl CreateIssue {
    /// Linear's input, without the id.
    pub(super) fn input(&self) -> Map<String, Value> {
        present([
            ("teamId", Some(json!(self.team_id))),
            ("title", Some(json!(self.title))),
            ("description", self.description.as_ref().map(|it| json!(it))),
            ("priority", self.priority.map(|it| json!(it))),
            ("assigneeId", self.assignee_id.as_ref().map(|it| json!(it))),
            ("stateId", self.state_id.as_ref().map(|it| json!(it))),
            ("labelIds", self.label_ids.as_ref().map(|it| json!(it))),
        ])
    }
}

impl UpdateIssue {
    /// Linear's input: the fields that change.
    pub(super) fn input(&self) -> Map<String, Value> {
        present([
            ("title", self.title.as_ref().map(|it| json!(it))),
            ("description", self.description.as_ref().map(|it| json!(it))),
            ("priority", self.priority.map(|it| json!(it))),
            ("assigneeId", self.assignee_id.as_ref().map(|it| json!(it))),
            ("stateId", self.state_id.as_ref().map(|it| json!(it))),
            ("labelIds", self.label_ids.as_ref().map(|it| json!(it))),
        ])
    }
}

fn present<const N: usize>(fields: [(&str, Option<Value>); N]) -> Map<String, Value> {
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
