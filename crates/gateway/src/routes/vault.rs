//! Secrets and connections: written here, never read here.

use api::{ConnectionRequest, ConnectionView, Page, PageQuery, Problem, SecretRequest, SecretView};
use axum::{Json, extract::State, http::StatusCode};
use model::{Role, SourceSlug};
use secrecy::SecretString;

use crate::{
    Access, App,
    extract::{Asked, Body, Id, Someone, bounded, page, paged},
    problem::Answer,
    view,
};

const MOST_SECRET_BYTES: usize = 16 * 1024;

fn sized(pointer: &str, secret: &str) -> Result<(), Answer> {
    if (1..=MOST_SECRET_BYTES).contains(&secret.len()) {
        return Ok(());
    }
    Err(Answer::invalid(pointer, format!("1 to {MOST_SECRET_BYTES} bytes")))
}

/// The org's secrets, without their values.
#[utoipa::path(
    get, path = "/v1/secrets", tag = "vault", params(PageQuery),
    responses((status = 200, body = Page<SecretView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_secrets(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<SecretView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.secrets(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::secret)))
}

/// Keep a value under a name, replacing what was there. It can be used, and never read back.
#[utoipa::path(
    put, path = "/v1/secrets/{name}", tag = "vault", params(("name" = String, Path)), request_body = SecretRequest,
    responses((status = 200, body = SecretView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_secret(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<SecretRequest>,
) -> Result<Json<SecretView>, Answer> {
    sized("/value", &request.value.0)?;
    // Whoever knows this one can vote as anybody who is linked.
    if name == pipeline::SIGNING_SECRET && person.role < Role::Owner {
        return Err(Answer::forbidden(Access::Person(Role::Owner)));
    }
    let value = SecretString::from(request.value.0);
    Ok(Json(view::secret(app.tenancy.put_secret((person.org, person.user), &name, &value).await?)))
}

/// Forget a secret.
#[utoipa::path(
    delete, path = "/v1/secrets/{name}", tag = "vault", params(("name" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_secret(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
) -> Result<StatusCode, Answer> {
    app.tenancy.delete_secret(person.org, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The org's connections, without their credentials.
#[utoipa::path(
    get, path = "/v1/connections", tag = "vault", params(PageQuery),
    responses((status = 200, body = Page<ConnectionView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_connections(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<ConnectionView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.connections(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::connection)))
}

/// Connect a source with a credential, replacing the one that was there.
#[utoipa::path(
    put, path = "/v1/connections/{provider}", tag = "vault", params(("provider" = String, Path)),
    request_body = ConnectionRequest,
    responses((status = 200, body = ConnectionView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_connection(
    State(app): State<App>,
    Someone(person): Someone,
    Id(provider): Id<SourceSlug>,
    Body(request): Body<ConnectionRequest>,
) -> Result<Json<ConnectionView>, Answer> {
    bounded("/name", &request.name, 100)?;
    sized("/token", &request.token.0)?;
    let known = app.pipeline.registry().sources().any(|source| *source.slug() == provider);
    if !known {
        return Err(tenancy::Error::NotFound("source").into());
    }
    let token = SecretString::from(request.token.0);
    let whose = (person.org, person.user);
    Ok(Json(view::connection(app.tenancy.put_connection(whose, &provider, &request.name, &token).await?)))
}

/// Cut a connection.
#[utoipa::path(
    delete, path = "/v1/connections/{provider}", tag = "vault", params(("provider" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_connection(
    State(app): State<App>,
    Someone(person): Someone,
    Id(provider): Id<SourceSlug>,
) -> Result<StatusCode, Answer> {
    app.tenancy.delete_connection(person.org, &provider).await?;
    Ok(StatusCode::NO_CONTENT)
}
