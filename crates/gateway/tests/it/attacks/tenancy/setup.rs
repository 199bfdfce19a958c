//! Two organizations with rows of every kind, and a request for every operation of the API.

use crate::attacks::tenancy::{automations, models, policies};
use anyhow::Context as _;
use axum::{
    body::Body,
    http::{
        Method, Request,
        header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST},
    },
};
use catalog::SourceUrls;
use changes::{Author, Proposal};
use gateway::Access;
use model::{OrgId, Role};
use oversight::Asked;
use platform::config::Limits;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use tenancy::Caller;
use testkit::{
    Agent, Answered, TestApp,
    fakes::{FakeLinear, FakeMcp, FakeOAuth, tool},
};

/// Routes that take no request body.
const BODILESS: &[&str] = &[
    "/v1/passkeys/registration",
    "/v1/passkeys/{passkey}/confirm",
    "/v1/invitations/{invitation}/link",
    "/v1/connectors/{connector}/harvest",
    "/v1/secrets/{name}/audience/{connector}",
    "/v1/connectors/{connector}/authorize",
    "/v1/models/{provider}/test",
    "/v1/webhooks/{webhook}/rotate",
    "/v1/webhooks/{webhook}/test",
    "/v1/webhooks/{webhook}/deliveries/{delivery}/resend",
    "/v1/notifiers/{notifier}/test",
    "/v1/slack/{org}/interactions",
    "/v1/proposed-changes/{proposed}/withdraw",
];
const TOKEN: &str = "lin_api_test";

/// Ids of one organization, as used in paths, queries, bodies and headers.
#[derive(Debug, Clone)]
pub(crate) struct Ids {
    pub(crate) org: String,
    pub(crate) notifier: String,
    pub(crate) slack_user: String,
    pub(crate) session: String,
    pub(crate) invocation: String,
    pub(crate) receipt: String,
    pub(crate) change: String,
    /// A change that waits for a second owner, and its digest.
    pub(crate) proposed: (String, String),
    pub(crate) artifact: String,
    pub(crate) space: String,
    pub(crate) user: String,
    pub(crate) token: String,
    pub(crate) passkey: String,
    pub(crate) invitation: String,
    pub(crate) rule: String,
    pub(crate) policy: String,
    pub(crate) fact: String,
    pub(crate) case: String,
    pub(crate) consent: String,
    pub(crate) secret: String,
    pub(crate) provider: String,
    pub(crate) connector: String,
    pub(crate) grant: String,
    pub(crate) request: String,
    pub(crate) group: String,
    pub(crate) event: String,
    pub(crate) agent: String,
    pub(crate) webhook: String,
    pub(crate) delivery: String,
    pub(crate) automation: String,
    pub(crate) trigger: String,
    pub(crate) run: String,
    /// The hashes of the connector's tool: shape and text.
    pub(crate) tool: (String, String),
    /// The digest of what was shown about the invocation.
    pub(crate) shown: String,
    /// An idempotency key that has been used.
    pub(crate) key: String,
}

impl Ids {
    /// The same ids with another last digit: same timestamp and form, but they belong to nobody.
    pub(crate) fn never(&self) -> Self {
        let other = |id: &String| {
            let last = if id.ends_with('0') { '1' } else { '0' };
            format!("{}{last}", &id[..id.len() - 1])
        };
        Self {
            org: other(&self.org),
            notifier: other(&self.notifier),
            slack_user: format!("{}N", self.slack_user),
            session: other(&self.session),
            invocation: other(&self.invocation),
            receipt: other(&self.receipt),
            change: other(&self.change),
            proposed: (other(&self.proposed.0), self.proposed.1.clone()),
            artifact: other(&self.artifact),
            space: other(&self.space),
            user: other(&self.user),
            token: other(&self.token),
            passkey: other(&self.passkey),
            invitation: other(&self.invitation),
            rule: other(&self.rule),
            policy: format!("{}-never", self.policy),
            fact: format!("{}_never", self.fact),
            case: format!("{}-never", self.case),
            consent: other(&self.consent),
            grant: other(&self.grant),
            request: other(&self.request),
            webhook: other(&self.webhook),
            delivery: other(&self.delivery),
            automation: other(&self.automation),
            trigger: other(&self.trigger),
            run: other(&self.run),
            shown: self.shown.clone(),
            tool: self.tool.clone(),
            secret: format!("{}-never", self.secret),
            // Known to the catalog, but connected by no organization.
            provider: "sentry".to_owned(),
            connector: format!("{}-never", self.connector),
            group: format!("{}-never", self.group),
            event: other(&self.event),
            agent: format!("{}-never", self.agent),
            key: format!("{}-never", self.key),
        }
    }

    /// Whether a text contains any of these ids.
    pub(crate) fn stand_in(&self, text: &str) -> bool {
        let ids = [
            &self.session,
            &self.invocation,
            &self.receipt,
            &self.change,
            &self.proposed.0,
            &self.artifact,
            &self.space,
            &self.user,
            &self.token,
            &self.passkey,
            &self.invitation,
            &self.rule,
            &self.policy,
            &self.fact,
            &self.case,
            &self.consent,
            &self.grant,
            &self.request,
            &self.webhook,
            &self.delivery,
            &self.automation,
            &self.trigger,
            &self.run,
            &self.secret,
            &self.connector,
            &self.group,
            &self.event,
            &self.agent,
            &self.notifier,
            &self.slack_user,
        ];
        ids.iter().any(|id| text.contains(id.split_once('_').map_or(id.as_str(), |(_, bare)| bare)))
    }
}

/// An organization with one object of every kind.
pub(crate) struct Org {
    pub(crate) id: OrgId,
    pub(crate) owner: String,
    pub(crate) admin: String,
    pub(crate) member: String,
    pub(crate) agent: Agent,
    /// Another session of the same organization.
    pub(crate) other: Agent,
    pub(crate) ids: Ids,
}

pub(crate) struct Stage {
    pub(crate) app: TestApp,
    pub(crate) linear: FakeLinear,
    _servers: (FakeMcp, FakeMcp, FakeOAuth),
    pub(crate) a: Org,
    pub(crate) b: Org,
}

/// One operation of the OpenAPI document.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) access: Access,
}

impl Operation {
    /// Whether the path contains an id of an organization.
    pub(crate) fn names_ids(&self) -> bool {
        self.path.contains('{') && !self.sets_by_name()
    }

    /// Whether the operation sets something under a name that the caller chooses, and that every organization may use.
    fn sets_by_name(&self) -> bool {
        // This route links a Slack user to a user, so it names an id.
        let other = [
            "/v1/slack/people/{slack_user}",
            "/v1/secrets/{name}/audience/{connector}",
            "/v1/spaces/{space}/members/{user}",
        ];
        self.method == Method::PUT && !other.contains(&self.path.as_str())
    }

    /// The path with the ids filled in.
    pub(crate) fn filled(&self, ids: &Ids) -> anyhow::Result<String> {
        let (provider, group) =
            if self.sets_by_name() { ("slack", "everybodys") } else { (&*ids.provider, &*ids.group) };
        // Built-in sources exist in every organization; a connector belongs to one.
        let source = if self.path.starts_with("/v1/sources/") { &*ids.connector } else { "linear" };
        let path = self
            .path
            .replace("{session}", &ids.session)
            .replace("{invocation}", &ids.invocation)
            .replace("{receipt}", &ids.receipt)
            .replace("{change}", &ids.change)
            .replace("{proposed}", &ids.proposed.0)
            .replace("{digest}", &ids.artifact)
            .replace("{space}", &ids.space)
            .replace("{user}", &ids.user)
            .replace("{token}", &ids.token)
            .replace("{passkey}", &ids.passkey)
            .replace("{invitation}", &ids.invitation)
            .replace("{rule}", &ids.rule)
            .replace("{policy}", &ids.policy)
            .replace("{fact}", &ids.fact)
            .replace("{case}", &ids.case)
            .replace("{consent}", &ids.consent)
            .replace("{agent}", &ids.agent)
            .replace("{grant}", &ids.grant)
            .replace("{request}", &ids.request)
            .replace("{webhook}", &ids.webhook)
            .replace("{delivery}", &ids.delivery)
            .replace("{automation}", &ids.automation)
            .replace("{trigger}", &ids.trigger)
            .replace("{run}", &ids.run)
            .replace("{step}", "make")
            .replace("{name}", &ids.secret)
            .replace("{org}", &ids.org)
            .replace("{notifier}", &ids.notifier)
            .replace("{slack_user}", &ids.slack_user)
            .replace("{source}", source)
            .replace("{connector}", &ids.connector)
            .replace("{group}", group)
            .replace("{provider}", provider)
            .replace("{*path}", "0/000.p/1");
        // Nothing executes the invocation in this test, so the request does not wait for the result.
        let path = match path.as_str() {
            path if path.ends_with("/approve") => format!("{path}?wait=0s"),
            "/v1/ledger/inclusion" => format!("{path}?index=0&size=1"),
            "/v1/ledger/consistency" => format!("{path}?first=1&second=1"),
            _ => path,
        };
        anyhow::ensure!(!path.contains('{'), "no fixture for a parameter of `{path}`: add it here");
        Ok(path)
    }

    /// A body that makes the operation succeed. An operation that is not listed fails the test, so every new route
    /// needs an entry.
    pub(crate) fn body(&self, fresh: &str, ids: &Ids) -> anyhow::Result<Option<Value>> {
        Ok(match (self.method.as_str(), self.path.as_str()) {
            ("GET" | "DELETE", _) => None,
            ("POST", "/v1/sessions/{session}/actions/invoke") => {
                Some(json!({"action": "linear.list_issues"}))
            }
            ("POST", "/mcp") => Some(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})),
            ("POST", "/v1/sessions/{session}/grants/request") => {
                Some(json!({"action": "linear.create_issue", "reason": "triage"}))
            }
            ("POST", path) if path.starts_with("/v1/invocations/{invocation}/") => answer_body(path, ids),
            ("POST", "/v1/grants") => Some(json!({"action": "linear.add_comment"})),
            ("POST", "/v1/grant-requests/{request}/answer") => Some(json!({"give": false})),
            ("PATCH", "/v1/org") => Some(json!({"approval_quorum": 1})),
            ("POST", "/v1/sessions") => Some(json!({"agent": "another", "kind": "interactive"})),
            ("POST", "/v1/spaces") => Some(json!({"slug": fresh, "name": "New", "risk_band": "green"})),
            ("PUT", "/v1/spaces/{space}/members/{user}") => Some(json!({"capabilities": ["linear:read"]})),
            ("PATCH", "/v1/spaces/{space}" | "/v1/members/{user}") => Some(json!({"name": "Renamed"})),
            ("POST", "/v1/invitations") => {
                Some(json!({"email": format!("{fresh}@example.test"), "name": "New", "role": "member"}))
            }
            ("POST", "/v1/service-accounts") => Some(json!({"name": fresh, "role": "member"})),
            ("POST", "/v1/join" | "/v1/join/look") => Some(json!({"token": "csn_inv_garbage"})),
            ("POST", "/v1/oauth/finish") => Some(json!({"code": "x", "state": "garbage"})),
            ("POST", "/v1/signin/passkey") => Some(unsigned()),
            ("POST", "/v1/signin") => Some(json!({"token": "csn_api_garbage"})),
            ("POST", "/v1/signin/org") => Some(json!({"org": "another"})),
            ("POST", "/v1/tokens" | "/v1/members/{user}/tokens") => Some(json!({"name": fresh})),
            ("POST", "/v1/passkeys") => Some(unoffered(fresh)),
            ("POST", "/v1/proposed-changes/{proposed}/approve") => Some(json!({"digest": ids.proposed.1})),
            ("POST", "/v1/proposed-changes/{proposed}/deny") => Some(json!({"reason": "no"})),
            ("PUT", "/v1/conduct") => Some(json!({
                "scope": "source", "subject": "slack", "conduct": "halted", "reason": "a test"
            })),
            ("PUT", "/v1/rules") => Some(json!({"action": "sentry.*", "mode": "deny"})),
            ("POST", "/v1/connectors") => {
                Some(json!({"source": fresh, "kind": "mcp", "place": "http://127.0.0.1:1/mcp"}))
            }
            ("PATCH", "/v1/connectors/{connector}") => Some(json!({"enabled": false})),
            ("POST", "/v1/connectors/{connector}/review") => Some(json!({
                "tool": "read", "verdict": "accept", "shape_hash": ids.tool.0, "text_hash": ids.tool.1
            })),
            ("PUT", "/v1/models/{provider}") => Some(models::provider()),
            ("POST", "/v1/events") => Some(json!({
                "specversion": "1.0", "id": fresh, "source": "/drive", "type": "drive.file_added", "data": {}
            })),
            ("PUT", "/v1/event-groups/{group}") => Some(json!({"max_attempts": 5})),
            ("POST", "/v1/event-groups/{group}/read" | "/v1/event-groups/{group}/claim") => {
                Some(json!({"consumer": "two"}))
            }
            ("POST", "/v1/event-groups/{group}/ack" | "/v1/event-groups/{group}/nack") => {
                Some(json!({"events": [ids.event]}))
            }
            ("POST", "/v1/event-groups/{group}/dead-letters/revive") => Some(json!({"events": []})),
            ("POST", "/v1/event-groups/{group}/replay") => Some(json!({"from": ids.event})),
            ("POST", "/v1/webhooks") => Some(json!({"url": "http://127.0.0.1:1/hook"})),
            ("PATCH", "/v1/webhooks/{webhook}") => Some(json!({"types": ["action.executed"]})),
            ("POST" | "PUT", path) if BODILESS.contains(&path) => None,
            ("POST", "/v1/notifiers") => {
                Some(json!({"kind": "email", "target": format!("{fresh}@example.test")}))
            }
            ("PUT", "/v1/slack/people/{slack_user}") => Some(json!({"user": ids.user})),
            ("PUT", "/v1/connections/{provider}") => Some(connection()),
            ("PUT", "/v1/secrets/{name}") => Some(json!({"value": "a-value-to-keep"})),
            (_, path) if policies::is_of_policies(path) => policies::body(self, fresh, ids),
            (_, path) if is_of_saved_work(path) => automations::body(self, fresh)?,
            (method, path) => {
                anyhow::bail!("no fixture for `{method} {path}`: add a body that makes it succeed")
            }
        })
    }
}

fn connection() -> Value {
    json!({"name": "x", "token": "a-credential-of-slack"})
}

/// A passkey registration that was not offered to anyone.
fn unsigned() -> Value {
    json!({"at": "now", "credential": "AAAA", "client_data": "AAAA", "authenticator_data": "AAAA", "signature": "AAAA"})
}

/// Invites somebody; returns the ID of the invitation.
async fn invitation(app: &TestApp, owner: &str) -> anyhow::Result<String> {
    let email = format!("{}@example.test", app.app.world.uuid());
    let body = json!({"email": email, "name": "Invited", "role": "member"});
    let made = app.send(Method::POST, "/v1/invitations", owner, Some(body)).await?;
    text(&made.body["invitation"]["id"])
}

fn unoffered(name: &str) -> Value {
    json!({"name": name, "challenge": "AAAA", "client_data": "AAAA", "authenticator_data": "AAAA"})
}

/// Whether a path is about one member, passkey or invitation.
fn is_of_people(path: &str) -> bool {
    ["/v1/passkeys/{", "/v1/invitations/{", "/v1/members/{"].iter().any(|start| path.starts_with(start))
}

/// Whether a path is about automations, their triggers or their runs.
fn is_of_saved_work(path: &str) -> bool {
    ["/v1/automations", "/v1/triggers", "/v1/runs", "/v1/hooks"].iter().any(|start| path.starts_with(start))
}

pub(crate) fn text(value: &Value) -> anyhow::Result<String> {
    value.as_str().map(ToOwned::to_owned).with_context(|| format!("expected a text, found {value}"))
}

/// Sequences the ledger, and erases the body of one receipt of each organization: the one of the denied invocation.
async fn log(app: &TestApp, orgs: [OrgId; 2]) -> anyhow::Result<()> {
    app.sequence().await?;
    let mut owner = app.db.owner().await?;
    for statement in [
        "ALTER TABLE receipts NO FORCE ROW LEVEL SECURITY",
        "UPDATE receipts SET finished_at = finished_at - interval '200 days' WHERE status = 'denied'",
        "ALTER TABLE receipts FORCE ROW LEVEL SECURITY",
    ] {
        sqlx::query(statement).execute(&mut owner).await?;
    }
    for org in orgs {
        let erased = app.app.ledger.erase_overdue(org, 0).await?;
        anyhow::ensure!(erased == 1, "{erased} bodies were erased");
    }
    app.sequence().await?;
    Ok(())
}

impl Stage {
    pub(crate) async fn set() -> anyhow::Result<Self> {
        let linear = FakeLinear::start(TOKEN).await;
        linear.put_issue("11111111-1111-4111-8111-111111111111", "An issue");
        let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
        let limits = Limits {
            invocations_per_minute: 1_000_000,
            pending_per_session: 1_000,
            pending_per_opener: 1_000,
            ..Limits::default()
        };
        let app = TestApp::with(urls, limits).await?;
        app.relay();
        let mcp = FakeMcp::start(vec![tool("read", json!({}))], None).await?;
        let guarded = FakeMcp::start(vec![tool("read", json!({}))], None).await?;
        let oauth = FakeOAuth::before(&guarded).await?;
        let a = Box::pin(furnish(&app, (app.org, &app.owner_token), (&linear, &mcp), "a")).await?;
        let (id, owner) = app.another_org().await?;
        let b = Box::pin(furnish(&app, (id, &owner), (&linear, &mcp), "b")).await?;
        for (org, name) in [(&a, "a"), (&b, "b")] {
            authorize(&app, &org.owner, &guarded, name).await?;
        }
        // GitHub is disconnected in both organizations, so that later only A has this connection: otherwise A's
        // provider name would also be valid in B.
        for org in [&a, &b] {
            let gone = app.send(Method::DELETE, "/v1/connections/github", &org.owner, None).await?;
            anyhow::ensure!(gone.status.is_success(), "{}", gone.text);
        }
        log(&app, [a.id, b.id]).await?;
        Ok(Self { app, linear, _servers: (mcp, guarded, oauth), a, b })
    }

    /// Sends a request; an empty token sends no header.
    pub(crate) async fn send(
        &self,
        method: &Method,
        path: &str,
        (token, key): (&str, Option<&str>),
        body: Option<&Value>,
    ) -> anyhow::Result<Answered> {
        let mut request = Request::builder().method(method).uri(path);
        if path == "/mcp" {
            request = request.header(CONTENT_TYPE, "application/json").header(HOST, "gateway.example");
            request = request.header(ACCEPT, "application/json, text/event-stream");
        }
        if !token.is_empty() {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        self.app
            .request(request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))?)
            .await
    }

    /// Creates the member, passkey or invitation that an operation is about.
    async fn prepare_people(&self, operation: &Operation, ids: &mut Ids) -> anyhow::Result<()> {
        let owner = &self.a.owner;
        let account = async || {
            let body = Some(json!({"name": "A program", "role": "member"}));
            let made = self.app.send(Method::POST, "/v1/service-accounts", owner, body).await?;
            text(&made.body["user"])
        };
        match (operation.method.as_str(), operation.path.as_str()) {
            (_, path) if path.starts_with("/v1/passkeys/") => {
                ids.passkey = passkey(&self.app, self.a.id, &ids.user).await?;
            }
            (_, path) if path.starts_with("/v1/invitations/") => {
                ids.invitation = invitation(&self.app, owner).await?;
            }
            ("DELETE", "/v1/members/{user}") | ("POST", "/v1/members/{user}/tokens") => {
                ids.user = account().await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Creates the object that an operation changes or deletes, anew for each attempt, so that the operation could
    /// always succeed.
    pub(crate) async fn prepare(&self, operation: &Operation, whose: &str) -> anyhow::Result<Ids> {
        let mut ids = self.a.ids.clone();
        let owner = &self.a.owner;
        let made = |method, path, token, body| async move {
            let made = self.app.send(method, path, token, Some(body)).await?;
            anyhow::ensure!(made.status.is_success(), "preparing {path}: {}", made.text);
            Ok(made.body)
        };
        match (operation.method.as_str(), operation.path.as_str()) {
            ("DELETE", "/v1/sessions/{session}") => {
                ids.session = self.app.agent_of(owner).await?.session;
            }
            ("DELETE", "/v1/tokens/{token}") => {
                let body = json!({"name": "x"});
                ids.token = text(&made(Method::POST, "/v1/tokens", whose, body).await?["id"])?;
            }
            ("DELETE", "/v1/spaces/{space}/members/{user}") => {
                let listed = format!("/v1/spaces/{}/members/{}", ids.space, ids.user);
                made(Method::PUT, &listed, owner, json!({})).await?;
            }
            (_, path) if is_of_people(path) => self.prepare_people(operation, &mut ids).await?,
            (_, path) if PENDING.contains(&path) => (ids.invocation, ids.shown) = self.pending(path).await?,
            ("POST", "/v1/invocations/{invocation}/discard" | "/v1/invocations/{invocation}/release") => {
                let agent = self.app.agent_of(owner).await?;
                ids.invocation = quarantine(&self.app, &agent).await?;
            }
            ("POST", "/v1/invocations/{invocation}/reconcile") => {
                (ids.invocation, ids.shown) = self.pending("").await?;
                self.lose(&ids.invocation).await?;
            }
            ("POST", "/v1/grant-requests/{request}/answer") => {
                let agent = self.app.agent_of(owner).await?;
                ids.request = ask(&self.app, &agent).await?;
            }
            (_, path) if path.starts_with("/v1/proposed-changes/{proposed}/") => {
                ids.proposed = proposed(&self.app, (self.a.id, owner), (path, whose)).await?;
            }
            ("DELETE", "/v1/grants/{grant}") => {
                let body = json!({"action": "linear.add_comment"});
                ids.grant = text(&made(Method::POST, "/v1/grants", owner, body).await?["id"])?;
            }
            ("POST", "/v1/connectors/{connector}/authorize") => ids.connector = "authorized-of-a".to_owned(),
            ("DELETE", "/v1/connectors/{connector}") => {
                let body = json!({"source": "kept-by-a", "kind": "mcp", "place": "http://127.0.0.1:1/mcp"});
                self.app.send(Method::POST, "/v1/connectors", owner, Some(body)).await?;
                ids.connector = "kept-by-a".to_owned();
            }
            ("DELETE", "/v1/rules/{rule}") => {
                let body = json!({"action": "github.*", "mode": "deny"});
                ids.rule = text(&made(Method::PUT, "/v1/rules", owner, body).await?["id"])?;
            }
            ("DELETE", "/v1/connections/{provider}") => {
                let body = json!({"name": "x", "token": "a-credential-of-github"});
                made(Method::PUT, "/v1/connections/github", owner, body).await?;
            }
            ("DELETE", "/v1/secrets/{name}") => {
                // The name that every caller sets in turn cannot be used: by now the other organization has it as well.
                ids.secret = "kept-by-a-alone".to_owned();
                let path = format!("/v1/secrets/{}", ids.secret);
                made(Method::PUT, &path, owner, json!({"value": "a-value-to-keep"})).await?;
            }
            (_, path) if policies::is_of_policies(path) => {
                policies::prepare(&self.app, owner, operation, &mut ids).await?;
            }
            (_, path) if is_of_saved_work(path) => {
                automations::prepare(&self.app, (self.a.id, owner), operation, &mut ids).await?;
            }
            _ => self.prepare_telling(operation, &mut ids).await?,
        }
        Ok(ids)
    }

    /// The same for notifiers, Slack users, webhooks and groups.
    async fn prepare_telling(&self, operation: &Operation, ids: &mut Ids) -> anyhow::Result<()> {
        let made = |method, path: String, body| async move {
            let made = self.app.send(method, &path, &self.a.owner, Some(body)).await?;
            anyhow::ensure!(made.status.is_success(), "preparing {path}: {}", made.text);
            Ok(made.body)
        };
        if operation.path.starts_with("/v1/models") {
            return models::prepare(&self.app, &self.a.owner, operation, &ids.provider).await;
        }
        if operation.method != Method::DELETE {
            return Ok(());
        }
        match operation.path.as_str() {
            "/v1/secrets/{name}/audience/{connector}" => {
                let path = format!("/v1/secrets/{}/audience/{}", ids.secret, ids.connector);
                self.app.send(Method::PUT, &path, &self.a.owner, None).await?;
            }
            "/v1/notifiers/{notifier}" => {
                let target = format!("{}@example.test", self.app.app.world.uuid().simple());
                let body = json!({"kind": "email", "target": target});
                ids.notifier = text(&made(Method::POST, "/v1/notifiers".to_owned(), body).await?["id"])?;
            }
            "/v1/slack/people/{slack_user}" => {
                ids.slack_user = "U0KEPTBYA".to_owned();
                let path = format!("/v1/slack/people/{}", ids.slack_user);
                made(Method::PUT, path, json!({"user": ids.user})).await?;
            }
            "/v1/webhooks/{webhook}" => {
                let body = json!({"url": "http://127.0.0.1:1/hook"});
                let added = made(Method::POST, "/v1/webhooks".to_owned(), body).await?;
                ids.webhook = text(&added["webhook"]["id"])?;
            }
            "/v1/event-groups/{group}" => {
                ids.group = "kept-by-a".to_owned();
                made(Method::PUT, "/v1/event-groups/kept-by-a".to_owned(), json!({})).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A pending invocation of A, with the digest of what was shown about it.
    async fn pending(&self, path: &str) -> anyhow::Result<(String, String)> {
        let agent = self.app.agent_of(&self.a.owner).await?;
        if path == ENDORSED {
            return wait_to_send(&self.app, &agent, &self.a.owner).await;
        }
        wait(&self.app, &agent, &self.a.owner, "nothing hidden").await
    }

    /// Makes the outcome of an invocation of A unknown.
    async fn lose(&self, invocation: &str) -> anyhow::Result<()> {
        let id: model::InvocationId = invocation.parse()?;
        let mut tx = self.app.app.db.begin(self.a.id).await?;
        sqlx::query(
            "UPDATE invocations SET status = 'unknown', receipt_id = gen_random_uuid(), finished_at = now(),
                                    params_sealed = NULL WHERE id = $1",
        )
        .bind(id.uuid())
        .execute(&mut *tx)
        .await?;
        Ok(platform::db::commit(tx).await?)
    }

    /// A digest over every row of an organization, in every table with rows of organizations.
    pub(crate) async fn digest(&self, org: OrgId) -> anyhow::Result<String> {
        let mut tx = self.app.app.db.begin(org).await?;
        let tables: Vec<String> = sqlx::query_scalar(TENANT_TABLES).fetch_all(&mut *tx).await?;
        // `last_used_at` of a token is excluded: it is shown to the token's owner only, and changes with the attempt
        // itself.
        let parts: Vec<String> = tables
            .iter()
            .map(|table| {
                format!("SELECT '{table}' || md5((to_jsonb(t) - 'last_used_at')::text) AS row FROM {table} t")
            })
            .collect();
        let all =
            format!("SELECT md5(string_agg(row, ',' ORDER BY row)) FROM ({}) x", parts.join(" UNION ALL "));
        Ok(sqlx::query_scalar(AssertSqlSafe(all)).fetch_one(&mut *tx).await?)
    }
}

fn bearer(secret: &str) -> Value {
    json!({"kind": "bearer", "secret": secret})
}

/// Connects a server that requires OAuth and begins the authorization, so that there is a row of it.
async fn authorize(app: &TestApp, owner: &str, guarded: &FakeMcp, name: &str) -> anyhow::Result<()> {
    let source = format!("authorized-of-{name}");
    let auth = json!({"kind": "oauth", "secret": format!("tokens-of-{name}")});
    let body = json!({"source": source, "kind": "mcp", "place": guarded.url(), "auth": auth});
    for (path, body) in
        [("/v1/connectors".to_owned(), Some(body)), (format!("/v1/connectors/{source}/authorize"), None)]
    {
        let done = app.send(Method::POST, &path, owner, body).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
    }
    Ok(())
}

/// The body of an answer to an invocation.
fn answer_body(path: &str, ids: &Ids) -> Option<Value> {
    match path.rsplit('/').next() {
        Some("approve" | "deny" | "endorse") => Some(json!({"shown_digest": ids.shown})),
        Some("discard" | "release") => Some(json!({"reason": "an example"})),
        Some("edit") => {
            let params = json!({"team_id": "11111111-1111-4111-8111-111111111111", "title": "Edited"});
            Some(json!({"shown_digest": ids.shown, "params": params}))
        }
        Some("reconcile") => Some(json!({"outcome": "failed", "evidence": "looked at the target"})),
        _ => None,
    }
}

/// The routes of a pending invocation.
const PENDING: [&str; 6] = [
    "/v1/inbox/{invocation}",
    "/v1/invocations/{invocation}/approve",
    "/v1/invocations/{invocation}/deny",
    "/v1/invocations/{invocation}/reveal",
    "/v1/invocations/{invocation}/edit",
    ENDORSED,
];
/// The route of a pending invocation that sends out what its session read before.
const ENDORSED: &str = "/v1/invocations/{invocation}/endorse";

/// Requests an invocation that waits for a person; returns its id and the digest of what was shown about it. What
/// it hides is revealed to the owner.
async fn wait(app: &TestApp, agent: &Agent, owner: &str, about: &str) -> anyhow::Result<(String, String)> {
    let params = json!({
        "team_id": "11111111-1111-4111-8111-111111111111", "title": "Wait", "description": about,
    });
    let asked = app.invoke(agent, "linear.create_issue", params).await?;
    anyhow::ensure!(asked.status == axum::http::StatusCode::ACCEPTED, "{}", asked.text);
    let id = text(&asked.body["id"])?;
    let item = app.send(Method::GET, &format!("/v1/inbox/{id}"), owner, None).await?;
    app.send(Method::POST, &format!("/v1/invocations/{id}/reveal"), owner, None).await?;
    Ok((id, testkit::shown_digest(&item.body)?))
}

/// The same for something that is sent out after its session has read what strangers may have written.
async fn wait_to_send(app: &TestApp, agent: &Agent, owner: &str) -> anyhow::Result<(String, String)> {
    app.invoke(agent, "linear.list_issues", json!({})).await?;
    let params = json!({"issue": "11111111-1111-4111-8111-111111111111", "body": "Seen"});
    // No grant is for a part of a batch.
    let parts = json!({"parts": [{"action": "linear.add_comment", "params": params}]});
    let asked = app.invoke(agent, "batch.run", parts).await?;
    anyhow::ensure!(asked.status == axum::http::StatusCode::ACCEPTED, "{}", asked.text);
    let id = text(&asked.body["id"])?;
    let item = app.send(Method::GET, &format!("/v1/inbox/{id}"), owner, None).await?;
    Ok((id, testkit::shown_digest(&item.body)?))
}

/// Invokes an action whose first attempt fails, so that there is a row for a failed attempt.
async fn try_twice(
    app: &TestApp,
    linear: &FakeLinear,
    agent: &Agent,
    key: &str,
) -> anyhow::Result<testkit::Answered> {
    linear.fail_next(503);
    let asked = app.invoke_keyed(agent, ("linear.list_issues", key), json!({})).await?;
    anyhow::ensure!(asked.status.is_success(), "{}", asked.text);
    Ok(asked)
}

/// Requests an invocation that is quarantined and held; returns its id.
async fn quarantine(app: &TestApp, agent: &Agent) -> anyhow::Result<String> {
    let params = json!({
        "team_id": "11111111-1111-4111-8111-111111111111",
        "title": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    });
    text(&app.invoke(agent, "linear.create_issue", params).await?.body["invocation"])
}

/// Requests a grant; returns the id of the request.
async fn ask(app: &TestApp, agent: &Agent) -> anyhow::Result<String> {
    let path = format!("/v1/sessions/{}/grants/request", agent.session);
    let body = json!({"action": "linear.create_issue", "reason": "triage"});
    let asked = app.send(Method::POST, &path, &agent.token, Some(body)).await?;
    text(&asked.body["id"])
}

/// Tables whose rows belong to an organization: all that have `org_id`, and `orgs` itself.
pub(crate) const TENANT_TABLES: &str = "
    SELECT c.relname::text FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND (c.relname = 'orgs' OR EXISTS (
          SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
      ))
    ORDER BY 1";

/// Publishes an event and has a consumer of a group read it; returns the event's id.
async fn publish(app: &TestApp, owner: &str, group: &str) -> anyhow::Result<String> {
    let event = json!({
        "specversion": "1.0", "id": "1", "source": "/drive", "type": "drive.file_added", "data": {}
    });
    let group = format!("/v1/event-groups/{group}");
    for (method, path, body) in [
        (Method::PUT, group.as_str(), json!({"filter": {"type": {"equals": "drive.file_added"}}})),
        (Method::POST, "/v1/events", event),
    ] {
        let done = app.send(method, path, owner, Some(body)).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
    }
    let body = json!({"consumer": "one", "wait": "10s"});
    let read = app.send(Method::POST, &format!("{group}/read"), owner, Some(body)).await?;
    text(&read.body["items"][0]["event"]["eventid"])
}

/// Adds a mail notifier, a link to a Slack user, a notice and a recorded click; returns the ids of the notifier and of
/// the Slack user.
async fn tell(
    app: &TestApp,
    (id, owner): (OrgId, &str),
    user: &Value,
    name: &str,
) -> anyhow::Result<(String, String)> {
    let body = json!({"kind": "email", "target": format!("{name}@example.test")});
    let notifier = text(&app.send(Method::POST, "/v1/notifiers", owner, Some(body)).await?.body["id"])?;
    let slack_user = format!("U0OF{}", name.to_uppercase());
    let path = format!("/v1/slack/people/{slack_user}");
    let linked = app.send(Method::PUT, &path, owner, Some(json!({"user": user}))).await?;
    anyhow::ensure!(linked.status.is_success(), "{}", linked.text);
    let mut tx = app.app.db.begin(id).await?;
    sqlx::query(
        "INSERT INTO notices (org_id, id, notifier_id, kind, subject, status, created_at)
         VALUES ($1, gen_random_uuid(), $2, 'asked', 'inv_x', 'sent', now())",
    )
    .bind(id.uuid())
    .bind(notifier.parse::<model::NotifierId>()?.uuid())
    .execute(&mut *tx)
    .await?;
    sqlx::query("INSERT INTO slack_clicks VALUES ($1, '\\x00', now())")
        .bind(id.uuid())
        .execute(&mut *tx)
        .await?;
    platform::db::commit(tx).await?;
    Ok((notifier, slack_user))
}

/// Gives a user a passkey, as if a device had created one.
async fn passkey(app: &TestApp, org: OrgId, user: &str) -> anyhow::Result<String> {
    let id = model::PasskeyId::from_uuid(app.app.world.uuid());
    let made = tenancy::Passkey {
        id,
        user: user.parse()?,
        name: "laptop".to_owned(),
        credential: id.uuid().as_bytes().to_vec(),
        public_key: testkit::Passkey::new(7)?.public_key(),
        signed: 0,
        created_at: app.app.world.clock.now(),
        last_used_at: None,
        confirmed_at: None,
        confirmed_by: None,
        removed_at: None,
    };
    let mut tx = app.app.db.begin(org).await?;
    app.app.tenancy.add_passkey(&mut tx, &Author::operator(org), &made, 0).await?;
    platform::db::commit(tx).await?;
    Ok(id.to_string())
}

async fn newest_change(app: &TestApp, owner: &str) -> anyhow::Result<String> {
    let found = app.send(Method::GET, "/v1/changes?limit=1", owner, None).await?;
    text(&found.body["items"][0]["id"])
}

/// A change that waits for a second owner, with its digest. To be withdrawn, it is proposed by this person if they are of
/// the organization; otherwise by somebody else.
async fn proposed(
    app: &TestApp,
    (org, owner): (OrgId, &str),
    (path, whose): (&str, &str),
) -> anyhow::Result<(String, String)> {
    let other = app.person(org, Role::Admin).await?;
    let wanted = if path.ends_with("/withdraw") { whose } else { &other };
    let proposer = match app.app.tenancy.authenticate(wanted).await {
        Ok(Caller::Person(person)) if person.org == org => person,
        _ => match app.app.tenancy.authenticate(owner).await? {
            Caller::Person(person) => person,
            Caller::Session { .. } => anyhow::bail!("an owner is a person"),
        },
    };
    let rule = json!({"action": "sentry.*", "mode": "allow"});
    let asked =
        Asked { method: "PUT".to_owned(), path: "/v1/rules".to_owned(), body: rule.to_string().into_bytes() };
    let proposal = Proposal {
        change: "rule.set".to_owned(),
        subject: "new".to_owned(),
        name: "sentry.*".to_owned(),
        before: None,
        after: Some(rule),
        loosens: "allows without asking".to_owned(),
        digest: model::Digest::of_bytes(b"a test"),
    };
    let kept = app.app.oversight.propose(&proposer, asked, proposal).await?;
    Ok((kept.id.to_string(), kept.proposal.digest.to_string()))
}

/// Opens a session for an agent with a name of its own, and stops the agent.
async fn stopped_agent(app: &TestApp, owner: &str, name: &str) -> anyhow::Result<String> {
    let agent = format!("agent-of-{name}");
    let session = json!({"agent": agent, "kind": "interactive"});
    let stop = json!({"scope": "agent", "subject": agent, "conduct": "halted", "reason": "a test"});
    for (method, path, body) in [(Method::POST, "/v1/sessions", session), (Method::PUT, "/v1/conduct", stop)]
    {
        let done = app.send(method, path, owner, Some(body)).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
    }
    Ok(agent)
}

/// Creates one object of every kind in an organization.
#[expect(clippy::too_many_lines, reason = "one object of every kind")]
async fn furnish(
    app: &TestApp,
    (id, owner): (OrgId, &str),
    (linear, mcp): (&FakeLinear, &FakeMcp),
    name: &str,
) -> anyhow::Result<Org> {
    let send = |method, path: String, body: Value| async move {
        let done = app.send(method, &path, owner, Some(body)).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
        Ok(done.body)
    };
    for (source, token) in [("linear", TOKEN), ("github", "a-credential-of-github")] {
        let body = json!({"name": source, "token": token});
        send(Method::PUT, format!("/v1/connections/{source}"), body).await?;
    }
    let secret = format!("secret-of-{name}");
    send(Method::PUT, format!("/v1/secrets/{secret}"), json!({"value": "a-value-to-keep"})).await?;
    let rule =
        send(Method::PUT, "/v1/rules".to_owned(), json!({"action": "slack.*", "mode": "deny"})).await?;
    let policies = policies::furnish(app, (id, owner), name).await?;
    models::furnish(app, (id, owner), name).await?;
    let connector = format!("server-of-{name}");
    let body = json!({"source": connector, "kind": "mcp", "place": mcp.url(), "auth": bearer(&secret)});
    send(Method::POST, "/v1/connectors".to_owned(), body).await?;
    let detail = app.send(Method::GET, &format!("/v1/connectors/{connector}"), owner, None).await?.body;
    let tool = &detail["tools"][0];
    let space = json!({"slug": "second", "name": "Second", "risk_band": "green"});
    let space = send(Method::POST, "/v1/spaces".to_owned(), space).await?;
    let token = send(Method::POST, "/v1/tokens".to_owned(), json!({"name": "second"})).await?;
    let (admin, member) = (app.person(id, Role::Admin).await?, app.person(id, Role::Member).await?);
    let user = app.send(Method::GET, "/v1/me", &member, None).await?.body["user"].clone();
    let listed = format!("/v1/spaces/{}/members/{}", text(&space["id"])?, text(&user)?);
    send(Method::PUT, listed, json!({"capabilities": ["linear:*"]})).await?;
    let (notifier, slack_user) = tell(app, (id, owner), &user, name).await?;
    let (agent, other) = (app.agent_of(owner).await?, app.agent_of(owner).await?);
    let asked = try_twice(app, linear, &agent, &format!("key-of-{name}")).await?;
    quarantine(app, &other).await?;
    // A denied invocation, so that there is a vote, and a hidden value that was revealed.
    let (waiting, shown) = wait(app, &other, owner, "password=of-the-door").await?;
    send(Method::POST, format!("/v1/invocations/{waiting}/deny"), json!({"shown_digest": shown})).await?;
    // Another one waits, because the body of the denied one is erased with what was shown of it.
    wait(app, &other, owner, "something else").await?;
    let (sending, shown) = wait_to_send(app, &other, owner).await?;
    send(Method::POST, format!("/v1/invocations/{sending}/endorse"), json!({"shown_digest": shown})).await?;
    let event = publish(app, owner, &format!("workers-of-{name}")).await?;
    let grant = send(Method::POST, "/v1/grants".to_owned(), json!({"action": "linear.archive_issue"}));
    let webhook = json!({"url": "http://127.0.0.1:1/hook"});
    let webhook = text(&send(Method::POST, "/v1/webhooks".to_owned(), webhook).await?["webhook"]["id"])?;
    let delivery = send(Method::POST, format!("/v1/webhooks/{webhook}/test"), Value::Null).await?;
    let (automation, trigger, run) = automations::furnish(app, (id, owner)).await?;
    let ids = Ids {
        automation,
        trigger,
        run,
        webhook,
        delivery: text(&delivery["id"])?,
        org: id.to_string(),
        notifier,
        slack_user,
        grant: text(&grant.await?["id"])?,
        request: ask(app, &agent).await?,
        shown,
        session: agent.session.clone(),
        invocation: text(&asked.body["id"])?,
        receipt: text(&asked.body["receipt"])?,
        change: newest_change(app, owner).await?,
        proposed: proposed(app, (id, owner), ("", owner)).await?,
        artifact: crate::ledger::artifacts::kept(app, &agent, name).await?.0,
        space: text(&space["id"])?,
        user: text(&user)?,
        token: text(&token["id"])?,
        passkey: passkey(app, id, &text(&user)?).await?,
        invitation: invitation(app, owner).await?,
        rule: text(&rule["id"])?,
        policy: policies.policy,
        fact: policies.fact,
        case: policies.case,
        consent: policies.consent,
        secret,
        tool: (text(&tool["shape_hash"])?, text(&tool["text_hash"])?),
        connector,
        provider: "github".to_owned(),
        group: format!("workers-of-{name}"),
        event,
        agent: stopped_agent(app, owner, name).await?,
        key: format!("key-of-{name}"),
    };
    app.app.pipeline.add_up_facts().await?;
    Ok(Org { id, owner: owner.to_owned(), admin, member, agent, other, ids })
}
