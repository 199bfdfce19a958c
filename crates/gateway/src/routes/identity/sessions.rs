//! Sessions, and the identity of the caller.

use std::time::Duration;

use api::{MeView, NewSessionView, Page, PageQuery, Plain, Problem, SessionRequest, SessionView};
use axum::{Json, extract::State, http::StatusCode};
use model::SessionId;
use tenancy::{Caller, Capabilities, NewSession};

use crate::{
    App,
    extract::{Admitted, Body, CurrentUser, Id, Query, bounded, page, paged},
    problem::Answer,
    view,
};

const DAY_S: u64 = 24 * 60 * 60;
const MOST_CAPABILITIES: usize = 100;

/// Return the caller: a person or a session.
#[utoipa::path(
    get, path = "/v1/me", tag = "sessions", responses((status = 200, body = MeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_me(
    State(app): State<App>,
    Admitted(caller): Admitted,
) -> Result<Json<MeView>, Answer> {
    Ok(Json(match caller {
        Caller::Session { org, session } => MeView::of_session(org, session),
        Caller::Person(person) => view::me(&app, &person).await?,
    }))
}

/// Open a session.
///
/// The response contains the session's token, which is shown only once.
#[utoipa::path(
    post, path = "/v1/sessions", tag = "sessions", request_body = SessionRequest,
    responses((status = 201, body = NewSessionView), (status = "4XX", body = Problem))
)]
pub(crate) async fn create_session(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<SessionRequest>,
) -> Result<(StatusCode, Json<NewSessionView>), Answer> {
    let listed = match &request.capabilities {
        None => app.oversight.sources(person.org).await?,
        Some(_) => vec![],
    };
    let listed = listed.iter().map(|source| format!("{}:*", source.slug)).collect();
    let new = new_session(request, listed)?;
    let (session, token) = app.tenancy.create_session(&person.author(), new).await?;
    let token = Plain(token.reveal().to_owned());
    Ok((StatusCode::CREATED, Json(NewSessionView { session: view::session(session), token })))
}

pub(super) fn bounded_capabilities(capabilities: &[String]) -> Result<(), Answer> {
    if capabilities.len() > MOST_CAPABILITIES {
        return Err(Answer::invalid("/capabilities", format!("at most {MOST_CAPABILITIES} capabilities")));
    }
    for capability in capabilities {
        bounded("/capabilities", capability, 100)?;
    }
    Ok(())
}

fn new_session(request: SessionRequest, listed: Vec<String>) -> Result<NewSession, Answer> {
    bounded("/agent", &request.agent, 100)?;
    bounded("/title", &request.title, 200)?;
    let capabilities = match request.capabilities {
        None => Capabilities::AtMost(listed),
        Some(named) => {
            bounded_capabilities(&named)?;
            Capabilities::Exactly(named)
        }
    };
    let lifetime_s = request.lifetime_s.unwrap_or(DAY_S);
    if !(60..=30 * DAY_S).contains(&lifetime_s) {
        return Err(Answer::invalid("/lifetime_s", "must be between 60 and 2592000 (30 days)"));
    }
    Ok(NewSession {
        space: request.space,
        kind: request.kind,
        agent: request.agent,
        title: request.title,
        capabilities,
        lifetime: Duration::from_secs(lifetime_s),
    })
}

/// List sessions, newest first.
#[utoipa::path(
    get, path = "/v1/sessions", tag = "sessions", params(PageQuery),
    responses((status = 200, body = Page<SessionView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_sessions(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<SessionView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.sessions(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::session)))
}

/// Return a session.
#[utoipa::path(
    get, path = "/v1/sessions/{session}", tag = "sessions", params(("session" = String, Path)),
    responses((status = 200, body = SessionView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_session(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(session): Id<SessionId>,
) -> Result<Json<SessionView>, Answer> {
    let found = app.tenancy.session(caller.org(), session).await?;
    Ok(Json(view::session(found)))
}

/// End a session.
///
/// The session's token becomes invalid immediately.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}", tag = "sessions", params(("session" = String, Path)),
    responses((status = 200, body = SessionView), (status = "4XX", body = Problem))
)]
pub(crate) async fn end_session(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(session): Id<SessionId>,
) -> Result<Json<SessionView>, Answer> {
    let ended = app.tenancy.end_session(&person.author(), session).await?;
    Ok(Json(view::session(ended)))
}
