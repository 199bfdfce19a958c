//! After a restore: what was open ends, nobody is signed in, and a database that is not the one from before is refused.

use axum::http::{Method, StatusCode};
use changes::Author;
use model::Role;
use platform::db::{
    Database,
    deployment::{self, Held, State},
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::{
    approvals::answers::{approve, opened, perform},
    invocations::invoke::{TEAM, with_linear},
};

#[tokio::test]
async fn what_was_open_ends_and_nothing_of_it_is_done() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "require_approval").await?;
    let agent = app.agent().await?;
    let ask = async |title: &str| -> anyhow::Result<Value> {
        let params = json!({ "team_id": TEAM, "title": title });
        Ok(app.invoke(&agent, "linear.create_issue", params).await?.body["id"].clone())
    };
    let (approved, waiting) = (ask("approved").await?, ask("waiting").await?);
    let answered = opened(&app, &approved).await?;
    approve(&app, &answered).await?;
    let open = app.app.pipeline.count_open(app.org).await?;
    assert_eq!((open.unknown, open.expired), (1, 1));
    assert_eq!(app.app.pipeline.freeze(app.org).await?, open);
    let status = async |id: &Value| -> anyhow::Result<Value> {
        let path = format!("/v1/invocations/{}", id.as_str().unwrap_or_default());
        Ok(app.send(Method::GET, &path, &app.owner_token, None).await?.body)
    };
    let unknown = status(&approved).await?;
    assert_eq!(
        (&unknown["status"], &unknown["error"]["message"]),
        (&json!("unknown"), &json!("restored; may have happened"))
    );
    assert!(unknown["receipt"].is_string(), "{unknown}");
    assert_eq!(status(&waiting).await?["status"], "expired");
    // The engine may still call.
    perform(&app, &answered).await?;
    assert!(linear.effects().is_empty());
    assert_eq!(app.app.pipeline.count_open(app.org).await?, pipeline::Frozen::default());
    app.check_invariants().await
}

#[tokio::test]
async fn every_token_and_session_ends_and_the_record_says_so() -> anyhow::Result<()> {
    let app = testkit::TestApp::start().await?;
    let (agent, member) = (app.agent().await?, app.person(app.org, Role::Member).await?);
    let by = Author::operator(app.org).because(Some("a drill"));
    let ended = app.app.tenancy.end_all_access(&by, json!({ "epoch": 2 })).await?;
    assert_eq!(ended, (2, 1));
    for token in [&app.owner_token, &member, &agent.token] {
        assert_eq!(app.send(Method::GET, "/v1/me", token, None).await?.status, StatusCode::UNAUTHORIZED);
    }
    let owner = app.person(app.org, Role::Owner).await?;
    let changes = app.send(Method::GET, "/v1/changes?limit=100", &owner, None).await?;
    let restored =
        changes.body["items"].as_array().unwrap().iter().find(|one| one["change"] == "deployment.restored");
    let restored = restored.expect(&changes.text);
    assert_eq!((&restored["reason"], &restored["by"]["method"]), (&json!("a drill"), &json!("operator")));
    Ok(())
}

#[tokio::test]
async fn a_database_that_is_not_the_one_from_before_gives_no_connection() -> anyhow::Result<()> {
    let app = testkit::TestApp::start().await?;
    let url = app.db.service_url();
    let mut conn = deployment::connect(&url).await?;
    let look = async |conn: &mut sqlx::PgConnection, name: &str| {
        Ok::<_, anyhow::Error>(deployment::look(conn, name).await?.1)
    };
    assert_eq!(look(&mut conn, "main").await?, State::New);
    deployment::settle(&mut conn, "main", 1).await?;
    assert_eq!(look(&mut conn, "main").await?, State::Current);
    Database::guarded(&url, 1, "main", "test")?.ping().await?;
    assert_eq!(look(&mut conn, "copy").await?, State::Held(Held::AnotherName("main".to_owned())));
    assert!(Database::guarded(&url, 1, "copy", "test")?.ping().await.is_err());
    let mut owner = app.db.owner().await?;
    for (forged, held) in [
        ("UPDATE deployment SET timeline = timeline + 1", Held::AnotherTimeline),
        ("UPDATE deployment SET system_identifier = 1", Held::AnotherCluster),
        ("UPDATE deployment SET held_because = 'a mirror'", Held::Behind("a mirror".to_owned())),
    ] {
        sqlx::query(forged).execute(&mut owner).await?;
        assert_eq!(look(&mut conn, "main").await?, State::Held(held));
        assert!(Database::guarded(&url, 1, "main", "test")?.ping().await.is_err(), "{forged}");
        deployment::settle(&mut conn, "main", 2).await?;
        Database::guarded(&url, 1, "main", "test")?.ping().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_held_gateway_says_why() -> anyhow::Result<()> {
    let router = gateway::holding(&Held::AnotherTimeline);
    let ask = async |path: &str| -> anyhow::Result<_> {
        let request = axum::http::Request::get(path).body(axum::body::Body::empty())?;
        Ok(router.clone().oneshot(request).await?)
    };
    assert_eq!(ask("/healthz").await?.status(), StatusCode::OK);
    for path in ["/readyz", "/v1/me", "/mcp", "/"] {
        let answer = ask(path).await?;
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        let body = axum::body::to_bytes(answer.into_body(), 1 << 16).await?;
        let problem: Value = serde_json::from_slice(&body)?;
        assert_eq!(problem["code"], "deployment_held");
        assert!(problem["detail"].as_str().unwrap_or_default().contains("countersign restored"), "{problem}");
    }
    Ok(())
}
