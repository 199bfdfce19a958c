//! Access control: one table of routes and permissions, and the check that enforces it.

use std::time::Duration;

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, Method, header::AUTHORIZATION, request::Parts},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use model::{MemberKind, Role, SessionId};
use tenancy::{Caller, Tenancy};
use tokio::time::Instant;

use crate::{
    App,
    browser::{self, Cookie},
    problem::Answer,
    second_person::{self, Replay},
};

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Anyone. No token is required.
    Public,
    /// The session itself.
    OwnSession,
    /// Any session that has not ended. The path contains no session ID.
    LivingSession,
    /// The session itself, or a person with this role or a higher one.
    OwnSessionOr(Role),
    /// A person or a service account with this role or a higher one.
    Person(Role),
    /// A person with this role or a higher one: what a service account has no voice in.
    Human(Role),
}

/// Every route with its permission. A route that is not listed here is refused for everyone.
const TABLE: &[(Method, &str, Access)] = {
    use Access::{Human, LivingSession, OwnSession, OwnSessionOr, Person, Public};
    use Role::{Admin, Member, Owner};
    &[
        (Method::GET, "/healthz", Public),
        (Method::GET, "/readyz", Public),
        (Method::GET, "/docs", Public),
        (Method::GET, "/docs/reader.js", Public),
        (Method::GET, "/docs/problems", Public),
        (Method::GET, "/v1/openapi.json", Public),
        (Method::GET, "/.well-known/countersign-keys.json", Public),
        (Method::GET, "/v1/me", OwnSessionOr(Member)),
        // Signing in.
        (Method::GET, "/v1/signin", Public),
        (Method::POST, "/v1/signin", Public),
        (Method::DELETE, "/v1/signin", Person(Member)),
        (Method::POST, "/v1/signin/org", Person(Member)),
        (Method::POST, "/v1/signin/passkey", Human(Member)),
        (Method::GET, "/v1/signin/oidc", Public),
        (Method::GET, "/v1/signin/oidc/callback", Public),
        (Method::GET, "/v1/sessions/{session}/actions/available", OwnSessionOr(Member)),
        (Method::GET, "/v1/sessions/{session}/actions/guide/{source}", OwnSessionOr(Member)),
        (Method::POST, "/v1/sessions/{session}/actions/invoke", OwnSession),
        (Method::GET, "/v1/sessions/{session}/invocations", OwnSessionOr(Member)),
        (Method::GET, "/v1/sessions/{session}/invocations/{invocation}", OwnSessionOr(Member)),
        (Method::GET, "/v1/sessions/{session}/invocations/{invocation}/decision", OwnSessionOr(Member)),
        (Method::POST, "/v1/sessions/{session}/grants/request", OwnSession),
        (Method::GET, "/v1/sessions/{session}/grants/requests/{request}", OwnSessionOr(Member)),
        (Method::POST, "/mcp", LivingSession),
        (Method::GET, "/v1/inbox", Person(Member)),
        (Method::GET, "/v1/inbox/pace", Person(Member)),
        (Method::GET, "/v1/inbox/{invocation}", Person(Member)),
        (Method::GET, "/v1/invocations", Person(Member)),
        (Method::GET, "/v1/invocations/{invocation}", Person(Member)),
        (Method::GET, "/v1/invocations/{invocation}/attempts", Person(Member)),
        (Method::POST, "/v1/invocations/{invocation}/approve", Human(Admin)),
        (Method::POST, "/v1/invocations/{invocation}/reveal", Human(Admin)),
        (Method::POST, "/v1/invocations/{invocation}/edit", Human(Admin)),
        (Method::POST, "/v1/invocations/{invocation}/endorse", Human(Admin)),
        (Method::POST, "/v1/invocations/{invocation}/deny", Human(Admin)),
        (Method::POST, "/v1/invocations/{invocation}/discard", Human(Admin)),
        (Method::POST, "/v1/invocations/{invocation}/release", Human(Admin)),
        (Method::POST, "/v1/invocations/{invocation}/reconcile", Human(Admin)),
        (Method::GET, "/v1/grants", Person(Admin)),
        (Method::POST, "/v1/grants", Human(Admin)),
        (Method::DELETE, "/v1/grants/{grant}", Person(Admin)),
        (Method::POST, "/v1/grant-requests/{request}/answer", Human(Admin)),
        (Method::GET, "/v1/org", Person(Member)),
        (Method::PATCH, "/v1/org", Person(Owner)),
        (Method::GET, "/v1/sessions", Person(Member)),
        (Method::POST, "/v1/sessions", Person(Member)),
        (Method::GET, "/v1/sessions/{session}", OwnSessionOr(Member)),
        (Method::DELETE, "/v1/sessions/{session}", Person(Member)),
        (Method::GET, "/v1/spaces", Person(Member)),
        (Method::POST, "/v1/spaces", Person(Admin)),
        (Method::PATCH, "/v1/spaces/{space}", Person(Admin)),
        (Method::GET, "/v1/spaces/{space}/members", Person(Member)),
        (Method::PUT, "/v1/spaces/{space}/members/{user}", Person(Admin)),
        (Method::DELETE, "/v1/spaces/{space}/members/{user}", Person(Admin)),
        (Method::GET, "/v1/members", Person(Member)),
        (Method::POST, "/v1/service-accounts", Person(Owner)),
        (Method::GET, "/v1/invitations", Person(Owner)),
        (Method::POST, "/v1/invitations", Human(Owner)),
        (Method::POST, "/v1/invitations/{invitation}/link", Human(Owner)),
        (Method::DELETE, "/v1/invitations/{invitation}", Person(Owner)),
        // Whoever joins is authenticated by the link.
        (Method::POST, "/v1/join/look", Public),
        (Method::POST, "/v1/join", Public),
        (Method::PATCH, "/v1/members/{user}", Person(Owner)),
        (Method::DELETE, "/v1/members/{user}", Person(Owner)),
        (Method::GET, "/v1/members/{user}/tokens", Person(Owner)),
        (Method::POST, "/v1/members/{user}/tokens", Human(Owner)),
        (Method::GET, "/v1/all-tokens", Person(Owner)),
        (Method::GET, "/v1/tokens", Person(Member)),
        (Method::POST, "/v1/tokens", Human(Member)),
        (Method::DELETE, "/v1/tokens/{token}", Person(Member)),
        (Method::GET, "/v1/passkeys", Person(Member)),
        (Method::POST, "/v1/passkeys", Human(Member)),
        (Method::POST, "/v1/passkeys/registration", Human(Member)),
        (Method::POST, "/v1/passkeys/{passkey}/confirm", Human(Admin)),
        (Method::DELETE, "/v1/passkeys/{passkey}", Person(Owner)),
        (Method::GET, "/v1/agents", Person(Member)),
        (Method::GET, "/v1/agents/{agent}", Person(Member)),
        (Method::GET, "/v1/proposed-changes", Person(Member)),
        (Method::GET, "/v1/proposed-changes/{proposed}", Person(Member)),
        (Method::POST, "/v1/proposed-changes/{proposed}/approve", Human(Owner)),
        (Method::POST, "/v1/proposed-changes/{proposed}/deny", Human(Owner)),
        (Method::POST, "/v1/proposed-changes/{proposed}/withdraw", Person(Admin)),
        (Method::GET, "/v1/conduct", Person(Member)),
        (Method::PUT, "/v1/conduct", Person(Admin)),
        (Method::GET, "/v1/rules", Person(Admin)),
        (Method::PUT, "/v1/rules", Person(Admin)),
        (Method::DELETE, "/v1/rules/{rule}", Person(Admin)),
        (Method::GET, "/v1/policies", Person(Admin)),
        (Method::PUT, "/v1/policies/{policy}", Person(Admin)),
        (Method::DELETE, "/v1/policies/{policy}", Person(Admin)),
        (Method::POST, "/v1/policies/check", Person(Admin)),
        (Method::GET, "/v1/policies/schema", Person(Admin)),
        (Method::GET, "/v1/policies/reports", Person(Admin)),
        (Method::POST, "/v1/policies/backtest", Person(Admin)),
        (Method::POST, "/v1/policies/compare", Person(Admin)),
        (Method::GET, "/v1/policy-suggestions", Person(Admin)),
        (Method::GET, "/v1/policy-starters", Person(Admin)),
        (Method::GET, "/v1/facts", Person(Admin)),
        (Method::PUT, "/v1/facts/{fact}", Person(Admin)),
        (Method::DELETE, "/v1/facts/{fact}", Person(Admin)),
        (Method::GET, "/v1/policy-cases", Person(Admin)),
        (Method::PUT, "/v1/policy-cases/{case}", Person(Admin)),
        (Method::DELETE, "/v1/policy-cases/{case}", Person(Admin)),
        (Method::GET, "/v1/gates", Person(Admin)),
        (Method::PUT, "/v1/gates", Person(Admin)),
        (Method::GET, "/v1/consents", Person(Admin)),
        (Method::POST, "/v1/consents", Person(Admin)),
        (Method::DELETE, "/v1/consents/{consent}", Person(Admin)),
        (Method::GET, "/v1/policy/matrix", Person(Admin)),
        (Method::GET, "/v1/integrations", Person(Member)),
        (Method::GET, "/v1/sources", Person(Member)),
        (Method::GET, "/v1/sources/{source}", Person(Member)),
        (Method::GET, "/v1/overview", Person(Member)),
        (Method::GET, "/v1/automations", Person(Member)),
        (Method::POST, "/v1/automations", Person(Member)),
        (Method::POST, "/v1/automations/validate", Person(Member)),
        (Method::POST, "/v1/automations/propose", Person(Member)),
        (Method::GET, "/v1/automations/{automation}", Person(Member)),
        (Method::PATCH, "/v1/automations/{automation}", Person(Member)),
        (Method::GET, "/v1/automations/{automation}/versions", Person(Member)),
        (Method::GET, "/v1/automations/{automation}/flows", Person(Member)),
        (Method::GET, "/v1/flow/report", Person(Admin)),
        (Method::POST, "/v1/automations/{automation}/runs", Person(Member)),
        (Method::POST, "/v1/triggers/{trigger}/rotate", Person(Member)),
        (Method::DELETE, "/v1/triggers/{trigger}/token", Person(Member)),
        (Method::GET, "/v1/runs", Person(Member)),
        (Method::GET, "/v1/runs/{run}", Person(Member)),
        (Method::GET, "/v1/runs/{run}/steps/{step}/transcript", Person(Member)),
        (Method::POST, "/v1/runs/{run}/cancel", Person(Member)),
        (Method::POST, "/v1/runs/{run}/rerun", Person(Member)),
        // A webhook request is authenticated by the token of its trigger, which belongs to no person.
        (Method::POST, "/v1/hooks/{trigger}", Public),
        (Method::GET, "/v1/schemas/automation/1.0", Public),
        (Method::GET, "/v1/connectors", Person(Admin)),
        (Method::POST, "/v1/connectors", Person(Admin)),
        (Method::GET, "/v1/connectors/{connector}", Person(Admin)),
        (Method::PATCH, "/v1/connectors/{connector}", Person(Admin)),
        (Method::DELETE, "/v1/connectors/{connector}", Person(Admin)),
        (Method::POST, "/v1/connectors/{connector}/harvest", Person(Admin)),
        (Method::POST, "/v1/connectors/{connector}/review", Person(Admin)),
        (Method::POST, "/v1/connectors/{connector}/authorize", Person(Admin)),
        (Method::GET, "/v1/model-presets", Person(Admin)),
        (Method::GET, "/v1/models", Person(Admin)),
        (Method::GET, "/v1/models/spending", Person(Admin)),
        (Method::PUT, "/v1/models/{provider}", Person(Admin)),
        (Method::POST, "/v1/models/{provider}/test", Person(Admin)),
        (Method::DELETE, "/v1/models/{provider}", Person(Admin)),
        // A redirected browser brings no cookie; the page that it is sent on to does.
        (Method::GET, "/v1/oauth/callback", Public),
        (Method::POST, "/v1/oauth/finish", Human(Admin)),
        (Method::GET, "/v1/events", Person(Member)),
        (Method::POST, "/v1/events", Person(Member)),
        (Method::GET, "/v1/events/stream", Person(Member)),
        (Method::GET, "/v1/event-groups", Person(Member)),
        (Method::GET, "/v1/event-groups/{group}", Person(Member)),
        (Method::PUT, "/v1/event-groups/{group}", Person(Admin)),
        (Method::DELETE, "/v1/event-groups/{group}", Person(Admin)),
        (Method::POST, "/v1/event-groups/{group}/read", Person(Member)),
        (Method::POST, "/v1/event-groups/{group}/ack", Person(Member)),
        (Method::POST, "/v1/event-groups/{group}/nack", Person(Member)),
        (Method::POST, "/v1/event-groups/{group}/claim", Person(Member)),
        (Method::GET, "/v1/event-groups/{group}/dead-letters", Person(Member)),
        (Method::POST, "/v1/event-groups/{group}/dead-letters/revive", Person(Admin)),
        (Method::POST, "/v1/event-groups/{group}/replay", Person(Admin)),
        (Method::GET, "/v1/notifiers", Person(Admin)),
        (Method::POST, "/v1/notifiers", Person(Admin)),
        (Method::DELETE, "/v1/notifiers/{notifier}", Person(Admin)),
        (Method::POST, "/v1/notifiers/{notifier}/test", Person(Admin)),
        // A linked Slack user can vote as the member.
        (Method::GET, "/v1/slack/people", Person(Owner)),
        (Method::PUT, "/v1/slack/people/{slack_user}", Person(Owner)),
        (Method::DELETE, "/v1/slack/people/{slack_user}", Person(Owner)),
        // Slack has no token; its requests are authenticated by their signature.
        (Method::POST, "/v1/slack/{org}/interactions", Public),
        (Method::GET, "/v1/connections", Person(Admin)),
        (Method::PUT, "/v1/connections/{provider}", Person(Admin)),
        (Method::DELETE, "/v1/connections/{provider}", Person(Admin)),
        (Method::GET, "/v1/secrets", Person(Admin)),
        (Method::PUT, "/v1/secrets/{name}", Person(Admin)),
        (Method::DELETE, "/v1/secrets/{name}", Person(Admin)),
        (Method::PUT, "/v1/secrets/{name}/audience/{connector}", Person(Admin)),
        (Method::DELETE, "/v1/secrets/{name}/audience/{connector}", Person(Admin)),
        (Method::GET, "/v1/webhooks", Person(Admin)),
        (Method::POST, "/v1/webhooks", Person(Admin)),
        (Method::GET, "/v1/webhooks/{webhook}", Person(Admin)),
        (Method::PATCH, "/v1/webhooks/{webhook}", Person(Admin)),
        (Method::DELETE, "/v1/webhooks/{webhook}", Person(Admin)),
        (Method::POST, "/v1/webhooks/{webhook}/rotate", Person(Admin)),
        (Method::POST, "/v1/webhooks/{webhook}/test", Person(Admin)),
        (Method::GET, "/v1/webhooks/{webhook}/deliveries", Person(Admin)),
        (Method::POST, "/v1/webhooks/{webhook}/deliveries/{delivery}/resend", Person(Admin)),
        (Method::GET, "/v1/receipts", Person(Member)),
        (Method::GET, "/v1/receipts/{receipt}", OwnSessionOr(Member)),
        (Method::GET, "/v1/receipts/{receipt}/bundle", OwnSessionOr(Member)),
        (Method::GET, "/v1/artifacts/{digest}", OwnSessionOr(Member)),
        (Method::GET, "/v1/ledger/entries", Person(Member)),
        (Method::GET, "/v1/ledger/bundles", Person(Member)),
        (Method::GET, "/v1/ledger/changes", Person(Member)),
        (Method::GET, "/v1/changes", Person(Member)),
        (Method::GET, "/v1/changes/{change}", Person(Member)),
        (Method::GET, "/v1/changes/{change}/bundle", Person(Member)),
        // Hashes and signatures are public: anyone with a receipt must be able to verify it without authentication.
        (Method::GET, "/v1/ledger/checkpoint", Public),
        (Method::GET, "/v1/ledger/checkpoints", Public),
        (Method::GET, "/v1/ledger/tile/{*path}", Public),
        (Method::GET, "/v1/ledger/inclusion", Public),
        (Method::GET, "/v1/ledger/consistency", Public),
    ]
};

/// For so long a check of the credential counts: less than the second in which a revocation is in force.
pub(crate) const JUST_CHECKED: Duration = Duration::from_millis(500);

/// Public routes that are not limited.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// The table, for tests that compare it with the routes.
pub const fn table() -> &'static [(Method, &'static str, Access)] {
    TABLE
}

/// Authenticates the caller and checks the permission, before any handler runs.
pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let (mut head, body) = request.into_parts();
    app.public.locate(&mut head);
    match admit(&app, &head).await {
        Err(answer) => answer.into_response(),
        Ok(caller) => {
            if let Some(caller) = caller {
                head.extensions.insert(caller);
            }
            second_person::run(&app, head, body, next).await
        }
    }
}

async fn admit(app: &App, request: &Parts) -> Result<Option<Caller>, Answer> {
    let path = request.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    let access = path.and_then(|path| {
        table()
            .iter()
            .find(|(method, known, _)| *method == request.method && *known == path)
            .map(|(_, _, access)| *access)
    });
    let access = access.ok_or_else(Answer::no_route)?;
    if access == Access::Public {
        // Whoever probes a gateway must not find it dead because others have asked too often.
        if !path.is_some_and(|path| PROBES.contains(&path)) {
            app.public.admit(request)?;
        }
        return Ok(None);
    }
    let caller = match request.extensions.get::<Replay>() {
        Some(Replay(person)) => Caller::Person(person.clone()),
        None => present(app, request).await?,
    };
    match (&caller, access) {
        (
            Caller::Session { session, .. },
            Access::OwnSession | Access::LivingSession | Access::OwnSessionOr(_),
        ) => {
            is_own_session(request, *session)?;
            // The pipeline checks this itself, in the transaction that records the invocation.
            if access != Access::OwnSession {
                is_alive(app, &caller, *session).await?;
            }
        }
        (Caller::Person(person), Access::Person(least) | Access::OwnSessionOr(least))
            if person.role >= least => {}
        (Caller::Person(person), Access::Human(least)) if person.role >= least => {
            if person.kind == MemberKind::Service {
                return Err(tenancy::Error::ServiceAccount.into());
            }
        }
        _ => return Err(Answer::forbidden(access)),
    }
    Ok(Some(caller))
}

async fn present(app: &App, request: &Parts) -> Result<Caller, Answer> {
    let presented = Presented::by(app, &request.headers)?;
    if let Presented::Cookie(_) = presented {
        browser::may(&request.method, &request.headers, app.web.public_url.as_ref())?;
    }
    Ok(presented.caller(&app.tenancy).await?)
}

/// The credential of a caller.
pub(crate) enum Presented {
    /// A token.
    Token(String),
    /// A browser's cookie.
    Cookie(String),
}

impl Presented {
    /// The credential of a request. A token takes precedence over a cookie.
    pub(crate) fn by(app: &App, headers: &HeaderMap) -> Result<Self, Answer> {
        // Agents send a token with every request and never a cookie.
        if !headers.contains_key(AUTHORIZATION)
            && let Some(cookie) = Cookie::SignedIn.read(headers, app.web.public_url.as_ref())
        {
            return Ok(Self::Cookie(cookie.to_owned()));
        }
        Ok(Self::Token(token(headers)?.to_owned()))
    }

    /// The caller that the credential authenticates.
    pub(crate) async fn caller(&self, tenancy: &Tenancy) -> Result<Caller, tenancy::Error> {
        match self {
            Self::Token(token) => tenancy.authenticate(token).await,
            Self::Cookie(cookie) => tenancy.authenticate_browser(cookie).await,
        }
    }
}

/// Checks the credential of a request again if it waited since this moment: what happened meanwhile is not told to somebody
/// whose credential was revoked meanwhile.
pub(crate) async fn check_again(app: &App, headers: &HeaderMap, since: Instant) -> Result<(), Answer> {
    if since.elapsed() > JUST_CHECKED {
        Presented::by(app, headers)?.caller(&app.tenancy).await?;
    }
    Ok(())
}

/// The bearer token of a request.
pub(crate) fn token(headers: &HeaderMap) -> Result<&str, Answer> {
    let header = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    header
        .and_then(|value| value.strip_prefix("Bearer "))
        .ok_or_else(|| tenancy::Error::Unauthenticated.into())
}

/// To a session, other sessions do not exist.
fn is_own_session(request: &Parts, own: SessionId) -> Result<(), Answer> {
    let mut parts = request.uri.path().split('/').skip(2);
    let names_another =
        parts.next() == Some("sessions") && parts.next().is_some_and(|id| id != own.to_string());
    if names_another { Err(tenancy::Error::NotFound("session").into()) } else { Ok(()) }
}

async fn is_alive(app: &App, caller: &Caller, session: SessionId) -> Result<(), Answer> {
    let session = app.tenancy.session(caller.org(), session).await?;
    if session.is_over(app.world.clock.now()) { Err(pipeline::Error::SessionOver.into()) } else { Ok(()) }
}
