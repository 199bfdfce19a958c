//! OAuth authorization of a connector: its start and its redirect.

use api::{AuthorizeView, Problem};
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
    extract::{CurrentUser, Id},
    problem::Answer,
};

/// Longer than the parameters that any authorization server sends.
const MOST: usize = 8_192;
/// The page runs no script, loads nothing, and shows nothing of the request.
const PAGE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Start the OAuth authorization of a connector.
///
/// A person opens the returned URL in a browser.
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
#[utoipa::path(
    get, path = "/v1/oauth/callback", tag = "connectors", security(()), params(Callback),
    responses(
        (status = 200, body = String, content_type = "text/html"),
        (status = 400, body = String, content_type = "text/html", description = "Unknown, expired or refused"),
    )
)]
pub(crate) async fn finish_authorization(
    State(app): State<App>,
    Query(callback): Query<Callback>,
) -> Response {
    let Callback { code, state, iss } = callback;
    let usable = |text: &str| !text.is_empty() && text.len() <= MOST;
    if !usable(&code) || !usable(&state) || iss.as_ref().is_some_and(|iss| iss.len() > MOST) {
        return page(StatusCode::BAD_REQUEST, NOT_CONNECTED);
    }
    match app.oversight.finish_authorization(OAuthCallback { state, code, issuer: iss }).await {
        Ok(_) => page(StatusCode::OK, CONNECTED),
        Err(error) => {
            // The page does not say why, because the state may be made up; the operator's log does.
            tracing::warn!(error = &error as &dyn std::error::Error, "an authorization failed");
            page(StatusCode::BAD_REQUEST, NOT_CONNECTED)
        }
    }
}

const CONNECTED: &str = "Connected. You may close this page.";
const NOT_CONNECTED: &str =
    "Not connected: the authorization was refused, has expired, or was not started here. Start it again.";

fn page(status: StatusCode, words: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>Countersign</title><p>{words}</p>\n");
    (status, headers, page).into_response()
}
