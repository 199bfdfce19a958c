//! Secrets and connections. Their values can be written and used, but never read.

use api::{ConnectionRequest, ConnectionView, Page, PageQuery, Problem, SecretRequest, SecretView};
use axum::{Json, extract::State, http::StatusCode};
use model::{Role, SourceSlug};
use oversight::By;
use secrecy::SecretString;

use crate::{
    Access, App,
    extract::{Body, CurrentUser, Id, Ids, Query, bounded, page, paged},
    problem::Answer,
    view,
};

const MOST_SECRET_BYTES: usize = 16 * 1024;

fn sized(pointer: &str, secret: &str) -> Result<(), Answer> {
    if (1..=MOST_SECRET_BYTES).contains(&secret.len()) {
        return Ok(());
    }
    Err(Answer::invalid(pointer, format!("must have 1 to {MOST_SECRET_BYTES} bytes")))
}

/// List secrets, without their values.
#[utoipa::path(
    get, path = "/v1/secrets", tag = "vault", params(PageQuery),
    responses((status = 200, body = Page<SecretView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_secrets(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<SecretView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.secrets(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::secret)))
}

/// Set a secret, replacing its previous value.
///
/// The value can be used but never read back, and only by the sources in its `audience`. Connectors that you added and
/// that use it are allowed at once.
#[utoipa::path(
    put, path = "/v1/secrets/{name}", tag = "vault", params(("name" = String, Path)), request_body = SecretRequest,
    responses((status = 200, body = SecretView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_secret(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    Body(request): Body<SecretRequest>,
) -> Result<Json<SecretView>, Answer> {
    sized("/value", &request.value.0)?;
    // The holder of this secret can vote as any linked member.
    if name == tenancy::SLACK_SIGNING_SECRET && person.role < Role::Owner {
        return Err(Answer::forbidden(Access::Person(Role::Owner)));
    }
    let value = SecretString::from(request.value.0);
    let by = By { author: &person.author(), role: person.role };
    Ok(Json(view::secret(app.oversight.put_secret(by, &name, &value).await?)))
}

/// Allow a connector to send a secret to its address.
///
/// Only the person who set the secret, or an owner, may do this.
#[utoipa::path(
    put, path = "/v1/secrets/{name}/audience/{connector}", tag = "vault",
    params(("name" = String, Path), ("connector" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn allow_secret(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Ids(name, connector): Ids<String, SourceSlug>,
) -> Result<StatusCode, Answer> {
    let by = By { author: &person.author(), role: person.role };
    app.oversight.allow_secret(by, &name, &connector).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Forbid a connector, or a model provider (`model.<name>`), to use a secret.
#[utoipa::path(
    delete, path = "/v1/secrets/{name}/audience/{connector}", tag = "vault",
    params(("name" = String, Path), ("connector" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn forbid_secret(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Ids(name, source): Ids<String, String>,
) -> Result<StatusCode, Answer> {
    if !app.tenancy.forbid_secret(&person.author(), &name, &source).await? {
        return Err(tenancy::Error::NotFound("use of the secret").into());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Delete a secret.
#[utoipa::path(
    delete, path = "/v1/secrets/{name}", tag = "vault", params(("name" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_secret(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
) -> Result<StatusCode, Answer> {
    app.tenancy.delete_secret(&person.author(), &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List connections, without their credentials.
#[utoipa::path(
    get, path = "/v1/connections", tag = "vault", params(PageQuery),
    responses((status = 200, body = Page<ConnectionView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_connections(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<ConnectionView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.connections(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::connection)))
}

/// Connect an integration with a credential, replacing the previous one.
#[utoipa::path(
    put, path = "/v1/connections/{provider}", tag = "vault", params(("provider" = String, Path)),
    request_body = ConnectionRequest,
    responses((status = 200, body = ConnectionView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_connection(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(provider): Id<SourceSlug>,
    Body(request): Body<ConnectionRequest>,
) -> Result<Json<ConnectionView>, Answer> {
    bounded("/name", &request.name, 100)?;
    sized("/token", &request.token.0)?;
    let known = app.pipeline.reader().registry().sources().any(|source| *source.slug() == provider);
    if !known {
        return Err(tenancy::Error::NotFound("source").into());
    }
    let token = SecretString::from(request.token.0);
    let by = person.author();
    Ok(Json(view::connection(app.tenancy.put_connection(&by, &provider, &request.name, &token).await?)))
}

/// Disconnect an integration.
#[utoipa::path(
    delete, path = "/v1/connections/{provider}", tag = "vault", params(("provider" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_connection(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(provider): Id<SourceSlug>,
) -> Result<StatusCode, Answer> {
    app.tenancy.delete_connection(&person.author(), &provider).await?;
    Ok(StatusCode::NO_CONTENT)
}
