//! The parameters of Slack's actions.

use schemars::JsonSchema;
use serde::Deserialize;

/// The message to send.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SendMessage {
    /// The channel's id, for example `C024BE91L`; names are not accepted because they can change.
    #[schemars(regex(pattern = r"^[CDG][A-Z0-9]{2,20}$"))]
    pub(super) channel: String,
    /// The text, in Slack's markup.
    #[schemars(length(min = 1, max = 4_000))]
    pub(super) text: String,
    /// The `ts` of the message to reply to in its thread.
    #[schemars(regex(pattern = r"^[0-9]{1,16}\.[0-9]{1,10}$"))]
    pub(super) thread_ts: Option<String>,
}

/// A selection of channels.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListChannels {
    /// Whether to include private channels the connected app is in.
    #[serde(default)]
    pub(super) include_private: bool,
    /// How many, 1 to 200.
    #[schemars(range(min = 1, max = 200))]
    pub(super) limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    #[schemars(length(min = 1, max = 200))]
    pub(super) cursor: Option<String>,
}

/// A thread of a channel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadThread {
    /// The channel's id.
    #[schemars(regex(pattern = r"^[CDG][A-Z0-9]{2,20}$"))]
    pub(super) channel: String,
    /// The `ts` of the first message of the thread.
    #[schemars(regex(pattern = r"^[0-9]{1,16}\.[0-9]{1,10}$"))]
    pub(super) thread_ts: String,
    /// How many messages, 1 to 200.
    #[schemars(range(min = 1, max = 200))]
    pub(super) limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    #[schemars(length(min = 1, max = 200))]
    pub(super) cursor: Option<String>,
}
