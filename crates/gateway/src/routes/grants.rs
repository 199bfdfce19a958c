//! Standing permissions: given by people, asked for by agents.

use std::time::Duration;

use api::{GrantAnswer, GrantAsk, GrantCreate, GrantRequestView, GrantView, Page, PageQuery, Problem};
use axum::{Json, extract::State, http::StatusCode};
use model::{GrantId, GrantRequestId, SessionId};
use policy::{Ask, GrantScope, NewGrant, RequestAnswer};

use crate::{
    App,
    extract::{Admitted, Asked, Body, Id, Ids, Someone, bounded, page, paged},
    problem::Answer,
    view,
};

/// The org's grants, newest first.
#[utoipa::path(
    get, path = "/v1/grants", tag = "policy", params(PageQuery),
    responses((status = 200, body = Page<GrantView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_grants(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<GrantView>>, Answer> {
    let (before, limit) = page(&query)?;
    let found = app.grants.list(person.org, before, limit).await?;
    let now = app.world.clock.now();
    Ok(Json(paged(found, limit, |found| found.id.uuid(), |grant| view::grant(grant, now))))
}

/// Give a grant.
#[utoipa::path(
    post, path = "/v1/grants", tag = "policy", request_body = GrantCreate,
    responses((status = 201, body = GrantView), (status = "4XX", body = Problem))
)]
pub(crate) async fn give_grant(
    State(app): State<App>,
    Someone(person): Someone,
    Body(request): Body<GrantCreate>,
) -> Result<(StatusCode, Json<GrantView>), Answer> {
    bounded("/reason", &request.reason, 500)?;
    let scope = match (request.session, request.automation) {
        (None, None) => GrantScope::Org,
        (None, Some(automation)) => GrantScope::Automation(automation),
        (Some(session), None) => {
            // A session of another org is one that never existed.
            GrantScope::Session(app.tenancy.session(person.org, session).await?.id)
        }
        (Some(_), Some(_)) => {
            return Err(Answer::invalid("/automation", "a grant is for a session or an automation"));
        }
    };
    let new = NewGrant {
        scope,
        key: request.action,
        max_calls: request.max_calls,
        lifetime: Duration::from_secs(request.lifetime_s),
        created_by: person.user,
        role: person.role,
        from_invocation: None,
        from_request: None,
        reason: request.reason,
    };
    let grant = app.grants.give(person.org, new).await?;
    Ok((StatusCode::CREATED, Json(view::grant(grant, app.world.clock.now()))))
}

/// Take a grant back. The next invocation is decided without it.
#[utoipa::path(
    delete, path = "/v1/grants/{grant}", tag = "policy", params(("grant" = String, Path)),
    responses((status = 200, body = GrantView), (status = "4XX", body = Problem))
)]
pub(crate) async fn revoke_grant(
    State(app): State<App>,
    Someone(person): Someone,
    Id(grant): Id<GrantId>,
) -> Result<Json<GrantView>, Answer> {
    let grant = app.grants.revoke(person.org, grant, person.user).await?;
    Ok(Json(view::grant(grant, app.world.clock.now())))
}

/// Ask for a standing permission. A person answers.
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
        return Err(Answer::invalid("/reason", "say what for; a person decides by it"));
    }
    let ask = Ask {
        session,
        key: request.action,
        max_calls: request.max_calls,
        lifetime: Duration::from_secs(request.lifetime_s),
        reason: request.reason,
    };
    let (request, agent) = app.pipeline.ask(caller.org(), ask).await?;
    Ok((StatusCode::ACCEPTED, Json(view::grant_request(request, agent, app.world.clock.now()))))
}

/// What became of a request.
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

/// Answer an agent's request: give what it asked for or less, or nothing.
#[utoipa::path(
    post, path = "/v1/grant-requests/{request}/answer", tag = "policy", request_body = GrantAnswer,
    params(("request" = String, Path)),
    responses(
        (status = 200, body = GrantRequestView),
        (status = 409, body = Problem, description = "Answered already"),
        (status = 410, body = Problem, description = "It expired"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn answer_grant_request(
    State(app): State<App>,
    Someone(person): Someone,
    Id(request): Id<GrantRequestId>,
    Body(answer): Body<GrantAnswer>,
) -> Result<Json<GrantRequestView>, Answer> {
    bounded("/note", &answer.note, 500)?;
    let answer = RequestAnswer {
        give: answer.give,
        max_calls: answer.max_calls,
        lifetime: answer.lifetime_s.map(Duration::from_secs),
        note: answer.note,
        by: person.user,
        role: person.role,
    };
    let (request, agent) = app.pipeline.answer_grant_request(person.org, request, answer).await?;
    Ok(Json(view::grant_request(request, agent, app.world.clock.now())))
}
