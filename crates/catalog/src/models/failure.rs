//! What the failures of providers mean.

use std::time::Duration;

use http::header::{DATE, HeaderMap, RETRY_AFTER};
use jiff::fmt::rfc2822;
use model::ErrorClass;
use platform::egress::Response;
use serde_json::Value;

use super::reply::{shortened, text};
use crate::{SourceError, limits, wire::Wire};

/// An answer with status 200 that is not a reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable;

/// Codes and types that say that the account has no money or no quota left: asking again changes nothing.
const NO_QUOTA: [&str; 8] = [
    "enforced_spend_limit_reached",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_error",
];

/// How many characters of a provider's message are repeated. It may repeat the prompt.
const MOST_WORDS: usize = 300;

/// The failure that an answer says.
pub(super) fn of_answer(wire: &Wire<'_>, response: &Response) -> SourceError {
    let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    let status = response.status.as_u16();
    let said = Said::of(&body);
    let class = match asked_to_retry(&response.headers) {
        Some(false) if is_temporary(class(status, &said)) => ErrorClass::Permanent,
        _ => class(status, &said),
    };
    let words = match (said.message, said.code) {
        ("", "") => format!("the provider answered {status}"),
        ("", code) => format!("the provider answered {status}: {}", code),
        (message, _) => format!("the provider answered {status}: {}", message),
    };
    let mut error = wire.told(class, &words);
    // Only now, without what is secret in it: half a secret would not be recognized.
    error.message = shortened(&error.message, MOST_WORDS).to_owned();
    error.retry_after = retry_after(&response.headers);
    error
}

/// The parts of an error in a provider's words. Some servers put it into an object `error`, some say it at the top.
struct Said<'v> {
    message: &'v str,
    kind: &'v str,
    code: &'v str,
}

impl<'v> Said<'v> {
    fn of(body: &'v Value) -> Self {
        let error = body.get("error").filter(|error| error.is_object()).unwrap_or(body);
        let code = match text(error, "/details/error_code") {
            "" => text(error, "/code"),
            code => code,
        };
        let message = match text(error, "/message") {
            "" => text(body, "/error"),
            message => message,
        };
        Self { message, kind: text(error, "/type"), code }
    }

    fn is(&self, word: &str) -> bool {
        self.kind == word || self.code == word
    }
}

fn class(status: u16, said: &Said<'_>) -> ErrorClass {
    let is_too_long = said.is("context_length_exceeded")
        || said.is("request_too_large")
        // Anthropic has no code for it.
        || (status == 400 && said.message.starts_with("prompt is too long"));
    match status {
        402 => ErrorClass::QuotaExhausted,
        _ if NO_QUOTA.iter().any(|word| said.is(word)) => ErrorClass::QuotaExhausted,
        413 => ErrorClass::ContextExceeded,
        _ if is_too_long => ErrorClass::ContextExceeded,
        // Overloaded servers refuse before they begin.
        429 | 503 | 529 => ErrorClass::RateLimited,
        _ if said.is("slow_down") || said.is("rate_limit_exceeded") => ErrorClass::RateLimited,
        408 | 409 | 425 | 500..=599 => ErrorClass::Transient,
        401 | 403 => ErrorClass::Auth,
        404 | 410 => ErrorClass::NotFound,
        400 | 405..=407 | 411..=428 => ErrorClass::Invalid,
        _ if said.is("server_error") => ErrorClass::Transient,
        _ => ErrorClass::Permanent,
    }
}

fn is_temporary(class: ErrorClass) -> bool {
    matches!(class, ErrorClass::Transient | ErrorClass::RateLimited)
}

fn asked_to_retry(headers: &HeaderMap) -> Option<bool> {
    match headers.get("x-should-retry")?.to_str().ok()? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The wait that a provider asks for: in milliseconds, in seconds, or until a date by its own clock.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let millis = header("retry-after-ms").and_then(|text| text.parse().ok()).map(Duration::from_millis);
    let told = header(RETRY_AFTER.as_str());
    let seconds = told.and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let date = |text: &str| rfc2822::parse(text).ok().map(|date| date.timestamp());
    let until = header(DATE.as_str()).and_then(date).zip(told.and_then(date));
    let until = until.map(|(now, until)| Duration::try_from(now.duration_until(until)).unwrap_or_default());
    millis.or(seconds).or(until).map(|wait| wait.min(limits::RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn classes_are_as_providers_mean_them() {
        use ErrorClass::{Auth, ContextExceeded, Invalid, NotFound, QuotaExhausted, RateLimited, Transient};
        let openai =
            |kind: &str, code: &str| json!({ "error": { "message": "m", "type": kind, "code": code } });
        let anthropic = |kind: &str| json!({ "type": "error", "error": { "type": kind, "message": "m" } });
        for (status, body, expected) in [
            (529, anthropic("overloaded_error"), RateLimited),
            (503, json!({}), RateLimited),
            (500, json!({}), Transient),
            (504, anthropic("timeout_error"), Transient),
            (409, json!({}), Transient),
            (429, anthropic("rate_limit_error"), RateLimited),
            (429, openai("requests", "rate_limit_exceeded"), RateLimited),
            (429, openai("insufficient_quota", "insufficient_quota"), QuotaExhausted),
            (429, openai("insufficient_quota", "organization_spend_limit_exceeded"), QuotaExhausted),
            (
                429,
                json!({ "error": { "type": "rate_limit_error",
                "details": { "error_code": "enforced_spend_limit_reached" } } }),
                QuotaExhausted,
            ),
            (402, json!({}), QuotaExhausted),
            (400, openai("invalid_request_error", "context_length_exceeded"), ContextExceeded),
            (
                400,
                json!({ "error": { "type": "invalid_request_error",
                "message": "prompt is too long: 210000 tokens > 200000 maximum" } }),
                ContextExceeded,
            ),
            (413, anthropic("request_too_large"), ContextExceeded),
            (401, anthropic("authentication_error"), Auth),
            (403, json!({ "error": "forbidden" }), Auth),
            (404, openai("invalid_request_error", "model_not_found"), NotFound),
            (400, anthropic("invalid_request_error"), Invalid),
        ] {
            assert_eq!(class(status, &Said::of(&body)), expected, "{status} {body}");
        }
    }

    #[test]
    fn waits_are_read_in_all_their_forms() {
        let date = (DATE, "Thu, 19 Nov 2026 08:00:00 GMT".parse().unwrap());
        let wait = |name: &'static str, value: &str| {
            let told = (name.parse().unwrap(), value.parse().unwrap());
            retry_after(&HeaderMap::from_iter([date.clone(), told]))
        };
        assert_eq!(wait("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(wait("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(wait("retry-after", "Thu, 19 Nov 2026 08:00:30 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(wait("retry-after", "Thu, 19 Nov 2026 07:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(wait("retry-after", "99999999"), Some(limits::RETRY_AFTER));
        assert_eq!(wait("retry-after", "soon"), None);
    }
}
