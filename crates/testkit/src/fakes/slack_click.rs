//! Clicks, as Slack sends them: a form with one field of JSON, signed with the app's secret.

use axum::{body::Body, http::Request};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

/// A click on a button.
#[derive(Debug, Clone)]
pub struct Press {
    /// The Slack ID of the person who clicked.
    pub user: String,
    pub action: String,
    pub value: String,
    pub channel: String,
    pub ts: String,
}

impl Press {
    /// A click on the button of a message with this label.
    pub fn of(message: &Value, user: &str, action: &str) -> Option<Self> {
        let blocks = message["blocks"].as_array()?;
        let buttons = blocks.iter().filter_map(|block| block["elements"].as_array()).flatten();
        let button = buttons.into_iter().find(|button| button["action_id"] == action)?;
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        Some(Self {
            user: user.to_owned(),
            action: action.to_owned(),
            value: text(&button["value"])?,
            channel: text(&message["channel"])?,
            ts: text(&message["ts"])?,
        })
    }

    /// The payload that Slack sends.
    pub fn payload(&self) -> Value {
        json!({
            "type": "block_actions", "api_app_id": "A0APP", "team": {"id": "T0TEAM", "domain": "acme"},
            "user": {"id": self.user, "username": "somebody", "team_id": "T0TEAM"},
            "container": {"type": "message", "message_ts": self.ts, "channel_id": self.channel, "is_ephemeral": false},
            "channel": {"id": self.channel, "name": "general"},
            "response_url": "http://127.0.0.1:1/actions/T0TEAM/1/secret",
            "trigger_id": "1.2.3",
            "actions": [{
                "type": "button", "action_id": self.action, "block_id": "b", "value": self.value,
                "action_ts": "1700000000.000000",
            }],
        })
    }

    /// Signs the click at a time, in seconds.
    pub fn signed(&self, secret: &str, at: i64) -> SignedClick {
        SignedClick::new(secret, at, form(&self.payload().to_string()))
    }
}

/// The body of a click with this payload.
pub fn form(payload: &str) -> String {
    url::form_urlencoded::Serializer::new(String::new()).append_pair("payload", payload).finish()
}

/// A signed click, ready to be sent.
#[derive(Debug, Clone)]
pub struct SignedClick {
    pub timestamp: String,
    pub signature: String,
    pub content_type: String,
    pub body: String,
}

impl SignedClick {
    /// A body with Slack's signature.
    pub fn new(secret: &str, at: i64, body: String) -> Self {
        let timestamp = at.to_string();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any key length is valid");
        mac.update(format!("v0:{timestamp}:{body}").as_bytes());
        let signature = format!("v0={}", hex::encode(mac.finalize().into_bytes()));
        Self { timestamp, signature, content_type: "application/x-www-form-urlencoded".to_owned(), body }
    }

    /// The request to an organization's endpoint. Empty headers are left out.
    pub fn request(&self, org: &str) -> anyhow::Result<Request<Body>> {
        let mut request = Request::builder().method("POST").uri(format!("/v1/slack/{org}/interactions"));
        for (name, value) in [
            ("content-type", &self.content_type),
            ("x-slack-request-timestamp", &self.timestamp),
            ("x-slack-signature", &self.signature),
        ] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        Ok(request.body(Body::from(self.body.clone()))?)
    }
}
