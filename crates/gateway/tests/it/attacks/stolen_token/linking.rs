//! A browser tab in the middle of OAuth linking: what it brings back is of use to nobody but the person who began.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use catalog::SourceUrls;
use model::Role;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeMcp, FakeOAuth, tool},
};

use super::{Credential, HOST, loosening, report, send, sign_in, text, three};

struct Linking {
    app: TestApp,
    _mcp: FakeMcp,
    oauth: FakeOAuth,
    gateways: [Router; 3],
}

impl Linking {
    /// A server behind an authorization server, connected and not yet authorized.
    async fn set() -> anyhow::Result<Self> {
        let app = TestApp::start().await?;
        let mcp = FakeMcp::start(vec![tool("read", json!({}))], None).await?;
        let oauth = FakeOAuth::before(&mcp).await?;
        let gateways = three(&app, &SourceUrls::default()).await?;
        let auth = json!({ "kind": "oauth", "secret": "docs-tokens" });
        let body = json!({ "source": "docs", "kind": "mcp", "place": mcp.url(), "auth": auth });
        let added = app.send(Method::POST, "/v1/connectors", &app.owner_token, Some(body)).await?;
        anyhow::ensure!(added.status == StatusCode::CREATED, "{}", added.text);
        Ok(Self { app, _mcp: mcp, oauth, gateways })
    }

    /// Begins as a person; returns the code and the state with which the browser comes back.
    async fn begin(&self, number: usize, person: &Credential) -> anyhow::Result<Value> {
        let route = (&Method::POST, "/v1/connectors/docs/authorize");
        let begun = send(&self.gateways[number % 3], person, route, None).await?;
        anyhow::ensure!(begun.status == StatusCode::OK, "{}", begun.text);
        let to: url::Url = self.oauth.allow(&text(&begun.body["authorize_url"])).await?.parse()?;
        let pairs = to.query_pairs().map(|(name, value)| (name.into_owned(), json!(value)));
        Ok(Value::Object(pairs.collect()))
    }

    async fn finish(
        &self,
        number: usize,
        person: &Credential,
        brought: &Value,
    ) -> anyhow::Result<StatusCode> {
        let route = (&Method::POST, "/v1/oauth/finish");
        Ok(send(&self.gateways[number % 3], person, route, Some(brought)).await?.status)
    }

    /// How many times the tokens of the connector were set.
    async fn versions(&self) -> anyhow::Result<i64> {
        let found = self.app.send(Method::GET, "/v1/secrets", &self.app.owner_token, None).await?;
        Ok(found.body["items"][0]["version"].as_i64().unwrap_or_default())
    }

    /// Everyone else: in the organization, out of it, and without any credential.
    async fn others(&self) -> anyhow::Result<Vec<(&'static str, Credential)>> {
        let app = &self.app;
        let (_, stranger) = app.another_org().await?;
        let admin = app.person(app.org, Role::Admin).await?;
        let account = json!({ "name": "ci", "role": "admin" });
        let account = app.send(Method::POST, "/v1/service-accounts", &app.owner_token, Some(account)).await?;
        let path = format!("/v1/members/{}/tokens", text(&account.body["user"]));
        let program = app.send(Method::POST, &path, &app.owner_token, Some(json!({ "name": "ci" }))).await?;
        let token = Credential::Token;
        Ok(vec![
            ("an owner", token(app.owner_token.clone())),
            ("an owner's browser", sign_in(&self.gateways[1], &app.owner_token).await?),
            ("another admin", token(admin.clone())),
            ("another admin's browser", sign_in(&self.gateways[2], &admin).await?),
            ("a member", token(app.person(app.org, Role::Member).await?)),
            ("an agent", token(app.agent().await?.token)),
            ("a program", token(text(&program.body["token"]))),
            ("another organization", token(stranger.clone())),
            ("another organization's browser", sign_in(&self.gateways[0], &stranger).await?),
            ("nobody", token(String::new())),
            ("nobody's browser", Credential::Cookie(String::new())),
        ])
    }
}

#[tokio::test]
async fn what_a_tab_brings_back_is_of_no_use_to_anybody_else() -> anyhow::Result<()> {
    let linking = Linking::set().await?;
    let app = &linking.app;
    let token = app.person(app.org, Role::Admin).await?;
    let victims = [Credential::Token(token.clone()), sign_in(&linking.gateways[0], &token).await?];
    let others = linking.others().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    for (round, victim) in victims.iter().enumerate() {
        let tab = linking.begin(round, victim).await?;
        for (name, thief) in &others {
            for gateway in 0..3 {
                tried += 1;
                let status = linking.finish(gateway, thief, &tab).await?;
                if !status.is_client_error() {
                    wrong.push(format!("{name} finished what an admin began: {status}"));
                }
            }
            // The other way round: somebody is led to consent to what a thief began.
            if let Ok(bait) = linking.begin(round, thief).await {
                tried += 1;
                let status = linking.finish(round, victim, &bait).await?;
                if status != StatusCode::NOT_FOUND {
                    wrong.push(format!("an admin finished what {name} began: {status}"));
                }
            }
        }
        // None of it used anything up, and only now tokens are set.
        wrong.extend(
            (linking.versions().await? != i64::try_from(round)?).then(|| "tokens were set".to_owned()),
        );
        let own = linking.finish(round + 1, victim, &tab).await?;
        anyhow::ensure!(own == StatusCode::OK, "the person who began finishes it: {own}");
    }
    report("a tab of somebody else", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn a_tab_is_used_once_in_time_by_our_page_and_with_its_own_code() -> anyhow::Result<()> {
    let linking = Linking::set().await?;
    let app = &linking.app;
    let token = app.person(app.org, Role::Admin).await?;
    let cookie = sign_in(&linking.gateways[0], &token).await?;
    let Credential::Cookie(sent) = &cookie else { anyhow::bail!("no cookie") };
    let (mut tried, mut wrong) = (0, Vec::new());
    // A page of another site that has code and state, in a browser that is signed in here.
    let tab = linking.begin(0, &cookie).await?;
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
        for gateway in &linking.gateways {
            tried += 1;
            let mut request =
                Request::post("/v1/oauth/finish").header(header::HOST, HOST).header(header::COOKIE, sent);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(Body::from(tab.to_string()))?;
            let status = tower::ServiceExt::oneshot(gateway.clone(), request).await?.status();
            wrong.extend(
                (status != StatusCode::FORBIDDEN).then(|| format!("a foreign page {headers:?}: {status}")),
            );
        }
    }
    // The thief's code in the victim's tab, and the victim's code in the thief's: the verifier does not match.
    let (mut theirs, mut own) = (linking.begin(1, &cookie).await?, linking.begin(2, &cookie).await?);
    std::mem::swap(&mut theirs["code"], &mut own["code"]);
    for swapped in [&theirs, &own] {
        tried += 1;
        let status = linking.finish(tried, &cookie, swapped).await?;
        wrong.extend(status.is_success().then(|| "a swapped code was accepted".to_owned()));
    }
    // Too late, and again.
    let late = linking.begin(1, &cookie).await?;
    app.advance(Duration::from_secs(601));
    for gateway in 0..3 {
        tried += 1;
        let status = linking.finish(gateway, &cookie, &late).await?;
        wrong.extend((status != StatusCode::NOT_FOUND).then(|| format!("a late tab: {status}")));
    }
    let used = linking.begin(2, &cookie).await?;
    anyhow::ensure!(linking.finish(0, &cookie, &used).await? == StatusCode::OK, "the person finishes it");
    for gateway in 0..3 {
        tried += 1;
        let status = linking.finish(gateway, &cookie, &used).await?;
        wrong.extend((status != StatusCode::NOT_FOUND).then(|| format!("a used tab: {status}")));
    }
    wrong.extend((linking.versions().await? != 1).then(|| "tokens were set more than once".to_owned()));
    report("a tab: foreign pages, swapped codes, late, used", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn a_tab_ends_with_the_person_who_began() -> anyhow::Result<()> {
    let linking = Linking::set().await?;
    let app = &linking.app;
    let (mut tried, mut wrong) = (0, Vec::new());
    for (way, body) in [("revoked", None), ("removed", None), ("lowered", Some(json!({ "role": "member" })))]
    {
        let token = app.person(app.org, Role::Admin).await?;
        let held = app.send(Method::GET, "/v1/tokens", &token, None).await?.body["items"][0].clone();
        let thief = Credential::Token(token);
        let tab = linking.begin(0, &thief).await?;
        let member = format!("/v1/members/{}", text(&held["user"]));
        let (method, path) = match way {
            "revoked" => (Method::DELETE, format!("/v1/tokens/{}", text(&held["id"]))),
            "removed" => (Method::DELETE, member),
            _ => (Method::PATCH, member),
        };
        let done = app.send(method, &path, &app.owner_token, body).await?;
        anyhow::ensure!(done.status.is_success(), "{way}: {}", done.text);
        for gateway in 0..3 {
            tried += 1;
            let status = linking.finish(gateway, &thief, &tab).await?;
            wrong.extend((!status.is_client_error()).then(|| format!("{way}: {status}")));
        }
    }
    wrong.extend((linking.versions().await? != 0).then(|| "tokens were set".to_owned()));
    report("a tab of somebody who may no longer", tried, &wrong);
    Ok(())
}

/// The control: without the check of who began, a thief with the same tab would have connected their own account. It is
/// taken away by making the row of the authorization theirs.
#[tokio::test]
async fn control_a_tab_that_belongs_to_the_thief_is_finished_by_the_thief() -> anyhow::Result<()> {
    let linking = Linking::set().await?;
    let app = &linking.app;
    loosening(app, app.org, "one").await?;
    let victim = Credential::Token(app.person(app.org, Role::Admin).await?);
    let tab = linking.begin(0, &victim).await?;
    let thief = Credential::Token(app.owner_token.clone());
    anyhow::ensure!(linking.finish(1, &thief, &tab).await? == StatusCode::NOT_FOUND, "with the check");
    let mut owner = app.db.owner().await?;
    sqlx::raw_sql("ALTER TABLE connector_authorizations NO FORCE ROW LEVEL SECURITY")
        .execute(&mut owner)
        .await?;
    sqlx::query("UPDATE connector_authorizations SET begun_by = $1")
        .bind(app.owner.uuid())
        .execute(&mut owner)
        .await?;
    let finished = linking.finish(1, &thief, &tab).await?;
    testkit::tried(18, "control: who began is not checked", 1, 1);
    anyhow::ensure!(finished == StatusCode::OK, "{finished}");
    Ok(())
}
