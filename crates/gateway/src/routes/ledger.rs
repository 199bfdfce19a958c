//! The ledger: what anyone may fetch and keep, and an org's own receipts with their proofs.

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
use receipt::{merkle::Hash, tile::Tile};
use serde_json::Value;

use crate::{
    App,
    extract::{Admitted, Asked, Id, Someone, page, read},
    problem::Answer,
    routes::receipts,
};

/// What never changes may be kept by anyone for ever.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// The newest changes about once a second.
const BRIEFLY: &str = "public, max-age=1";
const MOST_ENTRIES: u32 = 500;

/// The newest checkpoint: a signed note.
#[utoipa::path(
    get, path = "/v1/ledger/checkpoint", tag = "ledger", security(()),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_checkpoint(State(app): State<App>) -> Result<Response, Answer> {
    let checkpoint = app.ledger.checkpoint().await?.ok_or(ledger::Error::NotLogged)?;
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, BRIEFLY)];
    Ok((headers, checkpoint).into_response())
}

/// Checkpoints that were kept, one a minute, newest first.
#[utoipa::path(
    get, path = "/v1/ledger/checkpoints", tag = "ledger", security(()), params(PageQuery),
    responses((status = 200, body = Page<CheckpointView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_checkpoints(
    State(app): State<App>,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<CheckpointView>>, Answer> {
    let before =
        read::<Timestamp>(query.cursor.as_deref(), "`cursor` is the `next_cursor` of an earlier page")?;
    let (_, limit) = page(&PageQuery { cursor: None, limit: query.limit })?;
    let found = app.ledger.checkpoints(before, limit).await?;
    let is_full = found.len() == usize::try_from(limit).unwrap_or_default();
    let next_cursor = found.last().filter(|_| is_full).map(|(at, _)| at.to_string());
    let view = |(signed_at, checkpoint)| CheckpointView { signed_at, checkpoint };
    Ok(Json(Page { items: found.into_iter().map(view).collect(), next_cursor }))
}

/// A tile of hashes, as C2SP `tlog-tiles` names them: `<level>/<index>`, with `.p/<width>` where it is not full.
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

/// What proves that an entry is in the log.
#[utoipa::path(
    get, path = "/v1/ledger/inclusion", tag = "ledger", security(()), params(InclusionQuery),
    responses((status = 200, body = ProofView), (status = "4XX", body = Problem))
)]
pub(crate) async fn prove_inclusion(
    State(app): State<App>,
    Asked(query): Asked<InclusionQuery>,
) -> Result<Response, Answer> {
    proven(app.ledger.inclusion(query.index, query.size).await?, "the log had no such entry at that size")
}

/// What proves that the log of one size continues the log of a smaller one.
#[utoipa::path(
    get, path = "/v1/ledger/consistency", tag = "ledger", security(()), params(ConsistencyQuery),
    responses((status = 200, body = ProofView), (status = "4XX", body = Problem))
)]
pub(crate) async fn prove_consistency(
    State(app): State<App>,
    Asked(query): Asked<ConsistencyQuery>,
) -> Result<Response, Answer> {
    proven(
        app.ledger.consistency(query.first, query.second).await?,
        "the log never had these sizes in this order",
    )
}

fn proven(hashes: Option<Vec<Hash>>, otherwise: &str) -> Result<Response, Answer> {
    let hashes = hashes.ok_or_else(|| Answer::invalid("", otherwise))?;
    let view = ProofView { hashes: hashes.iter().map(|hash| BASE64_STANDARD.encode(hash)).collect() };
    Ok(([(header::CACHE_CONTROL, FOR_EVER)], Json(view)).into_response())
}

/// The org's entries in the order of their numbers, with the receipts they stand for.
#[utoipa::path(
    get, path = "/v1/ledger/entries", tag = "ledger", params(EntriesQuery),
    responses((status = 200, body = EntriesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_entries(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<EntriesQuery>,
) -> Result<Json<EntriesView>, Answer> {
    let limit = query.limit.unwrap_or(100);
    if !(1..=MOST_ENTRIES).contains(&limit) {
        return Err(Answer::invalid("", "`limit` is 1 to 500"));
    }
    let after = query.after.unwrap_or_default();
    let found = app.ledger.records(person.org, after, i64::from(limit)).await?;
    let is_full = found.len() == usize::try_from(limit).unwrap_or_default();
    let next = found.last().filter(|_| is_full).and_then(|last| last.entry.place()).map(|(_, number)| number);
    Ok(Json(EntriesView { items: found.iter().map(value).collect(), next }))
}

/// Receipts with all that proves their places in the log, newest first.
#[utoipa::path(
    get, path = "/v1/ledger/bundles", tag = "ledger", params(BundlesQuery),
    responses((status = 200, body = BundlesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_bundles(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<BundlesQuery>,
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
    let (count, last) = (found.len(), found.last().map(|last| last.entry.id.uuid().simple().to_string()));
    let next_cursor = last.filter(|_| count == usize::try_from(limit).unwrap_or_default());
    let bundles = app.ledger.bundles(person.org, found).await?;
    let not_logged = u32::try_from(count - bundles.len()).unwrap_or_default();
    Ok(Json(BundlesView { items: bundles.iter().map(value).collect(), not_logged, next_cursor }))
}

/// One receipt with all that proves its place in the log.
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

fn value(document: &impl serde::Serialize) -> Value {
    serde_json::to_value(document).unwrap_or_default()
}
