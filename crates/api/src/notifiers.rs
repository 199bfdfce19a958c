//! Where people are told that something waits for them, and who they are in Slack.

use jiff::Timestamp;
use model::{NotifierId, SpaceId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// By what people are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotifierKind {
    Slack,
    Email,
}

/// A place where people are to be told.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NotifierRequest {
    pub kind: NotifierKind,
    /// A Slack channel's id, such as `C024BE91L`, or an e-mail address.
    #[schema(max_length = 254)]
    pub target: String,
    /// Only news of this space; without it, of every space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
}

/// A place where people are told.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NotifierView {
    #[schema(value_type = String)]
    pub id: NotifierId,
    pub kind: NotifierKind,
    pub target: String,
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// How a test went.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NotifierTest {
    pub delivered: bool,
    /// Why it did not arrive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Which user a user of Slack is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SlackPersonRequest {
    #[schema(value_type = String)]
    pub user: UserId,
}

/// A user of Slack, and which user they are.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SlackPersonView {
    /// Slack's own id, such as `U024BE7LH`.
    pub slack_user: String,
    #[schema(value_type = String)]
    pub user: UserId,
}

/// What Slack is told about a click.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClickAnswer {
    /// Always `ephemeral`: for the one who clicked alone.
    pub response_type: String,
    /// Always `false`: the message is changed when the invocation has.
    pub replace_original: bool,
    pub text: String,
}
