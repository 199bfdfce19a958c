//! Spaces have members, and a session gets at most what its opener may use in its space.

use axum::http::{Method, StatusCode};
use model::Role;
use serde_json::{Value, json};
use testkit::{Answered, TestApp};

use crate::automations::definitions::definition;

/// An organization with a space that is open to members only, and a member who is not one of it.
struct Stage {
    app: TestApp,
    space: String,
    member: String,
    user: String,
}

impl Stage {
    async fn set_up() -> anyhow::Result<Self> {
        let app = TestApp::start().await?;
        let member = app.person(app.org, Role::Member).await?;
        let me = app.send(Method::GET, "/v1/me", &member, None).await?;
        let user = me.body["user"].as_str().unwrap().to_owned();
        let new = json!({ "slug": "production", "name": "Production", "risk_band": "amber" });
        let space = app.send(Method::POST, "/v1/spaces", &app.owner_token, Some(new)).await?;
        assert_eq!(space.body["open_to"], "members", "{}", space.text);
        let space = space.body["id"].as_str().unwrap().to_owned();
        Ok(Self { app, space, member, user })
    }

    async fn owner(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Answered> {
        let answered = self.app.send(method, path, &self.app.owner_token, body).await?;
        anyhow::ensure!(answered.status.is_success(), "{path}: {}", answered.text);
        Ok(answered)
    }

    fn listed(&self) -> String {
        format!("/v1/spaces/{}/members/{}", self.space, self.user)
    }

    /// Lists the member in the space.
    async fn list(&self, capabilities: Value) -> anyhow::Result<()> {
        self.owner(Method::PUT, &self.listed(), Some(json!({ "capabilities": capabilities }))).await.map(drop)
    }

    async fn open(&self, token: &str, space: Option<&str>, named: Option<Value>) -> anyhow::Result<Answered> {
        let mut body = json!({ "agent": "bot", "kind": "interactive", "space": space });
        if let Some(named) = named {
            body["capabilities"] = named;
        }
        self.app.send(Method::POST, "/v1/sessions", token, Some(body)).await
    }

    /// The status of a request with the token of a session that was opened.
    async fn status(&self, opened: &Answered) -> anyhow::Result<StatusCode> {
        let token = opened.body["token"].as_str().unwrap();
        Ok(self.app.send(Method::GET, "/v1/me", token, None).await?.status)
    }
}

fn code(answered: &Answered) -> (u16, &str) {
    (answered.status.as_u16(), answered.body["code"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn a_session_gets_the_sources_that_are_listed_and_not_everything() -> anyhow::Result<()> {
    let stage = Stage::set_up().await?;
    for token in [&stage.member, &stage.app.owner_token] {
        let opened = stage.open(token, None, None).await?;
        assert_eq!(opened.status, StatusCode::CREATED, "{}", opened.text);
        let held = opened.body["session"]["capabilities"].as_array().unwrap();
        assert!(held.contains(&json!("linear:*")) && !held.contains(&json!("*")), "{held:?}");
    }
    let everything = stage.open(&stage.member, None, Some(json!(["*"]))).await?;
    assert_eq!(code(&everything), (403, "beyond_reach"), "{}", everything.text);
    let everything = stage.open(&stage.app.owner_token, None, Some(json!(["*"]))).await?;
    assert_eq!(everything.body["session"]["capabilities"], json!(["*"]));
    Ok(())
}

#[tokio::test]
async fn a_member_works_in_a_space_they_were_added_to_and_only_with_what_they_were_given()
-> anyhow::Result<()> {
    let stage = Stage::set_up().await?;
    let space = Some(stage.space.as_str());
    let may_open = async |token: &str| -> anyhow::Result<Value> {
        let spaces = stage.app.send(Method::GET, "/v1/spaces", token, None).await?;
        let found =
            spaces.body["items"].as_array().unwrap().iter().find(|it| it["id"] == stage.space.as_str());
        Ok(found.unwrap()["may_open"].clone())
    };
    let refused = stage.open(&stage.member, space, None).await?;
    assert_eq!(code(&refused), (403, "not_in_space"), "{}", refused.text);
    assert_eq!(may_open(&stage.member).await?, false);
    assert_eq!(may_open(&stage.app.owner_token).await?, true);
    stage.list(json!(["linear:read"])).await?;
    assert_eq!(may_open(&stage.member).await?, true);
    let opened = stage.open(&stage.member, space, None).await?;
    assert_eq!(opened.body["session"]["capabilities"], json!(["linear:read"]), "{}", opened.text);
    for beyond in ["linear:write", "linear:*", "slack:read", "*"] {
        let refused = stage.open(&stage.member, space, Some(json!([beyond]))).await?;
        assert_eq!(code(&refused), (403, "beyond_reach"), "{beyond}: {}", refused.text);
    }
    // Given more, the session stays; given other things or removed, it ends at once.
    stage.list(json!(["linear:*", "slack:*"])).await?;
    assert_eq!(stage.status(&opened).await?, StatusCode::OK);
    stage.list(json!(["slack:*"])).await?;
    assert_eq!(stage.status(&opened).await?, StatusCode::UNAUTHORIZED);
    let again = stage.open(&stage.member, space, None).await?;
    stage.owner(Method::DELETE, &stage.listed(), None).await?;
    assert_eq!(stage.status(&again).await?, StatusCode::UNAUTHORIZED);
    Ok(())
}

#[tokio::test]
async fn closing_a_space_and_lowering_a_role_end_what_is_beyond_reach() -> anyhow::Result<()> {
    let stage = Stage::set_up().await?;
    let path = format!("/v1/spaces/{}", stage.space);
    stage.owner(Method::PATCH, &path, Some(json!({ "open_to": "everyone" }))).await?;
    let theirs = stage.open(&stage.member, Some(&stage.space), None).await?;
    let main = stage.open(&stage.member, None, None).await?;
    let owners = stage.open(&stage.app.owner_token, Some(&stage.space), None).await?;
    stage.owner(Method::PATCH, &path, Some(json!({ "open_to": "members" }))).await?;
    assert_eq!(stage.status(&theirs).await?, StatusCode::UNAUTHORIZED);
    assert_eq!(stage.status(&main).await?, StatusCode::OK);
    assert_eq!(stage.status(&owners).await?, StatusCode::OK);
    // An admin has everything everywhere, until they are one no longer.
    let role = |role: &str| Some(json!({ "role": role }));
    let person = format!("/v1/members/{}", stage.user);
    stage.owner(Method::PATCH, &person, role("admin")).await?;
    let all = stage.open(&stage.member, Some(&stage.space), Some(json!(["*"]))).await?;
    assert_eq!(stage.status(&all).await?, StatusCode::OK);
    stage.owner(Method::PATCH, &person, role("member")).await?;
    assert_eq!(stage.status(&all).await?, StatusCode::UNAUTHORIZED);
    assert_eq!(stage.status(&main).await?, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn an_automation_does_no_more_than_the_person_who_saved_it_may() -> anyhow::Result<()> {
    let stage = Stage::set_up().await?;
    let look = json!([{ "step_id": "look", "action": "files.list", "config": {} }]);
    let definition = definition("Look", &look);
    let save = |space: &str| {
        let body = json!({ "definition": definition, "space": space });
        stage.app.send(Method::POST, "/v1/automations", &stage.member, Some(body))
    };
    assert_eq!(code(&save(&stage.space).await?), (403, "not_in_space"));
    stage.list(json!(["linear:*"])).await?;
    assert_eq!(code(&save(&stage.space).await?), (403, "beyond_reach"));
    stage.list(json!(["files:read"])).await?;
    let saved = save(&stage.space).await?;
    assert_eq!(saved.status, StatusCode::CREATED, "{}", saved.text);
    let runs = format!("/v1/automations/{}/runs", saved.body["id"].as_str().unwrap());
    let start = || stage.app.send(Method::POST, &runs, &stage.app.owner_token, Some(json!({ "inputs": {} })));
    let run = start().await?;
    let session = run.body["session"].as_str().expect(&run.text);
    let session = stage.owner(Method::GET, &format!("/v1/sessions/{session}"), None).await?;
    assert_eq!(session.body["capabilities"], json!(["files:read"]));
    stage.owner(Method::DELETE, &stage.listed(), None).await?;
    let refused = start().await?;
    assert!(refused.text.contains("not_in_space"), "{}", refused.text);
    Ok(())
}
