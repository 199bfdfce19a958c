//! Metrics in the Prometheus format, for a listener of their own: they tell about all organizations and need no token, so
//! they do not belong where agents and strangers ask.

use axum::{
    Router,
    http::header,
    response::{IntoResponse as _, Response},
    routing::get,
};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::problem::Answer;

/// Serves `/metrics` and nothing else.
pub fn metrics_router(handle: PrometheusHandle) -> Router {
    let show = move || std::future::ready(show(&handle));
    Router::new().route("/metrics", get(show)).fallback(|| async { Answer::no_route() })
}

fn show(handle: &PrometheusHandle) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], handle.render()).into_response()
}
