//! What waits for a person, and what they answer.

use std::time::Duration;

use api::{
    ApproveRequest, AssertionRequest, Channel, DecisionView, DenyRequest, InboxItem, InvocationView, Page,
    PageQuery, Problem, ReconcileRequest, Reconciled, WaitQuery,
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use model::{Digest, InvocationId, SessionId};
use pipeline::{Extent, Finding, Voter, Word};
use tenancy::Person;

use crate::{
    App,
    extract::{Admitted, Asked, Body, Id, Ids, Someone, bounded, page, patience},
    problem::Answer,
    routes::passkeys,
    view,
};

/// How long an approver waits for the result unless they say otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// Everything that waits for a person, newest first.
#[utoipa::path(
    get, path = "/v1/inbox", tag = "approvals", params(PageQuery),
    responses((status = 200, body = Page<InboxItem>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_inbox(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<InboxItem>>, Answer> {
    let (before, limit) = page(&query)?;
    let found = app.pipeline.inbox(person.org, before, limit).await?;
    let full = i64::try_from(found.items.len()).is_ok_and(|length| length >= limit);
    let next_cursor = found.items.last().filter(|_| full).map(|last| last.id().simple().to_string());
    Ok(Json(Page { items: view::inbox(found, app.world.clock.now()), next_cursor }))
}

/// One invocation that waits, with a preview where its source can give one.
#[utoipa::path(
    get, path = "/v1/inbox/{invocation}", tag = "approvals", params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InboxItem),
        (status = 409, body = Problem, description = "It no longer waits"),
        (status = 410, body = Problem, description = "It expired"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn get_inbox_item(
    State(app): State<App>,
    Someone(person): Someone,
    Id(invocation): Id<InvocationId>,
) -> Result<Json<InboxItem>, Answer> {
    let found = app.pipeline.inbox_item(person.org, invocation).await?;
    let item = view::inbox(found, app.world.clock.now()).into_iter().next();
    item.map(Json).ok_or_else(|| tenancy::Error::NotFound("invocation").into())
}

/// One invocation of the org.
#[utoipa::path(
    get, path = "/v1/invocations/{invocation}", tag = "approvals", params(("invocation" = String, Path), WaitQuery),
    responses((status = 200, body = InvocationView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_org_invocation(
    State(app): State<App>,
    Someone(person): Someone,
    Id(invocation): Id<InvocationId>,
    Asked(query): Asked<WaitQuery>,
) -> Result<Json<InvocationView>, Answer> {
    let patience = patience(&query, Duration::ZERO)?;
    Ok(Json(view::invocation(app.pipeline.wait(person.org, invocation, patience).await?)))
}

/// The whole derivation of a decision, in words and as data, with every vote.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/invocations/{invocation}/decision", tag = "approvals",
    params(("session" = String, Path), ("invocation" = String, Path)),
    responses((status = 200, body = DecisionView), (status = "4XX", body = Problem))
)]
pub(crate) async fn explain_decision(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Ids(session, invocation): Ids<SessionId, InvocationId>,
) -> Result<Json<DecisionView>, Answer> {
    let (found, votes, names) = app.pipeline.explain(caller.org(), invocation).await?;
    if found.session != session {
        return Err(tenancy::Error::NotFound("invocation").into());
    }
    Ok(Json(view::decision(&found, votes, &names)))
}

/// Say yes to exactly what was shown. 200: it is over. 202: it is under way, or others must say yes too.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/approve", tag = "approvals", request_body = ApproveRequest,
    params(("invocation" = String, Path), WaitQuery),
    responses(
        (status = 200, body = InvocationView, description = "It is over; `status` says how it ended"),
        (status = 202, body = InvocationView, description = "It is under way, or waits for another yes"),
        (status = 403, body = Problem, description = "This person may not answer this, or not without a passkey"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Answered already, or not what was shown"),
        (status = 410, body = Problem, description = "It expired"),
        (status = 422, body = Problem, description = "A grant or a rule would not do what is expected of it"),
    )
)]
pub(crate) async fn approve_invocation(
    State(app): State<App>,
    Someone(person): Someone,
    Id(invocation): Id<InvocationId>,
    Asked(query): Asked<WaitQuery>,
    Body(request): Body<ApproveRequest>,
) -> Result<Response, Answer> {
    bounded("/note", &request.note, 500)?;
    let patience = patience(&query, PATIENCE)?;
    let shown = digest(&request.shown_digest)?;
    let bounds = request.grant.unwrap_or_default();
    let extent = match request.extent {
        api::Extent::Once => Extent::Once,
        api::Extent::Always => Extent::Always,
        api::Extent::Grant => Extent::Grant {
            whole_org: bounds.scope == api::GrantReach::Org,
            max_calls: bounds.max_calls,
            lifetime: Duration::from_secs(bounds.lifetime_s),
        },
    };
    let word = Word::Yes { extent, note: request.note };
    let what = (person.org, invocation);
    let voter = voter(&person, request.channel, request.assertion)?;
    let mut answered = app.pipeline.answer(what, voter, shown, word).await?;
    if answered.status == model::Status::Approved {
        answered = app.pipeline.wait(person.org, invocation, patience).await?;
    }
    if answered.status.is_terminal() {
        return Ok(Json(view::invocation(answered)).into_response());
    }
    let place = format!("/v1/invocations/{invocation}");
    Ok(view::accepted(&place, view::invocation(answered)))
}

/// Say no. The agent can read the reason.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/deny", tag = "approvals", request_body = DenyRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InvocationView),
        (status = 403, body = Problem, description = "This person may not answer this"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Answered already, or not what was shown"),
        (status = 410, body = Problem, description = "It expired"),
    )
)]
pub(crate) async fn deny_invocation(
    State(app): State<App>,
    Someone(person): Someone,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<DenyRequest>,
) -> Result<Json<InvocationView>, Answer> {
    bounded("/reason", &request.reason, 500)?;
    let shown = digest(&request.shown_digest)?;
    let word = Word::No { reason: request.reason };
    let what = (person.org, invocation);
    let voter = voter(&person, request.channel, request.assertion)?;
    let answered = app.pipeline.answer(what, voter, shown, word).await?;
    Ok(Json(view::invocation(answered)))
}

/// Say what became of an invocation that ended `unknown`, and how you know. A second receipt refers to the first.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/reconcile", tag = "approvals", request_body = ReconcileRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InvocationView),
        (status = 409, body = Problem, description = "Its outcome is known"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn reconcile_invocation(
    State(app): State<App>,
    Someone(person): Someone,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<ReconcileRequest>,
) -> Result<Json<InvocationView>, Answer> {
    bounded("/evidence", &request.evidence, 2_000)?;
    if request.evidence.trim().is_empty() {
        return Err(Answer::invalid("/evidence", "say how you know: a link, a number, what you saw"));
    }
    let finding = Finding {
        happened: request.outcome == Reconciled::Succeeded,
        evidence: request.evidence,
        by: person.user,
    };
    Ok(Json(view::invocation(app.pipeline.reconcile(person.org, invocation, finding).await?)))
}

fn voter(person: &Person, channel: Channel, given: Option<AssertionRequest>) -> Result<Voter, Answer> {
    let channel = match channel {
        Channel::Api => "api",
        Channel::Cli => "cli",
        Channel::Web => "web",
    };
    let signed = given.map(|given| passkeys::signed(given, "/assertion")).transpose()?;
    Ok(Voter { user: person.user, role: person.role, channel, signed })
}

fn digest(text: &str) -> Result<Digest, Answer> {
    Digest::parse(text)
        .ok_or_else(|| Answer::invalid("/shown_digest", "the `shown_digest` of the item in the inbox"))
}
