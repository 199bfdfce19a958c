//! Attack 18: a credential is stolen. A live token of an agent, a token or a cookie of a person, a program's token, a
//! browser tab during OAuth linking. It does what its owner may do within its space, capabilities and time, and as long
//! as nobody stops or revokes it; a revocation is in force on three gateways within a second; nothing is made with it
//! that lasts longer.

mod bounds;
mod linking;
mod minting;
mod revoking;
mod waiting;

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use catalog::{Registry, SourceUrls};
use changes::Author;
use gateway::Access;
use model::{MemberKind, OrgId, Role, UserId};
use serde_json::{Value, json};
use tenancy::Caller;
use testkit::TestApp;
use tower::ServiceExt as _;

use crate::attacks::tenancy::setup::{Ids, Operation, Stage};

/// The host of the pages in which a person is signed in.
const HOST: &str = "127.0.0.1:7878";
/// Longer than a sign-in is fresh, and longer than a first passkey needs nobody else.
const A_WHILE: Duration = Duration::from_secs(40 * 60);

/// What a thief holds.
#[derive(Debug, Clone)]
pub(crate) enum Credential {
    Token(String),
    Cookie(String),
}

/// The response to a thief.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
    pub(crate) text: String,
}

impl Response {
    /// Whether nothing was done except that a second person is asked.
    pub(crate) fn waits(&self) -> bool {
        self.status == StatusCode::ACCEPTED && self.headers.contains_key("countersign-proposed")
    }

    /// Tokens and cookies in it.
    pub(crate) fn credentials(&self) -> Vec<Credential> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let tokens = self.text.split(|c| !is_part(c)).filter(|word| word.starts_with("csn_"));
        let cookies =
            self.headers.get_all(header::SET_COOKIE).into_iter().filter_map(|set| set.to_str().ok());
        let cookies = cookies.filter_map(|set| set.split(';').next()).filter(|set| set.contains("csn_web_"));
        (tokens.map(|token| Credential::Token(token.to_owned())))
            .chain(cookies.map(|cookie| Credential::Cookie(cookie.to_owned())))
            .collect()
    }
}

/// A request with a credential, at one gateway.
pub(crate) async fn send(
    gateway: &Router,
    credential: &Credential,
    (method, path): (&Method, &str),
    body: Option<&Value>,
) -> anyhow::Result<Response> {
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, HOST);
    request = request.header(header::ACCEPT, "application/json, text/event-stream");
    request = request.header(header::CONTENT_TYPE, "application/json");
    request = match credential {
        Credential::Token(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
        Credential::Cookie(cookie) => request
            .header(header::COOKIE, cookie)
            .header(header::ORIGIN, format!("http://{HOST}"))
            .header("sec-fetch-site", "same-origin")
            .header("x-countersign-web", "1"),
    };
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let answer = gateway.clone().oneshot(request.body(body)?).await?;
    let (head, body) = answer.into_parts();
    // A stream of events does not end by itself.
    let is_stream = head.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    let body = if is_stream { Body::empty() } else { body };
    let bytes = axum::body::to_bytes(body, 16 << 20).await?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Ok(Response { status: head.status, headers: head.headers, body, text })
}

/// Three gateways over the database of an application, which share no memory.
pub(crate) async fn three(app: &TestApp, urls: &SourceUrls) -> anyhow::Result<[Router; 3]> {
    let second = app.another_gateway(Registry::builtin(urls)?).await?;
    let third = app.another_gateway(Registry::builtin(urls)?).await?;
    Ok([app.app.clone(), second, third].map(gateway::router))
}

/// Signs a browser in with a token; returns its cookie.
pub(crate) async fn sign_in(gateway: &Router, token: &str) -> anyhow::Result<Credential> {
    let page = Credential::Cookie(String::new());
    let body = json!({ "token": token });
    let answer = send(gateway, &page, (&Method::POST, "/v1/signin"), Some(&body)).await?;
    let cookie = answer.credentials().into_iter().find(|found| matches!(found, Credential::Cookie(_)));
    cookie.ok_or_else(|| anyhow::anyhow!("signing in: {}", answer.text))
}

/// Somebody whose credential was stolen some time after they signed in.
pub(crate) struct Victim {
    pub(crate) name: &'static str,
    pub(crate) credential: Credential,
    /// `None` for a session.
    pub(crate) user: Option<String>,
    pub(crate) role: Option<Role>,
    /// Whether it is an account of a program.
    pub(crate) is_program: bool,
    /// The route that revokes it.
    pub(crate) revocation: String,
}

impl Victim {
    /// The ids of an operation, with the session of a stolen token.
    fn ids(&self, ids: Ids) -> Ids {
        match self.revocation.strip_prefix("/v1/sessions/") {
            Some(session) => Ids { session: session.to_owned(), ..ids },
            None => ids,
        }
    }

    /// Whether the table of access lets them reach an operation at all.
    fn reaches(&self, operation: &Operation) -> bool {
        match (operation.access, self.role) {
            (Access::Public, _) => false,
            (Access::OwnSession | Access::LivingSession | Access::OwnSessionOr(_), None) => true,
            (Access::Human(_), _) if self.is_program => false,
            (Access::Person(least) | Access::Human(least) | Access::OwnSessionOr(least), Some(role)) => {
                role >= least
            }
            _ => false,
        }
    }
}

/// Every operation that needs a credential.
fn operations() -> Vec<Operation> {
    let table = gateway::access_table().iter().filter(|(_, _, access)| *access != Access::Public);
    let operation = |(method, path, access): &(Method, &'static str, Access)| Operation {
        method: method.clone(),
        path: (*path).to_owned(),
        access: *access,
    };
    table.map(operation).collect()
}

/// What lets somebody act or answer: tokens, invitations, members and their roles, passkeys that count, Slack users.
/// Sessions and browsers are not in it, because they end with the token; they are tried after it was revoked.
pub(crate) const CREDENTIALS: &str = "
    SELECT 'token ' || id FROM api_tokens WHERE revoked_at IS NULL AND browser IS NULL
    UNION ALL SELECT 'invitation ' || id || md5(token_sha256) FROM invitations
              WHERE accepted_at IS NULL AND withdrawn_at IS NULL
    UNION ALL SELECT 'member ' || user_id || role || kind FROM memberships
    UNION ALL SELECT 'passkey ' || id FROM passkeys WHERE confirmed_at IS NOT NULL AND removed_at IS NULL
    UNION ALL SELECT 'slack ' || slack_user || user_id FROM slack_people";

/// What decides what happens without asking.
pub(crate) const AUTHORITY: &str = "
    SELECT 'org ' || approval_quorum || approval_four_eyes || approval_passkey || receipts_kept_days || loosening
           || legal_hold FROM orgs
    UNION ALL SELECT 'rule ' || source || action || mode FROM rules
    UNION ALL SELECT 'grant ' || id FROM grants WHERE revoked_at IS NULL
    UNION ALL SELECT 'conduct ' || scope || subject || conduct FROM conducts
    UNION ALL SELECT 'space ' || id || risk_band || open_to || outbound_redaction FROM spaces
    UNION ALL SELECT 'space member ' || space_id || user_id || capabilities::text FROM space_members
    UNION ALL SELECT 'audience ' || a.secret_id || a.source || a.origin FROM secret_audiences a
    UNION ALL SELECT 'session ' || id || capabilities::text FROM sessions WHERE '*' = ANY(capabilities)";

/// An organization with two owners and objects of every kind, some time after everybody signed in.
pub(crate) struct Theft {
    pub(crate) stage: Stage,
    pub(crate) gateways: [Router; 3],
}

impl Theft {
    pub(crate) async fn set() -> anyhow::Result<Self> {
        let mut stage = Box::pin(Stage::set()).await?;
        let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, stage.linear.url().parse()?);
        let gateways = three(&stage.app, &urls).await?;
        stage.app.advance(A_WHILE);
        stage.a.owner = fresh_token(&stage.app, stage.a.id, stage.app.owner).await?;
        stage.app.person(stage.a.id, Role::Owner).await?;
        Ok(Self { stage, gateways })
    }

    /// Says whether one person alone may loosen, without any of the checks.
    pub(crate) async fn loosening(&self, wanted: &str) -> anyhow::Result<()> {
        loosening(&self.stage.app, self.stage.a.id, wanted).await
    }

    /// The owner who noticed it.
    pub(crate) fn owner(&self) -> Credential {
        Credential::Token(self.stage.a.owner.clone())
    }

    /// A new victim of each kind. The owner who will notice it signs in afterwards.
    pub(crate) async fn victims(&mut self) -> anyhow::Result<Vec<Victim>> {
        let (app, org) = (&self.stage.app, self.stage.a.id);
        let mut all = vec![self.agent().await?];
        for (names, role) in [
            (["a member", "a member's browser"], Role::Member),
            (["an admin", "an admin's browser"], Role::Admin),
            (["an owner", "an owner's browser"], Role::Owner),
        ] {
            let token = app.person(org, role).await?;
            let Caller::Person(person) = app.app.tenancy.authenticate(&token).await? else {
                anyhow::bail!("not a person")
            };
            // The browser is signed in with another token, so that either can be revoked alone.
            let other = fresh_token(app, org, person.user).await?;
            let cookie = sign_in(&self.gateways[0], &other).await?;
            for (name, credential) in names.into_iter().zip([Credential::Token(token), cookie]) {
                all.push(self.holder(name, credential).await?);
            }
        }
        all.push(self.program().await?);
        self.stage.app.advance(A_WHILE);
        self.stage.a.owner = fresh_token(&self.stage.app, org, self.stage.app.owner).await?;
        Ok(all)
    }

    /// A session that an owner opened.
    async fn agent(&self) -> anyhow::Result<Victim> {
        let agent = self.stage.app.agent_of(&self.stage.a.owner).await?;
        Ok(Victim {
            name: "an agent",
            credential: Credential::Token(agent.token),
            user: None,
            role: None,
            is_program: false,
            revocation: format!("/v1/sessions/{}", agent.session),
        })
    }

    async fn holder(&self, name: &'static str, credential: Credential) -> anyhow::Result<Victim> {
        let tenancy = &self.stage.app.app.tenancy;
        let caller = match &credential {
            Credential::Token(token) => tenancy.authenticate(token).await?,
            Credential::Cookie(cookie) => {
                let value = cookie.split_once('=').map_or("", |(_, value)| value);
                tenancy.authenticate_browser(value).await?
            }
        };
        let Caller::Person(person) = caller else { anyhow::bail!("{name} is not a person") };
        Ok(Victim {
            name,
            credential,
            user: Some(person.user.to_string()),
            role: Some(person.role),
            is_program: person.kind == MemberKind::Service,
            revocation: format!("/v1/tokens/{}", person.token),
        })
    }

    /// An account of a program, with a token that an owner made.
    async fn program(&self) -> anyhow::Result<Victim> {
        self.loosening("one").await?;
        let (gateway, owner) = (&self.gateways[0], self.owner());
        let body = json!({ "name": "A program", "role": "admin" });
        let path = (&Method::POST, "/v1/service-accounts");
        let account = send(gateway, &owner, path, Some(&body)).await?;
        let user = text(&account.body["user"]);
        let path = format!("/v1/members/{user}/tokens");
        let made = send(gateway, &owner, (&Method::POST, &path), Some(&json!({ "name": "ci" }))).await?;
        self.loosening("two_people").await?;
        anyhow::ensure!(made.status.is_success(), "a program's token: {}", made.text);
        self.holder("a program", Credential::Token(text(&made.body["token"]))).await
    }

    /// Revokes a credential as the owner who noticed it.
    pub(crate) async fn revoke(&self, victim: &Victim) -> anyhow::Result<()> {
        let route = (&Method::DELETE, victim.revocation.as_str());
        let done = send(&self.gateways[0], &self.owner(), route, None).await?;
        anyhow::ensure!(done.status.is_success(), "{}: {}", victim.name, done.text);
        Ok(())
    }
}

/// A token of a person who just signed in, made by the operator.
pub(crate) async fn fresh_token(app: &TestApp, org: OrgId, user: UserId) -> anyhow::Result<String> {
    let made = app.app.tenancy.create_token(&Author::operator(org), user, "fresh", None).await?;
    Ok(made.1.reveal().to_owned())
}

/// Says whether one person alone may loosen, without any of the checks.
pub(crate) async fn loosening(app: &TestApp, org: OrgId, wanted: &str) -> anyhow::Result<()> {
    let mut tx = app.app.db.begin(org).await?;
    sqlx::query("UPDATE orgs SET loosening = $1").bind(wanted).execute(&mut *tx).await?;
    Ok(platform::db::commit(tx).await?)
}

/// Withdraws what waits for a second owner, because only so many changes may wait.
pub(crate) async fn withdraw_all(app: &TestApp, org: OrgId) -> anyhow::Result<()> {
    let mut tx = app.app.db.begin(org).await?;
    sqlx::query("UPDATE proposed_changes SET status = 'withdrawn'").execute(&mut *tx).await?;
    Ok(platform::db::commit(tx).await?)
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Prints what was tried, and fails if anything was wrong.
fn report(check: &str, tried: usize, wrong: &[String]) {
    testkit::tried(18, check, tried, wrong.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
