//! Receipts, and the keys that verify them.

use api::{Page, PageQuery, Problem, ReceiptView, ReceiptsQuery};
use axum::{Json, extract::State};
use ledger::Filter;
use model::ReceiptId;
use serde_json::Value;
use tenancy::Caller;

use crate::{
    App,
    extract::{Admitted, Asked, Id, Someone, page, paged},
    problem::Answer,
    view,
};

/// The org's receipts, newest first.
#[utoipa::path(
    get, path = "/v1/receipts", tag = "receipts", params(ReceiptsQuery),
    responses((status = 200, body = Page<ReceiptView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_receipts(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<ReceiptsQuery>,
) -> Result<Json<Page<ReceiptView>>, Answer> {
    let session = query.session.as_deref().map(str::parse).transpose();
    let session = session.map_err(|_| Answer::invalid("", "`session` is the id of a session"))?;
    let (before, limit) = page(&PageQuery { cursor: query.cursor, limit: query.limit })?;
    let filter = Filter { session, before: before.map(ReceiptId::from_uuid), limit };
    let found = app.ledger.list(person.org, filter).await?;
    Ok(Json(paged(found, limit, |found| found.entry.id.uuid(), view::receipt)))
}

/// One receipt: the signed envelope, and what it can be found by.
#[utoipa::path(
    get, path = "/v1/receipts/{receipt}", tag = "receipts", params(("receipt" = String, Path)),
    responses((status = 200, body = ReceiptView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_receipt(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(receipt): Id<ReceiptId>,
) -> Result<Json<ReceiptView>, Answer> {
    let found = app.ledger.find(caller.org(), receipt).await?;
    match caller {
        Caller::Session { session, .. } if session != found.entry.session => {
            Err(ledger::Error::NotFound.into())
        }
        _ => Ok(Json(view::receipt(found))),
    }
}

/// The public keys that verify receipts, for anyone.
#[utoipa::path(
    get, path = "/.well-known/countersign-keys.json", tag = "receipts", security(()),
    responses((status = 200, body = Object))
)]
pub(crate) async fn get_keys(State(app): State<App>) -> Result<Json<Value>, Answer> {
    let keys = app.ledger.key_set().await?;
    Ok(Json(serde_json::to_value(keys).unwrap_or_default()))
}
