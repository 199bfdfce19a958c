//! The inbox: pending items and the answers to them.

use std::time::Duration;

use api::{
    ApproveRequest, AssertionRequest, Channel, DecisionView, DenyRequest, EditRequest, EndorseRequest,
    EndorsementView, InboxItem, InvocationView, LengthPace, PaceView, Page, PageQuery, Problem,
    ReconcileRequest, Reconciled, RevealedValue, RevealedView, RulingRequest, WaitQuery,
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use model::{Digest, InvocationId, SessionId};
use oversight::Explained;
use pipeline::{Extent, Finding, GivenAnswer, GivenEdit, GivenEndorsement, GivenRuling, Voter};
use tenancy::Person;

use crate::{
    App,
    extract::{Admitted, Body, CurrentUser, Id, Ids, Query, WRONG_CURSOR, bounded, page_limit, read},
    problem::Answer,
    routes::{identity::passkeys, waiting::Wait},
    view,
};

/// How long an approval waits for the result by default.
const PATIENCE: Duration = Duration::from_secs(10);

/// List inbox items: by turn, then newest first.
///
/// While fewer than 20 requests wait, a new one has turn 0. Otherwise its turn is the number of requests by the same
/// person or automation that wait, so that a flood comes after what others ask for.
#[utoipa::path(
    get, path = "/v1/inbox", tag = "approvals", params(PageQuery),
    responses((status = 200, body = Page<InboxItem>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_inbox(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<InboxItem>>, Answer> {
    let limit = page_limit(&query)?;
    let before = read(query.cursor.as_deref(), WRONG_CURSOR)?;
    let found = app.oversight.inbox(person.org, before, limit).await?;
    let full = i64::try_from(found.items.len()).is_ok_and(|length| length >= limit);
    let next_cursor = found.items.last().filter(|_| full).map(|last| last.position().to_string());
    Ok(Json(Page { items: view::inbox(found, app.world.clock.now()), next_cursor }))
}

/// Return a pending invocation, with the document that an answer is about.
#[utoipa::path(
    get, path = "/v1/inbox/{invocation}", tag = "approvals", params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InboxItem),
        (status = 409, body = Problem, description = "The invocation is not pending"),
        (status = 410, body = Problem, description = "The invocation expired"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn get_inbox_item(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
) -> Result<Json<InboxItem>, Answer> {
    let found = app.oversight.inbox_item(person.org, invocation, person.user).await?;
    let item = view::inbox(found, app.world.clock.now()).into_iter().next();
    item.map(Json).ok_or_else(|| tenancy::Error::NotFound("invocation").into())
}

/// Return how fast you approve, by the length of what you were shown.
#[utoipa::path(
    get, path = "/v1/inbox/pace", tag = "approvals",
    responses((status = 200, body = PaceView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_pace(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<PaceView>, Answer> {
    let found = app.oversight.pace(person.org, person.user).await?;
    let tenths = |seconds: f64| (seconds * 10.0).round() / 10.0;
    let lengths: Vec<LengthPace> = found
        .into_iter()
        .map(|pace| LengthPace {
            length: pace.length.as_str().to_owned(),
            answers: pace.answers,
            median_s: tenths(pace.median_s),
            reading_s: tenths(pace.reading_s()),
            too_fast: pace.is_too_fast(),
        })
        .collect();
    let too_fast = lengths.iter().any(|pace| pace.too_fast);
    Ok(Json(PaceView { days: oversight::PACE_OF.as_secs() / 86_400, lengths, too_fast }))
}

/// Return an invocation of the organization.
#[utoipa::path(
    get, path = "/v1/invocations/{invocation}", tag = "approvals", params(("invocation" = String, Path), WaitQuery),
    responses((status = 200, body = InvocationView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_org_invocation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    wait: Wait,
) -> Result<Json<InvocationView>, Answer> {
    let patience = wait.patience(Duration::ZERO)?;
    let found = app.pipeline.reader().wait(person.org, invocation, patience).await?;
    wait.check_again(&app).await?;
    Ok(Json(view::invocation(found)))
}

/// Return a decision with all its steps, as sentences and as data, and all votes.
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
    let Explained { invocation: found, votes, names } =
        app.oversight.explain(caller.org(), invocation).await?;
    if found.session != session {
        return Err(tenancy::Error::NotFound("invocation").into());
    }
    Ok(Json(view::decision(&found, votes, &names)))
}

/// Approve a pending invocation as it was shown.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/approve", tag = "approvals", request_body = ApproveRequest,
    params(("invocation" = String, Path), WaitQuery),
    responses(
        (status = 200, body = InvocationView, description = "The invocation has finished; `status` is its outcome"),
        (status = 202, body = InvocationView, description = "The action is in progress, or another approval is needed"),
        (status = 403, body = Problem, description = "You may not answer this item, or a passkey is required"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Already answered, or changed since it was shown"),
        (status = 410, body = Problem, description = "The invocation expired"),
        (status = 422, body = Problem, description = "A grant or a rule would have no effect for this item"),
    )
)]
pub(crate) async fn approve_invocation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    wait: Wait,
    Body(request): Body<ApproveRequest>,
) -> Result<Response, Answer> {
    bounded("/note", &request.note, 500)?;
    let patience = wait.patience(PATIENCE)?;
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
    if request.condition.is_some() && extent == Extent::Once {
        return Err(Answer::invalid("/where", "is only for the extents `grant` and `always`"));
    }
    let answer = pipeline::Answer::Approve { extent, condition: request.condition, note: request.note };
    let voter = voter(&person, request.channel, request.assertion)?;
    let given = GivenAnswer { invocation, voter, shown, answer };
    let mut answered = app.pipeline.approvals().answer(person.org, given).await?;
    if answered.status == model::Status::Approved {
        answered = app.pipeline.reader().wait(person.org, invocation, patience).await?;
        wait.check_again(&app).await?;
    }
    if answered.status.is_terminal() {
        return Ok(Json(view::invocation(answered)).into_response());
    }
    let place = format!("/v1/invocations/{invocation}");
    Ok(view::accepted(&place, view::invocation(answered)))
}

/// Reveal the hidden values of a pending invocation.
///
/// It is recorded who saw them. An approval is refused (`hidden_values`) until the voter has seen every hidden value.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/reveal", tag = "approvals", params(("invocation" = String, Path)),
    responses(
        (status = 200, body = RevealedView),
        (status = 403, body = Problem, description = "You may not answer this item"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Already answered"),
        (status = 410, body = Problem, description = "The invocation expired"),
    )
)]
pub(crate) async fn reveal_values(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
) -> Result<Json<RevealedView>, Answer> {
    let voter = voter(&person, Channel::default(), None)?;
    let revealed = app.pipeline.approvals().reveal(person.org, invocation, &voter).await?;
    let values =
        revealed.into_iter().map(|found| RevealedValue { pointer: found.pointer, value: found.value });
    Ok(Json(RevealedView { values: values.collect() }))
}

/// Trust what a session had read when it asked, for the rest of that session.
///
/// Nothing is approved by this. What is read later is not covered.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/endorse", tag = "approvals", request_body = EndorseRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = EndorsementView),
        (status = 403, body = Problem, description = "You may not answer this item"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Already answered, changed since it was shown, or nothing to trust"),
        (status = 410, body = Problem, description = "The invocation expired"),
    )
)]
pub(crate) async fn endorse_reads(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<EndorseRequest>,
) -> Result<Json<EndorsementView>, Answer> {
    bounded("/note", &request.note, 500)?;
    let shown = digest(&request.shown_digest)?;
    let voter = voter(&person, Channel::default(), None)?;
    let given = GivenEndorsement { invocation, voter, shown, note: request.note };
    let origins = app.pipeline.approvals().endorse(&person.author(), given).await?;
    Ok(Json(EndorsementView { origins }))
}

/// Correct the parameters of a pending invocation.
///
/// Nothing is approved by this: the corrected parameters are validated and decided about, earlier votes no longer count,
/// and the item shows a new document, which can be approved. The agent can read what was changed and why.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/edit", tag = "approvals", request_body = EditRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InvocationView),
        (status = 403, body = Problem, description = "You may not answer this item"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Already answered, changed since it was shown, or not allowed with these parameters"),
        (status = 410, body = Problem, description = "The invocation expired"),
        (status = 422, body = Problem, description = "The parameters do not match the schema of the action"),
    )
)]
pub(crate) async fn edit_params(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<EditRequest>,
) -> Result<Json<InvocationView>, Answer> {
    bounded("/note", &request.note, 500)?;
    let shown = digest(&request.shown_digest)?;
    let voter = voter(&person, request.channel, None)?;
    let given = GivenEdit { invocation, voter, shown, params: request.params, note: request.note };
    Ok(Json(view::invocation(app.pipeline.approvals().edit(person.org, given).await?)))
}

/// Discard an invocation that was quarantined.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/discard", tag = "approvals", request_body = RulingRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InvocationView),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Not quarantined, or no longer held"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn discard_quarantined(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<RulingRequest>,
) -> Result<Json<InvocationView>, Answer> {
    bounded("/reason", &request.reason, 500)?;
    let given = GivenRuling { invocation, by: person.user, reason: request.reason };
    Ok(Json(view::invocation(app.pipeline.approvals().discard(person.org, given).await?)))
}

/// Release as text an invocation that was quarantined.
///
/// The same parameters are proposed again as a new invocation, which is returned. It needs approval whatever the rules
/// say, and those who approve it are shown who released it and why.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/release", tag = "approvals", request_body = RulingRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InvocationView, description = "The new invocation"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Not quarantined, no longer held, or the session has ended"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn release_quarantined(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<RulingRequest>,
) -> Result<Json<InvocationView>, Answer> {
    bounded("/reason", &request.reason, 500)?;
    if request.reason.trim().is_empty() {
        return Err(Answer::invalid("/reason", "a release needs a reason"));
    }
    let given = GivenRuling { invocation, by: person.user, reason: request.reason };
    let released = app.pipeline.approvals().release(person.org, given).await?;
    Ok(Json(view::invocation(released)))
}

/// Deny a pending invocation.
///
/// The agent can read the reason.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/deny", tag = "approvals", request_body = DenyRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InvocationView),
        (status = 403, body = Problem, description = "You may not answer this item"),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Already answered, or changed since it was shown"),
        (status = 410, body = Problem, description = "The invocation expired"),
    )
)]
pub(crate) async fn deny_invocation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<DenyRequest>,
) -> Result<Json<InvocationView>, Answer> {
    bounded("/reason", &request.reason, 500)?;
    let shown = digest(&request.shown_digest)?;
    let answer = pipeline::Answer::Deny { reason: request.reason };
    let voter = voter(&person, request.channel, request.assertion)?;
    let given = GivenAnswer { invocation, voter, shown, answer };
    let answered = app.pipeline.approvals().answer(person.org, given).await?;
    Ok(Json(view::invocation(answered)))
}

/// State the outcome of an invocation that ended as `unknown`, with evidence.
///
/// The invocation gets a second receipt, which refers to the first.
#[utoipa::path(
    post, path = "/v1/invocations/{invocation}/reconcile", tag = "approvals", request_body = ReconcileRequest,
    params(("invocation" = String, Path)),
    responses(
        (status = 200, body = InvocationView),
        (status = 409, body = Problem, description = "The outcome is already known"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn reconcile_invocation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
    Body(request): Body<ReconcileRequest>,
) -> Result<Json<InvocationView>, Answer> {
    bounded("/evidence", &request.evidence, 2_000)?;
    if request.evidence.trim().is_empty() {
        return Err(Answer::invalid("/evidence", "required: state the evidence, such as a link or an ID"));
    }
    let finding = Finding {
        happened: request.outcome == Reconciled::Succeeded,
        evidence: request.evidence,
        by: person.user,
    };
    Ok(Json(view::invocation(app.pipeline.approvals().reconcile(person.org, invocation, finding).await?)))
}

fn voter(person: &Person, channel: Channel, given: Option<AssertionRequest>) -> Result<Voter, Answer> {
    let channel = match channel {
        Channel::Api => "api",
        Channel::Cli => "cli",
        Channel::Web => "web",
    };
    let signed = given.map(|given| passkeys::signed(given, "/assertion")).transpose()?;
    let since = Some(person.signed_in_at);
    Ok(Voter { user: person.user, author: person.author(), role: person.role, channel, since, signed })
}

fn digest(text: &str) -> Result<Digest, Answer> {
    Digest::parse(text).ok_or_else(|| {
        Answer::invalid(
            "/shown_digest",
            "must be the digest of the inbox item's `shown`: `sha256:` and 64 hexadecimal digits",
        )
    })
}
