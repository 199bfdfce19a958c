//! The catalog of a session, and asking for an action.

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
    extract::{Admitted, Asked, Id, Ids, Raw, page, paged, patience},
    problem::Answer,
    view,
};

/// Everything the session could ask for, with what would be decided about it now.
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
    let written = app.pipeline.available_written((caller.org(), session), write).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], written).into_response())
}

/// What an agent should read before using a source, as Markdown.
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
    let guide = app.pipeline.guide(caller.org(), session, &source).await?;
    let guide = guide.ok_or(tenancy::Error::NotFound("source"))?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], guide).into_response())
}

/// Ask for an action. 200: it happened. 202: a person must say yes first. Otherwise: why not.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/actions/invoke", tag = "actions", request_body = InvokeRequest,
    params(
        ("session" = String, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters; kept 24 hours"),
    ),
    responses(
        (status = 200, body = InvocationView, description = "It happened, or it was a dry run"),
        (status = 202, body = InvocationView, description = "It waits for a person"),
        (status = 403, body = Problem, description = "Policy says no"),
        (status = 409, body = Problem, description = "The key is under way, or the source is not connected"),
        (status = 422, body = Problem, description = "The request is not valid"),
        (status = 429, body = Problem, description = "Too often, or too many waiting"),
        (status = 502, body = Problem, description = "The action failed, was undone, or nobody knows"),
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

/// The session's invocations, newest first.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/invocations", tag = "actions", params(("session" = String, Path), PageQuery),
    responses((status = 200, body = Page<InvocationView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_invocations(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(session): Id<SessionId>,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<InvocationView>>, Answer> {
    let (before, limit) = page(&query)?;
    app.tenancy.session(caller.org(), session).await?;
    let before = before.map(InvocationId::from_uuid);
    let found = app.pipeline.list(caller.org(), session, before, limit).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::invocation)))
}

/// One invocation of the session, once it is over or the wait is.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/invocations/{invocation}", tag = "actions",
    params(("session" = String, Path), ("invocation" = String, Path), WaitQuery),
    responses((status = 200, body = InvocationView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_invocation(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Ids(session, invocation): Ids<SessionId, InvocationId>,
    Asked(query): Asked<WaitQuery>,
) -> Result<Json<InvocationView>, Answer> {
    let patience = patience(&query, Duration::ZERO)?;
    let mut found = app.pipeline.find(caller.org(), session, invocation).await?;
    if !patience.is_zero() {
        found = app.pipeline.wait(caller.org(), found.id, patience).await?;
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

/// A caller's key, from wherever it stood.
pub(crate) fn readable_key(text: &str) -> Result<IdempotencyKey, Answer> {
    // It is kept, shown to everybody in the org and stands in the receipt.
    if Redactor::new().contains_credential(&text.into()).is_some() {
        return Err(Answer::invalid(
            "",
            "an idempotency key is no secret, and this one looks like a credential",
        ));
    }
    text.parse().map_err(|_| Answer::invalid("", "an idempotency key is 1 to 255 visible ASCII characters"))
}

/// The trace id of a W3C `traceparent`, if the header is one.
pub(crate) fn trace_id(headers: &HeaderMap) -> Option<String> {
    let mut parts = headers.get("traceparent")?.to_str().ok()?.split('-');
    let (_version, trace) = (parts.next()?, parts.next()?);
    let valid = trace.len() == 32 && trace.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    valid.then(|| trace.to_owned())
}
