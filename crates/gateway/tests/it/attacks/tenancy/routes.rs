//! Attack 8, the routes: every operation of the API is tried by every kind of caller, with another organization's ids
//! in every place that takes one. Refusals are those of the table in `access.rs`, and an id of another organization
//! gets the same answer, byte for byte, as one that never existed.

use std::collections::BTreeSet;

use axum::http::Method;
use gateway::Access;
use model::Role;
use platform::{
    World,
    token::{Kind, Token},
};
use serde_json::{Value, json};
use testkit::Answered;

use crate::attacks::tenancy::{
    policies::is_of_policies,
    setup::{Ids, Operation, Stage},
};

/// The kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum As {
    /// Without a token, or with an invalid one.
    Stranger,
    /// The session whose ids are used.
    Session,
    /// Another session.
    OtherSession,
    Person(Role),
}

struct Who {
    name: &'static str,
    token: String,
    is: As,
    /// Whether the ids belong to the caller's own organization.
    home: bool,
}

/// The expected answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Unauthenticated,
    Forbidden,
    /// The same answer as for an id that never existed.
    Missing,
    /// Sent on to the page that says so: an OAuth callback without a pending authorization.
    Nothing,
    /// Neither this invitation nor this authorization exists.
    Unknown,
    /// Only our own page in a browser may call it.
    NotOurPage,
    /// Not configured here: no identity provider.
    NoRoute,
    /// A token is valid for one organization.
    OneOrg,
    /// No such registration was offered to this person.
    NotOffered,
    Admitted,
}

fn operations() -> Vec<Operation> {
    let table = gateway::access_table();
    table
        .iter()
        .map(|(method, path, access)| Operation {
            method: method.clone(),
            path: (*path).to_owned(),
            access: *access,
        })
        .collect()
}

fn expected(operation: &Operation, who: &Who) -> Expected {
    let reached = match (who.is, operation.access) {
        (_, Access::Public) if operation.path == "/v1/oauth/callback" => return Expected::Nothing,
        // Whoever joins is authenticated by the link, and nobody has this one.
        (_, Access::Public) if operation.path.starts_with("/v1/join") => return Expected::Unknown,
        (As::Person(Role::Admin | Role::Owner), _) if operation.path == "/v1/oauth/finish" => {
            return Expected::Unknown;
        }
        (As::Person(_), _) if operation.path == "/v1/signin/passkey" => return Expected::NotOffered,
        (_, Access::Public) if operation.path.starts_with("/v1/signin/oidc") => return Expected::NoRoute,
        (_, Access::Public) if operation.path == "/v1/signin" && operation.method == Method::POST => {
            return Expected::NotOurPage;
        }
        (As::Person(_), _) if operation.path == "/v1/signin/org" => return Expected::OneOrg,
        // For every person, the challenge of a new passkey must have been issued to them.
        (As::Person(_), _) if operation.path == "/v1/passkeys" && operation.method == Method::POST => {
            return Expected::NotOffered;
        }
        // A Slack click is authenticated by Slack's signature and a trigger by its token, whoever the caller is.
        (_, Access::Public)
            if matches!(operation.path.as_str(), "/v1/slack/{org}/interactions" | "/v1/hooks/{trigger}") =>
        {
            return Expected::Unauthenticated;
        }
        (_, Access::Public) => return Expected::Admitted,
        (As::Stranger, _) => return Expected::Unauthenticated,
        (As::Session | As::OtherSession, Access::LivingSession) => true,
        (As::Session | As::OtherSession, Access::OwnSession | Access::OwnSessionOr(_)) => {
            who.is == As::Session && who.home
        }
        (As::Person(role), Access::Person(least) | Access::Human(least) | Access::OwnSessionOr(least))
            if role >= least =>
        {
            who.home
        }
        _ => return Expected::Forbidden,
    };
    if reached || !operation.names_ids() { Expected::Admitted } else { Expected::Missing }
}

async fn everybody(stage: &Stage) -> anyhow::Result<Vec<Who>> {
    let dice = World::system().dice;
    let unknown = |kind| Token::generate(kind, "00", &dice).reveal().to_owned();
    let revoked = stage.app.person(stage.a.id, Role::Admin).await?;
    let own = stage.app.send(Method::GET, "/v1/tokens", &revoked, None).await?;
    let path = format!("/v1/tokens/{}", own.body["items"][0]["id"].as_str().unwrap_or_default());
    let done = stage.app.send(Method::DELETE, &path, &revoked, None).await?;
    anyhow::ensure!(done.status.is_success(), "revoking: {}", done.text);
    let stranger = |name, token: String| Who { name, token, is: As::Stranger, home: false };
    let mut all = vec![
        stranger("nobody", String::new()),
        stranger("garbage", "csn_api_garbage".to_owned()),
        stranger("an unknown session", unknown(Kind::Session)),
        stranger("an unknown person", unknown(Kind::Api)),
        stranger("a revoked owner", revoked),
    ];
    for (home, org) in [(true, &stage.a), (false, &stage.b)] {
        let mut add = |name, token: &str, is| all.push(Who { name, token: token.to_owned(), is, home });
        add("the session", &org.agent.token, As::Session);
        add("another session", &org.other.token, As::OtherSession);
        add("a member", &org.member, As::Person(Role::Member));
        add("an admin", &org.admin, As::Person(Role::Admin));
        add("an owner", &org.owner, As::Person(Role::Owner));
    }
    Ok(all)
}

/// Everything in an answer that the caller sees.
fn shown(answer: &Answered) -> (u16, Vec<(String, Vec<u8>)>, &str) {
    let headers = answer.headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
    (answer.status.as_u16(), headers.collect(), &answer.text)
}

/// Describes what is wrong with an answer, if anything.
fn judge(wanted: Expected, answer: &Answered, never: Option<&Answered>) -> Option<String> {
    let code = answer.body["code"].as_str().unwrap_or_default();
    let right = match wanted {
        Expected::Unauthenticated => answer.status == 401 && code == "unauthenticated",
        Expected::Nothing => {
            let page = answer.headers.get("location").and_then(|page| page.to_str().ok());
            answer.status == 303 && page == Some("/connect#error=refused")
        }
        Expected::Unknown => answer.status == 404 && code == "not_found",
        Expected::Forbidden => answer.status == 403 && code == "role_too_low",
        Expected::NotOurPage => answer.status == 403 && code == "not_our_page",
        Expected::NoRoute => answer.status == 404 && code == "no_such_route",
        Expected::NotOffered => answer.status == 403 && code == "assertion_refused",
        Expected::OneOrg => answer.status == 422 && code == "invalid_request",
        Expected::Missing => answer.status == 404 && never.is_some_and(|never| shown(answer) == shown(never)),
        // An admitted answer to a real id must differ from the answer to an id that never existed; otherwise the ids
        // prove nothing.
        Expected::Admitted => {
            answer.status.is_success() && never.is_none_or(|never| shown(answer) != shown(never))
        }
    };
    (!right).then(|| {
        let never = never.map(|never| format!(", for an id of nobody {} {}", never.status, never.text));
        format!("expected {wanted:?}, got {} {}{}", answer.status, answer.text, never.unwrap_or_default())
    })
}

/// Tries one operation as one caller; returns what was wrong.
async fn trial(
    stage: &Stage,
    operation: &Operation,
    who: &Who,
    number: usize,
) -> anyhow::Result<Vec<String>> {
    let wanted = expected(operation, who);
    let is_home = matches!(who.is, As::Person(_)) && who.home;
    let ids = stage.prepare(operation, if is_home { &who.token } else { &stage.a.owner }).await?;
    let body = operation.body(&format!("fresh-{number}"), &ids)?;
    let path = operation.filled(&ids)?;
    let mut wrong = Vec::new();
    let never = if operation.names_ids() {
        let path = operation.filled(&ids.never())?;
        Some(stage.send(&operation.method, &path, (&who.token, None), body.as_ref()).await?)
    } else {
        None
    };
    let before = stage.digest(stage.a.id).await?;
    let answer = stage.send(&operation.method, &path, (&who.token, None), body.as_ref()).await?;
    let never = never.filter(|_| !matches!(wanted, Expected::Unauthenticated | Expected::Forbidden));
    let guide = operation.access == Access::Public;
    wrong.extend(judge(wanted, &answer, never.as_ref().filter(|_| !guide)));
    let may_change = who.home && wanted == Expected::Admitted;
    if !may_change && before != stage.digest(stage.a.id).await? {
        wrong.push("something of the other org changed".to_owned());
    }
    // Only a name that the caller chose itself may be returned to it: by the request that sets it, and from then on by the
    // lists and the records of the caller's own.
    let has_own_names = operation.method == Method::PUT
        || operation.path == "/v1/changes"
        || operation.method == Method::GET && is_of_policies(&operation.path);
    let mut told = answer.text.clone();
    if has_own_names {
        for name in [&ids.secret, &ids.policy, &ids.fact, &ids.case] {
            told = told.replace(name, "");
        }
    }
    if !who.home && ids.stand_in(&told) {
        wrong.push(format!("told of the other org: {}", answer.text));
    }
    let home = if who.home { "of its own org" } else { "of the other org" };
    let name = format!("{} {} as {} with ids {home}", operation.method, operation.path, who.name);
    Ok(wrong.into_iter().map(|wrong| format!("{name}: {wrong}")).collect())
}

fn report(check: &str, tried: usize, wrong: &[String]) {
    testkit::tried(8, check, tried, wrong.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_document_and_the_table_of_access_list_the_same_operations() {
    let document = serde_json::to_value(gateway::openapi()).expect("the document serializes to JSON");
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let public = operation["security"] == json!([{}]);
            assert!(described.insert((method.to_uppercase(), path.clone(), public)), "{method} {path} twice");
        }
    }
    let listed: BTreeSet<_> = operations()
        .into_iter()
        .map(|operation| {
            (operation.method.to_string(), operation.path.clone(), operation.access == Access::Public)
        })
        .collect();
    assert_eq!(listed.len(), gateway::access_table().len(), "an operation is listed twice in the table");
    assert_eq!(described, listed);
    report("document", listed.len(), &[]);
}

#[tokio::test]
async fn every_operation_refuses_as_the_table_says_and_never_tells_of_another_org() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    let everybody = everybody(&stage).await?;
    for operation in operations() {
        for who in &everybody {
            tried += 1;
            wrong.extend(trial(&stage, &operation, who, tried).await?);
        }
    }
    report("routes", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn an_ended_session_is_refused_everywhere() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let ended = stage.app.agent().await?;
    let path = format!("/v1/sessions/{}", ended.session);
    stage.app.send(Method::DELETE, &path, &stage.a.owner, None).await?;
    let ids = Ids { session: ended.session.clone(), ..stage.a.ids.clone() };
    let (mut tried, mut wrong) = (0, Vec::new());
    for operation in operations().into_iter().filter(|operation| operation.access != Access::Public) {
        tried += 1;
        let (path, body) = (operation.filled(&ids)?, operation.body("fresh", &ids)?);
        let answer = stage.send(&operation.method, &path, (&ended.token, None), body.as_ref()).await?;
        let for_people = matches!(operation.access, Access::Person(_) | Access::Human(_));
        let wanted = if for_people { 403 } else { 401 };
        if answer.status != wanted {
            wrong.push(format!("{} {path}: {} {}", operation.method, answer.status, answer.text));
        }
    }
    report("ended session", tried, &wrong);
    Ok(())
}

/// A request with an id of organization A in it, and the same request with an id that never existed.
struct Pair {
    token: String,
    method: Method,
    path: [String; 2],
    body: [Option<Value>; 2],
    /// Whether the caller belongs to A, and so may see other data of A.
    home: bool,
}

fn get(token: &str, path: [String; 2]) -> Pair {
    Pair { token: token.to_owned(), method: Method::GET, path, body: [None, None], home: false }
}

/// An id without its prefix.
fn bare(id: &str) -> String {
    id.split_once('_').map_or_else(String::new, |(_, bare)| bare.to_owned())
}

/// Read-only requests that take an id in the query or in the body.
fn looks(stage: &Stage) -> Vec<Pair> {
    let (a, never, b) = (&stage.a.ids, stage.a.ids.never(), &stage.b);
    let mut pairs = Vec::new();
    for (id, nobody, path) in [
        (&a.session, &never.session, "/v1/invocations?session="),
        (&a.run, &never.run, "/v1/invocations?run="),
        (&a.space, &never.space, "/v1/invocations?space="),
        (&a.invocation, &never.invocation, "/v1/invocations?q="),
        (&a.invocation, &never.invocation, "/v1/receipts?invocation="),
        (&a.space, &never.space, "/v1/changes?subject="),
        (&a.space, &never.space, "/v1/ledger/changes?subject="),
        (&a.space, &never.space, "/v1/overview?space="),
        (&a.space, &never.space, "/v1/sources/linear?space="),
        (&a.space, &never.space, "/v1/policy/matrix?space="),
        (&a.automation, &never.automation, "/v1/policy/matrix?automation="),
    ] {
        pairs.push(get(&b.owner, [format!("{path}{id}"), format!("{path}{nobody}")]));
    }
    let path = |id: &str| format!("/v1/invocations?limit=1&cursor={}", bare(id));
    pairs.push(get(&b.owner, [path(&a.invocation), path(&never.invocation)]));
    for (field, id, nobody) in
        [("space", &a.space, &never.space), ("automation", &a.automation, &never.automation)]
    {
        let body = |id: &str| Some(json!({"definition": {}, field: id}));
        let path = "/v1/automations/validate".to_owned();
        pairs.push(Pair {
            method: Method::POST,
            body: [body(id), body(nobody)],
            ..get(&b.owner, [path.clone(), path])
        });
    }
    pairs
}

fn pairs(stage: &Stage) -> Vec<Pair> {
    let (a, never, b) = (&stage.a.ids, stage.a.ids.never(), &stage.b);
    let mut pairs = Vec::new();
    // Cursors: every list takes one, and every kind of id is tried in each.
    for list in ["sessions", "spaces", "members", "tokens", "rules", "connections", "secrets", "receipts"] {
        for (id, nobody) in [
            (&a.session, &never.session),
            (&a.invocation, &never.invocation),
            (&a.receipt, &never.receipt),
            (&a.space, &never.space),
            (&a.user, &never.user),
            (&a.rule, &never.rule),
        ] {
            let path = |id: &str| format!("/v1/{list}?limit=3&cursor={}", bare(id));
            pairs.push(get(&b.owner, [path(id), path(nobody)]));
        }
    }
    for token in [&b.owner, &b.agent.token] {
        let path = |id: &str| format!("/v1/sessions/{}/invocations?cursor={}", b.agent.session, bare(id));
        pairs.push(get(token, [path(&a.invocation), path(&never.invocation)]));
        let path = |id: &str| format!("/v1/sessions/{}/invocations/{id}", b.agent.session);
        pairs.push(get(token, [path(&a.invocation), path(&never.invocation)]));
    }
    let path = |id: &str| format!("/v1/receipts?session={id}");
    pairs.push(get(&b.owner, [path(&a.session), path(&never.session)]));
    pairs.extend(looks(stage));
    // Another session of the same organization, under its own id.
    let path = |id: &str| format!("/v1/sessions/{}/invocations/{id}", stage.a.other.session);
    for token in [&stage.a.other.token, &stage.a.owner] {
        pairs.push(Pair { home: true, ..get(token, [path(&a.invocation), path(&never.invocation)]) });
    }
    // An id in a body.
    let body = |space: &str| Some(json!({"agent": "x", "kind": "interactive", "space": space}));
    pairs.push(Pair {
        method: Method::POST,
        body: [body(&a.space), body(&never.space)],
        ..get(&b.owner, ["/v1/sessions".to_owned(), "/v1/sessions".to_owned()])
    });
    let body = |space: &str| Some(json!({"kind": "email", "target": "x@example.test", "space": space}));
    pairs.push(Pair {
        method: Method::POST,
        body: [body(&a.space), body(&never.space)],
        ..get(&b.owner, ["/v1/notifiers".to_owned(), "/v1/notifiers".to_owned()])
    });
    // Another person's token in the same organization.
    let path = |id: &str| format!("/v1/tokens/{id}");
    let revoke = get(&stage.a.admin, [path(&a.token), path(&never.token)]);
    pairs.push(Pair { method: Method::DELETE, home: true, ..revoke });
    pairs
}

#[tokio::test]
async fn an_id_of_another_org_in_a_cursor_query_or_body_is_one_of_nobody() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    for pair in pairs(&stage) {
        tried += 1;
        let [ours, nobodys] = &pair.path;
        let with = (pair.token.as_str(), None);
        let before = stage.digest(stage.a.id).await?;
        let answer = stage.send(&pair.method, ours, with, pair.body[0].as_ref()).await?;
        let never = stage.send(&pair.method, nobodys, with, pair.body[1].as_ref()).await?;
        if shown(&answer) != shown(&never) {
            wrong.push(format!(
                "{ours}: {} {}, but {} {}",
                answer.status, answer.text, never.status, never.text
            ));
        }
        if before != stage.digest(stage.a.id).await? {
            wrong.push(format!("{ours}: something of the other org changed"));
        }
        if !pair.home && stage.a.ids.stand_in(&answer.text) {
            wrong.push(format!("{ours}: told of the other org: {}", answer.text));
        }
    }
    report("cursors, queries, bodies", tried, &wrong);
    Ok(())
}

/// The result of an invocation with an idempotency key, without ids and times.
fn outcome(answer: &Answered) -> (u16, Value, Value, Value) {
    let body = &answer.body;
    (answer.status.as_u16(), body["status"].clone(), body["replayed"].clone(), body["result"].clone())
}

#[tokio::test]
async fn an_idempotency_key_of_another_org_is_a_new_key() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (b, action) = (&stage.b.agent, "linear.list_issues");
    let before = stage.digest(stage.a.id).await?;
    let theirs = stage.app.invoke_keyed(b, (action, &stage.a.ids.key), json!({})).await?;
    let nobodys = stage.app.invoke_keyed(b, (action, &stage.a.ids.never().key), json!({})).await?;
    assert_eq!(outcome(&theirs), outcome(&nobodys));
    assert_eq!(theirs.body["replayed"], false);
    assert_eq!(theirs.body["session"], b.session.as_str());
    assert!(!stage.a.ids.stand_in(&theirs.text), "{}", theirs.text);
    assert_eq!(before, stage.digest(stage.a.id).await?);
    report("idempotency key of another org", 2, &[]);
    Ok(())
}

#[tokio::test]
async fn an_idempotency_key_does_not_show_what_another_session_did() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (key, action) = (stage.a.ids.key.as_str(), "linear.list_issues");
    // A session without capabilities that knows the key and the request of another session.
    let body = json!({"agent": "x", "kind": "interactive", "capabilities": ["nothing:read"]});
    let made = stage.app.send(Method::POST, "/v1/sessions", &stage.a.owner, Some(body)).await?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let caged =
        testkit::Agent { session: text(&made.body["session"]["id"]), token: text(&made.body["token"]) };
    let before = stage.linear.requests().len();
    for agent in [&stage.a.other, &caged] {
        let answer = stage.app.invoke_keyed(agent, (action, key), json!({})).await?;
        assert_eq!(answer.status, 422, "{}", answer.text);
        assert_eq!(answer.body["code"], "idempotency_key_reused");
        assert!(!stage.a.ids.stand_in(&answer.text), "{}", answer.text);
    }
    assert_eq!(stage.linear.requests().len(), before);
    // The session that used the key gets the same answer as before.
    let own = stage.app.invoke_keyed(&stage.a.agent, (action, key), json!({})).await?;
    assert_eq!((own.status.as_u16(), &own.body["replayed"]), (200, &json!(true)));
    assert_eq!(own.body["id"], stage.a.ids.invocation.as_str());
    report("idempotency key of another session", 3, &[]);
    Ok(())
}
