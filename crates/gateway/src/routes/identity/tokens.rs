//! API tokens: your own, those of service accounts, and the inventory of all.

use std::time::Duration;

use api::{NewTokenView, Page, PageQuery, Plain, Problem, TokenRequest, TokenView};
use axum::{Json, extract::State, http::StatusCode};
use jiff::Timestamp;
use model::{ApiTokenId, Role, UserId};
use tenancy::Person;

use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, bounded, page, paged},
    problem::Answer,
    view,
};

const DAY_S: u64 = 24 * 60 * 60;

/// Create an API token for a service account.
///
/// The response contains the token, which is shown only once. People create their own. Needs a sign-in of the last ten
/// minutes.
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
    list(&app, &person, Some(person.user), &query).await
}

/// Create an API token for yourself.
///
/// The response contains the token, which is shown only once. Needs a sign-in of the last ten minutes.
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
    app.tenancy.check_fresh(by)?;
    let lifetime_s = request.lifetime_s.unwrap_or(tenancy::TOKEN_LIFETIME.as_secs());
    let expires_at = Some(expiry(app.world.clock.now(), lifetime_s)?);
    let (id, token) = app.tenancy.create_token(&by.author(), user, &request.name, expires_at).await?;
    Ok((StatusCode::CREATED, Json(NewTokenView { id, token: Plain(token.reveal().to_owned()) })))
}

fn expiry(now: Timestamp, lifetime_s: u64) -> Result<Timestamp, Answer> {
    if !(60..=366 * DAY_S).contains(&lifetime_s) {
        return Err(Answer::invalid("/lifetime_s", "must be between 60 and 31622400 (366 days)"));
    }
    Ok(now + Duration::from_secs(lifetime_s))
}

/// List the API tokens of a member, without their values.
#[utoipa::path(
    get, path = "/v1/members/{user}/tokens", tag = "people", params(("user" = String, Path), PageQuery),
    responses((status = 200, body = Page<TokenView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_member_tokens(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(user): Id<UserId>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<TokenView>>, Answer> {
    app.tenancy.member(person.org, user).await?;
    list(&app, &person, Some(user), &query).await
}

/// List the API tokens and signed-in browsers of everyone, without their values.
#[utoipa::path(
    get, path = "/v1/all-tokens", tag = "people", params(PageQuery),
    responses((status = 200, body = Page<TokenView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_all_tokens(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<TokenView>>, Answer> {
    list(&app, &person, None, &query).await
}

async fn list(
    app: &App,
    person: &Person,
    user: Option<UserId>,
    query: &PageQuery,
) -> Result<Json<Page<TokenView>>, Answer> {
    let (after, limit) = page(query)?;
    let found = app.tenancy.tokens(person.org, user, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::token)))
}

/// Revoke an API token or sign out a browser: your own, or as an owner anyone's.
#[utoipa::path(
    delete, path = "/v1/tokens/{token}", tag = "people", params(("token" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn revoke_token(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(token): Id<ApiTokenId>,
) -> Result<StatusCode, Answer> {
    let whose = (person.role < Role::Owner).then_some(person.user);
    app.tenancy.revoke_token(&person.author(), whose, token).await?;
    Ok(StatusCode::NO_CONTENT)
}
