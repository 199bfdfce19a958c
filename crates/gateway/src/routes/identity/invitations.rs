//! Invitations, and joining with one.

use api::{
    InvitationRequest, InvitationView, JoinRequest, JoinView, JoinedView, NewInvitationView, NewTokenView,
    OfferRequest, Page, PageQuery, Plain, Problem,
};
use axum::{
    Json,
    extract::State,
    http::{Extensions, HeaderMap, Method, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use jiff::Timestamp;
use model::InvitationId;
use platform::token::Token;
use tenancy::{Caller, Device, Invitation, Joined, NewMember};

use super::signin::signed_in_cookie;
use crate::{
    App, browser,
    extract::{Body, CurrentUser, Id, Query, bounded, page, paged, peer},
    problem::Answer,
    view,
};

/// List invitations, newest first.
#[utoipa::path(
    get, path = "/v1/invitations", tag = "people", params(PageQuery),
    responses((status = 200, body = Page<InvitationView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_invitations(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<InvitationView>>, Answer> {
    let (after, limit) = page(&query)?;
    let now = app.world.clock.now();
    let found = app.tenancy.invitations(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), |found| of(found, now))))
}

/// Invite a person.
///
/// The response contains the link with which they join, once, within seven days. Give it to them yourself. An earlier
/// invitation of the same person ends.
#[utoipa::path(
    post, path = "/v1/invitations", tag = "people", request_body = InvitationRequest,
    responses((status = 201, body = NewInvitationView), (status = "4XX", body = Problem))
)]
pub(crate) async fn invite_person(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<InvitationRequest>,
) -> Result<(StatusCode, Json<NewInvitationView>), Answer> {
    bounded("/email", &request.email, 254)?;
    bounded("/name", &request.name, 200)?;
    app.tenancy.check_fresh(&person)?;
    let new = NewMember { email: request.email, name: request.name, role: request.role };
    let (invitation, token) = app.tenancy.invite(&person.author(), new).await?;
    Ok((StatusCode::CREATED, Json(with_link(&app, invitation, &token))))
}

/// Make a new link for an invitation of yours.
///
/// The earlier link stops working.
#[utoipa::path(
    post, path = "/v1/invitations/{invitation}/link", tag = "people", params(("invitation" = String, Path)),
    responses((status = 200, body = NewInvitationView), (status = "4XX", body = Problem))
)]
pub(crate) async fn renew_invitation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invitation): Id<InvitationId>,
) -> Result<Json<NewInvitationView>, Answer> {
    app.tenancy.check_fresh(&person)?;
    let (invitation, token) = app.tenancy.renew_invitation(&person.author(), invitation).await?;
    Ok(Json(with_link(&app, invitation, &token)))
}

/// Withdraw an invitation.
#[utoipa::path(
    delete, path = "/v1/invitations/{invitation}", tag = "people", params(("invitation" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn withdraw_invitation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invitation): Id<InvitationId>,
) -> Result<StatusCode, Answer> {
    app.tenancy.withdraw_invitation(&person.author(), invitation).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Look at an invitation before you accept it.
#[utoipa::path(
    post, path = "/v1/join/look", tag = "people", security(()), request_body = OfferRequest,
    responses(
        (status = 200, body = JoinView),
        (status = 404, body = Problem, description = "Unknown, used, withdrawn or expired"),
    )
)]
pub(crate) async fn look_at_invitation(
    State(app): State<App>,
    Body(request): Body<OfferRequest>,
) -> Result<Json<JoinView>, Answer> {
    let offer = app.tenancy.offer(&request.token.0).await?;
    let invitation = offer.invitation;
    Ok(Json(JoinView {
        org: offer.org_slug,
        org_name: offer.org_name,
        email: invitation.email,
        name: invitation.name,
        role: invitation.role,
        invited_by: offer.invited_by,
        expires_at: invitation.expires_at,
        provider: app.web.provider.as_ref().map(|provider| provider.name().to_owned()),
        is_member: offer.is_member,
    }))
}

/// Join an organization with an invitation.
///
/// The response contains your first token, which is shown only once, and signs in the browser. Where an identity provider
/// is configured, an invitation is accepted by signing in there with the invited address.
#[utoipa::path(
    post, path = "/v1/join", tag = "people", security(()), request_body = JoinRequest,
    responses(
        (status = 201, body = JoinedView),
        (status = 403, body = Problem, description = "Sign in with the identity provider instead"),
        (status = 404, body = Problem, description = "Unknown, used, withdrawn or expired"),
    )
)]
pub(crate) async fn join_org(
    State(app): State<App>,
    headers: HeaderMap,
    extensions: Extensions,
    Body(request): Body<JoinRequest>,
) -> Result<Response, Answer> {
    let name = request.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    bounded("/name", name.unwrap_or_default(), 200)?;
    if let Some(provider) = &app.web.provider {
        return Err(Answer::new(
            StatusCode::FORBIDDEN,
            "identity_needed",
            format!("sign in with {} to accept the invitation", provider.name()),
        ));
    }
    let Joined { id, token } = app.tenancy.join(&request.token.0, name).await?;
    let new = NewTokenView { id, token: Plain(token.reveal().to_owned()) };
    // Only our own page gets a cookie; a program has the token.
    if browser::may(&Method::POST, &headers, app.web.public_url.as_ref()).is_err() {
        let Caller::Person(person) = app.tenancy.authenticate(token.reveal()).await? else {
            return Err(tenancy::Error::Unauthenticated.into());
        };
        let me = view::me(&app, &person).await?;
        return Ok((StatusCode::CREATED, Json(JoinedView { me, token: new })).into_response());
    }
    let name = browser::name(&headers);
    let device = Device { name: &name, address: peer(&extensions) };
    let signed_in = app.tenancy.sign_in_with_token(token.reveal(), device).await?;
    let me = view::me(&app, &signed_in.person).await?;
    let cookie = [(header::SET_COOKIE, signed_in_cookie(&app, &headers, &signed_in))];
    Ok((StatusCode::CREATED, cookie, Json(JoinedView { me, token: new })).into_response())
}

fn with_link(app: &App, invitation: Invitation, token: &Token) -> NewInvitationView {
    let link = app.web.public_url.as_ref().and_then(|url| url.join("/join").ok()).map(|mut link| {
        // Behind `#`, it is not sent to any server, and so it is in no log.
        link.set_fragment(Some(token.reveal()));
        Plain(link.to_string())
    });
    let now = app.world.clock.now();
    NewInvitationView { invitation: of(invitation, now), link, token: Plain(token.reveal().to_owned()) }
}

fn of(found: Invitation, now: Timestamp) -> InvitationView {
    InvitationView {
        status: found.status(now).to_owned(),
        id: found.id,
        email: found.email,
        name: found.name,
        role: found.role,
        invited_by: found.invited_by,
        created_at: found.created_at,
        expires_at: found.expires_at,
    }
}
