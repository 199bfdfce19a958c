//! Operations: health, readiness and the API reference.

use std::sync::LazyLock;

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};

use crate::{App, router::openapi};

/// Check that the process is running.
#[utoipa::path(get, path = "/healthz", tag = "operations", security(()), responses((status = 200, body = Object)))]
pub(crate) async fn get_health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Check that the gateway can take requests.
///
/// The database must be available and the process must not be shutting down. Redis may be unavailable.
#[utoipa::path(
    get, path = "/readyz", tag = "operations", security(()),
    responses((status = 200, body = Object), (status = 503, body = Object))
)]
pub(crate) async fn get_readiness(State(app): State<App>) -> (StatusCode, Json<Value>) {
    let database = app.db.ping().await.is_ok();
    let redis = app.redis.ping().await;
    let draining = app.shutdown.has_begun();
    let status = if database && !draining { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({ "database": database, "redis": redis, "draining": draining })))
}

/// Return this OpenAPI document.
#[utoipa::path(get, path = "/v1/openapi.json", tag = "operations", security(()), responses((status = 200, body = Object)))]
pub(crate) async fn get_openapi() -> Json<&'static utoipa::openapi::OpenApi> {
    // Built once: the route is public, and building the document means building every route.
    static DESCRIPTION: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(openapi);
    Json(&DESCRIPTION)
}

const READER_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    connect-src 'self'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/// Show the API reference as a web page.
#[utoipa::path(
    get, path = "/docs", tag = "operations", security(()),
    responses((status = 200, body = String, content_type = "text/html"))
)]
pub(crate) async fn get_docs() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, READER_POLICY),
    ];
    (headers, include_str!("../../assets/reader.html")).into_response()
}

/// Return the script of the API reference.
#[utoipa::path(
    get, path = "/docs/reader.js", tag = "operations", security(()),
    responses((status = 200, body = String, content_type = "text/javascript"))
)]
pub(crate) async fn get_docs_reader() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CONTENT_ENCODING, "gzip"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    (headers, include_bytes!("../../assets/reader.js.gz").as_slice()).into_response()
}
