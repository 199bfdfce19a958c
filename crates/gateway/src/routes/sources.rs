//! Sources, as people see them: what they can do, what would be decided about it, and how it went lately.

use std::collections::HashMap;

use api::{
    Problem, SourceAction, SourceDetail, SourceKind, SourceSummary, SourcesView, SpaceQuery, ToolState,
    UsageView,
};
use axum::{Json, extract::State};
use catalog::connector::{self, Kind};
use model::{Drift, SourceSlug};
use pipeline::{Foreseen, Source, USAGE_DAYS, Usage};

use super::connectors::state;
use crate::{
    App,
    extract::{Asked, Id, Someone},
    problem::Answer,
    view,
};

/// Every source of the org: those of the program, and the servers it connected.
#[utoipa::path(
    get, path = "/v1/sources", tag = "sources",
    responses((status = 200, body = SourcesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_sources(
    State(app): State<App>,
    Someone(person): Someone,
) -> Result<Json<SourcesView>, Answer> {
    let found = app.pipeline.sources(person.org).await?;
    Ok(Json(SourcesView { items: found.into_iter().map(summary).collect() }))
}

/// One source with its actions.
#[utoipa::path(
    get, path = "/v1/sources/{source}", tag = "sources", params(("source" = String, Path), SpaceQuery),
    responses((status = 200, body = SourceDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_source(
    State(app): State<App>,
    Someone(person): Someone,
    Id(slug): Id<SourceSlug>,
    Asked(query): Asked<SpaceQuery>,
) -> Result<Json<SourceDetail>, Answer> {
    let found = app.pipeline.sources(person.org).await?.into_iter().find(|source| source.slug == slug);
    let found = found.ok_or(tenancy::Error::NotFound("source"))?;
    let space = app.tenancy.named_space(person.org, query.space.as_deref()).await?;
    let outlook = app.pipeline.outlook(person.org, space.id, None).await?;
    let mut usage = app.pipeline.usage(person.org, &slug).await?;
    let states = match found.kind {
        pipeline::SourceKind::BuiltIn { .. } => HashMap::new(),
        pipeline::SourceKind::Connector { .. } => states(app.pipeline.connector(person.org, &slug).await?.1),
    };
    let own = outlook.actions.into_iter().filter(|seen| seen.action.definition.address.source == slug);
    let actions = own.map(|seen| {
        let name = seen.action.definition.address.action.to_string();
        action(seen, states.get(&name).copied(), usage.remove(&name).unwrap_or_default())
    });
    Ok(Json(SourceDetail { actions: actions.collect(), source: summary(found), space: outlook.space.slug }))
}

/// How the tools of a connector stand, by the second half of their addresses.
fn states(tools: Vec<connector::Tool>) -> HashMap<String, ToolState> {
    let state = |tool: &connector::Tool| Some((tool.action.as_ref().ok()?.to_string(), state(tool)));
    tools.iter().filter_map(state).collect()
}

fn summary(found: Source) -> SourceSummary {
    let (kind, connector, enabled) = match &found.kind {
        pipeline::SourceKind::BuiltIn { needs_connection: false } => (SourceKind::Native, None, true),
        pipeline::SourceKind::BuiltIn { needs_connection: true } => (SourceKind::Integration, None, true),
        pipeline::SourceKind::Connector { id, kind, enabled } => {
            let kind = match kind {
                Kind::Mcp { .. } => SourceKind::Mcp,
                Kind::Stdio { .. } => SourceKind::Stdio,
                Kind::OpenApi { .. } => SourceKind::OpenApi,
            };
            (kind, Some(*id), *enabled)
        }
    };
    let missing = match connector {
        None => view::NOT_CONNECTED,
        Some(_) => "its secret is not set: an admin can set it with `countersign secrets set`",
    };
    let problem = match (enabled, found.has_credential) {
        (false, _) => Some("switched off".to_owned()),
        (true, false) => Some(missing.to_owned()),
        (true, true) => found.error,
    };
    SourceSummary {
        source: found.slug.to_string(),
        kind,
        connected: enabled && found.has_credential,
        problem,
        connector,
        actions: i64::try_from(found.actions).unwrap_or(i64::MAX),
        to_review: found.to_review,
        usage: usage_view(found.usage),
    }
}

fn action(seen: Foreseen, state: Option<ToolState>, usage: Usage) -> SourceAction {
    let definition = &seen.action.definition;
    SourceAction {
        action: definition.address.to_string(),
        description: definition.description.clone(),
        risk: definition.risk,
        effect: definition.effect,
        undo: definition.undo.clone(),
        state,
        drift: Some(seen.action.drift).filter(|drift| *drift != Drift::None),
        mode: seen.decision.mode,
        mode_source: seen.decision.mode_source,
        reason: view::reason(&seen.decision),
        input_schema: definition.input_schema.clone(),
        usage: usage_view(usage),
    }
}

fn usage_view(usage: Usage) -> UsageView {
    UsageView {
        days: USAGE_DAYS,
        calls: usage.calls,
        succeeded: usage.succeeded,
        failed: usage.failed,
        unknown: usage.unknown,
        denied: usage.denied,
        p50_ms: usage.p50_ms,
        p95_ms: usage.p95_ms,
        last_at: usage.last_at,
    }
}
