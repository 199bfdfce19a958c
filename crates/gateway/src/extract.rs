//! Extractors for handlers: the caller, IDs, pages, and bodies that are parsed strictly and within limits.

use std::{net::IpAddr, str::FromStr, time::Duration};

use api::{PageQuery, WaitQuery};
use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{Extensions, HeaderMap, StatusCode, request::Parts},
};
use serde::de::DeserializeOwned;
use tenancy::{Caller, Person};
use uuid::Uuid;

use crate::{problem::Answer, serve::Peer};

/// Maximum size of a request body.
pub(crate) const MAX_BODY_BYTES: usize = 1 << 20;
/// Maximum time for a request body to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(15);

/// The header with the reason for a change. It comes into the record of the change.
pub(crate) const REASON: &str = "countersign-reason";

/// Maximum time that a caller may wait for an invocation.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The caller that `access` admitted.
pub(crate) struct Admitted(pub(crate) Caller);

impl<S: Send + Sync> FromRequestParts<S> for Admitted {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Answer> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.map(Self).ok_or_else(|| tenancy::Error::Unauthenticated.into())
    }
}

/// The person `access` admitted.
pub(crate) struct CurrentUser(pub(crate) Person);

impl<S: Send + Sync> FromRequestParts<S> for CurrentUser {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let address = peer(&parts.extensions);
        let reason = reason(&parts.headers)?;
        match Admitted::from_request_parts(parts, state).await?.0 {
            Caller::Person(person) => {
                Ok(Self(Person { address: address.or(person.address), reason, ..person }))
            }
            Caller::Session { .. } => Err(tenancy::Error::Unauthenticated.into()),
        }
    }
}

/// The network address of a request; unknown where no server took it, as in some tests.
pub(crate) fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<Peer>().map(|peer| peer.0)
}

/// The reason for a change, in UTF-8.
pub(crate) fn reason(headers: &HeaderMap) -> Result<Option<String>, Answer> {
    let Some(given) = headers.get(REASON) else { return Ok(None) };
    let wrong = || Answer::invalid("", "`Countersign-Reason` must be text in UTF-8");
    let text = std::str::from_utf8(given.as_bytes()).map_err(|_| wrong())?.trim();
    bounded("", text, 500)?;
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// One ID from the path. A text that is not an ID is answered like an ID that does not exist.
pub(crate) struct Id<T>(pub(crate) T);

impl<S: Send + Sync, T: FromStr + Send> FromRequestParts<S> for Id<T> {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let found = Path::<String>::from_request_parts(parts, state).await;
        found.ok().and_then(|Path(text)| text.parse().ok()).map(Self).ok_or_else(not_found)
    }
}

/// Two IDs from the path.
pub(crate) struct Ids<A, B>(pub(crate) A, pub(crate) B);

impl<S: Send + Sync, A: FromStr + Send, B: FromStr + Send> FromRequestParts<S> for Ids<A, B> {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let found = Path::<(String, String)>::from_request_parts(parts, state).await;
        let parsed = found.ok().and_then(|Path((a, b))| Some(Self(a.parse().ok()?, b.parse().ok()?)));
        parsed.ok_or_else(not_found)
    }
}

fn not_found() -> Answer {
    tenancy::Error::NotFound("id").into()
}

/// The parameters of the query string.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Query<T> {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let found = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        found.map(|query| Self(query.0)).map_err(|_| Answer::invalid("", "a query parameter is invalid"))
    }
}

/// The bytes of a request body, within the limits of size and time.
pub(crate) struct Raw(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Answer;

    async fn from_request(request: Request, state: &S) -> Result<Self, Answer> {
        match tokio::time::timeout(BODY_TIMEOUT, Bytes::from_request(request, state)).await {
            Err(_) => Err(too_slow()),
            Ok(Err(_)) => Err(too_large()),
            Ok(Ok(bytes)) => Ok(Self(bytes)),
        }
    }
}

/// The bytes of a request body with a smaller limit of size.
pub(crate) async fn read_body(body: axum::body::Body, most: usize) -> Result<Bytes, Answer> {
    match tokio::time::timeout(BODY_TIMEOUT, axum::body::to_bytes(body, most)).await {
        Err(_) => Err(too_slow()),
        Ok(Err(_)) => Err(too_large()),
        Ok(Ok(bytes)) => Ok(bytes),
    }
}

fn too_slow() -> Answer {
    Answer::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the request body did not arrive in time")
}

fn too_large() -> Answer {
    Answer::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too_large",
        "the request body is too large or was interrupted",
    )
}

/// A request body of a known type, parsed strictly.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Answer;

    async fn from_request(request: Request, state: &S) -> Result<Self, Answer> {
        let Raw(bytes) = Raw::from_request(request, state).await?;
        let value = receipt::parse_strict(&bytes, MAX_BODY_BYTES)
            .map_err(|error| Answer::invalid(&error.pointer, error.to_string()))?;
        // serde's messages name fields and types. For the types used here they repeat no values except those of
        // enums.
        serde_json::from_value(value).map(Self).map_err(|error| Answer::invalid("", error.to_string()))
    }
}

/// Said about a cursor that no page returned.
pub(crate) const WRONG_CURSOR: &str = "`cursor` must be the `next_cursor` of the previous page";

/// The cursor and the limit of a page.
pub(crate) fn page(query: &PageQuery) -> Result<(Option<Uuid>, i64), Answer> {
    let after = match &query.cursor {
        None => None,
        Some(cursor) => {
            let parsed = (cursor.len() == 32).then(|| Uuid::try_parse(cursor).ok()).flatten();
            Some(parsed.ok_or_else(|| Answer::invalid("", WRONG_CURSOR))?)
        }
    };
    Ok((after, page_limit(query)?))
}

/// The limit of a page.
pub(crate) fn page_limit(query: &PageQuery) -> Result<i64, Answer> {
    let limit = query.limit.unwrap_or(50);
    if !(1..=100).contains(&limit) {
        return Err(Answer::invalid("", "`limit` must be between 1 and 100"));
    }
    Ok(i64::from(limit))
}

/// An optional parameter: absent, parsed, or an error with the given message.
pub(crate) fn read<T: FromStr>(text: Option<&str>, rule: &str) -> Result<Option<T>, Answer> {
    text.map(str::parse).transpose().map_err(|_| Answer::invalid("", rule))
}

/// The waiting time that the caller requested.
pub(crate) fn patience(query: &WaitQuery, default: Duration) -> Result<Duration, Answer> {
    let Some(text) = &query.wait else { return Ok(default) };
    let millis = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(millis), _) => millis.parse().ok(),
        (None, Some(seconds)) => seconds.parse::<u64>().ok().and_then(|seconds| seconds.checked_mul(1_000)),
        (None, None) => None,
    };
    let patience = millis.map(Duration::from_millis).filter(|patience| *patience <= LONGEST_WAIT);
    patience.ok_or_else(|| {
        Answer::invalid("", "`wait` must be a duration such as `30s` or `500ms`, at most `60s`")
    })
}

/// A page of views, with a cursor if there may be a next page.
pub(crate) fn paged<T, V>(
    found: Vec<T>,
    limit: i64,
    id: impl Fn(&T) -> Uuid,
    view: impl Fn(T) -> V,
) -> api::Page<V> {
    let full = i64::try_from(found.len()).is_ok_and(|length| length >= limit);
    let next_cursor = found.last().filter(|_| full).map(|last| id(last).simple().to_string());
    api::Page { items: found.into_iter().map(view).collect(), next_cursor }
}

/// Checks the length of a text, and that it has no control characters.
pub(crate) fn bounded(pointer: &str, text: &str, most: usize) -> Result<(), Answer> {
    if text.chars().count() > most {
        return Err(Answer::invalid(pointer, format!("at most {most} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(Answer::invalid(pointer, "must not contain control characters"));
    }
    Ok(())
}
