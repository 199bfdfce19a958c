//! Artifacts: what was too large for a receipt, by the digest that stands in it.

use api::Problem;
use axum::{
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use model::Digest;
use tenancy::Caller;

use crate::{App, extract::Admitted, problem::Answer};

/// The whole of a result that the receipt holds a part of. A session is given those of its own invocations.
#[utoipa::path(
    get, path = "/v1/artifacts/{digest}", tag = "receipts", params(("digest" = String, Path)),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/json"), (status = "4XX", body = Problem),
        (status = "5XX", body = Problem)
    )
)]
pub(crate) async fn get_artifact(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Path(digest): Path<String>,
) -> Result<Response, Answer> {
    let digest = Digest::parse(&digest).ok_or(ledger::Error::NoArtifact)?;
    let session = match &caller {
        Caller::Session { session, .. } => Some(*session),
        _ => None,
    };
    let (media_type, bytes) = app.ledger.artifact(caller.org(), &digest, session).await?;
    // It is what a target answered: to be kept in a file, never to be shown as a page of ours.
    let name = format!("attachment; filename=\"{}.json\"", hex::encode(digest.as_bytes()));
    let headers = [(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes.to_vec()).into_response())
}
