//! Where people are told that something waits for them, who they are in Slack, and what they click there.

use api::{
    ClickAnswer, NotifierKind, NotifierRequest, NotifierTest, NotifierView, Page, Problem,
    SlackPersonRequest, SlackPersonView,
};
use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
};
use model::{NotifierId, OrgId};
use pipeline::{Click, NewNotifier, Notifier, SlackPerson};

use crate::{
    App,
    extract::{Body, Id, Someone, bounded, read_body},
    problem::Answer,
};

/// No click is larger.
const MOST_CLICK_BYTES: usize = 64 * 1024;

/// Where the org's people are told, oldest first.
#[utoipa::path(
    get, path = "/v1/notifiers", tag = "notifiers",
    responses((status = 200, body = Page<NotifierView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_notifiers(
    State(app): State<App>,
    Someone(person): Someone,
) -> Result<Json<Page<NotifierView>>, Answer> {
    let found = app.pipeline.notifiers(person.org).await?;
    Ok(Json(Page { items: found.into_iter().map(view).collect(), next_cursor: None }))
}

/// Tell people in a Slack channel, or by mail, what waits for them.
#[utoipa::path(
    post, path = "/v1/notifiers", tag = "notifiers", request_body = NotifierRequest,
    responses((status = 201, body = NotifierView), (status = "4XX", body = Problem))
)]
pub(crate) async fn add_notifier(
    State(app): State<App>,
    Someone(person): Someone,
    Body(request): Body<NotifierRequest>,
) -> Result<(StatusCode, Json<NotifierView>), Answer> {
    bounded("/target", &request.target, 254)?;
    let kind = match request.kind {
        NotifierKind::Slack => pipeline::NotifierKind::Slack,
        NotifierKind::Email => pipeline::NotifierKind::Email,
    };
    let new = NewNotifier { kind, space: request.space, target: request.target };
    let added = app.pipeline.add_notifier(person.org, new).await?;
    Ok((StatusCode::CREATED, Json(view(added))))
}

/// Stop telling people there.
#[utoipa::path(
    delete, path = "/v1/notifiers/{notifier}", tag = "notifiers", params(("notifier" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_notifier(
    State(app): State<App>,
    Someone(person): Someone,
    Id(notifier): Id<NotifierId>,
) -> Result<StatusCode, Answer> {
    app.pipeline.remove_notifier(person.org, notifier).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send a test there now.
#[utoipa::path(
    post, path = "/v1/notifiers/{notifier}/test", tag = "notifiers", params(("notifier" = String, Path)),
    responses((status = 200, body = NotifierTest), (status = "4XX", body = Problem))
)]
pub(crate) async fn test_notifier(
    State(app): State<App>,
    Someone(person): Someone,
    Id(notifier): Id<NotifierId>,
) -> Result<Json<NotifierTest>, Answer> {
    let error = app.pipeline.test_notifier(person.org, notifier).await?;
    Ok(Json(NotifierTest { delivered: error.is_none(), error }))
}

/// Which users of Slack are linked to users of the org.
#[utoipa::path(
    get, path = "/v1/slack/people", tag = "notifiers",
    responses((status = 200, body = Page<SlackPersonView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_slack_people(
    State(app): State<App>,
    Someone(person): Someone,
) -> Result<Json<Page<SlackPersonView>>, Answer> {
    let found = app.pipeline.slack_people(person.org).await?;
    Ok(Json(Page { items: found.into_iter().map(person_view).collect(), next_cursor: None }))
}

/// Say which user a user of Slack is: what they click counts as that user's word.
#[utoipa::path(
    put, path = "/v1/slack/people/{slack_user}", tag = "notifiers", params(("slack_user" = String, Path)),
    request_body = SlackPersonRequest,
    responses((status = 200, body = SlackPersonView), (status = "4XX", body = Problem))
)]
pub(crate) async fn link_slack_person(
    State(app): State<App>,
    Someone(person): Someone,
    Id(slack_user): Id<String>,
    Body(request): Body<SlackPersonRequest>,
) -> Result<Json<SlackPersonView>, Answer> {
    let linked = SlackPerson { slack_user, user: request.user };
    Ok(Json(person_view(app.pipeline.link_slack_person(person.org, linked).await?)))
}

/// Forget who a user of Slack is.
#[utoipa::path(
    delete, path = "/v1/slack/people/{slack_user}", tag = "notifiers", params(("slack_user" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn unlink_slack_person(
    State(app): State<App>,
    Someone(person): Someone,
    Id(slack_user): Id<String>,
) -> Result<StatusCode, Answer> {
    app.pipeline.unlink_slack_person(person.org, &slack_user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Where Slack sends clicks. What lets them in is Slack's signature with the org's signing secret.
#[utoipa::path(
    post, path = "/v1/slack/{org}/interactions", tag = "notifiers", params(("org" = String, Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"), security(()),
    responses(
        (status = 200, body = ClickAnswer, description = "Read; the text says whether it counted"),
        (status = 401, body = Problem, description = "Not signed, too old, or an org that takes no clicks"),
        (status = 409, body = Problem, description = "This very click was taken before"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn take_slack_click(
    State(app): State<App>,
    org: Result<Id<OrgId>, Answer>,
    request: Request,
) -> Result<Json<ClickAnswer>, Answer> {
    // A text that is no org at all is treated like an org that does not exist.
    let org = org.map_or_else(|_| OrgId::from_uuid(uuid::Uuid::nil()), |Id(org)| org);
    let (head, body) = request.into_parts();
    let body = read_body(body, MOST_CLICK_BYTES).await?;
    let click = Click {
        timestamp: only(&head.headers, "x-slack-request-timestamp"),
        signature: only(&head.headers, "x-slack-signature"),
        content_type: only(&head.headers, header::CONTENT_TYPE.as_str()),
        body: &body,
    };
    let text = app.pipeline.take_click(org, click).await?;
    Ok(Json(ClickAnswer { response_type: "ephemeral".to_owned(), replace_original: false, text }))
}

/// A header that stands there once; otherwise nothing.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().unwrap_or_default(),
        _ => "",
    }
}

fn view(found: Notifier) -> NotifierView {
    let kind = match found.kind {
        pipeline::NotifierKind::Slack => NotifierKind::Slack,
        pipeline::NotifierKind::Email => NotifierKind::Email,
    };
    NotifierView {
        id: found.id,
        kind,
        target: found.target,
        space: found.space,
        created_at: found.created_at,
    }
}

fn person_view(found: SlackPerson) -> SlackPersonView {
    SlackPersonView { slack_user: found.slack_user, user: found.user }
}
