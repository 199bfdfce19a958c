//! Connectors with OAuth: authorization through the browser, one renewal at a time, and no access for others.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode},
};
use platform::egress::{Egress, EgressPolicy};
use serde_json::{Value, json};
use std::time::Duration;
use testkit::{
    Agent, Answered, TestApp,
    fakes::{FakeMcp, FakeOAuth, TOKEN_LIFETIME, tool},
};

struct Ground {
    app: TestApp,
    mcp: FakeMcp,
    oauth: FakeOAuth,
}

impl Ground {
    /// A server behind an authorization server, connected and not yet authorized.
    async fn new() -> Self {
        let app = TestApp::start().await.unwrap();
        let mcp = FakeMcp::start(vec![tool("read", json!({}))], None).await.unwrap();
        let oauth = FakeOAuth::before(&mcp).await.unwrap();
        let ground = Self { app, mcp, oauth };
        ground.connect(&ground.app.owner_token).await;
        ground
    }

    async fn connect(&self, owner: &str) {
        let auth = json!({ "kind": "oauth", "secret": "docs-tokens" });
        let body = json!({ "source": "docs", "kind": "mcp", "place": self.mcp.url(), "auth": auth });
        let added = self.app.send(Method::POST, "/v1/connectors", owner, Some(body)).await.unwrap();
        assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    }

    async fn owner(&self, method: Method, path: &str, body: Option<Value>) -> Answered {
        self.app.send(method, path, &self.app.owner_token, body).await.unwrap()
    }

    /// Begins an authorization; returns the URL the person is sent to.
    async fn begin(&self, owner: &str) -> String {
        let begun = self.app.send(Method::POST, "/v1/connectors/docs/authorize", owner, None).await.unwrap();
        assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
        begun.body["authorize_url"].as_str().unwrap().to_owned()
    }

    /// Returns from the authorization server as a browser without a token, and finishes as the owner.
    async fn come_back(&self, to: &str) -> StatusCode {
        self.finish(to, &self.app.owner_token).await
    }

    /// Returns from the authorization server; the page to which the browser is sent finishes as this person.
    async fn finish(&self, to: &str, token: &str) -> StatusCode {
        let url: url::Url = to.parse().unwrap();
        let path = format!("{}?{}", url.path(), url.query().unwrap());
        let back = self.app.request(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(back.status, StatusCode::SEE_OTHER, "{}", back.text);
        let page = back.headers["location"].to_str().unwrap().strip_prefix("/connect#").unwrap();
        let brought: serde_json::Map<String, Value> = url::form_urlencoded::parse(page.as_bytes())
            .map(|(name, value)| (name.into_owned(), json!(value)))
            .collect();
        let body = Some(Value::Object(brought));
        self.app.send(Method::POST, "/v1/oauth/finish", token, body).await.unwrap().status
    }

    async fn authorize(&self) {
        let to = self.oauth.allow(&self.begin(&self.app.owner_token).await).await.unwrap();
        assert_eq!(self.come_back(&to).await, StatusCode::OK);
    }

    /// Accepts the tool, so that it can be called without an approval.
    async fn accept(&self) {
        let found = self.owner(Method::GET, "/v1/connectors/docs", None).await;
        let tool = &found.body["tools"][0];
        let review = json!({
            "tool": "read", "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"],
            "verdict": "accept", "risk": "R1", "effect": "read",
        });
        let said = self.owner(Method::POST, "/v1/connectors/docs/review", Some(review)).await;
        assert_eq!(said.status, StatusCode::OK, "{}", said.text);
    }

    async fn secrets(&self, owner: &str) -> Vec<Value> {
        let found = self.app.send(Method::GET, "/v1/secrets", owner, None).await.unwrap();
        assert!(!found.text.contains("access-") && !found.text.contains("refresh-"), "{}", found.text);
        found.body["items"].as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn a_person_is_sent_there_and_comes_back_with_tokens_nobody_sees() {
    let ground = Ground::new().await;
    let before = ground.owner(Method::GET, "/v1/connectors/docs", None).await;
    assert!(before.text.contains("credential"), "{}", before.text);
    let sent_to: url::Url = ground.begin(&ground.app.owner_token).await.parse().unwrap();
    let asked: std::collections::BTreeMap<_, _> = sent_to.query_pairs().into_owned().collect();
    assert_eq!(asked["code_challenge_method"], "S256");
    assert_eq!(asked["resource"], ground.mcp.url());
    assert_eq!(asked["redirect_uri"], "https://gateway.test/v1/oauth/callback");

    ground.authorize().await;
    let after = ground.owner(Method::GET, "/v1/connectors/docs", None).await;
    assert_eq!(
        (&after.body["connector"]["problem"], &after.body["connector"]["tools"]),
        (&Value::Null, &json!(1))
    );
    ground.accept().await;
    let agent = ground.app.agent().await.unwrap();
    let called = ground.app.invoke(&agent, "docs.read", json!({})).await.unwrap();
    assert_eq!(called.status, StatusCode::OK, "{}", called.text);
    assert_eq!(ground.mcp.called(), 1);
    let secrets = ground.secrets(&ground.app.owner_token).await;
    assert_eq!((&secrets[0]["name"], &secrets[0]["version"]), (&json!("docs-tokens"), &json!(1)));
}

#[tokio::test]
async fn a_state_is_used_once_in_time_and_with_its_own_code() {
    let ground = Ground::new().await;
    let owner = &ground.app.owner_token;
    let to = ground.oauth.allow(&ground.begin(owner).await).await.unwrap();
    assert_eq!(ground.come_back(&to).await, StatusCode::OK);
    assert_eq!(ground.come_back(&to).await, StatusCode::NOT_FOUND, "a state is valid once");

    // Another authorization's code in a browser that returns with our state: the verifier does not match.
    let stolen = ground.oauth.allow(&ground.begin(owner).await).await.unwrap();
    let own = ground.oauth.allow(&ground.begin(owner).await).await.unwrap();
    let code = |url: &str| {
        let url: url::Url = url.parse().unwrap();
        url.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned()
    };
    assert_eq!(ground.come_back(&own.replace(&code(&own), &code(&stolen))).await, StatusCode::BAD_GATEWAY);
    assert_eq!(ground.come_back(&own).await, StatusCode::NOT_FOUND, "the attempt used up the state");

    let late = ground.oauth.allow(&ground.begin(owner).await).await.unwrap();
    ground.app.advance(Duration::from_secs(601));
    assert_eq!(ground.come_back(&late).await, StatusCode::NOT_FOUND, "too late");
    for nothing in ["code=x&state=", "code=&state=x", "code=x&state=made-up", "error=access_denied&state=x"] {
        let to = format!("https://gateway.test/v1/oauth/callback?{nothing}");
        assert!(ground.come_back(&to).await.is_client_error(), "{nothing}");
    }
    assert_eq!(ground.secrets(owner).await[0]["version"], 1, "only the first authorization succeeded");
}

#[tokio::test]
async fn only_the_person_who_began_an_authorization_finishes_it() {
    let ground = Ground::new().await;
    let (_, other) = ground.app.another_org().await.unwrap();
    ground.connect(&other).await;
    let to = ground.oauth.allow(&ground.begin(&other).await).await.unwrap();
    // Led to give their consent, somebody else connects nothing, and uses nothing up.
    let colleague = ground.app.person(ground.app.org, model::Role::Admin).await.unwrap();
    for somebody in [&ground.app.owner_token, &colleague] {
        assert_eq!(ground.finish(&to, somebody).await, StatusCode::NOT_FOUND);
    }
    assert_eq!(ground.finish(&to, &other).await, StatusCode::OK);
    assert_eq!(ground.secrets(&other).await.len(), 1);
    assert!(ground.secrets(&ground.app.owner_token).await.is_empty());
}

async fn call(app: &gateway::App, agent: &Agent) -> StatusCode {
    use tower::ServiceExt as _;
    let request = Request::post(format!("/v1/sessions/{}/actions/invoke", agent.session))
        .header("authorization", format!("Bearer {}", agent.token))
        .header("content-type", "application/json")
        .body(Body::from(json!({ "action": "docs.read" }).to_string()))
        .unwrap();
    gateway::router(app.clone()).oneshot(request).await.unwrap().status()
}

#[tokio::test]
async fn tokens_are_renewed_once_however_many_ask_and_stay_the_same_credential() {
    let ground = Ground::new().await;
    ground.authorize().await;
    ground.accept().await;
    let agent = ground.app.agent().await.unwrap();
    let registry = catalog::Registry::builtin(&catalog::SourceUrls::default()).unwrap();
    let second = ground.app.another_gateway(registry).await.unwrap();
    assert_eq!(call(&second, &agent).await, StatusCode::OK);
    for round in 1..=3 {
        ground.app.advance(Duration::from_secs(TOKEN_LIFETIME));
        let calls =
            (0..8).map(|number| call(if number % 2 == 0 { &ground.app.app } else { &second }, &agent));
        let answers = futures::future::join_all(calls).await;
        assert_eq!(answers, [StatusCode::OK; 8], "round {round}");
        assert_eq!(ground.oauth.renewals(), round);
    }
    assert_eq!(ground.secrets(&ground.app.owner_token).await[0]["version"], 1);
    ground.authorize().await;
    assert_eq!(
        ground.secrets(&ground.app.owner_token).await[0]["version"],
        2,
        "a new authorization is another version"
    );
}

#[tokio::test]
async fn what_cannot_be_renewed_says_what_to_do() {
    let ground = Ground::new().await;
    ground.authorize().await;
    ground.accept().await;
    let agent = ground.app.agent().await.unwrap();
    ground.oauth.refuse_renewals();
    ground.app.advance(Duration::from_secs(TOKEN_LIFETIME));
    let failed = ground.app.invoke(&agent, "docs.read", json!({})).await.unwrap();
    assert!(failed.status.is_server_error(), "{}", failed.text);
    assert_eq!(failed.body["class"], "auth", "{}", failed.text);
    assert!(failed.text.contains("authorize this connector again"), "{}", failed.text);
    assert_eq!(ground.mcp.called(), 0);
}

#[tokio::test]
async fn only_what_asks_for_it_is_authorized() {
    let ground = Ground::new().await;
    let body = json!({ "source": "plain", "kind": "mcp", "place": ground.mcp.url() });
    ground.owner(Method::POST, "/v1/connectors", Some(body)).await;
    let refused = ground.owner(Method::POST, "/v1/connectors/plain/authorize", None).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    let auth = json!({ "kind": "oauth", "secret": "s" });
    let body = json!({ "source": "api", "kind": "openapi", "place": ground.mcp.url(), "auth": auth });
    let refused = ground.owner(Method::POST, "/v1/connectors", Some(body)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
}

#[tokio::test]
async fn no_authorization_server_leads_inside() {
    let ground = Ground::new().await;
    let server = ground.mcp.url().parse().unwrap();
    let callback = "https://gateway.test/v1/oauth/callback";
    let closed = Egress::new(EgressPolicy::default()).unwrap();
    assert!(catalog::mcp::oauth::begin(&closed, &server, callback).await.is_err(), "loopback is not allowed");
    for inside in ["http://169.254.169.254", "http://10.0.0.1", "http://[fd00::1]"] {
        ground.mcp.guarded().set_authorization_server(inside);
        let refused = ground.owner(Method::POST, "/v1/connectors/docs/authorize", None).await;
        assert!(!refused.status.is_success(), "{inside}: {}", refused.text);
    }
    // An allowed authorization server whose token endpoint is inside our network.
    ground.mcp.guarded().set_authorization_server(&ground.oauth.url());
    ground.oauth.take_codes_at("http://10.0.0.1/token");
    let to = ground.oauth.allow(&ground.begin(&ground.app.owner_token).await).await.unwrap();
    assert_eq!(ground.come_back(&to).await, StatusCode::BAD_GATEWAY);
    // An authorization server whose token endpoint changes before the person returns.
    ground.oauth.take_codes_at(&format!("{}/token", ground.oauth.url()));
    let to = ground.oauth.allow(&ground.begin(&ground.app.owner_token).await).await.unwrap();
    ground.oauth.take_codes_at(&format!("{}/elsewhere", ground.oauth.url()));
    assert_eq!(ground.come_back(&to).await, StatusCode::BAD_GATEWAY);
}
