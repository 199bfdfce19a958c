//! Notifiers, links between Slack users and members, and clicks in Slack.

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
use notify::{Click, NewNotifier, Notifier, SlackPerson};

use crate::{
    App,
    extract::{Body, CurrentUser, Id, bounded, read_body},
    problem::Answer,
};

/// Maximum size of a click, in bytes.
const MOST_CLICK_BYTES: usize = 64 * 1024;

/// List notifiers, oldest first.
#[utoipa::path(
    get, path = "/v1/notifiers", tag = "notifiers",
    responses((status = 200, body = Page<NotifierView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_notifiers(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<NotifierView>>, Answer> {
    let found = app.notify.notifiers(person.org).await?;
    Ok(Json(Page { items: found.into_iter().map(view).collect(), next_cursor: None }))
}

/// Add a notifier: a Slack channel or an e-mail address.
///
/// People are notified there about pending approvals, grant requests and unknown outcomes.
#[utoipa::path(
    post, path = "/v1/notifiers", tag = "notifiers", request_body = NotifierRequest,
    responses((status = 201, body = NotifierView), (status = "4XX", body = Problem))
)]
pub(crate) async fn add_notifier(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<NotifierRequest>,
) -> Result<(StatusCode, Json<NotifierView>), Answer> {
    bounded("/target", &request.target, 254)?;
    let kind = match request.kind {
        NotifierKind::Slack => notify::Kind::Slack,
        NotifierKind::Email => notify::Kind::Email,
    };
    let new = NewNotifier { kind, space: request.space, target: request.target };
    let added = app.notify.add_notifier(person.org, new).await?;
    Ok((StatusCode::CREATED, Json(view(added))))
}

/// Delete a notifier.
#[utoipa::path(
    delete, path = "/v1/notifiers/{notifier}", tag = "notifiers", params(("notifier" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_notifier(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(notifier): Id<NotifierId>,
) -> Result<StatusCode, Answer> {
    app.notify.remove_notifier(person.org, notifier).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send a test notification.
#[utoipa::path(
    post, path = "/v1/notifiers/{notifier}/test", tag = "notifiers", params(("notifier" = String, Path)),
    responses((status = 200, body = NotifierTest), (status = "4XX", body = Problem))
)]
pub(crate) async fn test_notifier(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(notifier): Id<NotifierId>,
) -> Result<Json<NotifierTest>, Answer> {
    let error = app.notify.test_notifier(person.org, notifier).await?;
    Ok(Json(NotifierTest { delivered: error.is_none(), error }))
}

/// List the Slack users that are linked to members.
#[utoipa::path(
    get, path = "/v1/slack/people", tag = "notifiers",
    responses((status = 200, body = Page<SlackPersonView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_slack_people(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<SlackPersonView>>, Answer> {
    let found = app.notify.slack_people(person.org).await?;
    Ok(Json(Page { items: found.into_iter().map(person_view).collect(), next_cursor: None }))
}

/// Link a Slack user to a member.
///
/// Clicks of the Slack user then count as answers of the member.
#[utoipa::path(
    put, path = "/v1/slack/people/{slack_user}", tag = "notifiers", params(("slack_user" = String, Path)),
    request_body = SlackPersonRequest,
    responses((status = 200, body = SlackPersonView), (status = "4XX", body = Problem))
)]
pub(crate) async fn link_slack_person(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slack_user): Id<String>,
    Body(request): Body<SlackPersonRequest>,
) -> Result<Json<SlackPersonView>, Answer> {
    let linked = SlackPerson { slack_user, user: request.user };
    Ok(Json(person_view(app.notify.link_slack_person(&person.author(), linked).await?)))
}

/// Remove the link of a Slack user.
#[utoipa::path(
    delete, path = "/v1/slack/people/{slack_user}", tag = "notifiers", params(("slack_user" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn unlink_slack_person(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slack_user): Id<String>,
) -> Result<StatusCode, Answer> {
    app.notify.unlink_slack_person(&person.author(), &slack_user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Receive a click from Slack.
///
/// The request is authenticated by Slack's signature with the organization's signing secret.
#[utoipa::path(
    post, path = "/v1/slack/{org}/interactions", tag = "notifiers", params(("org" = String, Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"), security(()),
    responses(
        (status = 200, body = ClickAnswer, description = "Processed; `text` says whether it was accepted"),
        (status = 401, body = Problem, description = "Signature missing, invalid or too old"),
        (status = 409, body = Problem, description = "The click was already processed"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn take_slack_click(
    State(app): State<App>,
    org: Result<Id<OrgId>, Answer>,
    request: Request,
) -> Result<Json<ClickAnswer>, Answer> {
    // An invalid organization ID is treated like an organization that does not exist.
    let org = org.map_or_else(|_| OrgId::from_uuid(uuid::Uuid::nil()), |Id(org)| org);
    let (head, body) = request.into_parts();
    let body = read_body(body, MOST_CLICK_BYTES).await?;
    let click = Click {
        timestamp: only(&head.headers, "x-slack-request-timestamp"),
        signature: only(&head.headers, "x-slack-signature"),
        content_type: only(&head.headers, header::CONTENT_TYPE.as_str()),
        body: &body,
    };
    let text = app.notify.receive_click(org, click).await?;
    Ok(Json(ClickAnswer { response_type: "ephemeral".to_owned(), replace_original: false, text }))
}

/// The value of a header; `None` if it is missing or repeated.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().unwrap_or_default(),
        _ => "",
    }
}

fn view(found: Notifier) -> NotifierView {
    let kind = match found.kind {
        notify::Kind::Slack => NotifierKind::Slack,
        notify::Kind::Email => NotifierKind::Email,
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
