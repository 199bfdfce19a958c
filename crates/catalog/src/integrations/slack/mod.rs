//! Slack: messages and channels, over the Web API.
//!
//! Sending is checkable because every message carries metadata with a name derived from the idempotency key: a search
//! for that name in the channel's newest messages shows whether the message was sent.

mod api;
mod params;

use model::{EffectClass, ErrorClass};
use serde_json::{Value, json};
use url::Url;

use self::{
    api::Api,
    params::{ListChannels, ReadThread, SendMessage},
};
use super::{Integration, Source};
use crate::{
    Outcome, Preview, SourceError, Undone,
    declared::DeclaredSource,
    define::{At, Define},
    registry::Error,
    wire,
};

const EVENT_TYPE: &str = "countersign";
const LOOKUP_PAGE: &str = "200";
/// How many pages a lookup reads. If there are more, it fails, because the outcome is unknown.
const LOOKUP_PAGES: usize = 10;
/// The page size if the caller does not set one.
const PAGE: u32 = 100;

/// The integration of Slack.
pub static SLACK: Integration = Integration {
    slug: "slack",
    title: "Slack",
    default_url: "https://slack.com",
    url_variable: "COUNTERSIGN_SLACK_URL",
    token_variable: "SLACK_BOT_TOKEN",
    token_url: "https://api.slack.com/apps",
    token_hint: "Install an app in the workspace and copy its bot token. It needs the scopes channels:read, groups:read, \
                 channels:history, groups:history and chat:write.",
    source,
};

fn source(base: Url) -> Result<Source, Error> {
    let send = "Posts a message to a channel or a thread.";
    let source = DeclaredSource::new(SLACK.slug, base)?
        .guide(include_str!("guide.md"))
        .with(
            Define::write("send_message", EffectClass::Checkable, send)
                .sends_out()
                .recipients(&["input.channel"])
                .takes::<SendMessage>()
                .execute(send_message)
                .lookup(find_sent)
                .describe(describe_message)
                .undo("deletes the message; people may have read it by then", delete),
        )?
        .with(
            Define::read("list_channels", "Lists channels with their ids.")
                .takes::<ListChannels>()
                .execute(list_channels),
        )?
        .with(
            Define::read("read_thread", "Reads the messages of a thread.")
                .takes::<ReadThread>()
                .execute(read_thread),
        )?;
    Ok(Box::new(source))
}

// The key itself may be meaningful to its caller, so the channel sees only a digest of it.
fn name_of_effect(at: At<'_>) -> String {
    wire::effect_digest(at.ctx, "slack message").to_string()
}

async fn send_message(at: At<'_>, wanted: SendMessage) -> Result<Outcome, SourceError> {
    let mut body = json!({
        "channel": wanted.channel,
        "text": wanted.text,
        "metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": name_of_effect(at)}},
        // Fetching links in the text would send parts of it to other people's servers.
        "unfurl_links": false,
        "unfurl_media": false,
    });
    if let Some(thread) = &wanted.thread_ts {
        body["thread_ts"] = json!(thread);
    }
    let answer = Api::new(at).write("chat.postMessage", &body).await?;
    Ok(Outcome::new(json!({"channel": answer["channel"], "ts": answer["ts"]})))
}

fn describe_message(wanted: &SendMessage) -> Preview {
    let place = if wanted.thread_ts.is_some() { "a thread of " } else { "" };
    let text = wire::line(&wanted.text);
    let summary = format!("Posts to {place}Slack channel {}: “{text}”", wanted.channel);
    Preview::of(summary)
}

async fn delete(at: At<'_>, _: SendMessage, done: &Outcome) -> Result<Undone, SourceError> {
    let message = json!({"channel": done.output["channel"], "ts": done.output["ts"]});
    match Api::new(at).write("chat.delete", &message).await {
        Ok(_) => Ok(Undone::Done("the message was deleted".to_owned())),
        // An earlier attempt deleted it, or a person did.
        Err(error) if api::is_message_gone(&error) => Ok(Undone::Done("the message is gone".to_owned())),
        Err(error) => Err(error),
    }
}

async fn list_channels(at: At<'_>, wanted: ListChannels) -> Result<Outcome, SourceError> {
    let types = if wanted.include_private { "public_channel,private_channel" } else { "public_channel" };
    let limit = wanted.limit.unwrap_or(PAGE).clamp(1, 200).to_string();
    let mut query = vec![("types", types), ("exclude_archived", "true"), ("limit", &*limit)];
    query.extend(wanted.cursor.as_deref().map(|cursor| ("cursor", cursor)));
    let answer = Api::new(at).read("conversations.list", &query).await?;
    Ok(Outcome::new(json!({"channels": answer["channels"], "next_cursor": next_cursor(&answer)})))
}

async fn read_thread(at: At<'_>, wanted: ReadThread) -> Result<Outcome, SourceError> {
    let limit = wanted.limit.unwrap_or(PAGE).clamp(1, 200).to_string();
    let mut query = vec![("channel", &*wanted.channel), ("ts", &*wanted.thread_ts), ("limit", &*limit)];
    query.extend(wanted.cursor.as_deref().map(|cursor| ("cursor", cursor)));
    let answer = Api::new(at).read("conversations.replies", &query).await?;
    Ok(Outcome::new(json!({"messages": answer["messages"], "next_cursor": next_cursor(&answer)})))
}

async fn find_sent(at: At<'_>, wanted: SendMessage) -> Result<Option<Outcome>, SourceError> {
    let (api, name) = (Api::new(at), name_of_effect(at));
    let mut cursor: Option<String> = None;
    for _ in 0..LOOKUP_PAGES {
        let mut query =
            vec![("channel", &*wanted.channel), ("limit", LOOKUP_PAGE), ("include_all_metadata", "true")];
        query.extend(wanted.thread_ts.as_deref().map(|ts| ("ts", ts)));
        query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let method =
            if wanted.thread_ts.is_some() { "conversations.replies" } else { "conversations.history" };
        let answer = api.read(method, &query).await?;
        let messages = answer["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        if let Some(message) = messages.iter().find(|message| is_named(message, &name)) {
            return Ok(Some(Outcome::new(json!({"channel": wanted.channel, "ts": message["ts"]}))));
        }
        cursor = next_cursor(&answer);
        if cursor.is_none() {
            return Ok(None);
        }
    }
    Err(SourceError::sent(
        ErrorClass::OutcomeUnknown,
        "the channel has more messages than can be searched; whether the message was sent is unknown",
    ))
}

fn is_named(message: &Value, name: &str) -> bool {
    message["metadata"]["event_type"] == EVENT_TYPE && message["metadata"]["event_payload"]["key"] == name
}

fn next_cursor(answer: &Value) -> Option<String> {
    let cursor = answer["response_metadata"]["next_cursor"].as_str()?;
    (!cursor.is_empty()).then(|| cursor.to_owned())
}
