//! Artifacts: results that are too large for a receipt, addressed by their digest.

use api::Problem;
use axum::{
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use model::Digest;
use tenancy::Caller;

use crate::{App, extract::Admitted, problem::Answer};

/// Return an artifact: the complete result of which the receipt holds a part.
///
/// A session can read the artifacts of its own invocations.
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
    // The artifact comes from a target: browsers must download it, never show it as a page of the gateway.
    let name = format!("attachment; filename=\"{}.json\"", hex::encode(digest.as_bytes()));
    let headers = [(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes.to_vec()).into_response())
}
