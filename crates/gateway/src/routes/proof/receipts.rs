//! Receipts, and the public keys that verify them.

use api::{Page, PageQuery, Problem, ReceiptView, ReceiptsQuery};
use axum::{Json, extract::State};
use ledger::Filter;
use model::{InvocationId, OrgId, ReceiptId};
use serde_json::Value;
use tenancy::Caller;

use crate::{
    App,
    extract::{Admitted, CurrentUser, Id, Query, page, paged, read},
    problem::Answer,
    view,
};

/// List receipts, newest first.
#[utoipa::path(
    get, path = "/v1/receipts", tag = "receipts", params(ReceiptsQuery),
    responses((status = 200, body = Page<ReceiptView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_receipts(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ReceiptsQuery>,
) -> Result<Json<Page<ReceiptView>>, Answer> {
    let session = read(query.session.as_deref(), "`session` is the id of a session")?;
    let invocation = read(query.invocation.as_deref(), "`invocation` is the id of an invocation")?;
    let (before, limit) = page(&PageQuery { cursor: query.cursor, limit: query.limit })?;
    let filter = Filter { session, before: before.map(ReceiptId::from_uuid), limit, ..Filter::default() };
    let found = match invocation {
        None => app.ledger.list(person.org, filter).await?,
        Some(invocation) => of_invocation(&app, person.org, invocation, filter).await?,
    };
    Ok(Json(paged(found, limit, |found| found.entry.id.uuid(), view::receipt)))
}

/// The receipts of one invocation: it refers to its newest receipt, and each receipt to the previous one.
async fn of_invocation(
    app: &App,
    org: OrgId,
    id: InvocationId,
    filter: Filter,
) -> Result<Vec<ledger::Stored>, Answer> {
    let newest = match app.pipeline.reader().invocation(org, id).await {
        Err(pipeline::Error::NotFound(_)) => None,
        found => found?.receipt,
    };
    let Some(newest) = newest else { return Ok(vec![]) };
    let mut found = app.ledger.chain(org, newest).await?;
    found.retain(|stored| {
        filter.session.is_none_or(|session| session == stored.entry.session)
            && filter.before.is_none_or(|before| stored.entry.id < before)
    });
    found.truncate(usize::try_from(filter.limit).unwrap_or_default());
    Ok(found)
}

/// Return a receipt: the signed envelope and its searchable fields.
#[utoipa::path(
    get, path = "/v1/receipts/{receipt}", tag = "receipts", params(("receipt" = String, Path)),
    responses((status = 200, body = ReceiptView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_receipt(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(receipt): Id<ReceiptId>,
) -> Result<Json<ReceiptView>, Answer> {
    Ok(Json(view::receipt(find(&app, &caller, receipt).await?)))
}

/// A receipt, for a member of its organization or for its session.
pub(crate) async fn find(app: &App, caller: &Caller, id: ReceiptId) -> Result<ledger::Stored, Answer> {
    let found = app.ledger.find(caller.org(), id).await?;
    match caller {
        Caller::Session { session, .. } if *session != found.entry.session => {
            Err(ledger::Error::NotFound.into())
        }
        _ => Ok(found),
    }
}

/// Return the public keys that verify receipts. No authentication is required.
#[utoipa::path(
    get, path = "/.well-known/countersign-keys.json", tag = "receipts", security(()),
    responses((status = 200, body = Object))
)]
pub(crate) async fn get_keys(State(app): State<App>) -> Result<Json<Value>, Answer> {
    let keys = app.ledger.key_set().await?;
    Ok(Json(serde_json::to_value(keys).unwrap_or_default()))
}
