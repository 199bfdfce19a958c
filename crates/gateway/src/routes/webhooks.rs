//! Webhooks: where events are sent, their secrets, and what became of each delivery.

use api::{
    DeliveryState, DeliveryView, NewWebhookSecretView, Page, PageQuery, Plain, Problem, WebhookPatch,
    WebhookRequest, WebhookView,
};
use axum::{Json, extract::State, http::StatusCode};
use events::webhooks::{Delivery, DeliveryStatus, Webhook, WebhookChange, WebhookSettings};
use model::{DeliveryId, WebhookId};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{
    App,
    extract::{Asked, Body, Id, Ids, Someone, bounded, page, paged},
    problem::Answer,
};

fn view(found: Webhook) -> WebhookView {
    WebhookView {
        id: found.id,
        url: found.settings.url,
        types: found.settings.types,
        filter: found.settings.filter,
        enabled: found.enabled,
        failing_since: found.failing_since,
        disabled_reason: found.disabled_reason,
        previous_secret_until: found.previous_until,
        created_by: found.created_by,
        created_at: found.created_at,
    }
}

fn with_secret((webhook, secret): (Webhook, SecretString)) -> NewWebhookSecretView {
    NewWebhookSecretView { webhook: view(webhook), secret: Plain(secret.expose_secret().to_owned()) }
}

fn delivery(found: Delivery) -> DeliveryView {
    let status = match found.status {
        DeliveryStatus::Pending => DeliveryState::Pending,
        DeliveryStatus::Delivered => DeliveryState::Delivered,
        DeliveryStatus::Failed => DeliveryState::Failed,
    };
    DeliveryView {
        id: found.id,
        webhook: found.webhook,
        event: found.event,
        status,
        attempts: found.attempts,
        last_status: found.last_status,
        last_error: found.last_error,
        next_at: (status == DeliveryState::Pending).then_some(found.next_at),
        created_at: found.created_at,
        delivered_at: found.delivered_at,
    }
}

/// The org's webhooks, without their secrets.
#[utoipa::path(
    get, path = "/v1/webhooks", tag = "webhooks",
    responses((status = 200, body = Page<WebhookView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_webhooks(
    State(app): State<App>,
    Someone(person): Someone,
) -> Result<Json<Page<WebhookView>>, Answer> {
    // There are at most fifty, so one page holds them all.
    let found = app.pipeline.webhooks().list(person.org).await?;
    Ok(Json(Page { items: found.into_iter().map(view).collect(), next_cursor: None }))
}

/// Have events sent to an address. The secret that verifies them is shown this once.
#[utoipa::path(
    post, path = "/v1/webhooks", tag = "webhooks", request_body = WebhookRequest,
    responses((status = 201, body = NewWebhookSecretView), (status = "4XX", body = Problem))
)]
pub(crate) async fn add_webhook(
    State(app): State<App>,
    Someone(person): Someone,
    Body(request): Body<WebhookRequest>,
) -> Result<(StatusCode, Json<NewWebhookSecretView>), Answer> {
    bounded("/url", &request.url, events::webhooks::LONGEST_URL)?;
    let settings = WebhookSettings { url: request.url, types: request.types, filter: request.filter };
    let added = app.pipeline.add_webhook((person.org, person.user), settings).await?;
    Ok((StatusCode::CREATED, Json(with_secret(added))))
}

/// One webhook.
#[utoipa::path(
    get, path = "/v1/webhooks/{webhook}", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 200, body = WebhookView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_webhook(
    State(app): State<App>,
    Someone(person): Someone,
    Id(webhook): Id<WebhookId>,
) -> Result<Json<WebhookView>, Answer> {
    Ok(Json(view(app.pipeline.webhooks().find(person.org, webhook).await?)))
}

/// Change where events are sent, which, or whether.
#[utoipa::path(
    patch, path = "/v1/webhooks/{webhook}", tag = "webhooks", params(("webhook" = String, Path)),
    request_body = WebhookPatch,
    responses((status = 200, body = WebhookView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_webhook(
    State(app): State<App>,
    Someone(person): Someone,
    Id(webhook): Id<WebhookId>,
    Body(patch): Body<WebhookPatch>,
) -> Result<Json<WebhookView>, Answer> {
    if let Some(url) = &patch.url {
        bounded("/url", url, events::webhooks::LONGEST_URL)?;
    }
    let change =
        WebhookChange { url: patch.url, types: patch.types, filter: patch.filter, enabled: patch.enabled };
    Ok(Json(view(app.pipeline.change_webhook(person.org, webhook, change).await?)))
}

/// Remove a webhook, and with it what is on its way there.
#[utoipa::path(
    delete, path = "/v1/webhooks/{webhook}", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_webhook(
    State(app): State<App>,
    Someone(person): Someone,
    Id(webhook): Id<WebhookId>,
) -> Result<StatusCode, Answer> {
    app.pipeline.webhooks().remove(person.org, webhook).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a new secret, shown this once. For a day the one before it signs as well.
#[utoipa::path(
    post, path = "/v1/webhooks/{webhook}/rotate", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 200, body = NewWebhookSecretView), (status = "4XX", body = Problem))
)]
pub(crate) async fn rotate_webhook(
    State(app): State<App>,
    Someone(person): Someone,
    Id(webhook): Id<WebhookId>,
) -> Result<Json<NewWebhookSecretView>, Answer> {
    Ok(Json(with_secret(app.pipeline.webhooks().rotate(person.org, webhook).await?)))
}

/// Send an event to this webhook alone, to try it with.
#[utoipa::path(
    post, path = "/v1/webhooks/{webhook}/test", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 202, body = DeliveryView), (status = "4XX", body = Problem))
)]
pub(crate) async fn test_webhook(
    State(app): State<App>,
    Someone(person): Someone,
    Id(webhook): Id<WebhookId>,
) -> Result<(StatusCode, Json<DeliveryView>), Answer> {
    let made = app.pipeline.test_webhook(person.org, webhook).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery(made))))
}

/// What became of what was sent there, newest first; kept for 30 days.
#[utoipa::path(
    get, path = "/v1/webhooks/{webhook}/deliveries", tag = "webhooks",
    params(("webhook" = String, Path), PageQuery),
    responses((status = 200, body = Page<DeliveryView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_deliveries(
    State(app): State<App>,
    Someone(person): Someone,
    Id(webhook): Id<WebhookId>,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<DeliveryView>>, Answer> {
    let (before, limit) = page(&query)?;
    let before = before.map(DeliveryId::from_uuid);
    let found = app.pipeline.webhooks().deliveries(person.org, webhook, before, limit).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), delivery)))
}

/// Send it again, whatever became of it.
#[utoipa::path(
    post, path = "/v1/webhooks/{webhook}/deliveries/{delivery}/resend", tag = "webhooks",
    params(("webhook" = String, Path), ("delivery" = String, Path)),
    responses((status = 202, body = DeliveryView), (status = "4XX", body = Problem))
)]
pub(crate) async fn resend_delivery(
    State(app): State<App>,
    Someone(person): Someone,
    Ids(webhook, id): Ids<WebhookId, DeliveryId>,
) -> Result<(StatusCode, Json<DeliveryView>), Answer> {
    let made = app.pipeline.resend(person.org, (webhook, id)).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery(made))))
}
