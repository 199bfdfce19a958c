//! Grants, and agents' requests for grants.

use std::time::Duration;

use api::{GrantAnswer, GrantAsk, GrantCreate, GrantRequestView, GrantView, Page, PageQuery, Problem};
use axum::{Json, extract::State, http::StatusCode};
use model::{GrantId, GrantRequestId, SessionId};
use policy::{Ask, GrantScope, NewGrant, RequestAnswer};

use super::rules::only_step;
use crate::{
    App,
    extract::{Admitted, Body, CurrentUser, Id, Ids, Query, bounded, page, paged},
    problem::Answer,
    view,
};

/// List grants, newest first.
#[utoipa::path(
    get, path = "/v1/grants", tag = "policy", params(PageQuery),
    responses((status = 200, body = Page<GrantView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_grants(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<GrantView>>, Answer> {
    let (before, limit) = page(&query)?;
    let found = app.grants.list(person.org, before, limit).await?;
    let now = app.world.clock.now();
    Ok(Json(paged(found, limit, |found| found.id.uuid(), |grant| view::grant(grant, now))))
}

/// Create a grant.
#[utoipa::path(
    post, path = "/v1/grants", tag = "policy", request_body = GrantCreate,
    responses((status = 201, body = GrantView), (status = "4XX", body = Problem))
)]
pub(crate) async fn give_grant(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<GrantCreate>,
) -> Result<(StatusCode, Json<GrantView>), Answer> {
    bounded("/reason", &request.reason, 500)?;
    let mut step = None;
    let scope = match (request.session, request.automation) {
        (None, None) => GrantScope::Org,
        (None, Some(automation)) => {
            step = Some(only_step(&app, person.org, automation, &request.action).await?);
            GrantScope::Automation(automation)
        }
        (Some(session), None) => {
            // A session of another organization is treated like one that does not exist.
            GrantScope::Session(app.tenancy.session(person.org, session).await?.id)
        }
        (Some(_), Some(_)) => {
            return Err(Answer::invalid("/automation", "cannot be combined with `session`"));
        }
    };
    let reader = app.pipeline.reader();
    let condition = request.condition.as_ref().map(|found| reader.condition(found)).transpose()?;
    let new = NewGrant {
        scope,
        key: request.action,
        max_calls: request.max_calls,
        lifetime: Duration::from_secs(request.lifetime_s),
        role: person.role,
        from_invocation: None,
        from_request: None,
        reason: request.reason,
        condition,
        step,
    };
    let grant = app.grants.give(&person.author(), new).await?;
    Ok((StatusCode::CREATED, Json(view::grant(grant, app.world.clock.now()))))
}

/// Revoke a grant.
///
/// It no longer applies from the next invocation on.
#[utoipa::path(
    delete, path = "/v1/grants/{grant}", tag = "policy", params(("grant" = String, Path)),
    responses((status = 200, body = GrantView), (status = "4XX", body = Problem))
)]
pub(crate) async fn revoke_grant(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(grant): Id<GrantId>,
) -> Result<Json<GrantView>, Answer> {
    let grant = app.grants.revoke(&person.author(), grant).await?;
    Ok(Json(view::grant(grant, app.world.clock.now())))
}

/// Request a grant.
///
/// A person answers the request.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/grants/request", tag = "actions", request_body = GrantAsk,
    params(("session" = String, Path)),
    responses((status = 202, body = GrantRequestView), (status = "4XX", body = Problem))
)]
pub(crate) async fn request_grant(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(session): Id<SessionId>,
    Body(request): Body<GrantAsk>,
) -> Result<(StatusCode, Json<GrantRequestView>), Answer> {
    bounded("/reason", &request.reason, 500)?;
    if request.reason.trim().is_empty() {
        return Err(Answer::invalid("/reason", "required: state the purpose for the person who decides"));
    }
    let ask = Ask {
        session,
        key: request.action,
        max_calls: request.max_calls,
        lifetime: Duration::from_secs(request.lifetime_s),
        reason: request.reason,
    };
    let (request, agent) = app.oversight.request_grant(caller.org(), ask).await?;
    Ok((StatusCode::ACCEPTED, Json(view::grant_request(request, agent, app.world.clock.now()))))
}

/// Return a grant request and its answer.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/grants/requests/{request}", tag = "actions",
    params(("session" = String, Path), ("request" = String, Path)),
    responses((status = 200, body = GrantRequestView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_grant_request(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Ids(session, request): Ids<SessionId, GrantRequestId>,
) -> Result<Json<GrantRequestView>, Answer> {
    let found = app.grants.request(caller.org(), request).await?;
    if found.session != session {
        return Err(policy::Error::NotFound.into());
    }
    let agent = app.tenancy.session(caller.org(), session).await?.agent;
    Ok(Json(view::grant_request(found, agent, app.world.clock.now())))
}

/// Answer a grant request: grant it, grant less, or deny it.
#[utoipa::path(
    post, path = "/v1/grant-requests/{request}/answer", tag = "policy", request_body = GrantAnswer,
    params(("request" = String, Path)),
    responses(
        (status = 200, body = GrantRequestView),
        (status = 409, body = Problem, description = "Already answered"),
        (status = 410, body = Problem, description = "The request expired"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn answer_grant_request(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(request): Id<GrantRequestId>,
    Body(answer): Body<GrantAnswer>,
) -> Result<Json<GrantRequestView>, Answer> {
    bounded("/note", &answer.note, 500)?;
    let answer = RequestAnswer {
        give: answer.give,
        max_calls: answer.max_calls,
        lifetime: answer.lifetime_s.map(Duration::from_secs),
        note: answer.note,
        role: person.role,
    };
    let (request, agent) = app.oversight.answer_grant_request(&person.author(), request, answer).await?;
    Ok(Json(view::grant_request(request, agent, app.world.clock.now())))
}
