//! Sign-in of a browser with a token. The browser is identified by its cookie alone, and pages of other sites cannot
//! use it. A sign-in ends by signing out, with its token, with its time and with the membership.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use model::Role;
use serde_json::{Value, json};
use testkit::{Answered, TestApp};

const HOST: &str = "127.0.0.1:7878";
const HOUR: Duration = Duration::from_secs(3_600);

/// A request from our own page; `cookie` is empty before the sign-in.
async fn by_page(
    app: &TestApp,
    cookie: &str,
    (method, path): (Method, &str),
    body: Option<Value>,
) -> anyhow::Result<Answered> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, HOST)
        .header(header::ORIGIN, format!("http://{HOST}"))
        .header("sec-fetch-site", "same-origin")
        .header("x-countersign-web", "1")
        .header(header::COOKIE, cookie);
    app.request(request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))?).await
}

/// The cookie that a browser would send from now on.
fn kept(answer: &Answered) -> String {
    let set = answer.headers[header::SET_COOKIE].to_str().unwrap();
    set.split(';').next().unwrap().to_owned()
}

async fn sign_in(app: &TestApp, token: &str) -> anyhow::Result<Answered> {
    by_page(app, "", (Method::POST, "/v1/signin"), Some(json!({ "token": token }))).await
}

async fn me(app: &TestApp, cookie: &str) -> anyhow::Result<StatusCode> {
    Ok(by_page(app, cookie, (Method::GET, "/v1/me"), None).await?.status)
}

#[tokio::test]
async fn a_browser_is_known_by_a_cookie_that_opens_nothing_elsewhere() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let answer = sign_in(&app, &app.owner_token).await?;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!((&answer.body["role"], &answer.body["name"]), (&json!("owner"), &json!("Owner")));
    let set = answer.headers[header::SET_COOKIE].to_str()?;
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"), "{set}");
    assert!(!answer.text.contains("csn_"), "the value of the cookie is in no body");

    let cookie = kept(&answer);
    assert_eq!(me(&app, &cookie).await?, StatusCode::OK);
    let value = cookie.split_once('=').unwrap().1;
    assert!(value.starts_with("csn_web_"));
    let as_token = app.send(Method::GET, "/v1/me", value, None).await?;
    assert_eq!(as_token.status, StatusCode::UNAUTHORIZED, "the cookie's value is not a token");
    let as_cookie = format!("countersign-7878={}", app.owner_token);
    assert_eq!(me(&app, &as_cookie).await?, StatusCode::UNAUTHORIZED, "a token is not a cookie");

    // The person sees the browser among their tokens.
    let tokens = app.send(Method::GET, "/v1/tokens", &app.owner_token, None).await?;
    let browsers = tokens.body["items"].as_array().unwrap().iter().filter(|token| token["browser"] == true);
    assert_eq!(browsers.count(), 1);
    Ok(())
}

#[tokio::test]
async fn nobody_is_signed_in_with_anything_but_a_persons_token() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let browser = kept(&sign_in(&app, &app.owner_token).await?);
    let browser = browser.split_once('=').unwrap().1;
    for token in ["", "x", "csn_api_00nothing", &agent.token, browser] {
        let answer = sign_in(&app, token).await?;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert!(!answer.headers.contains_key(header::SET_COOKIE));
    }
    Ok(())
}

#[tokio::test]
async fn a_foreign_page_changes_nothing_and_signs_nobody_in() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let cookie = kept(&sign_in(&app, &app.owner_token).await?);
    let forge = async |headers: &[(&str, &str)], path: &str, body: Value| {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::HOST, HOST)
            .header(header::COOKIE, &cookie);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        app.request(request.body(Body::from(body.to_string()))?).await
    };
    // Requests that a form, a script and a link of another site can send; the last one lacks only the header of our
    // page.
    let foreign: [&[(&str, &str)]; 5] = [
        &[
            ("content-type", "text/plain"),
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "cross-site"),
        ],
        &[("content-type", "application/x-www-form-urlencoded"), ("origin", "null")],
        &[("x-countersign-web", "1"), ("origin", "http://127.0.0.1:9999"), ("sec-fetch-site", "same-site")],
        &[("x-countersign-web", "1"), ("sec-fetch-site", "cross-site")],
        &[("origin", "http://127.0.0.1:7878"), ("sec-fetch-site", "same-origin")],
    ];
    for headers in foreign {
        let made = forge(headers, "/v1/tokens", json!({ "name": "stolen" })).await?;
        assert_eq!(
            (made.status, &made.body["code"]),
            (StatusCode::FORBIDDEN, &json!("not_our_page")),
            "{headers:?}"
        );
        let signed_in = forge(headers, "/v1/signin", json!({ "token": app.owner_token })).await?;
        assert_eq!(signed_in.status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    // The same request from our own page succeeds, so the refusals were because of the page.
    let made = by_page(&app, &cookie, (Method::POST, "/v1/tokens"), Some(json!({ "name": "mine" }))).await?;
    assert_eq!(made.status, StatusCode::CREATED);
    Ok(())
}

#[tokio::test]
async fn a_sign_in_ends_in_every_way_it_should() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let owner = kept(&sign_in(&app, &app.owner_token).await?);

    let out = by_page(&app, &owner, (Method::DELETE, "/v1/signin"), None).await?;
    assert_eq!(out.status, StatusCode::NO_CONTENT);
    assert!(out.headers[header::SET_COOKIE].to_str()?.contains("Max-Age=0"));
    assert_eq!(me(&app, &owner).await?, StatusCode::UNAUTHORIZED, "signed out");
    assert_eq!(
        app.send(Method::GET, "/v1/me", &app.owner_token, None).await?.status,
        StatusCode::OK,
        "the token is still valid"
    );

    // A sign-in ends with the token that was used for it.
    let made =
        app.send(Method::POST, "/v1/tokens", &app.owner_token, Some(json!({ "name": "phone" }))).await?;
    let phone = kept(&sign_in(&app, made.body["token"].as_str().unwrap()).await?);
    assert_eq!(me(&app, &phone).await?, StatusCode::OK);
    let path = format!("/v1/tokens/{}", made.body["id"].as_str().unwrap());
    app.send(Method::DELETE, &path, &app.owner_token, None).await?;
    assert_eq!(me(&app, &phone).await?, StatusCode::UNAUTHORIZED, "its token was revoked");
    let brief = json!({ "name": "brief", "lifetime_s": 600 });
    let made = app.send(Method::POST, "/v1/tokens", &app.owner_token, Some(brief)).await?;
    let brief = kept(&sign_in(&app, made.body["token"].as_str().unwrap()).await?);
    app.advance(Duration::from_secs(601));
    assert_eq!(me(&app, &brief).await?, StatusCode::UNAUTHORIZED, "its token has expired");

    // A sign-in expires when it is unused for half a day, and after a week of use.
    let idle = kept(&sign_in(&app, &app.owner_token).await?);
    app.advance(11 * HOUR);
    assert_eq!(me(&app, &idle).await?, StatusCode::OK);
    app.advance(13 * HOUR);
    assert_eq!(me(&app, &idle).await?, StatusCode::UNAUTHORIZED, "unused for too long");
    let busy = kept(&sign_in(&app, &app.owner_token).await?);
    for _ in 0..16 {
        app.advance(10 * HOUR);
        assert_eq!(me(&app, &busy).await?, StatusCode::OK);
    }
    app.advance(10 * HOUR);
    assert_eq!(me(&app, &busy).await?, StatusCode::UNAUTHORIZED, "a week is over");
    Ok(())
}

#[tokio::test]
async fn a_member_who_leaves_or_is_demoted_is_so_in_every_browser() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let token = app.person(app.org, Role::Admin).await?;
    let answer = sign_in(&app, &token).await?;
    let (cookie, user) = (kept(&answer), answer.body["user"].as_str().unwrap().to_owned());
    let path = format!("/v1/members/{user}");
    assert_eq!(by_page(&app, &cookie, (Method::GET, "/v1/rules"), None).await?.status, StatusCode::OK);
    let by_themselves =
        by_page(&app, &cookie, (Method::PATCH, &path), Some(json!({ "role": "owner" }))).await?;
    assert_eq!(by_themselves.status, StatusCode::FORBIDDEN);

    let changed = app
        .send(Method::PATCH, &path, &app.owner_token, Some(json!({ "role": "member", "name": "Ada" })))
        .await?;
    assert_eq!((&changed.body["role"], &changed.body["name"]), (&json!("member"), &json!("Ada")));
    assert_eq!(by_page(&app, &cookie, (Method::GET, "/v1/rules"), None).await?.status, StatusCode::FORBIDDEN);

    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::NO_CONTENT);
    assert_eq!(me(&app, &cookie).await?, StatusCode::UNAUTHORIZED);
    assert_eq!(app.send(Method::GET, "/v1/me", &token, None).await?.status, StatusCode::UNAUTHORIZED);
    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn a_token_leads_to_its_own_org_alone() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (_, other) = app.another_org().await?;
    let slug =
        app.send(Method::GET, "/v1/org", &other, None).await?.body["slug"].as_str().unwrap().to_owned();
    let cookie = kept(&sign_in(&app, &app.owner_token).await?);
    let switched =
        by_page(&app, &cookie, (Method::POST, "/v1/signin/org"), Some(json!({ "org": slug }))).await?;
    assert_eq!(switched.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!switched.headers.contains_key(header::SET_COOKIE));
    Ok(())
}
