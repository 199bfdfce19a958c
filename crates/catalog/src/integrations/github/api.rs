//! GitHub's REST API: how it is called, and what its statuses mean.

use std::time::Duration;

use http::{
    Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT},
};
use model::ErrorClass;
use platform::egress::Response;
use serde_json::Value;
use url::Url;

use crate::{
    SourceError,
    define::At,
    wire::{self, Wire},
};

// The wait that GitHub advises if a response names none.
const SECONDARY_LIMIT_WAIT: Duration = Duration::from_secs(60);
// GitHub renews its limits every hour.
const LONGEST_WINDOW: Duration = Duration::from_secs(3600);

/// A client of the service for one call.
pub(super) struct Api<'a> {
    wire: Wire<'a>,
}

impl<'a> Api<'a> {
    pub(super) fn new(at: At<'a>) -> Self {
        Self { wire: Wire::new(at.ctx, at.service) }
    }

    /// Reads the resource at a path.
    pub(super) async fn get(&self, path: &[&str], query: &[(&str, &str)]) -> Result<Value, SourceError> {
        let mut url = self.wire.url(path)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.call(Method::GET, url, None).await
    }

    /// Changes the resource at a path.
    pub(super) async fn change(
        &self,
        method: Method,
        path: &[&str],
        body: &Value,
    ) -> Result<Value, SourceError> {
        let url = self.wire.url(path)?;
        self.call(method, url, Some(body)).await
    }

    async fn call(&self, method: Method, url: Url, body: Option<&Value>) -> Result<Value, SourceError> {
        let mut headers = HeaderMap::new();
        let bearer = format!("Bearer {}", self.wire.token()?);
        headers.insert(AUTHORIZATION, wire::secret_header(&bearer)?);
        headers.insert(ACCEPT, HeaderValue::from_static("application/vnd.github+json"));
        headers.insert("x-github-api-version", HeaderValue::from_static("2022-11-28"));
        // GitHub refuses requests without a user agent.
        headers.insert(USER_AGENT, HeaderValue::from_static("countersign"));
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let response = self.wire.send(method, url, headers, body).await?;
        if response.status.is_success() {
            return wire::json("GitHub", &response);
        }
        Err(self.failure(&response))
    }

    fn failure(&self, response: &Response) -> SourceError {
        let limited = is_rate_limit(response);
        let class = match response.status.as_u16() {
            403 | 429 if limited => ErrorClass::RateLimited,
            // "Method not allowed" is how GitHub says that a pull request cannot be merged now.
            405 => ErrorClass::Conflict,
            _ => wire::class_of(response.status),
        };
        let mut error = self.wire.refused("GitHub", response, class);
        if limited && error.retry_after.is_none() {
            error.retry_after = Some(until_reset(response).unwrap_or(SECONDARY_LIMIT_WAIT));
        }
        error
    }
}

/// The time until an exhausted limit is reset. Both times are GitHub's, so our clock does not matter.
fn until_reset(response: &Response) -> Option<Duration> {
    let text = |name: &str| response.headers.get(name)?.to_str().ok();
    if text("x-ratelimit-remaining")? != "0" {
        return None;
    }
    let reset: i64 = text("x-ratelimit-reset")?.parse().ok()?;
    let now = jiff::fmt::rfc2822::parse(text("date")?).ok()?.timestamp().as_second();
    let seconds = u64::try_from(reset.saturating_sub(now)).unwrap_or(0);
    Some(Duration::from_secs(seconds).min(LONGEST_WINDOW))
}

/// GitHub responds with 403 both to a missing permission and to an exceeded limit; only the headers and the message
/// distinguish them.
fn is_rate_limit(response: &Response) -> bool {
    if !matches!(response.status.as_u16(), 403 | 429) {
        return false;
    }
    let exhausted = response.headers.get("x-ratelimit-remaining").is_some_and(|left| left.as_bytes() == b"0");
    let words = String::from_utf8_lossy(&response.body).to_ascii_lowercase();
    response.status.as_u16() == 429
        || exhausted
        || response.headers.contains_key("retry-after")
        || words.contains("rate limit")
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    #[test]
    fn a_used_up_limit_says_when_it_is_renewed() {
        let response = |remaining: &'static str| Response {
            status: StatusCode::FORBIDDEN,
            headers: HeaderMap::from_iter(
                [
                    ("x-ratelimit-remaining", remaining),
                    ("x-ratelimit-reset", "784111877"),
                    ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ]
                .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))),
            ),
            body: Default::default(),
        };
        assert_eq!(until_reset(&response("0")), Some(Duration::from_secs(100)));
        assert!(is_rate_limit(&response("0")));
        assert_eq!(until_reset(&response("7")), None);
        assert!(!is_rate_limit(&response("7")));
    }
}
