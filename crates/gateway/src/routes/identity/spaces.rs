//! Spaces and their members.

use api::{
    Page, PageQuery, Problem, SpaceMemberRequest, SpaceMemberView, SpacePatch, SpaceRequest, SpaceView,
};
use axum::{Json, extract::State, http::StatusCode};
use model::{OpenTo, SpaceId, UserId, capability};
use tenancy::{NewSpace, SpaceChange};

use super::sessions::bounded_capabilities;
use crate::{
    App,
    extract::{Body, CurrentUser, Id, Ids, Query, bounded, page, paged},
    problem::Answer,
    view,
};

/// List spaces.
#[utoipa::path(
    get, path = "/v1/spaces", tag = "people", params(PageQuery),
    responses((status = 200, body = Page<SpaceView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_spaces(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<SpaceView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.spaces(person.org, tenancy::Page { after, limit }).await?;
    let own = app.tenancy.own_spaces(person.actor(), &found).await?;
    let shown = |found: tenancy::Space| {
        let may_open = own.contains(&found.id);
        view::space(found, may_open)
    };
    Ok(Json(paged(found, limit, |found| found.id.uuid(), shown)))
}

/// Add a space.
#[utoipa::path(
    post, path = "/v1/spaces", tag = "people", request_body = SpaceRequest,
    responses((status = 201, body = SpaceView), (status = "4XX", body = Problem))
)]
pub(crate) async fn create_space(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<SpaceRequest>,
) -> Result<(StatusCode, Json<SpaceView>), Answer> {
    bounded("/name", &request.name, 200)?;
    let new = NewSpace {
        slug: request.slug,
        name: request.name,
        risk_band: request.risk_band,
        open_to: request.open_to.unwrap_or(OpenTo::Members),
    };
    // Only admins change spaces, and they belong to every one.
    let space = app.tenancy.create_space(&person.author(), new).await?;
    Ok((StatusCode::CREATED, Json(view::space(space, true))))
}

/// Change a space: its name, its risk band, outbound redaction, or who it is open to.
///
/// When a space is closed to people who are not listed as its members, their sessions in it end.
#[utoipa::path(
    patch, path = "/v1/spaces/{space}", tag = "people", params(("space" = String, Path)), request_body = SpacePatch,
    responses((status = 200, body = SpaceView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_space(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(space): Id<SpaceId>,
    Body(patch): Body<SpacePatch>,
) -> Result<Json<SpaceView>, Answer> {
    bounded("/name", patch.name.as_deref().unwrap_or_default(), 200)?;
    let change = SpaceChange {
        name: patch.name,
        risk_band: patch.risk_band,
        outbound_redaction: patch.outbound_redaction,
        open_to: patch.open_to,
    };
    Ok(Json(view::space(app.tenancy.change_space(&person.author(), space, change).await?, true)))
}

/// List the members of a space, and what they may use there.
#[utoipa::path(
    get, path = "/v1/spaces/{space}/members", tag = "people", params(("space" = String, Path), PageQuery),
    responses((status = 200, body = Page<SpaceMemberView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_space_members(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(space): Id<SpaceId>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<SpaceMemberView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.space_members(person.org, space, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.user.uuid(), view::space_member)))
}

/// Add a member to a space, or change what they may use there.
///
/// Their sessions in the space that have more than that end.
#[utoipa::path(
    put, path = "/v1/spaces/{space}/members/{user}", tag = "people",
    params(("space" = String, Path), ("user" = String, Path)), request_body = SpaceMemberRequest,
    responses((status = 200, body = SpaceMemberView), (status = "4XX", body = Problem))
)]
pub(crate) async fn set_space_member(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Ids(space, user): Ids<SpaceId, UserId>,
    Body(request): Body<SpaceMemberRequest>,
) -> Result<Json<SpaceMemberView>, Answer> {
    let capabilities = request.capabilities.unwrap_or_else(|| vec![capability::EVERYTHING.to_owned()]);
    if capabilities.is_empty() {
        return Err(Answer::invalid("/capabilities", "name at least one, or remove the member"));
    }
    bounded_capabilities(&capabilities)?;
    let set = app.tenancy.set_space_member(&person.author(), (space, user), &capabilities).await?;
    Ok(Json(view::space_member(set)))
}

/// Remove a member from a space.
///
/// Unless the space is open to everyone, their sessions in it end.
#[utoipa::path(
    delete, path = "/v1/spaces/{space}/members/{user}", tag = "people",
    params(("space" = String, Path), ("user" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_space_member(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Ids(space, user): Ids<SpaceId, UserId>,
) -> Result<StatusCode, Answer> {
    app.tenancy.remove_space_member(&person.author(), space, user).await?;
    Ok(StatusCode::NO_CONTENT)
}
