//! Invitations: people join by a link that is used once, programs get accounts without a vote, and nobody makes a token
//! for another person.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::Role;
use serde_json::{Value, json};
use testkit::{Answered, TestApp};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn invite(app: &TestApp, token: &str, email: &str, role: &str) -> anyhow::Result<Answered> {
    let body = json!({ "email": email, "name": "Ada", "role": role });
    app.send(Method::POST, "/v1/invitations", token, Some(body)).await
}

async fn join(app: &TestApp, link: &Value) -> anyhow::Result<Answered> {
    app.send(Method::POST, "/v1/join", "", Some(json!({ "token": link }))).await
}

fn refusal(answered: &Answered) -> (u16, &str) {
    (answered.status.as_u16(), answered.body["code"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn a_link_is_shown_once_and_used_once_within_a_week() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let member = app.person(app.org, Role::Admin).await?;
    let refused = invite(&app, &member, "ada@example.test", "member").await?;
    assert_eq!(refusal(&refused), (403, "role_too_low"), "{}", refused.text);
    let made = invite(&app, &app.owner_token, "Ada@Example.test", "admin").await?;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let listed = app.send(Method::GET, "/v1/invitations", &app.owner_token, None).await?;
    assert!(!listed.text.contains("csn_inv_"), "{}", listed.text);
    assert_eq!(listed.body["items"][0]["status"], "open");

    let look = json!({ "token": made.body["token"] });
    let offer = app.send(Method::POST, "/v1/join/look", "", Some(look)).await?;
    assert_eq!((&offer.body["email"], &offer.body["role"]), (&json!("ada@example.test"), &json!("admin")));
    // Inviting again ends the earlier link.
    let again = invite(&app, &app.owner_token, "ada@example.test", "admin").await?;
    assert_eq!(refusal(&join(&app, &made.body["token"]).await?), (404, "not_found"));
    let joined = join(&app, &again.body["token"]).await?;
    assert_eq!(joined.status, StatusCode::CREATED, "{}", joined.text);
    assert_eq!(joined.body["me"]["role"], "admin");
    assert_eq!(refusal(&join(&app, &again.body["token"]).await?), (404, "not_found"), "used");
    let own = joined.body["token"]["token"].as_str().unwrap_or_default();
    let tokens = app.send(Method::GET, "/v1/tokens", own, None).await?;
    assert!(tokens.body["items"][0]["expires_at"].is_string(), "{}", tokens.text);

    let late = invite(&app, &app.owner_token, "late@example.test", "member").await?;
    let withdrawn = invite(&app, &app.owner_token, "withdrawn@example.test", "member").await?;
    let path = format!("/v1/invitations/{}", withdrawn.body["invitation"]["id"].as_str().unwrap_or_default());
    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::NO_CONTENT);
    assert_eq!(refusal(&join(&app, &withdrawn.body["token"]).await?), (404, "not_found"));
    app.advance(7 * DAY);
    assert_eq!(refusal(&join(&app, &late.body["token"]).await?), (404, "not_found"), "expired");
    for garbage in ["", "csn_inv_garbage", own, &app.owner_token] {
        assert_eq!(refusal(&join(&app, &json!(garbage)).await?), (404, "not_found"), "{garbage}");
    }
    Ok(())
}

#[tokio::test]
async fn an_invitation_ends_with_the_ownership_of_whoever_made_it() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let second = app.person(app.org, Role::Owner).await?;
    let one = json!({ "loosening": "one" });
    let proposed = app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(one)).await?;
    let path = format!("/v1/proposed-changes/{}/approve", proposed.body["id"].as_str().unwrap_or_default());
    app.send(Method::POST, &path, &second, Some(json!({ "digest": proposed.body["digest"] }))).await?;
    let made = invite(&app, &second, "ada@example.test", "owner").await?;
    let path = format!("/v1/invitations/{}/link", made.body["invitation"]["id"].as_str().unwrap_or_default());
    let other = app.send(Method::POST, &path, &app.owner_token, None).await?;
    assert_eq!(refusal(&other), (403, "not_inviter"), "a link is for the person who invited: {}", other.text);
    let me = app.send(Method::GET, "/v1/me", &second, None).await?;
    let path = format!("/v1/members/{}", me.body["user"].as_str().unwrap_or_default());
    let demoted = app.send(Method::PATCH, &path, &app.owner_token, Some(json!({ "role": "member" }))).await?;
    assert_eq!(demoted.status, StatusCode::OK, "{}", demoted.text);
    assert_eq!(refusal(&join(&app, &made.body["token"]).await?), (404, "not_found"));
    Ok(())
}

#[tokio::test]
async fn a_service_account_has_tokens_and_no_vote_and_people_make_their_own() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let owner = &app.owner_token;
    let account = json!({ "name": "deploy pipeline", "role": "admin" });
    let account = app.send(Method::POST, "/v1/service-accounts", owner, Some(account)).await?;
    assert_eq!(account.status, StatusCode::CREATED, "{}", account.text);
    assert_eq!((&account.body["kind"], &account.body["email"]), (&json!("service"), &Value::Null));
    let tokens = |user: &Value| format!("/v1/members/{}/tokens", user.as_str().unwrap_or_default());
    let named = Some(json!({ "name": "ci" }));
    let path = tokens(&account.body["user"]);
    let made = app.send(Method::POST, &path, owner, named.clone()).await?;
    let program = made.body["token"].as_str().unwrap_or_default();
    // It works as an admin, and answers nothing.
    assert_eq!(app.send(Method::GET, "/v1/rules", program, None).await?.status, StatusCode::OK);
    let grant = json!({ "action": "linear.add_comment" });
    let approve = json!({ "shown_digest": model::Digest::of_bytes(b"x"), "channel": "api" });
    let nothing = "inv_0192f0c1d2e37a4b8c5d6e7f80910a20";
    for (path, body) in [
        ("/v1/grants".to_owned(), Some(grant)),
        (format!("/v1/invocations/{nothing}/approve"), Some(approve)),
        (format!("/v1/invocations/{nothing}/deny"), Some(json!({ "reason": "no" }))),
        ("/v1/tokens".to_owned(), named.clone()),
        ("/v1/passkeys/registration".to_owned(), None),
    ] {
        let refused = app.send(Method::POST, &path, program, body).await?;
        assert_eq!(refusal(&refused), (403, "service_account"), "{path}: {}", refused.text);
    }
    let owner_role = Some(json!({ "role": "owner" }));
    let path = format!("/v1/members/{}", account.body["user"].as_str().unwrap_or_default());
    let raised = app.send(Method::PATCH, &path, owner, owner_role).await?;
    assert_eq!(refusal(&raised), (422, "invalid_request"), "{}", raised.text);

    let admin = app.person(app.org, Role::Admin).await?;
    let me = app.send(Method::GET, "/v1/me", &admin, None).await?;
    let refused = app.send(Method::POST, &tokens(&me.body["user"]), owner, named).await?;
    assert_eq!(refusal(&refused), (403, "not_own_token"), "{}", refused.text);
    Ok(())
}

#[tokio::test]
async fn a_token_that_was_taken_over_later_makes_no_other() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let owner = &app.owner_token;
    let named = || Some(json!({ "name": "another" }));
    assert_eq!(app.send(Method::POST, "/v1/tokens", owner, named()).await?.status, StatusCode::CREATED);
    let account = json!({ "name": "ci", "role": "member" });
    let account = app.send(Method::POST, "/v1/service-accounts", owner, Some(account)).await?;
    let open = invite(&app, owner, "open@example.test", "member").await?;
    app.advance(Duration::from_secs(601));
    let of_account = format!("/v1/members/{}/tokens", account.body["user"].as_str().unwrap_or_default());
    let link = format!("/v1/invitations/{}/link", open.body["invitation"]["id"].as_str().unwrap_or_default());
    for path in ["/v1/tokens", of_account.as_str()] {
        let refused = app.send(Method::POST, path, owner, named()).await?;
        assert_eq!(refusal(&refused), (403, "fresh_sign_in_needed"), "{path}: {}", refused.text);
    }
    let refused = app.send(Method::POST, &link, owner, None).await?;
    assert_eq!(refusal(&refused), (403, "fresh_sign_in_needed"), "{}", refused.text);
    let refused = invite(&app, owner, "sock@example.test", "owner").await?;
    assert_eq!(refusal(&refused), (403, "fresh_sign_in_needed"), "{}", refused.text);
    Ok(())
}

#[tokio::test]
async fn an_owner_sees_and_revokes_every_token() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (admin, member) = (app.person(app.org, Role::Admin).await?, app.person(app.org, Role::Member).await?);
    assert_eq!(refusal(&app.send(Method::GET, "/v1/all-tokens", &admin, None).await?).0, 403);
    let all = app.send(Method::GET, "/v1/all-tokens", &app.owner_token, None).await?;
    assert_eq!(all.body["items"].as_array().map(Vec::len), Some(3), "{}", all.text);
    let own = app.send(Method::GET, "/v1/tokens", &member, None).await?;
    let path = format!("/v1/tokens/{}", own.body["items"][0]["id"].as_str().unwrap_or_default());
    assert_eq!(app.send(Method::DELETE, &path, &admin, None).await?.status, StatusCode::NOT_FOUND);
    assert_eq!(app.send(Method::GET, "/v1/me", &member, None).await?.status, StatusCode::OK);
    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::NO_CONTENT);
    assert_eq!(app.send(Method::GET, "/v1/me", &member, None).await?.status, StatusCode::UNAUTHORIZED);
    Ok(())
}

#[tokio::test]
async fn with_a_token_or_a_member_their_sessions_end_on_every_gateway() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let leaver = app.person(app.org, Role::Member).await?;
    let named = Some(json!({ "name": "stolen" }));
    let stolen = app.send(Method::POST, "/v1/tokens", &leaver, named).await?;
    let (own, opened) = (
        app.agent_of(&leaver).await?,
        app.agent_of(stolen.body["token"].as_str().unwrap_or_default()).await?,
    );
    let registry = catalog::Registry::builtin(&catalog::SourceUrls::default())?;
    let second = gateway::router(app.another_gateway(registry).await?);
    let works = async |agent: &testkit::Agent| {
        let request =
            axum::http::Request::get("/v1/me").header("authorization", format!("Bearer {}", agent.token));
        let there =
            tower::ServiceExt::oneshot(second.clone(), request.body(axum::body::Body::empty())?).await?;
        let here = app.send(Method::GET, "/v1/me", &agent.token, None).await?;
        anyhow::ensure!(there.status() == here.status, "{} {}", there.status(), here.status);
        anyhow::Ok(here.status == StatusCode::OK)
    };
    assert!(works(&own).await? && works(&opened).await?);
    let path = format!("/v1/tokens/{}", stolen.body["id"].as_str().unwrap_or_default());
    app.send(Method::DELETE, &path, &app.owner_token, None).await?;
    assert!(!works(&opened).await?, "what was opened with the token ends with it");
    assert!(works(&own).await?, "the other token and its session stay");
    let me = app.send(Method::GET, "/v1/me", &leaver, None).await?;
    let path = format!("/v1/members/{}", me.body["user"].as_str().unwrap_or_default());
    app.send(Method::DELETE, &path, &app.owner_token, None).await?;
    assert!(!works(&own).await?, "whoever leaves leaves nothing that works");
    Ok(())
}
