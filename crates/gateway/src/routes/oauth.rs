//! OAuth authorization of a connector: its start and its redirect.

use api::{AuthorizeView, AuthorizedView, OAuthReturn, Problem};
use axum::{
    Json,
    extract::{Query, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use model::SourceSlug;
use oversight::OAuthCallback;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    extract::{Body, CurrentUser, Id, bounded},
    problem::Answer,
};

/// Longer than the parameters that any authorization server sends.
const MOST: usize = 8_192;

/// Start the OAuth authorization of a connector.
///
/// The same person opens the returned URL in a browser in which they are signed in here.
#[utoipa::path(
    post, path = "/v1/connectors/{connector}/authorize", tag = "connectors", params(("connector" = String, Path)),
    responses((status = 200, body = AuthorizeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn authorize_connector(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<SourceSlug>,
) -> Result<Json<AuthorizeView>, Answer> {
    let authorize_url = app.oversight.begin_authorization(person.actor(), &slug).await?;
    Ok(Json(AuthorizeView { authorize_url }))
}

/// The parameters that an authorization server adds to its redirect.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Callback {
    #[serde(default)]
    code: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    iss: Option<String>,
}

/// Receive a browser that an authorization server redirected.
///
/// It is sent on to a page of the gateway, where the person who started this finishes it.
#[utoipa::path(
    get, path = "/v1/oauth/callback", tag = "connectors", security(()), params(Callback),
    responses((status = 303, description = "Redirect to the page that finishes the authorization"))
)]
pub(crate) async fn return_authorization(Query(callback): Query<Callback>) -> Response {
    let Callback { code, state, iss } = callback;
    let usable = |text: &str| !text.is_empty() && text.len() <= MOST;
    let mut back = url::form_urlencoded::Serializer::new(String::new());
    if !usable(&code) || !usable(&state) || iss.as_ref().is_some_and(|iss| iss.len() > MOST) {
        back.append_pair("error", "refused");
    } else {
        back.append_pair("code", &code).append_pair("state", &state);
        if let Some(iss) = &iss {
            back.append_pair("iss", iss);
        }
    }
    // Behind `#`, it is not sent to any server, and so it is in no log.
    let page = format!("/connect#{}", back.finish());
    let headers = [(header::LOCATION, page.as_str()), (header::REFERRER_POLICY, "no-referrer")];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Finish the OAuth authorization of a connector.
///
/// Only the person who started it can: consent that somebody else was led to give ends nowhere.
#[utoipa::path(
    post, path = "/v1/oauth/finish", tag = "connectors", request_body = OAuthReturn,
    responses(
        (status = 200, body = AuthorizedView),
        (status = 404, body = Problem, description = "Unknown, used, expired, or started by someone else"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn finish_authorization(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<OAuthReturn>,
) -> Result<Json<AuthorizedView>, Answer> {
    bounded("/code", &request.code.0, MOST)?;
    bounded("/state", &request.state.0, MOST)?;
    bounded("/iss", request.iss.as_deref().unwrap_or_default(), MOST)?;
    let back = OAuthCallback { state: request.state.0, code: request.code.0, issuer: request.iss };
    let connector = app.oversight.finish_authorization(person.author(), back).await?;
    Ok(Json(AuthorizedView { connector: connector.to_string() }))
}
