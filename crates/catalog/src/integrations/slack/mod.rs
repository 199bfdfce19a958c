//! Slack: messages and channels, over the Web API.
//!
//! Sending is checkable because every message carries metadata with a name made from the idempotency key: a
//! look through the channel's newest messages for that name tells whether it was sent.

mod api;
mod params;

use std::borrow::Cow;

use async_trait::async_trait;
use model::{ActionDefinition, EffectClass, ErrorClass, Labels, SourceSlug};
use serde_json::{Value, json};
use url::Url;

use self::{
    api::Api,
    params::{ListChannels, ReadThread, SendMessage},
};
use crate::{
    ActionSource, Call, CallContext, Outcome, Preview, SourceError, Undone,
    define::{self, Define},
    registry::Error,
    wire,
};

const EVENT_TYPE: &str = "countersign";
const LOOKUP_PAGE: &str = "200";
// A look goes through this many pages. If there is more to see than that, the answer is "cannot tell".
const LOOKUP_PAGES: usize = 10;
const PAGE: u32 = 100;

/// The source `slack`.
pub struct Slack {
    slug: SourceSlug,
    base: Url,
    definitions: Vec<ActionDefinition>,
}

impl Slack {
    /// The source, speaking to the service at `base`.
    pub fn new(base: Url) -> Result<Self, Error> {
        let slug: SourceSlug = "slack".parse().map_err(Error::Slug)?;
        let private = Labels { reads_untrusted: false, reads_private: true, sends_out: false };
        let definitions = vec![
            Define::write(
                "send_message",
                EffectClass::Checkable,
                "Posts a message to a channel or a thread.",
            )
            .sends_out()
            .undo("deletes the message; people may have read it by then")
            .previews()
            .takes::<SendMessage>(&slug)?,
            Define::read("list_channels", "Lists channels with their ids.")
                .labels(private)
                .takes::<ListChannels>(&slug)?,
            Define::read("read_thread", "Reads the messages of a thread.").takes::<ReadThread>(&slug)?,
        ];
        Ok(Self { slug, base, definitions })
    }
}

#[async_trait]
impl ActionSource for Slack {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn guide(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(include_str!("guide.md")))
    }

    fn definitions(&self) -> &[ActionDefinition] {
        &self.definitions
    }

    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError> {
        let api = Api::new(ctx, &self.base);
        match call.action.as_str() {
            "send_message" => send_message(&api, define::params(call)?, ctx).await,
            "list_channels" => list_channels(&api, define::params(call)?).await,
            "read_thread" => read_thread(&api, define::params(call)?).await,
            _ => Err(define::unknown(call)),
        }
    }

    async fn preview(&self, call: &Call, _: &CallContext) -> Result<Option<Preview>, SourceError> {
        if call.action.as_str() != "send_message" {
            return Ok(None);
        }
        let wanted: SendMessage = define::params(call)?;
        let place = if wanted.thread_ts.is_some() { "a thread of " } else { "" };
        let text = wire::line(&wanted.text);
        let summary = format!("Posts to {place}Slack channel {}: “{text}”", wanted.channel);
        Ok(Some(Preview { summary, changes: Vec::new() }))
    }

    async fn rollback(&self, call: &Call, done: &Outcome, ctx: &CallContext) -> Result<Undone, SourceError> {
        if call.action.as_str() != "send_message" {
            return Ok(Undone::NotPossible(format!("`{}` cannot be undone", call.action)));
        }
        let message = json!({"channel": done.output["channel"], "ts": done.output["ts"]});
        match Api::new(ctx, &self.base).write("chat.delete", &message).await {
            Ok(_) => Ok(Undone::Done("the message was deleted".to_owned())),
            // An earlier try deleted it, or a person did.
            Err(error) if api::is_message_gone(&error) => Ok(Undone::Done("the message is gone".to_owned())),
            Err(error) => Err(error),
        }
    }

    async fn lookup(&self, call: &Call, ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
        if call.action.as_str() != "send_message" {
            return Err(SourceError::not_sent(ErrorClass::Permanent, "reads are repeated, not looked up"));
        }
        let wanted: SendMessage = define::params(call)?;
        find_sent(&Api::new(ctx, &self.base), &wanted, &name_of_effect(ctx)).await
    }
}

// The key itself may mean something to its caller; the channel gets to see only what is made of it.
fn name_of_effect(ctx: &CallContext) -> String {
    wire::effect_digest(ctx, "slack message").to_string()
}

async fn send_message(api: &Api<'_>, wanted: SendMessage, ctx: &CallContext) -> Result<Outcome, SourceError> {
    let mut body = json!({
        "channel": wanted.channel,
        "text": wanted.text,
        "metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": name_of_effect(ctx)}},
        // Fetching links in the text would carry what it says to other people's servers.
        "unfurl_links": false,
        "unfurl_media": false,
    });
    if let Some(thread) = &wanted.thread_ts {
        body["thread_ts"] = json!(thread);
    }
    let answer = api.write("chat.postMessage", &body).await?;
    Ok(Outcome::new(json!({"channel": answer["channel"], "ts": answer["ts"]})))
}

async fn list_channels(api: &Api<'_>, wanted: ListChannels) -> Result<Outcome, SourceError> {
    let types = if wanted.include_private { "public_channel,private_channel" } else { "public_channel" };
    let limit = wanted.limit.unwrap_or(PAGE).clamp(1, 200).to_string();
    let mut query = vec![("types", types), ("exclude_archived", "true"), ("limit", &*limit)];
    query.extend(wanted.cursor.as_deref().map(|cursor| ("cursor", cursor)));
    let answer = api.read("conversations.list", &query).await?;
    Ok(Outcome::new(json!({"channels": answer["channels"], "next_cursor": next_cursor(&answer)})))
}

async fn read_thread(api: &Api<'_>, wanted: ReadThread) -> Result<Outcome, SourceError> {
    let limit = wanted.limit.unwrap_or(PAGE).clamp(1, 200).to_string();
    let mut query = vec![("channel", &*wanted.channel), ("ts", &*wanted.thread_ts), ("limit", &*limit)];
    query.extend(wanted.cursor.as_deref().map(|cursor| ("cursor", cursor)));
    let answer = api.read("conversations.replies", &query).await?;
    Ok(Outcome::new(json!({"messages": answer["messages"], "next_cursor": next_cursor(&answer)})))
}

async fn find_sent(api: &Api<'_>, wanted: &SendMessage, name: &str) -> Result<Option<Outcome>, SourceError> {
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
        if let Some(message) = messages.iter().find(|message| is_named(message, name)) {
            return Ok(Some(Outcome::new(json!({"channel": wanted.channel, "ts": message["ts"]}))));
        }
        cursor = next_cursor(&answer);
        if cursor.is_none() {
            return Ok(None);
        }
    }
    Err(SourceError::sent(
        ErrorClass::OutcomeUnknown,
        "the channel holds more messages than are looked through; whether it was sent cannot be told",
    ))
}

fn is_named(message: &Value, name: &str) -> bool {
    message["metadata"]["event_type"] == EVENT_TYPE && message["metadata"]["event_payload"]["key"] == name
}

fn next_cursor(answer: &Value) -> Option<String> {
    let cursor = answer["response_metadata"]["next_cursor"].as_str()?;
    (!cursor.is_empty()).then(|| cursor.to_owned())
}
