//! The interface for clients of the Model Context Protocol: `POST /mcp`, with a session's token.
//!
//! Parts: [`speak_mcp`] parses the body strictly and passes it to the SDK; a [`Visit`] is one request of one session;
//! `model::tool_name` maps actions to tool names; `tools`, `call`, `task` and `guide` implement the methods.
//!
//! Flow: `access` (token of a session that has not ended) → origin → strict parser → SDK → `Visit` → pipeline.
//!
//! INVARIANT: decisions use the result of the strict parser. The SDK's own parser, in which the last of two equal
//! keys wins, only selects the method.
//! INVARIANT: no state is kept between requests. Any gateway can answer any request; a task is an invocation, which
//! is stored in PostgreSQL.
//! INVARIANT: the calling client is never asked for an approval, because it could answer instead of the person.
//! Only this module uses the SDK.

mod call;
mod guide;
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

/// Path of the interface.
const PATH: &str = "/mcp";

/// Exchange a message of the Model Context Protocol (Streamable HTTP, version 2026-07-28 and older).
///
/// The actions of the session are offered as tools. See docs/mcp.md.
#[utoipa::path(
    post, path = "/mcp", tag = "mcp",
    request_body(content = Object, description = "One JSON-RPC message"),
    responses(
        (status = 200, body = Object, description = "The response, as JSON or as server-sent events"),
        (status = 202, description = "The notification was accepted"),
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
    // Browsers send an `Origin`, agents do not. A web page must not use this interface, whatever token it has.
    if head.headers.contains_key(header::ORIGIN) {
        return Err(Answer::origin());
    }
    let Raw(bytes) = Raw::from_request(Request::from_parts(head.clone(), body), &app).await?;
    let message = match receipt::parse_strict(&bytes, MAX_BODY_BYTES) {
        Ok(message) => Arc::new(message),
        Err(error) => return Ok(unreadable(&error)),
    };
    // Read before the subscription is confirmed: anything the client lists afterwards is at least this new.
    let known = match message["method"].as_str() {
        Some("subscriptions/listen") => Some(app.pipeline.reader().policy_version(org, session).await?),
        _ => None,
    };
    let visit = Visit { org, session, message, known, trace_id: trace_id(&head.headers), app };
    // The SDK keeps the head with the message, and writes both to detailed logs.
    head.headers.remove(header::AUTHORIZATION);
    head.extensions.clear();
    let served = server(visit).handle(Request::from_parts(head, Body::from(bytes))).await;
    Ok(served.map(Body::new))
}

/// A server for one request. No state outlives it.
fn server(visit: Visit) -> StreamableHttpService<Visit, NeverSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        .enforce_origin_validation()
        // The `Host` header proves nothing, because every request must have a token; see docs/DECISIONS.md.
        .disable_allowed_hosts();
    StreamableHttpService::new(move || Ok(visit.clone()), Arc::new(NeverSessionManager::default()), config)
}

/// The response to a body that is not JSON or is ambiguous.
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

/// The response to an unsupported HTTP method. MCP clients first try to open a stream with GET, and take status 405
/// as "not supported"; any other status would be an error for them.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Response {
    let mut response = Answer::no_route().into_response();
    if uri.path() == PATH && method != Method::POST {
        *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    response
}
