//! Spaces, members and API tokens.

use std::time::Duration;

use api::{
    MemberPatch, MemberRequest, MemberView, NewTokenView, OrgPatch, OrgView, Page, PageQuery, Plain, Problem,
    SpacePatch, SpaceRequest, SpaceView, TokenRequest, TokenView,
};
use axum::{Json, extract::State, http::StatusCode};
use jiff::Timestamp;
use model::{ApiTokenId, SpaceId, UserId};
use tenancy::{Member, MemberChange, NewMember, Person, SpaceChange};

use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, bounded, page, paged},
    problem::Answer,
    view,
};

/// Return the organization and its settings.
#[utoipa::path(
    get, path = "/v1/org", tag = "people",
    responses((status = 200, body = OrgView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_org(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<OrgView>, Answer> {
    Ok(Json(view::org(app.tenancy.org(person.org).await?)))
}

/// Change the settings of the organization: approvals of R3 and R4, and the retention of receipts.
#[utoipa::path(
    patch, path = "/v1/org", tag = "people", request_body = OrgPatch,
    responses((status = 200, body = OrgView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_org(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(patch): Body<OrgPatch>,
) -> Result<Json<OrgView>, Answer> {
    if patch.approval_quorum.is_some_and(|quorum| !(1..=10).contains(&quorum)) {
        return Err(Answer::invalid("/approval_quorum", "must be between 1 and 10"));
    }
    if patch.receipts_kept_days.is_some_and(|days| !(1..=36_500).contains(&days)) {
        return Err(Answer::invalid("/receipts_kept_days", "must be between 1 and 36500"));
    }
    let change = tenancy::OrgChange {
        quorum: patch.approval_quorum,
        four_eyes: patch.approval_four_eyes,
        passkey: patch.approval_passkey,
        receipts_kept_days: patch.receipts_kept_days,
    };
    let org = app.oversight.change_org(&person.author(), change).await?;
    Ok(Json(view::org(org)))
}

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
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::space)))
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
    let space =
        app.tenancy.create_space(&person.author(), &request.slug, &request.name, request.risk_band).await?;
    Ok((StatusCode::CREATED, Json(view::space(space))))
}

/// Change a space: its name, its risk band, or outbound redaction.
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
    };
    Ok(Json(view::space(app.tenancy.change_space(&person.author(), space, change).await?)))
}

/// List members.
#[utoipa::path(
    get, path = "/v1/members", tag = "people", params(PageQuery),
    responses((status = 200, body = Page<MemberView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_members(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<MemberView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.members(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.user.uuid(), view::member)))
}

/// Add a member.
#[utoipa::path(
    post, path = "/v1/members", tag = "people", request_body = MemberRequest,
    responses((status = 201, body = MemberView), (status = "4XX", body = Problem))
)]
pub(crate) async fn add_member(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<MemberRequest>,
) -> Result<(StatusCode, Json<MemberView>), Answer> {
    bounded("/email", &request.email, 254)?;
    bounded("/name", &request.name, 200)?;
    let new = NewMember { email: request.email.clone(), name: request.name.clone(), role: request.role };
    let user = app.tenancy.add_member(&person.author(), new).await?;
    let member = Member { user, email: request.email, name: request.name, role: request.role };
    Ok((StatusCode::CREATED, Json(view::member(member))))
}

/// Change a member's role or name.
#[utoipa::path(
    patch, path = "/v1/members/{user}", tag = "people", params(("user" = String, Path)), request_body = MemberPatch,
    responses((status = 200, body = MemberView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_member(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(user): Id<UserId>,
    Body(patch): Body<MemberPatch>,
) -> Result<Json<MemberView>, Answer> {
    bounded("/name", patch.name.as_deref().unwrap_or_default(), 200)?;
    let change = MemberChange { name: patch.name, role: patch.role };
    Ok(Json(view::member(app.tenancy.change_member(&person.author(), user, change).await?)))
}

/// Remove a member and revoke all of their tokens.
///
/// The record of their actions is kept.
#[utoipa::path(
    delete, path = "/v1/members/{user}", tag = "people", params(("user" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_member(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(user): Id<UserId>,
) -> Result<StatusCode, Answer> {
    app.tenancy.remove_member(&person.author(), user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Create an API token for a member.
///
/// The response contains the token, which is shown only once.
#[utoipa::path(
    post, path = "/v1/members/{user}/tokens", tag = "people", params(("user" = String, Path)),
    request_body = TokenRequest, responses((status = 201, body = NewTokenView), (status = "4XX", body = Problem))
)]
pub(crate) async fn create_member_token(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(user): Id<UserId>,
    Body(request): Body<TokenRequest>,
) -> Result<(StatusCode, Json<NewTokenView>), Answer> {
    make_token(&app, &person, user, &request).await
}

/// List your API tokens, without their values.
#[utoipa::path(
    get, path = "/v1/tokens", tag = "people", params(PageQuery),
    responses((status = 200, body = Page<TokenView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_tokens(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<TokenView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.tokens(person.org, person.user, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::token)))
}

/// Create an API token for yourself.
///
/// The response contains the token, which is shown only once.
#[utoipa::path(
    post, path = "/v1/tokens", tag = "people", request_body = TokenRequest,
    responses((status = 201, body = NewTokenView), (status = "4XX", body = Problem))
)]
pub(crate) async fn create_token(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<TokenRequest>,
) -> Result<(StatusCode, Json<NewTokenView>), Answer> {
    make_token(&app, &person, person.user, &request).await
}

async fn make_token(
    app: &App,
    by: &Person,
    user: UserId,
    request: &TokenRequest,
) -> Result<(StatusCode, Json<NewTokenView>), Answer> {
    bounded("/name", &request.name, 100)?;
    let expires_at =
        request.lifetime_s.map(|lifetime_s| expiry(app.world.clock.now(), lifetime_s)).transpose()?;
    let (id, token) = app.tenancy.create_token(&by.author(), user, &request.name, expires_at).await?;
    Ok((StatusCode::CREATED, Json(NewTokenView { id, token: Plain(token.reveal().to_owned()) })))
}

fn expiry(now: Timestamp, lifetime_s: u64) -> Result<Timestamp, Answer> {
    let ten_years_s = 10 * 366 * 24 * 60 * 60;
    if !(60..=ten_years_s).contains(&lifetime_s) {
        return Err(Answer::invalid("/lifetime_s", "must be between 60 and 315360000 (ten years)"));
    }
    Ok(now + Duration::from_secs(lifetime_s))
}

/// Revoke one of your API tokens.
#[utoipa::path(
    delete, path = "/v1/tokens/{token}", tag = "people", params(("token" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn revoke_token(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(token): Id<ApiTokenId>,
) -> Result<StatusCode, Answer> {
    app.tenancy.revoke_token(&person.author(), person.user, token).await?;
    Ok(StatusCode::NO_CONTENT)
}
