//! Slack's Web API: how it is called, and what its error strings mean.

use http::{
    Method,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use model::ErrorClass;
use serde_json::Value;
use url::Url;

use crate::{
    SourceError,
    define::At,
    wire::{self, Wire},
};

/// A client of the service for one call.
pub(super) struct Api<'a> {
    wire: Wire<'a>,
}

impl<'a> Api<'a> {
    pub(super) fn new(at: At<'a>) -> Self {
        Self { wire: Wire::new(at.ctx, at.service) }
    }

    /// Reads take their arguments in the query: Slack accepts JSON for writes only.
    pub(super) async fn read(&self, method: &str, query: &[(&str, &str)]) -> Result<Value, SourceError> {
        let mut url = self.wire.url(&["api", method])?;
        url.query_pairs_mut().extend_pairs(query);
        self.call(Method::GET, url, None).await
    }

    pub(super) async fn write(&self, method: &str, body: &Value) -> Result<Value, SourceError> {
        let url = self.wire.url(&["api", method])?;
        self.call(Method::POST, url, Some(body)).await
    }

    async fn call(&self, method: Method, url: Url, body: Option<&Value>) -> Result<Value, SourceError> {
        let mut headers = HeaderMap::new();
        let bearer = format!("Bearer {}", self.wire.token()?);
        headers.insert(AUTHORIZATION, wire::secret_header(&bearer)?);
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        }
        let response = self.wire.send(method, url, headers, body).await?;
        if !response.status.is_success() {
            return Err(self.wire.refused("Slack", &response, wire::class_of(response.status)));
        }
        // Failures come with status 200; the body contains the result.
        let answer = wire::json("Slack", &response)?;
        if answer["ok"] == true {
            return Ok(answer);
        }
        let word = answer["error"].as_str().unwrap_or("unknown_error");
        let mut error = self.wire.told(class_of(word), &format!("Slack: {word}"));
        error.retry_after = wire::retry_after(&response.headers);
        Err(error)
    }
}

/// Whether Slack itself said that the message does not exist. A status 404 can come from any proxy, and a channel that
/// cannot be seen proves nothing about its messages.
pub(super) fn is_message_gone(error: &SourceError) -> bool {
    error.message == "Slack: message_not_found"
}

/// The class of one of Slack's error strings.
fn class_of(word: &str) -> ErrorClass {
    match word {
        "not_authed"
        | "invalid_auth"
        | "account_inactive"
        | "token_revoked"
        | "token_expired"
        | "missing_scope"
        | "no_permission"
        | "not_allowed_token_type"
        | "access_denied"
        | "ekm_access_denied"
        | "org_login_required"
        | "team_access_not_granted" => ErrorClass::Auth,
        "channel_not_found" | "message_not_found" | "thread_not_found" | "user_not_found" => {
            ErrorClass::NotFound
        }
        "not_in_channel"
        | "is_archived"
        | "cant_delete_message"
        | "restricted_action"
        | "restricted_action_thread_locked"
        | "duplicate_message_not_allowed" => ErrorClass::Conflict,
        "ratelimited" | "rate_limited" | "message_limit_exceeded" => ErrorClass::RateLimited,
        "msg_too_long"
        | "no_text"
        | "invalid_arguments"
        | "invalid_cursor"
        | "invalid_limit"
        | "invalid_blocks"
        | "metadata_too_large"
        | "invalid_metadata_format"
        | "invalid_ts_latest"
        | "invalid_json"
        | "json_not_object"
        | "invalid_charset"
        | "invalid_post_type" => ErrorClass::Invalid,
        // Slack documents that part of the operation may have succeeded after these errors, so the effect is looked up.
        "internal_error" | "fatal_error" | "service_unavailable" | "request_timeout" => ErrorClass::Transient,
        _ => ErrorClass::Permanent,
    }
}
