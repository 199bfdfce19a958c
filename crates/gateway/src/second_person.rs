//! Two people to loosen: a request whose change needs a second owner is kept and answered with 202; when a second owner
//! agrees, it is made again with both names.

use std::net::IpAddr;

use axum::{
    Json,
    extract::{FromRequest as _, MatchedPath, Request},
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use changes::{Proposal, Proposed, Second, Wanted};
use oversight::Asked;
use tenancy::{Caller, Person};
use tower::ServiceExt as _;

use crate::{
    App,
    extract::{REASON, Raw},
    problem::Answer,
    router, view,
};

/// The header with the ID of what was proposed instead of done.
const PROPOSED: &str = "countersign-proposed";

/// The routes whose requests can wait. On every other route, a change that needs a second owner is refused.
const CAN_WAIT: &[(Method, &str)] = &[
    (Method::PATCH, "/v1/org"),
    (Method::POST, "/v1/invitations"),
    (Method::POST, "/v1/service-accounts"),
    (Method::PATCH, "/v1/members/{user}"),
    (Method::POST, "/v1/spaces"),
    (Method::PATCH, "/v1/spaces/{space}"),
    (Method::PUT, "/v1/spaces/{space}/members/{user}"),
    (Method::DELETE, "/v1/spaces/{space}/members/{user}"),
    (Method::PUT, "/v1/rules"),
    (Method::DELETE, "/v1/rules/{rule}"),
    (Method::PUT, "/v1/policies/{policy}"),
    (Method::DELETE, "/v1/policies/{policy}"),
    (Method::PUT, "/v1/facts/{fact}"),
    (Method::PUT, "/v1/gates"),
    (Method::PUT, "/v1/conduct"),
    (Method::POST, "/v1/connectors"),
    (Method::PATCH, "/v1/connectors/{connector}"),
    (Method::POST, "/v1/connectors/{connector}/review"),
    (Method::PUT, "/v1/models/{provider}"),
    (Method::PUT, "/v1/secrets/{name}/audience/{connector}"),
    (Method::PUT, "/v1/slack/people/{slack_user}"),
];

/// A request that is made again for its proposer. Only this module makes one, so it never comes from outside.
#[derive(Clone)]
pub(crate) struct Replay(pub(crate) Person);

/// Runs the handler of a request; what needs a second owner is proposed instead.
pub(crate) async fn run(app: &App, mut head: Parts, body: axum::body::Body, next: Next) -> Response {
    let path = head.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    let can_wait = CAN_WAIT.iter().any(|(method, known)| *method == head.method && Some(*known) == path);
    let is_again = head.extensions.get::<Replay>().is_some();
    let person = match head.extensions.get::<Caller>() {
        Some(Caller::Person(person)) if can_wait && !is_again => person.clone(),
        _ => return next.run(Request::from_parts(head, body)).await,
    };
    let bytes = match Raw::from_request(Request::from_parts(head.clone(), body), &()).await {
        Ok(Raw(bytes)) => bytes,
        Err(answer) => return answer.into_response(),
    };
    let wanted = Wanted::default();
    let second = Second { wanted: Some(wanted.clone()), agreed: None };
    head.extensions.insert(Caller::Person(Person { second, ..person.clone() }));
    let path = head.uri.path_and_query().map_or_else(|| head.uri.path().to_owned(), ToString::to_string);
    let asked = Asked { method: head.method.to_string(), path, body: bytes.to_vec() };
    let reason = crate::extract::reason(&head.headers).ok().flatten();
    let address = crate::extract::peer(&head.extensions);
    let response = next.run(Request::from_parts(head, bytes.into())).await;
    match wanted.take() {
        Some(proposal) => {
            let person = Person { address, reason, ..person };
            propose(app, &person, asked, proposal).await.unwrap_or_else(|answer| answer.into_response())
        }
        None => response,
    }
}

async fn propose(app: &App, person: &Person, asked: Asked, proposal: Proposal) -> Result<Response, Answer> {
    let proposed = app.oversight.propose(person, asked, proposal).await?;
    let id = HeaderValue::from_str(&proposed.id.to_string()).ok();
    let mut response =
        (StatusCode::ACCEPTED, Json(view::proposed(app, person.org, proposed).await?)).into_response();
    if let Some(id) = id {
        response.headers_mut().insert(PROPOSED, id);
    }
    Ok(response)
}

/// Makes a request again, for its proposer and with the second owner's name; returns why it failed, if it did.
pub(crate) async fn make_again(
    app: &App,
    second: &Person,
    proposed: &Proposed,
    body: Vec<u8>,
) -> Result<Result<(), String>, Answer> {
    let Ok(member) = app.tenancy.member(second.org, proposed.proposed_by).await else {
        return Ok(Err("the person who proposed it is no longer a member".to_owned()));
    };
    let person = Person {
        org: second.org,
        user: proposed.proposed_by,
        role: member.role,
        kind: member.kind,
        token: proposed.token,
        browser: None,
        signed_in_at: proposed.proposed_at,
        joined: false,
        confirmed_at: None,
        address: proposed.address.as_deref().and_then(|address| address.parse::<IpAddr>().ok()),
        reason: None,
        second: Second { wanted: None, agreed: Some((second.user, proposed.proposal.digest)) },
    };
    let mut request = Request::builder().method(proposed.method.as_str()).uri(&proposed.path);
    request = request.header(header::CONTENT_TYPE, "application/json");
    if let Some(reason) =
        proposed.reason.as_deref().and_then(|it| HeaderValue::from_bytes(it.as_bytes()).ok())
    {
        request = request.header(REASON, reason);
    }
    let Ok(mut request) = request.body(axum::body::Body::from(body)) else {
        return Ok(Err("the request can no longer be read".to_owned()));
    };
    request.extensions_mut().insert(Replay(person));
    let response = match router::router(app.clone()).oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    if response.status().is_success() {
        return Ok(Ok(()));
    }
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 16).await.unwrap_or_default();
    let problem: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    Ok(Err(match problem["code"].as_str() {
        Some("second_person_needed") => "it would change something else by now; propose it again".to_owned(),
        _ => problem["detail"].as_str().unwrap_or("it could not be made").to_owned(),
    }))
}
