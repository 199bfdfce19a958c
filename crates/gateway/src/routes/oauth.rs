//! Authorizing a connector: where to send a person, and where they come back.

use api::{AuthorizeView, Problem};
use axum::{
    Json,
    extract::{Query, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use model::SourceSlug;
use pipeline::Returned;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    extract::{Id, Someone},
    problem::Answer,
};

/// More than any authorization server sends.
const MOST: usize = 8_192;
/// The page runs nothing, loads nothing and shows nothing of what was sent.
const PAGE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Begin to authorize a connector: send a person with a browser to the address.
#[utoipa::path(
    post, path = "/v1/connectors/{connector}/authorize", tag = "connectors", params(("connector" = String, Path)),
    responses((status = 200, body = AuthorizeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn authorize_connector(
    State(app): State<App>,
    Someone(person): Someone,
    Id(slug): Id<SourceSlug>,
) -> Result<Json<AuthorizeView>, Answer> {
    let authorize_url = app.pipeline.begin_authorization((person.org, person.user), &slug).await?;
    Ok(Json(AuthorizeView { authorize_url }))
}

/// What an authorization server sends along.
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

/// Where a person's browser comes back from an authorization server.
#[utoipa::path(
    get, path = "/v1/oauth/callback", tag = "connectors", security(()), params(Callback),
    responses(
        (status = 200, body = String, content_type = "text/html"),
        (status = 400, body = String, content_type = "text/html", description = "It was not begun here, is over, or was refused"),
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
    match app.pipeline.finish_authorization(Returned { state, code, issuer: iss }).await {
        Ok(_) => page(StatusCode::OK, CONNECTED),
        Err(error) => {
            // Whoever sends a browser here with a made-up state learns nothing; the operator's log says why.
            tracing::warn!(error = &error as &dyn std::error::Error, "an authorization was not finished");
            page(StatusCode::BAD_REQUEST, NOT_CONNECTED)
        }
    }
}

const CONNECTED: &str = "Connected. You may close this page.";
const NOT_CONNECTED: &str =
    "Not connected: this authorization was refused, is over, or was not begun here. Begin it again.";

fn page(status: StatusCode, words: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>Countersign</title><p>{words}</p>\n");
    (status, headers, page).into_response()
}
