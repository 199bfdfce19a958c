//! The ledger: public checkpoints and hashes, and the receipts of an organization with proofs.

use api::{
    BundlesQuery, BundlesView, CheckpointView, ConsistencyQuery, EntriesQuery, EntriesView, InclusionQuery,
    Page, PageQuery, Problem, ProofView,
};
use axum::{
    Json,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::Timestamp;
use ledger::Filter;
use model::ReceiptId;
use receipt::{Bundle, merkle::Hash, tile::Tile};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    App,
    extract::{Admitted, CurrentUser, Id, Query, page, read},
    problem::Answer,
    routes::proof::receipts,
};

/// Immutable responses may be cached forever.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// The newest checkpoint changes about once a second.
const BRIEFLY: &str = "public, max-age=1";
const MOST_ENTRIES: u32 = 500;

/// Return the newest checkpoint, a signed note.
#[utoipa::path(
    get, path = "/v1/ledger/checkpoint", tag = "ledger", security(()),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_checkpoint(State(app): State<App>) -> Result<Response, Answer> {
    let checkpoint = app.ledger.checkpoint().await?.ok_or(ledger::Error::NotLogged)?;
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, BRIEFLY)];
    Ok((headers, checkpoint).into_response())
}

/// List stored checkpoints, one per minute, newest first.
#[utoipa::path(
    get, path = "/v1/ledger/checkpoints", tag = "ledger", security(()), params(PageQuery),
    responses((status = 200, body = Page<CheckpointView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_checkpoints(
    State(app): State<App>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<CheckpointView>>, Answer> {
    let before = read::<Timestamp>(
        query.cursor.as_deref(),
        "`cursor` must be the `next_cursor` of the previous page",
    )?;
    let (_, limit) = page(&PageQuery { cursor: None, limit: query.limit })?;
    let found = app.ledger.checkpoints(before, limit).await?;
    let is_full = found.len() == usize::try_from(limit).unwrap_or_default();
    let next_cursor = found.last().filter(|_| is_full).map(|(at, _)| at.to_string());
    let view = |(signed_at, checkpoint)| CheckpointView { signed_at, checkpoint };
    Ok(Json(Page { items: found.into_iter().map(view).collect(), next_cursor }))
}

/// Return a tile of hashes, as defined by C2SP `tlog-tiles`.
///
/// The path is `<level>/<index>`, with `.p/<width>` for a partial tile.
#[utoipa::path(
    get, path = "/v1/ledger/tile/{*path}", tag = "ledger", security(()), params(("path" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_tile(State(app): State<App>, Path(path): Path<String>) -> Result<Response, Answer> {
    let (tile, width) = Tile::parse(&path).ok_or_else(Answer::no_route)?;
    let hashes = app.ledger.tile(tile, width).await?.ok_or_else(Answer::no_route)?;
    let headers = [(header::CONTENT_TYPE, "application/octet-stream"), (header::CACHE_CONTROL, FOR_EVER)];
    Ok((headers, hashes).into_response())
}

/// Prove that an entry is in the ledger.
#[utoipa::path(
    get, path = "/v1/ledger/inclusion", tag = "ledger", security(()), params(InclusionQuery),
    responses((status = 200, body = ProofView), (status = "4XX", body = Problem))
)]
pub(crate) async fn prove_inclusion(
    State(app): State<App>,
    Query(query): Query<InclusionQuery>,
) -> Result<Response, Answer> {
    proven(app.ledger.inclusion(query.index, query.size).await?, "the ledger had no such entry at this size")
}

/// Prove that the ledger of one size continues the ledger of a smaller size.
#[utoipa::path(
    get, path = "/v1/ledger/consistency", tag = "ledger", security(()), params(ConsistencyQuery),
    responses((status = 200, body = ProofView), (status = "4XX", body = Problem))
)]
pub(crate) async fn prove_consistency(
    State(app): State<App>,
    Query(query): Query<ConsistencyQuery>,
) -> Result<Response, Answer> {
    proven(
        app.ledger.consistency(query.first, query.second).await?,
        "`first` and `second` must be sizes of the ledger, the smaller one first",
    )
}

fn proven(hashes: Option<Vec<Hash>>, otherwise: &str) -> Result<Response, Answer> {
    let hashes = hashes.ok_or_else(|| Answer::invalid("", otherwise))?;
    let view = ProofView { hashes: hashes.iter().map(|hash| BASE64_STANDARD.encode(hash)).collect() };
    Ok(([(header::CACHE_CONTROL, FOR_EVER)], Json(view)).into_response())
}

/// List entries of the organization in order, with their receipts.
#[utoipa::path(
    get, path = "/v1/ledger/entries", tag = "ledger", params(EntriesQuery),
    responses((status = 200, body = EntriesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_entries(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<EntriesQuery>,
) -> Result<Json<EntriesView>, Answer> {
    let limit = query.limit.unwrap_or(100);
    if !(1..=MOST_ENTRIES).contains(&limit) {
        return Err(Answer::invalid("", "`limit` must be between 1 and 500"));
    }
    let after = query.after.unwrap_or_default();
    let found = app.ledger.records(person.org, after, i64::from(limit)).await?;
    let is_full = found.len() == usize::try_from(limit).unwrap_or_default();
    let next = found.last().filter(|_| is_full).and_then(|last| last.entry.place()).map(|(_, number)| number);
    Ok(Json(EntriesView { items: found.iter().map(value).collect(), next }))
}

/// List receipts with proofs of their positions in the ledger, newest first.
#[utoipa::path(
    get, path = "/v1/ledger/bundles", tag = "ledger", params(BundlesQuery),
    responses((status = 200, body = BundlesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_bundles(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<BundlesQuery>,
) -> Result<Json<BundlesView>, Answer> {
    let filter = Filter {
        session: read(query.session.as_deref(), "`session` is the id of a session")?,
        from: read(query.from.as_deref(), "`from` is a moment, RFC 3339")?,
        to: read(query.to.as_deref(), "`to` is a moment, RFC 3339")?,
        ..Filter::default()
    };
    let (before, limit) = page(&PageQuery { cursor: query.cursor, limit: query.limit })?;
    let filter = Filter { before: before.map(ReceiptId::from_uuid), limit, ..filter };
    let found = app.ledger.list(person.org, filter).await?;
    let (count, last) = (found.len(), found.last().map(|last| last.entry.id.uuid()));
    let bundles = app.ledger.bundles(person.org, found).await?;
    Ok(Json(bundles_view(&bundles, count, last, limit)))
}

/// A page of bundles of so many records, of which `last` is the last.
pub(crate) fn bundles_view(bundles: &[Bundle], count: usize, last: Option<Uuid>, limit: i64) -> BundlesView {
    let is_full = count == usize::try_from(limit).unwrap_or_default();
    let next_cursor = last.filter(|_| is_full).map(|last| last.simple().to_string());
    let not_logged = u32::try_from(count - bundles.len()).unwrap_or_default();
    BundlesView { items: bundles.iter().map(value).collect(), not_logged, next_cursor }
}

/// Return a receipt with the proof of its position in the ledger.
#[utoipa::path(
    get, path = "/v1/receipts/{receipt}/bundle", tag = "ledger", params(("receipt" = String, Path)),
    responses((status = 200, body = Object), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_bundle(
    State(app): State<App>,
    Admitted(caller): Admitted,
    Id(receipt): Id<ReceiptId>,
) -> Result<Json<Value>, Answer> {
    let found = receipts::find(&app, &caller, receipt).await?;
    let bundle = app.ledger.bundles(caller.org(), vec![found]).await?.pop();
    Ok(Json(value(&bundle.ok_or(ledger::Error::NotLogged)?)))
}

pub(crate) fn value(document: &impl serde::Serialize) -> Value {
    serde_json::to_value(document).unwrap_or_default()
}
