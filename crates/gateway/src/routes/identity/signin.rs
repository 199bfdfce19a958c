//! Signing in and out in a browser. `browser.rs` describes the cookie.

use api::{MeView, OrgSwitch, Problem, ProviderView, SignInRequest, SignInView, SignedRequest};
use axum::{
    Json,
    extract::{Query, State},
    http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{AppendHeaders, IntoResponse as _, Response},
};
use serde::Deserialize;
use tenancy::{Device, SignedIn, oidc};
use utoipa::IntoParams;

use super::passkeys;
use crate::{
    App,
    browser::{self, Cookie},
    extract::{Body, CurrentUser, bounded, peer},
    problem::Answer,
    view,
};

/// How long a person may take at the identity provider.
const AWAY_S: u64 = 10 * 60;
/// Longer than the parameters that any provider sends.
const MOST: usize = 8_192;

/// Return the ways to sign in.
#[utoipa::path(get, path = "/v1/signin", tag = "sessions", security(()), responses((status = 200, body = SignInView)))]
pub(crate) async fn get_ways_to_sign_in(State(app): State<App>) -> Json<SignInView> {
    let oidc = app.web.provider.as_ref().map(|provider| ProviderView { name: provider.name().to_owned() });
    Json(SignInView { token: true, oidc })
}

/// Sign in a browser with an API token.
///
/// The response sets a cookie that authenticates later requests, so the browser need not store the token.
#[utoipa::path(
    post, path = "/v1/signin", tag = "sessions", security(()), request_body = SignInRequest,
    responses((status = 200, body = MeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn sign_in(
    State(app): State<App>,
    headers: HeaderMap,
    extensions: Extensions,
    Body(request): Body<SignInRequest>,
) -> Result<Response, Answer> {
    // Otherwise another site could sign in its visitors with an account of its choice.
    browser::may(&Method::POST, &headers, app.web.public_url.as_ref())?;
    let name = browser::name(&headers);
    let device = Device { name: &name, address: peer(&extensions) };
    let signed_in = app.tenancy.sign_in_with_token(&request.token.0, device).await?;
    welcome(&app, &headers, &signed_in).await
}

/// Confirm with a passkey that it is still you.
///
/// It counts as a new sign-in, where one of the last ten minutes is needed. Your passkey signs
/// `{"format":"countersign/sign-in/v1","org":…,"user":…,"at":…}`.
#[utoipa::path(
    post, path = "/v1/signin/passkey", tag = "sessions", request_body = SignedRequest,
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn confirm_sign_in(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<SignedRequest>,
) -> Result<StatusCode, Answer> {
    let signed = passkeys::signed_at(request, "")?;
    app.oversight.confirm_sign_in(&person, &signed).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sign out this browser.
#[utoipa::path(
    delete, path = "/v1/signin", tag = "sessions", responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn sign_out(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    headers: HeaderMap,
) -> Result<Response, Answer> {
    app.tenancy.sign_out(&person).await?;
    let forget = Cookie::SignedIn.write(&headers, app.web.public_url.as_ref(), "", 0);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, forget)]).into_response())
}

/// Switch to another organization.
///
/// Available after an identity provider has signed you in.
#[utoipa::path(
    post, path = "/v1/signin/org", tag = "sessions", request_body = OrgSwitch,
    responses((status = 200, body = MeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn switch_org(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    headers: HeaderMap,
    Body(request): Body<OrgSwitch>,
) -> Result<Response, Answer> {
    bounded("/org", &request.org, 63)?;
    let name = browser::name(&headers);
    let device = Device { name: &name, address: person.address };
    let signed_in = app.tenancy.switch_org(&person, &request.org, device).await?;
    welcome(&app, &headers, &signed_in).await
}

async fn welcome(app: &App, headers: &HeaderMap, signed_in: &SignedIn) -> Result<Response, Answer> {
    let cookie = signed_in_cookie(app, headers, signed_in);
    Ok(([(header::SET_COOKIE, cookie)], Json(view::me(app, &signed_in.person).await?)).into_response())
}

pub(super) fn signed_in_cookie(app: &App, headers: &HeaderMap, signed_in: &SignedIn) -> HeaderValue {
    let lasts = tenancy::LONGEST_SIGN_IN.as_secs();
    Cookie::SignedIn.write(headers, app.web.public_url.as_ref(), signed_in.token.reveal(), lasts)
}

/// Where to continue after signing in.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Onward {
    /// Path of a page of the gateway, for example `/inbox`.
    to: Option<String>,
}

/// Redirect a browser to the identity provider.
#[utoipa::path(
    get, path = "/v1/signin/oidc", tag = "sessions", security(()), params(Onward),
    responses((status = 303, description = "Redirect to the identity provider"), (status = "4XX", body = Problem))
)]
pub(crate) async fn begin_oidc(
    State(app): State<App>,
    headers: HeaderMap,
    Query(onward): Query<Onward>,
) -> Result<Response, Answer> {
    let provider = app.web.provider.as_ref().ok_or_else(Answer::no_route)?;
    let begun = match provider.begin(page_or_first(onward.to)).await {
        Ok(begun) => begun,
        Err(error) => return Ok(turned_away(&app, &headers, &error)),
    };
    let kept = serde_json::to_vec(&begun.kept).unwrap_or_default();
    let kept = Cookie::Away.write(&headers, app.web.public_url.as_ref(), &hex::encode(kept), AWAY_S);
    Ok(onward_to(begun.url.as_str(), vec![kept]))
}

/// The parameters that the identity provider adds to its redirect.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CameBack {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

/// Receive a browser that the identity provider redirected.
#[utoipa::path(
    get, path = "/v1/signin/oidc/callback", tag = "sessions", security(()), params(CameBack),
    responses((status = 303, description = "Redirect to the requested page, or to the sign-in page with an error"))
)]
pub(crate) async fn finish_oidc(
    State(app): State<App>,
    headers: HeaderMap,
    extensions: Extensions,
    Query(back): Query<CameBack>,
) -> Result<Response, Answer> {
    let provider = app.web.provider.as_ref().ok_or_else(Answer::no_route)?;
    let public = app.web.public_url.as_ref();
    let kept = Cookie::Away.read(&headers, public).and_then(|kept| hex::decode(kept).ok());
    let kept = kept.and_then(|kept| serde_json::from_slice::<oidc::Kept>(&kept).ok());
    let too_long = [&back.code, &back.state, &back.iss].into_iter().flatten().any(|text| text.len() > MOST);
    let Some(kept) = kept.filter(|_| !too_long) else {
        return Ok(turned_away(&app, &headers, &oidc::Error::NotBegun));
    };
    let to = page_or_first(Some(kept.to.clone()));
    let came_back = oidc::CameBack {
        code: back.code.unwrap_or_default(),
        state: back.state.unwrap_or_default(),
        iss: back.iss,
        error: back.error,
    };
    let identity = match provider.finish(kept, came_back).await {
        Ok(identity) => identity,
        Err(error) => return Ok(turned_away(&app, &headers, &error)),
    };
    let forget = Cookie::Away.write(&headers, public, "", 0);
    let name = browser::name(&headers);
    let device = Device { name: &name, address: peer(&extensions) };
    match app.tenancy.sign_in_as(&identity, device).await? {
        Some(signed_in) => Ok(onward_to(&to, vec![forget, signed_in_cookie(&app, &headers, &signed_in)])),
        None if identity.verified_email.is_none() => Ok(onward_to("/?signin_error=unverified", vec![forget])),
        None => Ok(onward_to("/?signin_error=not_a_member", vec![forget])),
    }
}

/// Redirects to the sign-in page with an error code. The exact reason is only in the operator's log.
fn turned_away(app: &App, headers: &HeaderMap, error: &oidc::Error) -> Response {
    tracing::warn!(error = error as &dyn std::error::Error, "a sign-in by the identity provider failed");
    let code = match error {
        oidc::Error::Provider(_) => "provider",
        oidc::Error::NotBegun => "expired",
        oidc::Error::Refused | oidc::Error::Proof(_) => "refused",
    };
    let forget = Cookie::Away.write(headers, app.web.public_url.as_ref(), "", 0);
    onward_to(&format!("/?signin_error={code}"), vec![forget])
}

fn onward_to(place: &str, cookies: Vec<HeaderValue>) -> Response {
    let cookies: Vec<_> = cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie)).collect();
    let place = HeaderValue::try_from(place).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, place)], AppendHeaders(cookies)).into_response()
}

/// The requested page if it is one of the gateway, otherwise `/`.
fn page_or_first(to: Option<String>) -> String {
    to.filter(|to| is_page(to)).unwrap_or_else(|| "/".to_owned())
}

/// Whether a path is a page of the gateway. A redirect to another site could be used for phishing.
fn is_page(to: &str) -> bool {
    let plain = to.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    to.len() <= 500 && plain && to.starts_with('/') && !to.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_ours_come_after() {
        for page in ["/", "/inbox", "/inbox/inv_0199?x=1#y", "/activity?status=failed"] {
            assert!(is_page(page), "{page}");
        }
        for other in [
            "",
            "inbox",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\r\nset-cookie: x",
            "/ü",
        ] {
            assert!(!is_page(other), "{other}");
        }
    }
}
