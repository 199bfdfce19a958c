//! Change records: who changed what anyone may do.

use api::{BundlesView, ChangeView, ChangesQuery, Page, PageQuery, Problem};
use axum::{Json, extract::State};
use changes::Filter;
use model::ChangeId;
use serde_json::Value;

use super::ledger::{bundles_view, value};
use crate::{
    App,
    extract::{CurrentUser, Id, Query, bounded, page, paged, read},
    problem::Answer,
    view,
};

fn filter(query: ChangesQuery) -> Result<Filter, Answer> {
    bounded("/change", query.change.as_deref().unwrap_or_default(), 100)?;
    bounded("/subject", query.subject.as_deref().unwrap_or_default(), 100)?;
    let user = read(query.user.as_deref(), "`user` is the id of a person")?;
    let (before, limit) = page(&PageQuery { cursor: query.cursor, limit: query.limit })?;
    let before = before.map(ChangeId::from_uuid);
    Ok(Filter { change: query.change, subject: query.subject, user, before, limit })
}

/// List change records, newest first.
#[utoipa::path(
    get, path = "/v1/changes", tag = "receipts", params(ChangesQuery),
    responses((status = 200, body = Page<ChangeView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_changes(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ChangesQuery>,
) -> Result<Json<Page<ChangeView>>, Answer> {
    let filter = filter(query)?;
    let found = app.ledger.changes(person.org, &filter).await?;
    let views = found.iter().map(view::change).collect::<Result<Vec<_>, _>>()?;
    let bare = |view| ChangeView { envelope: None, ..view };
    Ok(Json(paged(views, filter.limit, |view| view.id.uuid(), bare)))
}

/// Return a change record: the signed envelope and its content.
#[utoipa::path(
    get, path = "/v1/changes/{change}", tag = "receipts", params(("change" = String, Path)),
    responses((status = 200, body = ChangeView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_change(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(change): Id<ChangeId>,
) -> Result<Json<ChangeView>, Answer> {
    Ok(Json(view::change(&app.ledger.change(person.org, change).await?)?))
}

/// Return a change record with the proof of its position in the ledger.
#[utoipa::path(
    get, path = "/v1/changes/{change}/bundle", tag = "ledger", params(("change" = String, Path)),
    responses((status = 200, body = Object), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_change_bundle(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(change): Id<ChangeId>,
) -> Result<Json<Value>, Answer> {
    let found = app.ledger.change(person.org, change).await?;
    let bundle = app.ledger.change_bundles(person.org, vec![found]).await?.pop();
    Ok(Json(value(&bundle.ok_or(ledger::Error::NotLogged)?)))
}

/// List change records with proofs of their positions in the ledger, newest first.
#[utoipa::path(
    get, path = "/v1/ledger/changes", tag = "ledger", params(ChangesQuery),
    responses((status = 200, body = BundlesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_change_bundles(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ChangesQuery>,
) -> Result<Json<BundlesView>, Answer> {
    let filter = filter(query)?;
    let found = app.ledger.changes(person.org, &filter).await?;
    let (count, last) = (found.len(), found.last().map(|last| last.id.uuid()));
    let bundles = app.ledger.change_bundles(person.org, found).await?;
    Ok(Json(bundles_view(&bundles, count, last, filter.limit)))
}
