//! Notifiers, and links between Slack users and members.

use jiff::Timestamp;
use model::{NotifierId, SpaceId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How notifications are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotifierKind {
    /// As a message in a Slack channel.
    Slack,
    /// As an e-mail.
    Email,
}

/// A notifier to add.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NotifierRequest {
    pub kind: NotifierKind,
    /// ID of a Slack channel, for example `C024BE91L`, or an e-mail address.
    #[schema(max_length = 254)]
    pub target: String,
    /// Send notifications only for this space. By default, for every space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
}

/// A notifier: where people are notified about pending approvals.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NotifierView {
    #[schema(value_type = String)]
    pub id: NotifierId,
    pub kind: NotifierKind,
    /// ID of the Slack channel, or the e-mail address.
    pub target: String,
    /// The space whose notifications are sent. `null` means every space.
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// The result of a test notification.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NotifierTest {
    /// Whether the notification was delivered.
    pub delivered: bool,
    /// Why the notification was not delivered. Absent if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The member to link to a Slack user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SlackPersonRequest {
    /// ID of the member.
    #[schema(value_type = String)]
    pub user: UserId,
}

/// A Slack user and the linked member.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SlackPersonView {
    /// ID of the Slack user, for example `U024BE7LH`.
    pub slack_user: String,
    /// ID of the linked member.
    #[schema(value_type = String)]
    pub user: UserId,
}

/// The response to a click in Slack.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClickAnswer {
    /// Always `ephemeral`: the text is visible only to the person who clicked.
    pub response_type: String,
    /// Always `false`. The original message is updated separately, after the invocation has changed.
    pub replace_original: bool,
    /// The text to show.
    pub text: String,
}
