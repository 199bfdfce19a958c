//! Slack's Web API, as far as people are told through it.

use std::time::Duration;

use http::{
    Method,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER},
};
use platform::egress::{Egress, Request};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value, json};
use url::Url;

use super::Undelivered;

const TIMEOUT: Duration = Duration::from_secs(10);
/// What Slack answers is small.
const ANSWER_CAP: usize = 256 * 1024;

/// Slack, as the org's bot.
pub(super) struct Bot<'a> {
    pub(super) egress: &'a Egress,
    pub(super) base: &'a Url,
    pub(super) token: SecretString,
}

impl Bot<'_> {
    /// Posts a message; gives back Slack's name for it.
    pub(super) async fn post(
        &self,
        channel: &str,
        mut message: Map<String, Value>,
        notice: &str,
    ) -> Result<(String, String), Undelivered> {
        message.insert("channel".to_owned(), json!(channel));
        message.insert(
            "metadata".to_owned(),
            json!({"event_type": "countersign_notice", "event_payload": {"notice": notice}}),
        );
        let answer = self.call("chat.postMessage", Value::Object(message)).await?;
        let named = |name: &str| answer.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        named("channel").zip(named("ts")).ok_or_else(|| Undelivered::new("Slack named no message"))
    }

    /// Changes a message to what it should say now. Twice is the same as once.
    pub(super) async fn update(
        &self,
        (channel, ts): (&str, &str),
        mut message: Map<String, Value>,
    ) -> Result<(), Undelivered> {
        message.insert("channel".to_owned(), json!(channel));
        message.insert("ts".to_owned(), json!(ts));
        self.call("chat.update", Value::Object(message)).await.map(drop)
    }

    /// Tells one person something that only they see.
    pub(super) async fn whisper(&self, channel: &str, user: &str, text: &str) -> Result<(), Undelivered> {
        let message = json!({"channel": channel, "user": user, "text": text, "parse": "none"});
        self.call("chat.postEphemeral", message).await.map(drop)
    }

    async fn call(&self, method: &str, body: Value) -> Result<Value, Undelivered> {
        let url =
            self.base.join(&format!("/api/{method}")).map_err(|_| Undelivered::new("no such address"))?;
        let mut headers = HeaderMap::new();
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", self.token.expose_secret()))
            .map_err(|_| Undelivered::new("the token of Slack cannot be sent"))?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        let body = Some(body.to_string().into());
        let request = Request { method: Method::POST, url, headers, body, timeout: TIMEOUT };
        let egress = self.egress.clone().with_body_cap(ANSWER_CAP);
        let answer =
            egress.send(request).await.map_err(|_| Undelivered::new("Slack could not be reached"))?;
        let retry_after = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = retry_after.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
        if !answer.status.is_success() {
            let why = format!("Slack answered {}", answer.status.as_u16());
            return Err(Undelivered { retry_after, ..Undelivered::new(why) });
        }
        // Failures come with status 200; the body says how it went.
        let answer: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if answer.get("ok") == Some(&Value::Bool(true)) {
            return Ok(answer);
        }
        let word = answer.get("error").and_then(Value::as_str).unwrap_or_default();
        Err(Undelivered {
            retry_after,
            hopeless: is_hopeless(word),
            ..Undelivered::new(format!("Slack: {}", named(word)))
        })
    }
}

/// Slack's word for a failure, if it is one.
fn named(word: &str) -> &str {
    let is_word = (1..=64).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if is_word { word } else { "unknown_error" }
}

/// Whether a message that is to be changed can never be.
fn is_hopeless(word: &str) -> bool {
    matches!(word, "message_not_found" | "cant_update_message" | "edit_window_closed")
}
