//! The part of Slack's Web API that sends messages.

use std::time::Duration;

use http::{
    Method,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER},
};
use platform::egress::{Egress, Request};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value, json};
use url::Url;

use crate::delivery::DeliveryError;

const TIMEOUT: Duration = Duration::from_secs(10);
/// The largest response that is read; those of Slack are small.
const ANSWER_CAP: usize = 256 * 1024;

/// The name of a message in Slack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MessageRef {
    pub(crate) channel: String,
    pub(crate) ts: String,
}

/// Slack, as the org's bot.
pub(crate) struct Bot<'a> {
    pub(crate) egress: &'a Egress,
    pub(crate) base: &'a Url,
    pub(crate) token: SecretString,
}

impl Bot<'_> {
    /// Posts a message; returns its name in Slack.
    pub(crate) async fn post(
        &self,
        channel: &str,
        mut message: Map<String, Value>,
        notice: &str,
    ) -> Result<MessageRef, DeliveryError> {
        message.insert("channel".to_owned(), json!(channel));
        message.insert(
            "metadata".to_owned(),
            json!({"event_type": "countersign_notice", "event_payload": {"notice": notice}}),
        );
        let answer = self.call("chat.postMessage", Value::Object(message)).await?;
        let named = |name: &str| answer.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        let posted = named("channel").zip(named("ts")).map(|(channel, ts)| MessageRef { channel, ts });
        posted.ok_or_else(|| DeliveryError::new("Slack returned no message"))
    }

    /// Replaces the content of a message. Doing it twice is harmless.
    pub(crate) async fn update(
        &self,
        posted: &MessageRef,
        mut message: Map<String, Value>,
    ) -> Result<(), DeliveryError> {
        message.insert("channel".to_owned(), json!(posted.channel));
        message.insert("ts".to_owned(), json!(posted.ts));
        self.call("chat.update", Value::Object(message)).await.map(drop)
    }

    /// Sends a message that only one person sees.
    pub(crate) async fn tell_privately(
        &self,
        channel: &str,
        user: &str,
        text: &str,
    ) -> Result<(), DeliveryError> {
        let message = json!({"channel": channel, "user": user, "text": text, "parse": "none"});
        self.call("chat.postEphemeral", message).await.map(drop)
    }

    async fn call(&self, method: &str, body: Value) -> Result<Value, DeliveryError> {
        let url =
            self.base.join(&format!("/api/{method}")).map_err(|_| DeliveryError::new("no such address"))?;
        let mut headers = HeaderMap::new();
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", self.token.expose_secret()))
            .map_err(|_| DeliveryError::new("the Slack token contains invalid characters"))?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        let body = Some(body.to_string().into());
        let request = Request { method: Method::POST, url, headers, body, timeout: TIMEOUT };
        let egress = self.egress.clone().with_body_cap(ANSWER_CAP);
        let answer =
            egress.send(request).await.map_err(|_| DeliveryError::new("Slack could not be reached"))?;
        let retry_after = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = retry_after.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
        if !answer.status.is_success() {
            let why = format!("Slack answered {}", answer.status.as_u16());
            return Err(DeliveryError { retry_after, ..DeliveryError::new(why) });
        }
        // Slack reports failures with status 200 and an error in the body.
        let answer: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if answer.get("ok") == Some(&Value::Bool(true)) {
            return Ok(answer);
        }
        let word = answer.get("error").and_then(Value::as_str).unwrap_or_default();
        Err(DeliveryError {
            retry_after,
            permanent: is_permanent(word),
            ..DeliveryError::new(format!("Slack: {}", named(word)))
        })
    }
}

/// Slack's error code, if it looks like one.
fn named(word: &str) -> &str {
    let is_word = (1..=64).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if is_word { word } else { "unknown_error" }
}

/// Whether the message can never be updated.
fn is_permanent(word: &str) -> bool {
    matches!(word, "message_not_found" | "cant_update_message" | "edit_window_closed")
}
