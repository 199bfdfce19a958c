//! Streamable HTTP through the guarded HTTP client, with limits on what is read.

use std::{borrow::Cow, collections::HashMap, error::Error as StdError, sync::Arc};

use bytes::{Bytes, BytesMut};
use futures::{StreamExt as _, stream::BoxStream};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE},
};
use model::ErrorClass;
use platform::egress::{self, Egress, Request, Streaming};
use rmcp::{
    model::{ClientJsonRpcMessage, ClientRequest, ErrorData, ServerJsonRpcMessage},
    transport::streamable_http_client::{
        AuthRequiredError, HttpStatusError, StreamableHttpClient, StreamableHttpError,
        StreamableHttpPostResponse,
    },
};
use sse_stream::{Error as SseError, Sse, SseStream};

use crate::{
    limits::mcp::{LONGEST, MOST_ANSWER_BYTES},
    wire,
};

type Failure = StreamableHttpError<egress::Error>;

/// The guarded HTTP client with the interface that rmcp requires.
#[derive(Clone)]
pub(super) struct GuardedHttp {
    egress: Egress,
}

impl GuardedHttp {
    pub(super) fn new(egress: Egress) -> Self {
        Self { egress }
    }

    async fn send(
        &self,
        method: Method,
        uri: &str,
        headers: HeaderMap,
        body: Option<Bytes>,
    ) -> Result<Streaming, Failure> {
        let url = uri.parse().map_err(|_| {
            let reason = "the address is not a valid URL".to_owned();
            Failure::Client(egress::Error::Refused { reason })
        })?;
        let request = Request { method, url, headers, body, timeout: LONGEST };
        self.egress.open(request).await.map_err(Failure::Client)
    }
}

fn headers(
    session: Option<&str>,
    token: Option<String>,
    custom: HashMap<HeaderName, HeaderValue>,
) -> Result<HeaderMap, Failure> {
    let mut headers: HeaderMap = custom.into_iter().collect();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let unusable =
        |_| Failure::UnexpectedServerResponse(Cow::Borrowed("a header has characters no header has"));
    if let Some(session) = session {
        headers.insert("mcp-session-id", HeaderValue::from_str(session).map_err(unusable)?);
    }
    if let Some(token) = token {
        let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(unusable)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

impl StreamableHttpClient for GuardedHttp {
    type Error = egress::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let headers = headers(session.as_deref(), token, custom)?;
        let body = serde_json::to_vec(&message)?.into();
        let answer = self.send(Method::POST, &uri, headers, Some(body)).await?;
        let status = answer.status;
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && session.is_some() {
            return Err(Failure::SessionExpired);
        }
        let session =
            answer.headers.get("mcp-session-id").and_then(|id| id.to_str().ok()).map(ToOwned::to_owned);
        if status.is_success() && is_type(&answer.headers, "text/event-stream") {
            return Ok(StreamableHttpPostResponse::Sse(events(answer.body, true), session));
        }
        if let Some(challenge) = challenge(&answer) {
            return Err(challenge);
        }
        let body = read(answer.body).await?;
        let parsed = serde_json::from_slice::<ServerJsonRpcMessage>(&body).ok();
        match (status.is_success(), parsed) {
            (true, Some(message)) => Ok(StreamableHttpPostResponse::Json(message, session)),
            // A message that needs no response got an unreadable one, which is as good as none.
            (true, None) if !matches!(message, ClientJsonRpcMessage::Request(_)) => {
                Ok(StreamableHttpPostResponse::Accepted)
            }
            (true, None) => {
                Err(Failure::UnexpectedServerResponse(Cow::Borrowed("the answer is not JSON-RPC")))
            }
            (false, parsed) => refused(&message, status, parsed, session),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let headers = headers(Some(&session), token, custom)?;
        // The status does not matter: a server that keeps the session drops it later by itself.
        self.send(Method::DELETE, &uri, headers, None).await.map(drop)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let mut headers = headers(session.as_deref(), token, custom)?;
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(value) = last_event.and_then(|id| HeaderValue::from_str(&id).ok()) {
            headers.insert("last-event-id", value);
        }
        let answer = self.send(Method::GET, &uri, headers, None).await?;
        if answer.status.is_success() && is_type(&answer.headers, "text/event-stream") {
            return Ok(events(answer.body, false));
        }
        Err(challenge(&answer).unwrap_or(Failure::ServerDoesNotSupportSse))
    }
}

fn is_type(headers: &HeaderMap, wanted: &str) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|found| found.as_bytes().starts_with(wanted.as_bytes()))
}

/// The error for a missing or wrong credential. The server's message is not repeated.
fn challenge(answer: &Streaming) -> Option<Failure> {
    if !matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return None;
    }
    let header =
        answer.headers.get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Some(Failure::AuthRequired(AuthRequiredError::new(header.to_owned())))
}

/// The result for a failing status: the server's own JSON-RPC error if it sent one.
fn refused(
    message: &ClientJsonRpcMessage,
    status: StatusCode,
    parsed: Option<ServerJsonRpcMessage>,
    session: Option<String>,
) -> Result<StreamableHttpPostResponse, Failure> {
    // A server of an older version does not know `server/discover`. Its response is returned as the response to that
    // request, so that the older protocol is used.
    if let ClientJsonRpcMessage::Request(request) = message
        && matches!(request.request, ClientRequest::DiscoverRequest(_))
        && status.is_client_error()
    {
        let error = match parsed {
            Some(ServerJsonRpcMessage::Error(error)) => error.error,
            _ => ErrorData::invalid_request("the server does not know server/discover", None),
        };
        let answer = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
        return Ok(StreamableHttpPostResponse::Json(answer, None));
    }
    match parsed {
        Some(error @ ServerJsonRpcMessage::Error(_)) => Ok(StreamableHttpPostResponse::Json(error, session)),
        _ => Err(Failure::HttpStatus(HttpStatusError::new(status.as_u16(), None))),
    }
}

async fn read(mut body: BoxStream<'static, Result<Bytes, egress::Error>>) -> Result<Bytes, Failure> {
    let mut read = BytesMut::new();
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(Failure::Client)?;
        if read.len() + chunk.len() > MOST_ANSWER_BYTES {
            return Err(Failure::Client(egress::Error::TooLarge { limit: MOST_ANSWER_BYTES }));
        }
        read.extend_from_slice(&chunk);
    }
    Ok(read.freeze())
}

/// The events of a stream. A stream that answers a request is limited as a whole, one that stays open by each event.
fn events(
    body: BoxStream<'static, Result<Bytes, egress::Error>>,
    answers: bool,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let mut read = 0_usize;
    let limited = body.map(move |chunk| {
        let chunk = chunk?;
        read += chunk.len();
        if read > MOST_ANSWER_BYTES {
            return Err(egress::Error::TooLarge { limit: MOST_ANSWER_BYTES });
        }
        if !answers && chunk.windows(2).any(|pair| pair == b"\n\n" || pair == b"\r\r") {
            read = 0;
        }
        Ok(chunk)
    });
    // After the first failure nothing more is read.
    let limited = limited.scan(false, |failed, chunk| {
        let over = std::mem::replace(failed, chunk.is_err());
        std::future::ready((!over).then_some(chunk))
    });
    SseStream::from_bytes_stream(limited).boxed()
}

/// Whether a request may have reached the server, according to its failure. Only the guarded client can prove that it
/// did not.
pub(super) fn sent(error: &(dyn StdError + 'static)) -> bool {
    causes(error).find_map(|cause| cause.downcast_ref::<egress::Error>()).is_none_or(egress::Error::sent)
}

/// The class of a failure, if it can be determined.
pub(super) fn class_in(error: &(dyn StdError + 'static)) -> Option<ErrorClass> {
    causes(error).find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<egress::Error>() {
            return Some(wire::class_of_egress(error));
        }
        match cause.downcast_ref::<Failure>()? {
            Failure::Client(error) => class_in(error),
            Failure::AuthRequired(_) | Failure::InsufficientScope(_) => Some(ErrorClass::Auth),
            Failure::HttpStatus(status) if status.status == 429 => Some(ErrorClass::RateLimited),
            Failure::HttpStatus(status) if status.status < 500 => Some(ErrorClass::Invalid),
            Failure::HttpStatus(_) => Some(ErrorClass::Transient),
            _ => None,
        }
    })
}

/// An error and its causes, outermost first.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error| (*error).source())
}
