//! Webhooks, their secrets and their deliveries.

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
    extract::{Body, CurrentUser, Id, Ids, Query, bounded, page, paged},
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

fn with_secret(webhook: Webhook, secret: SecretString) -> NewWebhookSecretView {
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

/// List webhooks, without their secrets.
#[utoipa::path(
    get, path = "/v1/webhooks", tag = "webhooks",
    responses((status = 200, body = Page<WebhookView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_webhooks(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<WebhookView>>, Answer> {
    // There are at most 50, so one page is enough.
    let found = app.pipeline.webhooks().records().list(person.org).await?;
    Ok(Json(Page { items: found.into_iter().map(view).collect(), next_cursor: None }))
}

/// Add a webhook.
///
/// The response contains the secret that verifies signatures. It is shown only once.
#[utoipa::path(
    post, path = "/v1/webhooks", tag = "webhooks", request_body = WebhookRequest,
    responses((status = 201, body = NewWebhookSecretView), (status = "4XX", body = Problem))
)]
pub(crate) async fn add_webhook(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<WebhookRequest>,
) -> Result<(StatusCode, Json<NewWebhookSecretView>), Answer> {
    bounded("/url", &request.url, events::webhooks::LONGEST_URL)?;
    let settings = WebhookSettings { url: request.url, types: request.types, filter: request.filter };
    let (webhook, secret) = app.pipeline.webhooks().add(person.actor(), settings).await?;
    Ok((StatusCode::CREATED, Json(with_secret(webhook, secret))))
}

/// Return a webhook.
#[utoipa::path(
    get, path = "/v1/webhooks/{webhook}", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 200, body = WebhookView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_webhook(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(webhook): Id<WebhookId>,
) -> Result<Json<WebhookView>, Answer> {
    Ok(Json(view(app.pipeline.webhooks().records().find(person.org, webhook).await?)))
}

/// Change a webhook: its URL, its events, or whether it is enabled.
#[utoipa::path(
    patch, path = "/v1/webhooks/{webhook}", tag = "webhooks", params(("webhook" = String, Path)),
    request_body = WebhookPatch,
    responses((status = 200, body = WebhookView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_webhook(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(webhook): Id<WebhookId>,
    Body(patch): Body<WebhookPatch>,
) -> Result<Json<WebhookView>, Answer> {
    if let Some(url) = &patch.url {
        bounded("/url", url, events::webhooks::LONGEST_URL)?;
    }
    let change =
        WebhookChange { url: patch.url, types: patch.types, filter: patch.filter, enabled: patch.enabled };
    Ok(Json(view(app.pipeline.webhooks().change(person.org, webhook, change).await?)))
}

/// Delete a webhook and its pending deliveries.
#[utoipa::path(
    delete, path = "/v1/webhooks/{webhook}", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_webhook(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(webhook): Id<WebhookId>,
) -> Result<StatusCode, Answer> {
    app.pipeline.webhooks().records().remove(person.org, webhook).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Create a new secret, which is shown only once.
///
/// For one day, events are signed with the previous secret too.
#[utoipa::path(
    post, path = "/v1/webhooks/{webhook}/rotate", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 200, body = NewWebhookSecretView), (status = "4XX", body = Problem))
)]
pub(crate) async fn rotate_webhook(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(webhook): Id<WebhookId>,
) -> Result<Json<NewWebhookSecretView>, Answer> {
    let (webhook, secret) = app.pipeline.webhooks().records().rotate(person.org, webhook).await?;
    Ok(Json(with_secret(webhook, secret)))
}

/// Send a test event to this webhook.
#[utoipa::path(
    post, path = "/v1/webhooks/{webhook}/test", tag = "webhooks", params(("webhook" = String, Path)),
    responses((status = 202, body = DeliveryView), (status = "4XX", body = Problem))
)]
pub(crate) async fn test_webhook(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(webhook): Id<WebhookId>,
) -> Result<(StatusCode, Json<DeliveryView>), Answer> {
    let made = app.pipeline.webhooks().test(person.org, webhook).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery(made))))
}

/// List deliveries, newest first. They are kept for 30 days.
#[utoipa::path(
    get, path = "/v1/webhooks/{webhook}/deliveries", tag = "webhooks",
    params(("webhook" = String, Path), PageQuery),
    responses((status = 200, body = Page<DeliveryView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_deliveries(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(webhook): Id<WebhookId>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<DeliveryView>>, Answer> {
    let (before, limit) = page(&query)?;
    let before = before.map(DeliveryId::from_uuid);
    let found = app.pipeline.webhooks().records().deliveries(person.org, webhook, before, limit).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), delivery)))
}

/// Send an event again, whatever the status of its delivery is.
#[utoipa::path(
    post, path = "/v1/webhooks/{webhook}/deliveries/{delivery}/resend", tag = "webhooks",
    params(("webhook" = String, Path), ("delivery" = String, Path)),
    responses((status = 202, body = DeliveryView), (status = "4XX", body = Problem))
)]
pub(crate) async fn resend_delivery(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Ids(webhook, id): Ids<WebhookId, DeliveryId>,
) -> Result<(StatusCode, Json<DeliveryView>), Answer> {
    let made = app.pipeline.webhooks().resend(person.org, webhook, id).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery(made))))
}
