//! Sign-in through an identity provider. Everything but the provider's exact proof for this sign-in is refused.

use axum::{
    body::Body,
    http::{Method, Request, Response, StatusCode, header},
};
use changes::Author;
use gateway::Web;
use model::Role;
use platform::egress::{Egress, EgressPolicy};
use serde_json::{Value, json};
use tenancy::{NewMember, oidc::Provider};
use testkit::{
    TestApp,
    fakes::{FakeOidc, Known, Lie},
};
use tower::ServiceExt as _;
use url::Url;

const PUBLIC: &str = "https://gateway.test";

/// A gateway with an identity provider, and the requests of a browser with cookies.
struct Stage {
    app: TestApp,
    provider: FakeOidc,
    router: axum::Router,
}

impl Stage {
    async fn set() -> anyhow::Result<Self> {
        let (app, provider) = (TestApp::start().await?, FakeOidc::start().await?);
        let settings = provider.settings(format!("{PUBLIC}/v1/signin/oidc/callback").parse()?);
        let web = Web {
            public_url: Some(PUBLIC.parse()?),
            provider: Some(Provider::new(settings, Egress::new(EgressPolicy::open())?)),
        };
        let router = gateway::router(gateway::App { web, ..app.app.clone() });
        Ok(Self { app, provider, router })
    }

    async fn member(&self, email: &str) -> anyhow::Result<()> {
        let member = NewMember { email: email.to_owned(), name: "Ada".to_owned(), role: Role::Admin };
        let (_, link) = self.app.app.tenancy.invite(&Author::operator(self.app.org), member).await?;
        self.app.app.tenancy.join(link.reveal(), None).await?;
        Ok(())
    }

    async fn send(
        &self,
        (method, path): (Method, &str),
        cookie: &str,
        body: Option<Value>,
    ) -> anyhow::Result<Response<Body>> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "gateway.test")
            .header(header::COOKIE, cookie)
            .header("x-countersign-web", "1");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        Ok(self.router.clone().oneshot(request.body(body)?).await?)
    }

    /// Begins a sign-in; returns the URL the person is sent to, and the cookies of the browser.
    async fn begin(&self, to: &str) -> anyhow::Result<(Url, String)> {
        let sent = self.send((Method::GET, &format!("/v1/signin/oidc?to={to}")), "", None).await?;
        anyhow::ensure!(sent.status() == StatusCode::SEE_OTHER, "{:?}", sent.status());
        Ok((location(&sent).parse()?, cookies(&sent)))
    }

    /// Returns from the provider; returns the page that follows, and the cookie of the sign-in, if it succeeded.
    async fn come_back(&self, query: &str, cookie: &str) -> anyhow::Result<(String, Option<String>)> {
        let back =
            self.send((Method::GET, &format!("/v1/signin/oidc/callback?{query}")), cookie, None).await?;
        anyhow::ensure!(back.status() == StatusCode::SEE_OTHER, "{:?}", back.status());
        let signed_in =
            cookies(&back).split("; ").find(|pair| pair.contains("csn_web_")).map(ToOwned::to_owned);
        Ok((location(&back), signed_in))
    }

    /// A complete sign-in without interference.
    async fn sign_in(&self, known: Known) -> anyhow::Result<(String, Option<String>)> {
        let (url, cookie) = self.begin("/activity").await?;
        self.come_back(&self.provider.say_yes(&url, known)?, &cookie).await
    }

    async fn me(&self, cookie: &str) -> anyhow::Result<(StatusCode, Value)> {
        let answer = self.send((Method::GET, "/v1/me"), cookie, None).await?;
        let status = answer.status();
        Ok((status, serde_json::from_slice(&axum::body::to_bytes(answer.into_body(), 1 << 20).await?)?))
    }
}

fn location(answer: &Response<Body>) -> String {
    answer.headers()[header::LOCATION].to_str().unwrap().to_owned()
}

fn cookies(answer: &Response<Body>) -> String {
    let set = answer.headers().get_all(header::SET_COOKIE).iter();
    let pairs = set.map(|set| set.to_str().unwrap().split(';').next().unwrap().to_owned());
    pairs.collect::<Vec<_>>().join("; ")
}

fn ada(subject: &str, verified: bool) -> Known {
    Known { subject: subject.to_owned(), email: "Ada@Example.test".to_owned(), verified }
}

#[tokio::test]
async fn a_member_is_signed_in_and_stays_who_they_are() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.member("ada@example.test").await?;
    let (to, cookie) = stage.sign_in(ada("ada-1", true)).await?;
    assert_eq!(to, "/activity");
    let cookie = cookie.expect("signed in");
    assert!(cookie.starts_with("__Host-countersign=csn_web_"));
    let (status, me) = stage.me(&cookie).await?;
    assert_eq!(
        (status, &me["email"], &me["role"]),
        (StatusCode::OK, &json!("ada@example.test"), &json!("admin"))
    );

    // After the first sign-in the provider's subject identifies the person, not an e-mail address, which may be
    // reassigned.
    let renamed = Known { email: "ada@new.test".to_owned(), ..ada("ada-1", true) };
    assert!(stage.sign_in(renamed).await?.1.is_some());
    let (to, nobody) = stage.sign_in(ada("somebody-new", true)).await?;
    assert_eq!((to.as_str(), nobody), ("/?signin_error=not_a_member", None));

    stage.provider.rotate();
    assert_eq!(stage.sign_in(ada("ada-1", true)).await?.1, None, "the keys were fetched a moment ago");
    Ok(())
}

#[tokio::test]
async fn strangers_and_unverified_addresses_are_turned_away() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    assert_eq!(stage.sign_in(ada("ada-1", true)).await?, ("/?signin_error=not_a_member".to_owned(), None));
    stage.member("ada@example.test").await?;
    assert_eq!(stage.sign_in(ada("ada-1", false)).await?, ("/?signin_error=unverified".to_owned(), None));
    assert!(stage.sign_in(ada("ada-1", true)).await?.1.is_some());
    Ok(())
}

#[tokio::test]
async fn no_lie_of_the_provider_is_believed() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.member("ada@example.test").await?;
    for lie in Lie::ALL {
        stage.provider.lie(Some(lie));
        let (to, cookie) = stage.sign_in(ada("ada-1", true)).await?;
        assert_eq!((to.as_str(), cookie), ("/?signin_error=refused", None), "{lie:?}");
    }
    stage.provider.lie(None);
    assert!(stage.sign_in(ada("ada-1", true)).await?.1.is_some(), "it works without a lie");
    Ok(())
}

#[tokio::test]
async fn what_was_not_begun_in_this_browser_is_not_finished_in_it() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.member("ada@example.test").await?;
    let (url, mine) = stage.begin("/inbox").await?;
    let query = stage.provider.say_yes(&url, ada("ada-1", true))?;
    let (_, other) = stage.begin("/inbox").await?;
    // Another person's answer in this browser, this browser's answer without the cookie, another state, another issuer,
    // a refusal.
    let expired = ("/?signin_error=expired".to_owned(), None);
    let refused = ("/?signin_error=refused".to_owned(), None);
    assert_eq!(stage.come_back(&query, &other).await?, expired);
    assert_eq!(stage.come_back(&query, "").await?, expired);
    assert_eq!(stage.come_back("code=code-0&state=", &mine).await?, expired);
    assert_eq!(stage.come_back(&format!("{query}&iss=https%3A%2F%2Fevil.example"), &mine).await?, refused);
    let state = query.split_once("state=").unwrap().1;
    assert_eq!(stage.come_back(&format!("error=access_denied&state={state}"), &mine).await?, refused);
    assert_eq!(stage.come_back(&format!("code=made-up&state={state}"), &mine).await?, refused);

    let (to, cookie) = stage.come_back(&query, &mine).await?;
    assert_eq!((to.as_str(), cookie.is_some()), ("/inbox", true), "the genuine answer is accepted");
    assert_eq!(stage.come_back(&query, &mine).await?, refused, "but only once");
    Ok(())
}

#[tokio::test]
async fn signing_in_leads_to_pages_of_ours_alone() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.member("ada@example.test").await?;
    for to in ["https://evil.example", "//evil.example", "/%5Cevil.example", "javascript:alert(1)"] {
        let (url, cookie) = stage.begin(to).await?;
        let query = stage.provider.say_yes(&url, ada("ada-1", true))?;
        assert_eq!(stage.come_back(&query, &cookie).await?.0, "/", "{to}");
    }
    Ok(())
}

#[tokio::test]
async fn whoever_belongs_to_two_orgs_goes_from_one_to_the_other_and_nowhere_else() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.member("ada@example.test").await?;
    let (other, other_owner) = stage.app.another_org().await?;
    let (_, third_owner) = stage.app.another_org().await?;
    let member =
        NewMember { email: "ada@example.test".to_owned(), name: "A.".to_owned(), role: Role::Member };
    let (_, link) = stage.app.app.tenancy.invite(&Author::operator(other), member).await?;
    stage.app.app.tenancy.join(link.reveal(), None).await?;
    let slug = async |token: &str| {
        let org = stage.app.send(Method::GET, "/v1/org", token, None).await?;
        anyhow::Ok(org.body["slug"].as_str().unwrap().to_owned())
    };
    let (first, second, third) =
        (slug(&stage.app.owner_token).await?, slug(&other_owner).await?, slug(&third_owner).await?);

    let cookie = stage.sign_in(ada("ada-1", true)).await?.1.unwrap();
    let (_, me) = stage.me(&cookie).await?;
    let orgs: Vec<_> =
        me["orgs"].as_array().unwrap().iter().map(|org| org["slug"].as_str().unwrap()).collect();
    assert!(orgs.len() == 2 && orgs.contains(&first.as_str()) && orgs.contains(&second.as_str()), "{orgs:?}");

    let switch = async |to: &str, cookie: &str| {
        stage.send((Method::POST, "/v1/signin/org"), cookie, Some(json!({ "org": to }))).await
    };
    assert_eq!(switch(&third, &cookie).await?.status(), StatusCode::NOT_FOUND);
    let there = if me["org_slug"] == first.as_str() { &second } else { &first };
    let switched = switch(there, &cookie).await?;
    assert_eq!(switched.status(), StatusCode::OK);
    let next = cookies(&switched);
    let (_, me) = stage.me(&next).await?;
    assert_eq!(me["org_slug"], there.as_str());
    assert_eq!(stage.me(&cookie).await?.0, StatusCode::UNAUTHORIZED, "the old sign-in has ended");
    Ok(())
}
