//! The catalog of a session, and invoking an action.

use std::time::Duration;

use api::{CatalogView, InvocationView, InvokeRequest, Page, PageQuery, Problem, WaitQuery};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};
use model::{IdempotencyKey, InvocationId, SessionId, SourceSlug, Status};
use pipeline::{Invocation, Request};
use platform::redact::Redactor;

use crate::{
    App,
    extract::{Admitted, Id, Ids, Query, Raw, page, paged},
    problem::Answer,
    routes::waiting::Wait,
    view,
};

/// List the actions that the session can invoke, with the current decision about each.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/actions/available", tag = "actions", params(("session" = String, Path)),
    responses((status = 200, body = CatalogView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_actions(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(session): Id<SessionId>,
) -> Result<Response, Answer> {
    app.tenancy.session(caller.org(), session).await?;
    let write = |available| serde_json::to_vec(&view::catalog(available));
    let written = app.oversight.available_written(caller.org(), session, write).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], written).into_response())
}

/// Return the guide to a source, as Markdown.
///
/// An agent should read it before it uses the source for the first time.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/actions/guide/{source}", tag = "actions",
    params(("session" = String, Path), ("source" = String, Path)),
    responses((status = 200, body = String, content_type = "text/markdown"), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_guide(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Ids(session, source): Ids<SessionId, SourceSlug>,
) -> Result<Response, Answer> {
    app.tenancy.session(caller.org(), session).await?;
    let guide = app.oversight.guide(caller.org(), session, &source).await?;
    let guide = guide.ok_or(tenancy::Error::NotFound("source"))?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], guide).into_response())
}

/// Invoke an action.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/actions/invoke", tag = "actions", request_body = InvokeRequest,
    params(
        ("session" = String, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters, valid 24 h"),
    ),
    responses(
        (status = 200, body = InvocationView, description = "The action succeeded, or it was a dry run"),
        (status = 202, body = InvocationView, description = "The invocation needs approval"),
        (status = 403, body = Problem, description = "Denied by policy"),
        (status = 409, body = Problem, description = "The key is in use by a request, or the source is not connected"),
        (status = 422, body = Problem, description = "Invalid request"),
        (status = 429, body = Problem, description = "Rate limit exceeded, or too many pending invocations"),
        (status = 502, body = Problem, description = "The action failed, was reverted, or its outcome is unknown"),
    )
)]
pub(crate) async fn invoke_action(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(session): Id<SessionId>,
    headers: HeaderMap,
    Raw(body): Raw,
) -> Result<Response, Answer> {
    let mut request = Request::parse(caller.org(), session, &body)?;
    request.key = idempotency_key(&headers)?;
    request.trace_id = trace_id(&headers);
    Ok(answer(app.pipeline.invoke(request).await?))
}

/// List invocations of the session, newest first.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/invocations", tag = "actions", params(("session" = String, Path), PageQuery),
    responses((status = 200, body = Page<InvocationView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_invocations(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(session): Id<SessionId>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<InvocationView>>, Answer> {
    let (before, limit) = page(&query)?;
    app.tenancy.session(caller.org(), session).await?;
    let before = before.map(InvocationId::from_uuid);
    let found = app.pipeline.reader().list(caller.org(), session, before, limit).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::invocation)))
}

/// Return an invocation of the session; with `wait`, after it has finished or the time is over.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/invocations/{invocation}", tag = "actions",
    params(("session" = String, Path), ("invocation" = String, Path), WaitQuery),
    responses((status = 200, body = InvocationView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_invocation(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Ids(session, invocation): Ids<SessionId, InvocationId>,
    wait: Wait,
) -> Result<Json<InvocationView>, Answer> {
    let patience = wait.patience(Duration::ZERO)?;
    let mut found = app.pipeline.reader().find(caller.org(), session, invocation).await?;
    if !patience.is_zero() {
        found = app.pipeline.reader().wait(caller.org(), found.id, patience).await?;
        wait.check_again(&app).await?;
    }
    Ok(Json(view::invocation(found)))
}

fn answer(invocation: Invocation) -> Response {
    match invocation.status {
        Status::Succeeded | Status::Skipped => Json(view::invocation(invocation)).into_response(),
        Status::Pending | Status::Approved | Status::Executing => {
            let place = format!("/v1/sessions/{}/invocations/{}", invocation.session, invocation.id);
            view::accepted(&place, view::invocation(invocation))
        }
        _ => Answer::of_invocation(&invocation).into_response(),
    }
}

pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Answer> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    readable_key(value.to_str().unwrap_or_default()).map(Some)
}

/// Parses an idempotency key.
pub(crate) fn readable_key(text: &str) -> Result<IdempotencyKey, Answer> {
    // The key is stored, shown to all members and part of the receipt.
    if Redactor::new().contains_credential(&text.into()).is_some() {
        return Err(Answer::invalid(
            "",
            "the idempotency key looks like a credential; keys are stored and shown, so use another one",
        ));
    }
    text.parse()
        .map_err(|_| Answer::invalid("", "an idempotency key must have 1 to 255 visible ASCII characters"))
}

/// The trace ID of a W3C `traceparent` header, if it is valid.
pub(crate) fn trace_id(headers: &HeaderMap) -> Option<String> {
    let mut parts = headers.get("traceparent")?.to_str().ok()?.split('-');
    let (_version, trace) = (parts.next()?, parts.next()?);
    let valid = trace.len() == 32 && trace.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    valid.then(|| trace.to_owned())
}
