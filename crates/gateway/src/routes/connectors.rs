//! Connectors, and the review of their tools.

use std::collections::HashMap;

use api::{
    ConnectorAuth, ConnectorDetail, ConnectorPatch, ConnectorRequest, ConnectorView, HarvestView, Page,
    Problem, ToolChange, ToolNews, ToolReviewRequest, ToolState, ToolVerdict, ToolView,
};
use axum::{Json, extract::State, http::StatusCode};
use catalog::connector::{self, Auth, Connector, Kind, Review, Tool};
use model::{ConnectorId, Drift, EffectClass, OrgId, SourceSlug};
use oversight::{By, ConnectorChange, NewConnector, ToolCounts, ToolReview};
use serde_json::Value;

use crate::{
    App,
    extract::{Body, CurrentUser, Id, bounded},
    problem::Answer,
};

const MOST_PLACE: usize = 2_000;

/// List connectors.
#[utoipa::path(
    get, path = "/v1/connectors", tag = "connectors",
    responses((status = 200, body = Page<ConnectorView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_connectors(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<ConnectorView>>, Answer> {
    let found = app.oversight.connectors(person.org).await?;
    let counts = app.oversight.tool_counts(person.org).await?;
    // There are few connectors, so one page is enough.
    let items = found.into_iter().map(|found| view(found, &counts)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Connect a server and list its tools.
///
/// If the server cannot be reached, the connector is created anyway, with the reason in `problem`.
#[utoipa::path(
    post, path = "/v1/connectors", tag = "connectors", request_body = ConnectorRequest,
    responses((status = 201, body = ConnectorView), (status = "4XX", body = Problem))
)]
pub(crate) async fn add_connector(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<ConnectorRequest>,
) -> Result<(StatusCode, Json<ConnectorView>), Answer> {
    bounded("/place", &request.place, MOST_PLACE)?;
    bounded("/base_url", request.base_url.as_deref().unwrap_or_default(), MOST_PLACE)?;
    let slug: SourceSlug = request
        .source
        .parse()
        .map_err(|error: model::SlugError| Answer::invalid("/source", error.to_string()))?;
    let new = NewConnector {
        slug,
        kind: Kind::parse(request.kind.as_str(), &request.place, request.base_url.as_deref())?,
        auth: read_auth(request.auth)?,
    };
    let added = app.oversight.add_connector(By { author: &person.author(), role: person.role }, new).await?;
    Ok((StatusCode::CREATED, Json(counted(&app, person.org, added).await?)))
}

/// Return a connector with its tools: current and accepted descriptions, and their differences.
#[utoipa::path(
    get, path = "/v1/connectors/{connector}", tag = "connectors", params(("connector" = String, Path)),
    responses((status = 200, body = ConnectorDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_connector(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<SourceSlug>,
) -> Result<Json<ConnectorDetail>, Answer> {
    let (found, tools) = app.oversight.connector(person.org, &slug).await?;
    let tools = tools.into_iter().map(|tool| tool_view(&slug, tool)).collect();
    Ok(Json(ConnectorDetail { connector: counted(&app, person.org, found).await?, tools }))
}

/// Change a connector: its address, its credential, or whether it is enabled.
///
/// The tools are listed again afterwards.
#[utoipa::path(
    patch, path = "/v1/connectors/{connector}", tag = "connectors", params(("connector" = String, Path)),
    request_body = ConnectorPatch,
    responses((status = 200, body = ConnectorView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_connector(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<SourceSlug>,
    Body(patch): Body<ConnectorPatch>,
) -> Result<Json<ConnectorView>, Answer> {
    let ConnectorPatch { place, base_url, auth, enabled } = patch;
    bounded("/place", place.as_deref().unwrap_or_default(), MOST_PLACE)?;
    bounded("/base_url", base_url.as_deref().unwrap_or_default(), MOST_PLACE)?;
    let auth = auth.map(read_auth).transpose()?;
    let change = ConnectorChange { place, base_url, auth, enabled };
    let by = By { author: &person.author(), role: person.role };
    let changed = app.oversight.change_connector(by, &slug, change).await?;
    Ok(Json(counted(&app, person.org, changed).await?))
}

/// Delete a connector and its tools.
#[utoipa::path(
    delete, path = "/v1/connectors/{connector}", tag = "connectors", params(("connector" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_connector(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<SourceSlug>,
) -> Result<StatusCode, Answer> {
    app.oversight.remove_connector(&person.author(), &slug).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List a connector's tools now, and return the differences.
#[utoipa::path(
    post, path = "/v1/connectors/{connector}/harvest", tag = "connectors", params(("connector" = String, Path)),
    responses((status = 200, body = HarvestView), (status = "4XX", body = Problem))
)]
pub(crate) async fn harvest_connector(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<SourceSlug>,
) -> Result<Json<HarvestView>, Answer> {
    let (found, news) = app.oversight.harvest(person.org, &slug).await?;
    let news = news.into_iter().map(|seen| ToolNews { tool: seen.tool, what: seen.news.to_owned() });
    Ok(Json(HarvestView { connector: counted(&app, person.org, found).await?, news: news.collect() }))
}

/// Accept a tool with a risk level and an effect class, or deny it permanently.
#[utoipa::path(
    post, path = "/v1/connectors/{connector}/review", tag = "connectors", params(("connector" = String, Path)),
    request_body = ToolReviewRequest,
    responses(
        (status = 200, body = ToolView),
        (status = 409, body = Problem, description = "The tool has changed since it was read"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn review_tool(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<SourceSlug>,
    Body(request): Body<ToolReviewRequest>,
) -> Result<Json<ToolView>, Answer> {
    bounded("/note", &request.note, 500)?;
    bounded("/tool", &request.tool, 200)?;
    let review = Review {
        seen_hash: request.shape_hash,
        text_hash: request.text_hash,
        risk: request.risk,
        effect: request.effect,
        note: request.note,
        by: person.user,
    };
    let deny = request.verdict == ToolVerdict::Deny;
    let reviewed = ToolReview { slug: &slug, tool: &request.tool, review, deny };
    let tool = app.oversight.review_tool(&person.author(), reviewed).await?;
    Ok(Json(tool_view(&slug, tool)))
}

pub(super) fn read_auth(auth: ConnectorAuth) -> Result<Auth, Answer> {
    let parsed = match auth {
        ConnectorAuth::None => Auth::parse("none", None, None),
        ConnectorAuth::Bearer { secret } => Auth::parse("bearer", None, Some(secret)),
        ConnectorAuth::Header { header, secret } => Auth::parse("header", Some(header), Some(secret)),
        ConnectorAuth::OAuth { secret } => Auth::parse("oauth", None, Some(secret)),
    };
    parsed.map_err(|error| Answer::invalid("/auth", error.to_string()))
}

pub(super) fn show_auth(auth: Auth) -> ConnectorAuth {
    match auth {
        Auth::None => ConnectorAuth::None,
        Auth::Bearer { secret } => ConnectorAuth::Bearer { secret },
        Auth::Header { header, secret } => ConnectorAuth::Header { header, secret },
        Auth::OAuth { secret } => ConnectorAuth::OAuth { secret },
    }
}

/// A connector with the number of its tools.
async fn counted(app: &App, org: OrgId, found: Connector) -> Result<ConnectorView, Answer> {
    Ok(view(found, &app.oversight.tool_counts(org).await?))
}

fn view(found: Connector, counts: &HashMap<ConnectorId, ToolCounts>) -> ConnectorView {
    let ToolCounts { tools, to_review } = counts.get(&found.id).copied().unwrap_or_default();
    ConnectorView {
        id: found.id,
        source: found.slug.to_string(),
        kind: match found.kind {
            Kind::Mcp { .. } => api::ConnectorKind::Mcp,
            Kind::Stdio { .. } => api::ConnectorKind::Stdio,
            Kind::OpenApi { .. } => api::ConnectorKind::OpenApi,
        },
        place: found.kind.place().to_owned(),
        base_url: found.kind.base().map(ToOwned::to_owned),
        auth: show_auth(found.auth),
        enabled: found.enabled,
        server: found.server,
        last_harvested_at: found.last_harvested_at,
        problem: found.last_error,
        tools,
        to_review,
    }
}

/// The review state of a tool.
pub(super) fn state(tool: &Tool) -> ToolState {
    match (&tool.action, tool.gone_at, tool.drift()) {
        (Err(_), ..) => ToolState::Unusable,
        (_, Some(_), _) => ToolState::Gone,
        (_, _, Drift::NeverReviewed) => ToolState::New,
        (_, _, Drift::Changed) => ToolState::Changed,
        (_, _, Drift::None) if tool.is_reworded() => ToolState::Reworded,
        (_, _, Drift::None) => ToolState::Reviewed,
    }
}

fn tool_view(slug: &SourceSlug, tool: Tool) -> ToolView {
    let drift = tool.drift();
    let reviewed = tool.reviewed.as_ref();
    let moved = reviewed.filter(|_| tool.has_moved()).map(|reviewed| ToolChange {
        place: "/connector".to_owned(),
        before: reviewed.destination.clone().map(Value::String),
        after: Some(Value::String(tool.destination.clone())),
        words: false,
    });
    let changes = reviewed.map(|reviewed| connector::differences(&reviewed.offer, &tool.offer));
    ToolView {
        action: tool.action.as_ref().ok().map(|action| format!("{slug}.{action}")),
        state: state(&tool),
        risk: tool.risk(),
        effect: tool.effect.filter(|_| drift == Drift::None).unwrap_or(EffectClass::Once),
        seen: serde_json::to_value(&tool.offer).unwrap_or_default(),
        reviewed: reviewed.map(|reviewed| serde_json::to_value(&reviewed.offer).unwrap_or_default()),
        changes: moved.into_iter().chain(changes.unwrap_or_default().into_iter().map(change)).collect(),
        reviewed_by: reviewed.map(|reviewed| reviewed.by),
        reviewed_at: reviewed.map(|reviewed| reviewed.at),
        shape_hash: tool.seen_hash(),
        problem: tool.action.err(),
        tool: tool.name,
        text_hash: tool.text_hash,
        note: tool.note,
    }
}

fn change(found: connector::Difference) -> ToolChange {
    ToolChange { place: found.place, before: found.before, after: found.after, words: found.words }
}
