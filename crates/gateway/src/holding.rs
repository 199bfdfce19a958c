//! What a gateway answers while its deployment is held: that nothing happens, and what the operator can do.

use axum::{Router, http::StatusCode, response::IntoResponse as _, routing::get};
use platform::db::deployment::Held;

use crate::problem::Answer;

/// How long a client waits before it asks again, in seconds.
const RETRY_AFTER_S: u64 = 10;

/// The answers of a gateway whose deployment is held: it lives, is not ready, and refuses everything else.
pub fn holding(held: &Held) -> Router {
    let why = held.to_string();
    let refuse = move || {
        let detail = format!("{why}. Nothing happens until the operator has run `countersign restored`");
        let refused = Answer::new(StatusCode::SERVICE_UNAVAILABLE, "deployment_held", detail);
        std::future::ready(refused.after(RETRY_AFTER_S).into_response())
    };
    Router::new().route("/healthz", get(|| async { "held" })).fallback(refuse)
}
