//! HTTP requests of a call: one time limit for all of them, and failures as [`SourceError`].

use std::time::Duration;

use http::{
    Method, StatusCode,
    header::{HeaderMap, HeaderValue, RETRY_AFTER},
};
use model::{Digest, ErrorClass};
use platform::egress::{self, Request, Response};
use secrecy::ExposeSecret;
use serde_json::Value;
use tokio::time::Instant;
use url::Url;
use uuid::Uuid;

use crate::{CallContext, SourceError, limits};

/// The requests of one call.
pub(crate) struct Wire<'a> {
    pub(crate) ctx: &'a CallContext,
    base: &'a Url,
    deadline: Instant,
}

impl<'a> Wire<'a> {
    pub(crate) fn new(ctx: &'a CallContext, base: &'a Url) -> Self {
        Self { ctx, base, deadline: Instant::now() + ctx.timeout }
    }

    /// The organization's credential for this source.
    pub(crate) fn token(&self) -> Result<&'a str, SourceError> {
        let credential = self.ctx.credential.as_ref().ok_or_else(|| {
            SourceError::not_sent(
                ErrorClass::Auth,
                "this source is not connected; ask an admin to connect it",
            )
        })?;
        Ok(credential.token.expose_secret())
    }

    /// A URL below the base. Each part becomes exactly one segment, whatever characters it contains.
    pub(crate) fn url(&self, segments: &[&str]) -> Result<Url, SourceError> {
        let refused = || SourceError::invalid("a parameter cannot be part of a path");
        if segments.iter().any(|part| matches!(*part, "" | "." | "..")) {
            return Err(refused());
        }
        let mut url = self.base.clone();
        url.path_segments_mut().map_err(|()| refused())?.pop_if_empty().extend(segments);
        Ok(url)
    }

    /// Sends one request within the remaining time of the call.
    pub(crate) async fn send(
        &self,
        method: Method,
        url: Url,
        headers: HeaderMap,
        body: Option<&Value>,
    ) -> Result<Response, SourceError> {
        let timeout = self.deadline.saturating_duration_since(Instant::now());
        if timeout.is_zero() {
            return Err(SourceError::not_sent(ErrorClass::Timeout, "the call timed out"));
        }
        let body = body.map(|body| body.to_string().into_bytes().into());
        let request = Request { method, url, headers, body, timeout };
        self.ctx.egress.send(request).await.map_err(from_egress)
    }

    /// A failure that the target reported, with its message. The message is not truncated here, because the later
    /// redaction must see secrets whole, in whatever form the target wrote them.
    pub(crate) fn told(&self, class: ErrorClass, words: &str) -> SourceError {
        let mut words: String = words.chars().filter(|c| !c.is_control()).collect();
        if let Some(credential) = &self.ctx.credential {
            words = words.replace(credential.token.expose_secret(), "[redacted]");
        }
        SourceError::sent(class, words)
    }

    /// A failure by status, with the message of the response if it has one.
    pub(crate) fn refused(&self, who: &str, response: &Response, class: ErrorClass) -> SourceError {
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        let words = ["message", "detail", "error"].iter().find_map(|field| body.get(field)?.as_str());
        let status = response.status.as_u16();
        let mut error = match words {
            Some(words) => match body.get("errors") {
                Some(details) => self.told(class, &format!("{who} answered {status}: {words} {details}")),
                None => self.told(class, &format!("{who} answered {status}: {words}")),
            },
            None => self.told(class, &format!("{who} answered {status}")),
        };
        error.retry_after = retry_after(&response.headers);
        error
    }
}

impl SourceError {
    /// An error for parameters that match the schema but cannot be used.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::not_sent(ErrorClass::Invalid, message)
    }
}

/// The class of a status, unless the service gives it a meaning of its own.
pub(crate) fn class_of(status: StatusCode) -> ErrorClass {
    match status.as_u16() {
        400 | 413 | 414 | 415 | 422 => ErrorClass::Invalid,
        401 | 403 => ErrorClass::Auth,
        404 | 410 => ErrorClass::NotFound,
        409 | 412 | 423 => ErrorClass::Conflict,
        429 => ErrorClass::RateLimited,
        408 | 425 | 500..=599 => ErrorClass::Transient,
        _ => ErrorClass::Permanent,
    }
}

/// Parses the response as JSON. A response that is not JSON leaves open whether the effect happened, so the error
/// allows a lookup.
pub(crate) fn json(who: &str, response: &Response) -> Result<Value, SourceError> {
    serde_json::from_slice(&response.body).map_err(|_| {
        SourceError::sent(ErrorClass::Transient, format!("{who} returned an unreadable response"))
    })
}

/// The wait that the target asks for, if given in seconds.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(limits::RETRY_AFTER))
}

/// A header with a secret, which no log prints.
pub(crate) fn secret_header(value: &str) -> Result<HeaderValue, SourceError> {
    let mut header = HeaderValue::from_str(value).map_err(|_| {
        SourceError::not_sent(ErrorClass::Auth, "the credential of this source contains invalid characters")
    })?;
    header.set_sensitive(true);
    Ok(header)
}

/// A name for this effect. A repeat with the same key has the same name; no effect of another organization has it.
pub(crate) fn effect_digest(ctx: &CallContext, what: &str) -> Digest {
    Digest::of_bytes(format!("countersign effect\n{}\n{what}\n{}", ctx.org, ctx.key).as_bytes())
}

/// [`effect_digest`] in the form of a random UUID, for targets that let the caller choose an id.
pub(crate) fn effect_uuid(ctx: &CallContext, what: &str) -> Uuid {
    let digest = effect_digest(ctx, what);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest.as_bytes()[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// A text as one line of a preview. It is truncated where it is redacted, not before.
pub(crate) fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The error class of a failure of the guarded HTTP client.
pub(crate) fn class_of_egress(error: &egress::Error) -> ErrorClass {
    use egress::Error;
    match error {
        Error::Timeout { .. } => ErrorClass::Timeout,
        Error::Connect(_) | Error::Unreachable | Error::Interrupted(_) => ErrorClass::Transient,
        Error::Setup(_) | Error::Refused { .. } | Error::TooLarge { .. } | Error::Redirect { .. } => {
            ErrorClass::Permanent
        }
    }
}

fn from_egress(error: egress::Error) -> SourceError {
    let class = class_of_egress(&error);
    SourceError { class, sent: error.sent(), message: error.to_string(), retry_after: None }
}

#[cfg(test)]
mod tests {
    use platform::egress::{Egress, EgressPolicy};

    use super::*;

    fn context() -> CallContext {
        CallContext {
            org: model::OrgId::from_uuid(Uuid::nil()),
            key: "k".parse().unwrap(),
            credential: None,
            timeout: Duration::from_secs(1),
            egress: Egress::new(EgressPolicy::default()).unwrap(),
            workspace: None,
            payloads: Default::default(),
        }
    }

    #[test]
    fn a_part_of_a_path_stays_one_part() {
        let (ctx, base) = (context(), "https://ghe.example/api/v3/".parse().unwrap());
        let wire = Wire::new(&ctx, &base);
        for (part, encoded) in [
            ("plain", "plain"),
            ("a/b", "a%2Fb"),
            ("../x", "..%2Fx"),
            ("a?b=c", "a%3Fb=c"),
            ("a#b", "a%23b"),
            ("a%2fb", "a%252fb"),
            ("a b", "a%20b"),
            ("a\\b", "a%5Cb"),
        ] {
            let url = wire.url(&["repos", part, "issues"]).unwrap();
            assert_eq!(url.as_str(), format!("https://ghe.example/api/v3/repos/{encoded}/issues"), "{part}");
        }
        for part in ["", ".", ".."] {
            assert!(wire.url(&["repos", part]).is_err(), "{part:?}");
        }
    }

    #[test]
    fn names_of_effects_differ_by_org_key_and_kind_and_by_nothing_else() {
        let ctx = context();
        let other_key = CallContext { key: "k2".parse().unwrap(), ..ctx.clone() };
        let other_org = CallContext { org: model::OrgId::from_uuid(Uuid::max()), ..ctx.clone() };
        let name = effect_uuid(&ctx, "a");
        assert_eq!(name.get_version_num(), 4);
        for other in [effect_uuid(&ctx, "b"), effect_uuid(&other_key, "a"), effect_uuid(&other_org, "a")] {
            assert_ne!(name, other);
        }
    }
}
