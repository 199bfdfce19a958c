//! Slack's Web API, as far as the catalog and notifiers use it.

use std::ops::Deref;

use hyper::Method;
use serde_json::{Value, json};

use super::{
    integrations::Fake,
    stage::{Answer, Seen, Service, Stage},
};

/// A running fake of Slack, with the channels `C0GENERAL` and the archived `C0OLD`.
pub struct FakeSlack(Stage<Slack>);

impl FakeSlack {
    /// Starts the fake on any free port; requests must have this token.
    pub async fn start(token: &str) -> Self {
        Self::start_on(token, 0).await.expect("a loopback port is free")
    }

    /// Starts the fake on a port.
    pub async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        let slack = Slack { token: token.to_owned(), messages: Vec::new(), whispers: Vec::new(), sent: 0 };
        Stage::start(slack, port).await.map(Self)
    }

    /// The current messages, oldest first.
    pub fn messages(&self) -> Vec<Value> {
        self.state(|slack| slack.messages.clone())
    }

    /// The ephemeral messages and their recipients, oldest first.
    pub fn whispers(&self) -> Vec<(String, String)> {
        self.state(|slack| slack.whispers.clone())
    }

    /// Adds a message of another user and returns its `ts`.
    pub fn put_message(&self, text: &str) -> String {
        self.state(|slack| slack.store(&json!({"channel": "C0GENERAL", "text": text})))
    }
}

impl Fake for FakeSlack {
    const SLUG: &'static str = "slack";
    const READ: (&'static str, &'static str) = ("slack.list_channels", "{}");

    async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        Self::start_on(token, port).await
    }

    fn url(&self) -> String {
        self.0.url()
    }
}

impl Deref for FakeSlack {
    type Target = Stage<Slack>;

    fn deref(&self) -> &Stage<Slack> {
        &self.0
    }
}

/// The state of the fake.
pub struct Slack {
    token: String,
    messages: Vec<Value>,
    /// The ephemeral messages and their recipients.
    whispers: Vec<(String, String)>,
    sent: u64,
}

fn failure(word: &str) -> Answer {
    Answer::new(200, json!({"ok": false, "error": word}))
}

impl Slack {
    fn store(&mut self, body: &Value) -> String {
        self.sent += 1;
        let ts = format!("1700000000.{:06}", self.sent);
        let mut message = json!({
            "type": "message", "ts": ts, "channel": body["channel"], "text": body["text"],
            "metadata": body["metadata"], "blocks": body["blocks"],
        });
        if let Some(thread) = body["thread_ts"].as_str() {
            message["thread_ts"] = json!(thread);
        }
        self.messages.push(message);
        ts
    }

    fn post(&mut self, seen: &Seen) -> Answer {
        let text = seen.body["text"].as_str().unwrap_or_default();
        match seen.body["channel"].as_str() {
            Some("C0GENERAL" | "C0PUBLIC") if text.is_empty() => failure("no_text"),
            Some("C0GENERAL" | "C0PUBLIC") if !seen.body["metadata"]["event_payload"].is_object() => {
                failure("invalid_metadata_format")
            }
            Some(channel @ ("C0GENERAL" | "C0PUBLIC")) => {
                let ts = self.store(&seen.body);
                let message = self.messages.last().cloned();
                Answer::new(200, json!({"ok": true, "channel": channel, "ts": ts, "message": message}))
                    .effect(text)
            }
            Some("C0OLD") => failure("is_archived"),
            _ => failure("channel_not_found"),
        }
    }

    fn update(&mut self, seen: &Seen) -> Answer {
        let named = |message: &&mut Value| {
            message["ts"] == seen.body["ts"] && message["channel"] == seen.body["channel"]
        };
        let Some(message) = self.messages.iter_mut().find(named) else { return failure("message_not_found") };
        message["text"] = seen.body["text"].clone();
        message["blocks"] = seen.body["blocks"].clone();
        let ts = message["ts"].clone();
        Answer::new(200, json!({"ok": true, "channel": seen.body["channel"], "ts": ts, "message": message}))
            .effect(format!("update {ts}"))
    }

    /// An ephemeral message. Slack does not keep it, so it is only counted.
    fn whisper(&mut self, seen: &Seen) -> Answer {
        let text = seen.body["text"].as_str().unwrap_or_default();
        match (seen.body["user"].as_str(), text) {
            (None, _) => failure("user_not_in_channel"),
            (_, "") => failure("no_text"),
            (Some(user), text) => {
                self.whispers.push((user.to_owned(), text.to_owned()));
                Answer::new(200, json!({"ok": true, "message_ts": "1700000000.999999"}))
            }
        }
    }

    fn delete(&mut self, seen: &Seen) -> Answer {
        let before = self.messages.len();
        self.messages.retain(|message| message["ts"] != seen.body["ts"]);
        if self.messages.len() == before {
            return failure("message_not_found");
        }
        let ts = seen.body["ts"].as_str().unwrap_or_default();
        Answer::new(200, json!({"ok": true, "channel": seen.body["channel"], "ts": ts}))
            .effect(format!("delete {ts}"))
    }

    /// A page of messages: a channel's newest first, a thread's oldest first.
    fn read(&self, seen: &Seen, thread: Option<&str>) -> Answer {
        if seen.query.get("channel").is_none_or(|channel| channel != "C0GENERAL") {
            return failure("channel_not_found");
        }
        let with_metadata = seen.query.get("include_all_metadata").is_some_and(|it| it == "true");
        let mut found: Vec<Value> = (self.messages.iter())
            .filter(|message| match thread {
                Some(ts) => message["ts"] == ts || message["thread_ts"] == ts,
                None => message["thread_ts"].is_null(),
            })
            .cloned()
            .collect();
        if thread.is_some() && found.is_empty() {
            return failure("thread_not_found");
        }
        if thread.is_none() {
            found.reverse();
        }
        for message in found.iter_mut().filter(|_| !with_metadata) {
            message["metadata"] = Value::Null;
        }
        page(seen, &found, "messages")
    }
}

fn page(seen: &Seen, all: &[Value], name: &str) -> Answer {
    let limit: usize = seen.query.get("limit").and_then(|it| it.parse().ok()).unwrap_or(100);
    let from: usize = seen.query.get("cursor").and_then(|it| it.parse().ok()).unwrap_or(0);
    let to = all.len().min(from + limit);
    let more = to < all.len();
    let next = if more { to.to_string() } else { String::new() };
    let items = all.get(from..to).unwrap_or_default();
    Answer::new(
        200,
        json!({"ok": true, name: items, "has_more": more, "response_metadata": {"next_cursor": next}}),
    )
}

impl Service for Slack {
    fn answer(&mut self, seen: &Seen) -> Answer {
        match seen.header("authorization") {
            "" => return failure("not_authed"),
            given if given != format!("Bearer {}", self.token) => return failure("invalid_auth"),
            _ => {}
        }
        let method = seen.path.strip_prefix("/api/").unwrap_or_default();
        let is_write = seen.method == Method::POST;
        if is_write && seen.header("content-type") != "application/json; charset=utf-8" {
            return failure("invalid_post_type");
        }
        match method {
            "chat.postMessage" if is_write => self.post(seen),
            "chat.update" if is_write => self.update(seen),
            "chat.postEphemeral" if is_write => self.whisper(seen),
            "chat.delete" if is_write => self.delete(seen),
            // Methods that read ignore a JSON body, so their arguments would be missing.
            "conversations.history" if !is_write => self.read(seen, None),
            "conversations.replies" if !is_write => {
                let ts = seen.query.get("ts").cloned().unwrap_or_default();
                self.read(seen, Some(&ts))
            }
            "conversations.list" if !is_write => {
                let channels = [
                    json!({"id": "C0GENERAL", "name": "general", "is_private": false}),
                    json!({"id": "C0RANDOM", "name": "random", "is_private": false}),
                ];
                page(seen, &channels, "channels")
            }
            _ => failure("unknown_method"),
        }
    }
}
