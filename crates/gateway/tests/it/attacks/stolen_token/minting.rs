//! Nothing is minted: every operation of the API with every stolen credential, and requests that would widen what the
//! thief may do.

use axum::http::{Method, StatusCode};
use model::Role;
use serde_json::{Value, json};
use testkit::Passkey;

use super::{
    super::tenancy::setup::Ids, AUTHORITY, CREDENTIALS, Credential, Response, Theft, Victim, operations,
    report, send, text,
};

/// What a stolen token can make that stays when it is revoked, each with the reason why that is bounded. Everything else
/// is refused or waits. Each leaves a change record that names the token.
const LASTING: &[(&str, &str)] = &[
    (
        "POST /v1/automations",
        "the token of a webhook trigger starts runs of one automation, which ask as always",
    ),
    ("POST /v1/triggers/{trigger}/rotate", "the same"),
    ("POST /v1/grants", "an approver's answer in advance, for 25 calls and 24 hours unless said otherwise"),
    ("POST /v1/grant-requests/{request}/answer", "the same"),
    ("POST /v1/invocations/{invocation}/approve", "the same"),
];

fn is_lasting(operation: &str) -> bool {
    LASTING.iter().any(|(known, _)| *known == operation)
}

impl Theft {
    async fn found(&self, query: &'static str) -> anyhow::Result<Vec<String>> {
        let mut tx = self.stage.app.app.db.begin(self.stage.a.id).await?;
        Ok(sqlx::query_scalar(query).fetch_all(&mut *tx).await?)
    }

    /// Whether a credential works at any of the gateways, in whatever place it can be used.
    async fn works(&self, credential: &Credential) -> anyhow::Result<bool> {
        let mut works = false;
        for gateway in &self.gateways {
            let me = send(gateway, credential, (&Method::GET, "/v1/me"), None).await?;
            works |= me.status.is_success();
            let Credential::Token(token) = credential else { continue };
            let tools = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
            works |=
                send(gateway, credential, (&Method::POST, "/mcp"), Some(&tools)).await?.status.is_success();
            let nobody = Credential::Token(String::new());
            for path in ["/v1/join/look", "/v1/signin"] {
                let body = json!({ "token": token });
                works |=
                    send(gateway, &nobody, (&Method::POST, path), Some(&body)).await?.status.is_success();
            }
            let as_cookie = Credential::Cookie(format!("countersign-7878={token}"));
            works |= send(gateway, &as_cookie, (&Method::GET, "/v1/me"), None).await?.status.is_success();
        }
        Ok(works)
    }
}

/// New elements.
fn added(before: &[String], after: &[String]) -> Vec<String> {
    after.iter().filter(|one| !before.contains(one)).cloned().collect()
}

#[tokio::test]
async fn no_operation_gives_a_thief_another_credential() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    let victims = theft.victims().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    for victim in &victims {
        let mut got = Vec::new();
        super::withdraw_all(&theft.stage.app, theft.stage.a.id).await?;
        for operation in operations() {
            let name = format!("{} {}", operation.method, operation.path);
            // Signing out is no use to a thief.
            if name == "DELETE /v1/signin" {
                continue;
            }
            tried += 1;
            theft.loosening("one").await?;
            let ids = match victim.reaches(&operation) {
                true => theft.stage.prepare(&operation, &theft.stage.a.owner).await?,
                false => theft.stage.a.ids.clone(),
            };
            theft.loosening("two_people").await?;
            let (ids, before) = (victim.ids(ids), theft.found(CREDENTIALS).await?);
            let (path, body) = (operation.filled(&ids)?, operation.body(&format!("n{tried}"), &ids)?);
            let gateway = &theft.gateways[tried % 3];
            let answer = send(gateway, &victim.credential, (&operation.method, &path), body.as_ref()).await?;
            let made = added(&before, &theft.found(CREDENTIALS).await?);
            if !made.is_empty() && !is_lasting(&name) {
                wrong.push(format!("{} made {made:?} with {name}: {}", victim.name, answer.text));
            }
            if !is_lasting(&name) {
                got.extend(answer.credentials().into_iter().map(|found| (name.clone(), found)));
            }
        }
        theft.revoke(victim).await?;
        for (name, credential) in got {
            tried += 1;
            if theft.works(&credential).await? {
                wrong.push(format!("{}: what {name} returned works after the revocation", victim.name));
            }
        }
    }
    report("every operation with every stolen credential", tried, &wrong);
    Ok(())
}

/// A request that would give a thief more than they stole.
#[derive(Clone)]
struct Act {
    name: &'static str,
    method: Method,
    path: String,
    body: Value,
}

fn act(name: &'static str, method: Method, path: &str, body: Value) -> Act {
    Act { name, method, path: path.to_owned(), body }
}

/// Requests that mint or widen.
fn acts(theft: &Theft, victim: &Victim) -> Vec<Act> {
    let ids = &theft.stage.a.ids;
    let own = victim.user.clone().unwrap_or_else(|| ids.user.clone());
    let mut all = [credentials(ids, &own), people(ids, &own), rules(ids), secrets(ids)].concat();
    all.retain(|act| act.name != "a higher role" || victim.role != Some(Role::Owner));
    // An owner or admin may use everything in every space; a member and an agent may not.
    if !matches!(victim.role, Some(Role::Admin | Role::Owner)) {
        let open = |mut body: Value| {
            (body["agent"], body["kind"]) = (json!("mine"), json!("unattended"));
            body
        };
        let everything = open(json!({ "capabilities": ["*"] }));
        let elsewhere = open(json!({ "space": ids.space, "capabilities": ["slack:*"] }));
        all.push(act("a session for everything", Method::POST, "/v1/sessions", everything));
        all.push(act("a session in another space", Method::POST, "/v1/sessions", elsewhere));
    }
    all
}

/// What signs in later.
fn credentials(ids: &Ids, own: &str) -> Vec<Act> {
    let post = |name, path: &str, body| act(name, Method::POST, path, body);
    let assertion = json!({
        "at": "2026-11-18T00:00:00Z", "credential": "AAAA", "client_data": "AAAA", "authenticator_data": "AAAA",
        "signature": "AAAA",
    });
    vec![
        post("a token", "/v1/tokens", json!({ "name": "mine" })),
        post("a token for ever", "/v1/tokens", json!({ "name": "m", "lifetime_s": 31_622_400 })),
        post("a token of a member", &format!("/v1/members/{}/tokens", ids.user), json!({ "name": "m" })),
        post("a passkey confirmed", &format!("/v1/passkeys/{}/confirm", ids.passkey), Value::Null),
        post("another organization", "/v1/signin/org", json!({ "org": "another" })),
        post("a fresh sign-in", "/v1/signin/passkey", assertion),
        post("a finished authorization", "/v1/oauth/finish", json!({ "code": "x", "state": "y" })),
        act("a Slack user", Method::PUT, "/v1/slack/people/U0THIEF", json!({ "user": own })),
    ]
}

/// Who belongs to the organization and its spaces, and as what.
fn people(ids: &Ids, own: &str) -> Vec<Act> {
    let (post, patch) = (Method::POST, Method::PATCH);
    let invited = json!({ "email": "thief@example.test", "name": "Thief", "role": "owner" });
    let link = format!("/v1/invitations/{}/link", ids.invitation);
    let program = json!({ "name": "mine", "role": "admin" });
    let (member, accomplice) = (format!("/v1/members/{own}"), format!("/v1/members/{}", ids.user));
    let space = format!("/v1/spaces/{}", ids.space);
    let listed = format!("{space}/members/{own}");
    let open = json!({ "slug": "mine", "name": "M", "risk_band": "green" });
    vec![
        act("an invitation", post.clone(), "/v1/invitations", invited),
        act("another link", post.clone(), &link, Value::Null),
        act("a program", post.clone(), "/v1/service-accounts", program),
        act("a higher role", patch.clone(), &member, json!({ "role": "owner" })),
        act("an accomplice", patch.clone(), &accomplice, json!({ "role": "owner" })),
        act("a place in a space", Method::PUT, &listed, json!({ "capabilities": ["*"] })),
        act("an open space", post, "/v1/spaces", open),
        act("a careless space", patch.clone(), &space, json!({ "outbound_redaction": false })),
        act("a space for everyone", patch, &space, json!({ "open_to": "everyone" })),
    ]
}

/// What the organization allows.
fn rules(ids: &Ids) -> Vec<Act> {
    let settings = |name, body| act(name, Method::PATCH, "/v1/org", body);
    let resumed = json!({ "scope": "agent", "subject": ids.agent, "conduct": "normal", "reason": "please" });
    let proposal = format!("/v1/proposed-changes/{}/approve", ids.proposed.0);
    let agreed = json!({ "digest": model::Digest::of_bytes(b"another") });
    vec![
        act("a rule", Method::PUT, "/v1/rules", json!({ "action": "linear.*", "mode": "allow" })),
        act("no rule", Method::DELETE, &format!("/v1/rules/{}", ids.rule), Value::Null),
        settings("fewer approvals", json!({ "approval_quorum": 1 })),
        settings("no four eyes", json!({ "approval_four_eyes": false })),
        settings("no trace", json!({ "receipts_kept_days": 1 })),
        settings("no legal hold", json!({ "legal_hold": false })),
        settings("one person", json!({ "loosening": "one" })),
        act("a resumption", Method::PUT, "/v1/conduct", resumed),
        act("their own proposal", Method::POST, &proposal, agreed),
    ]
}

/// Where secrets are sent.
fn secrets(ids: &Ids) -> Vec<Act> {
    let elsewhere = "http://127.0.0.1:9/mcp";
    let bearer = json!({ "kind": "bearer", "secret": ids.secret });
    let added = json!({ "source": "mine", "kind": "mcp", "place": elsewhere, "auth": bearer });
    let connector = format!("/v1/connectors/{}", ids.connector);
    let audience = format!("/v1/secrets/{}/audience/authorized-of-a", ids.secret);
    vec![
        act("a secret's other place", Method::PATCH, &connector, json!({ "place": elsewhere })),
        act("a connector with a secret", Method::POST, "/v1/connectors", added),
        act("a secret's audience", Method::PUT, &audience, Value::Null),
    ]
}

/// Makes what the acts are about as careful as it can be, so that there is something to loosen.
async fn careful(theft: &Theft) -> anyhow::Result<()> {
    let (gateway, owner, ids) = (&theft.gateways[0], theft.owner(), &theft.stage.a.ids);
    let space = format!("/v1/spaces/{}", ids.space);
    let settings = json!({ "approval_quorum": 2, "approval_four_eyes": true, "receipts_kept_days": 3_000,
        "legal_hold": true });
    for (path, body) in [
        ("/v1/org", settings),
        (space.as_str(), json!({ "outbound_redaction": true, "open_to": "members", "risk_band": "red" })),
    ] {
        let done = send(gateway, &owner, (&Method::PATCH, path), Some(&body)).await?;
        anyhow::ensure!(done.status == StatusCode::OK, "{path}: {}", done.text);
    }
    Ok(())
}

async fn attempt(theft: &Theft, number: usize, victim: &Victim, act: &Act) -> anyhow::Result<Response> {
    let body = Some(&act.body).filter(|body| !body.is_null());
    send(&theft.gateways[number % 3], &victim.credential, (&act.method, &act.path), body).await
}

#[tokio::test]
async fn nothing_that_mints_or_widens_is_done_for_a_thief() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    theft.loosening("two_people").await?;
    careful(&theft).await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    for victim in &theft.victims().await? {
        for act in acts(&theft, victim) {
            super::withdraw_all(&theft.stage.app, theft.stage.a.id).await?;
            // Each at all three gateways.
            for number in 0..3 {
                tried += 1;
                let before = (theft.found(CREDENTIALS).await?, theft.found(AUTHORITY).await?);
                let answer = attempt(&theft, number, victim, &act).await?;
                let after = (theft.found(CREDENTIALS).await?, theft.found(AUTHORITY).await?);
                let is_refused = answer.status.is_client_error() || answer.waits();
                if !is_refused || before != after {
                    wrong
                        .push(format!("{} got {}: {} {}", victim.name, act.name, answer.status, answer.text));
                }
            }
        }
        wrong.extend(passkey(&theft, victim).await?);
        tried += 1;
    }
    report("requests that mint or widen", tried, &wrong);
    Ok(())
}

/// A thief adds a passkey of their own: it is refused, or counts for nothing.
async fn passkey(theft: &Theft, victim: &Victim) -> anyhow::Result<Option<String>> {
    let (gateway, before) = (&theft.gateways[1], theft.found(CREDENTIALS).await?);
    let route = (&Method::POST, "/v1/passkeys/registration");
    let offered = send(gateway, &victim.credential, route, None).await?;
    let body =
        Passkey::new(u8::try_from(victim.name.len())?)?.register(&text(&offered.body["challenge"]), "mine");
    let added = send(gateway, &victim.credential, (&Method::POST, "/v1/passkeys"), Some(&body)).await?;
    let counts = added.status.is_success() && !added.body["confirmed_at"].is_null();
    let is_wrong = counts || before != theft.found(CREDENTIALS).await?;
    Ok(is_wrong.then(|| format!("{} got a passkey: {}", victim.name, added.text)))
}

#[tokio::test]
async fn what_lasts_is_recorded_with_the_token_it_was_made_with() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    for victim in theft.victims().await?.iter().filter(|victim| victim.role.is_some()) {
        for operation in operations() {
            let name = format!("{} {}", operation.method, operation.path);
            if !is_lasting(&name) || !victim.reaches(&operation) {
                continue;
            }
            theft.loosening("one").await?;
            let ids = theft.stage.prepare(&operation, &theft.stage.a.owner).await?;
            theft.loosening("two_people").await?;
            let mut body = operation.body(&format!("lasting-{tried}"), &ids)?.unwrap_or_default();
            match operation.path.rsplit('/').next() {
                Some("answer") => body = json!({ "give": true }),
                Some("approve") => body["extent"] = json!("grant"),
                _ => {}
            }
            tried += 1;
            let path = operation.filled(&ids)?;
            let body = Some(&body).filter(|body| !body.is_null());
            let route = (&operation.method, path.as_str());
            let answer = send(&theft.gateways[tried % 3], &victim.credential, route, body).await?;
            if !answer.status.is_success() {
                wrong.push(format!("{} no longer does {name}: {}", victim.name, answer.text));
                continue;
            }
            let newest = (&Method::GET, "/v1/changes?limit=1");
            let record =
                send(&theft.gateways[0], &theft.owner(), newest, None).await?.body["items"][0].clone();
            let token = text(&record["by"]["token"]);
            if token.is_empty() || !victim.revocation.ends_with(&token) {
                wrong.push(format!("{} did {name}, and the record is {record}", victim.name));
            }
        }
    }
    report("what lasts has a record with the stolen token", tried, &wrong);
    Ok(())
}

/// The control: whoever signed in a moment ago, and one person who may loosen alone, gets what a thief does not.
#[tokio::test]
async fn control_a_fresh_sign_in_and_one_person_get_it_all() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    careful(&theft).await?;
    let victims = theft.victims().await?;
    theft.loosening("one").await?;
    let Some(owner) = victims.into_iter().find(|victim| victim.name == "an owner") else {
        anyhow::bail!("no owner")
    };
    let user = owner.user.clone().unwrap_or_default();
    let credential = Credential::Token(fresh_token_of(&theft, &user).await?);
    let owner = Victim { credential, ..owner };
    // Nobody gets these: what is not offered, what is one's own, what belongs to others.
    let never = [
        "a token of a member",
        "another link",
        "a higher role",
        "their own passkey confirmed",
        "another organization",
        "a fresh sign-in",
        "their own proposal",
        "a finished authorization",
    ];
    let (mut tried, mut done) = (0, 0);
    for act in acts(&theft, &owner).into_iter().filter(|act| !never.contains(&act.name)) {
        tried += 1;
        let answer = attempt(&theft, tried, &owner, &act).await?;
        anyhow::ensure!(answer.status.is_success() && !answer.waits(), "{}: {}", act.name, answer.text);
        done += 1;
    }
    testkit::tried(18, "control: fresh sign-in, one person", tried, done);
    Ok(())
}

async fn fresh_token_of(theft: &Theft, user: &str) -> anyhow::Result<String> {
    super::fresh_token(&theft.stage.app, theft.stage.a.id, user.parse()?).await
}
