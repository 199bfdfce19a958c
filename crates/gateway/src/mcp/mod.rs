//! The door for clients of the Model Context Protocol: `POST /mcp`, with a session's token.
//!
//! Cast: [`speak_mcp`] reads the body strictly and hands it to the SDK; a [`Visit`] is one request of one session and
//! answers it; `names` says what a tool is called; `tools`, `call`, `task`, `guide` are what can be asked for.
//!
//! Flow: `access` (a living session's token, nothing else) → origin → strict body → SDK → `Visit` → pipeline → answer.
//!
//! INVARIANT: what is decided about is what the strict reader read. The SDK's own reading of a body, in which the last of
//! two equal keys wins, picks the method and nothing else.
//! INVARIANT: nothing is remembered between requests. Any gateway answers any request, of old clients and new ones; a
//! task is an invocation, and that is in PostgreSQL.
//! INVARIANT: the calling client is never asked for an approval. It could answer for the person.
//! Nobody else in this crate knows the SDK.

mod call;
mod guide;
mod names;
mod task;
mod tools;
mod visit;

use std::sync::Arc;

use api::Problem;
use axum::{
    Json,
    body::Body,
    extract::{FromRequest as _, Request, State},
    http::{HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use serde_json::{Value, json};
use tenancy::Caller;

use crate::{
    App,
    extract::{Admitted, MAX_BODY_BYTES, Raw},
    problem::Answer,
    routes::actions::trace_id,
};
use visit::Visit;

/// Where it is.
const PATH: &str = "/mcp";

/// The Model Context Protocol (Streamable HTTP, 2026-07-28 and older): the session's actions as tools. See docs/mcp.md.
#[utoipa::path(
    post, path = "/mcp", tag = "mcp",
    request_body(content = Object, description = "One JSON-RPC message"),
    responses(
        (status = 200, body = Object, description = "The answer, as JSON or as a stream of events"),
        (status = 202, description = "A notification was taken"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn speak_mcp(
    State(app): State<App>,
    Admitted(caller): Admitted,
    request: Request,
) -> Result<Response, Answer> {
    let Caller::Session { org, session } = caller else {
        return Err(tenancy::Error::Unauthenticated.into());
    };
    let (mut head, body) = request.into_parts();
    // Browsers send this, agents do not. A page that somebody looks at has no business here, whatever token it found.
    if head.headers.contains_key(header::ORIGIN) {
        return Err(Answer::origin());
    }
    let Raw(bytes) = Raw::from_request(Request::from_parts(head.clone(), body), &app).await?;
    let message = match receipt::parse_strict(&bytes, MAX_BODY_BYTES) {
        Ok(message) => Arc::new(message),
        Err(error) => return Ok(unreadable(&error)),
    };
    // Read before the client hears that it is subscribed: whatever it lists from then on is no older than this.
    let known = match message["method"].as_str() {
        Some("subscriptions/listen") => Some(app.pipeline.policy_version(org, session).await?),
        _ => None,
    };
    let visit = Visit { org, session, message, known, trace_id: trace_id(&head.headers), app };
    // The SDK keeps the head beside the message, and writes both into a log that is detailed enough.
    head.headers.remove(header::AUTHORIZATION);
    head.extensions.clear();
    let served = server(visit).handle(Request::from_parts(head, Body::from(bytes))).await;
    Ok(served.map(Body::new))
}

/// A server for one request: it knows who asks, and nothing outlives it.
fn server(visit: Visit) -> StreamableHttpService<Visit, NeverSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        .enforce_origin_validation()
        // A name to be reached by proves nothing where every request must bring a token; see docs/DECISIONS.md.
        .disable_allowed_hosts();
    StreamableHttpService::new(move || Ok(visit.clone()), Arc::new(NeverSessionManager::default()), config)
}

/// What is not JSON, or could be read in two ways.
fn unreadable(error: &receipt::ParseError) -> Response {
    let malformed = pipeline::Error::Malformed { pointer: error.pointer.clone(), message: error.to_string() };
    let problem = call::told(Answer::from(malformed));
    let text = problem["detail"].as_str().unwrap_or_default().to_owned();
    let answer = json!({
        "jsonrpc": "2.0", "id": Value::Null,
        "error": { "code": rmcp::model::ErrorCode::PARSE_ERROR.0, "message": text, "data": problem },
    });
    (StatusCode::BAD_REQUEST, Json(answer)).into_response()
}

/// The answer to a method that a route does not know. Clients of MCP ask for a stream first, and take this one as "there
/// is none" where any other would be a failure to them.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Response {
    let mut response = Answer::no_route().into_response();
    if uri.path() == PATH && method != Method::POST {
        *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    response
}
