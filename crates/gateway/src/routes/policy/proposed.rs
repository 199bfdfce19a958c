//! Changes that wait for a second owner.

use api::{AgreeRequest, Page, Problem, ProposedChangeView, ProposedQuery, RefuseRequest};
use axum::{Json, extract::State};
use changes::Status;
use model::ProposedChangeId;

use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, bounded},
    problem::Answer,
    second_person, view,
};

/// List changes that wait for a second owner, or all of the last 30 days; newest first.
#[utoipa::path(
    get, path = "/v1/proposed-changes", tag = "policy", params(ProposedQuery),
    responses((status = 200, body = Page<ProposedChangeView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_proposed_changes(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ProposedQuery>,
) -> Result<Json<Page<ProposedChangeView>>, Answer> {
    let waiting = match query.status.as_deref() {
        None => false,
        Some("waiting") => true,
        Some(_) => return Err(Answer::invalid("", "`status` can be `waiting`")),
    };
    let found = app.oversight.proposed_changes(person.org, waiting).await?;
    Ok(Json(Page { items: view::all_proposed(&app, person.org, found).await?, next_cursor: None }))
}

/// Return a change that waits, or waited, for a second owner.
#[utoipa::path(
    get, path = "/v1/proposed-changes/{proposed}", tag = "policy", params(("proposed" = String, Path)),
    responses((status = 200, body = ProposedChangeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_proposed_change(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(id): Id<ProposedChangeId>,
) -> Result<Json<ProposedChangeView>, Answer> {
    let found = app.oversight.proposed_change(person.org, id).await?;
    Ok(Json(view::proposed(&app, person.org, found).await?))
}

/// Agree to a change, as a second owner.
///
/// The change is made at once and recorded with both names. If it would change something else than what was shown by now,
/// it fails, and has to be proposed again.
#[utoipa::path(
    post, path = "/v1/proposed-changes/{proposed}/approve", tag = "policy", params(("proposed" = String, Path)),
    request_body = AgreeRequest,
    responses((status = 200, body = ProposedChangeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn approve_proposed_change(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(id): Id<ProposedChangeId>,
    Body(request): Body<AgreeRequest>,
) -> Result<Json<ProposedChangeView>, Answer> {
    bounded("/reason", request.reason.as_deref().unwrap_or_default(), 500)?;
    let (proposed, body) = app.oversight.agree(&person, id, (request.digest, request.reason)).await?;
    if let Err(why) = second_person::make_again(&app, &person, &proposed, body).await? {
        app.oversight.fail_proposed(person.org, id, (person.user, why)).await?;
    }
    let found = app.oversight.proposed_change(person.org, id).await?;
    Ok(Json(view::proposed(&app, person.org, found).await?))
}

/// Deny a change, as a second owner.
#[utoipa::path(
    post, path = "/v1/proposed-changes/{proposed}/deny", tag = "policy", params(("proposed" = String, Path)),
    request_body = RefuseRequest,
    responses((status = 200, body = ProposedChangeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn deny_proposed_change(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(id): Id<ProposedChangeId>,
    Body(request): Body<RefuseRequest>,
) -> Result<Json<ProposedChangeView>, Answer> {
    bounded("/reason", request.reason.as_deref().unwrap_or_default(), 500)?;
    let answer = (Status::Denied, request.reason);
    let found = app.oversight.refuse_proposed(&person, id, answer).await?;
    Ok(Json(view::proposed(&app, person.org, found).await?))
}

/// Withdraw a change that you proposed.
#[utoipa::path(
    post, path = "/v1/proposed-changes/{proposed}/withdraw", tag = "policy", params(("proposed" = String, Path)),
    responses((status = 200, body = ProposedChangeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn withdraw_proposed_change(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(id): Id<ProposedChangeId>,
) -> Result<Json<ProposedChangeView>, Answer> {
    let found = app.oversight.refuse_proposed(&person, id, (Status::Withdrawn, None)).await?;
    Ok(Json(view::proposed(&app, person.org, found).await?))
}
