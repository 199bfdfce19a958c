//! Sources: their actions, what policy would decide about them, and their recent use.

use std::collections::HashMap;

use api::{
    IntegrationView, IntegrationsView, Problem, SourceAction, SourceDetail, SourceKind, SourceSummary,
    SourcesView, SpaceQuery, ToolState, UsageView,
};
use axum::{Json, extract::State};
use catalog::{
    connector::{self, Kind},
    integrations,
};
use model::{Drift, SourceSlug};
use oversight::{PredictedDecision, Source, USAGE_DAYS, Usage};

use super::connectors::state;
use crate::{
    App,
    extract::{CurrentUser, Id, Query},
    problem::Answer,
    view,
};

/// List all sources of the organization: native sources, integrations and connectors.
#[utoipa::path(
    get, path = "/v1/sources", tag = "sources",
    responses((status = 200, body = SourcesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_sources(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<SourcesView>, Answer> {
    let found = app.oversight.sources(person.org).await?;
    Ok(Json(SourcesView { items: found.into_iter().map(summary).collect() }))
}

/// List integrations, and where to create a token for each.
#[utoipa::path(
    get, path = "/v1/integrations", tag = "sources",
    responses((status = 200, body = IntegrationsView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_integrations(CurrentUser(_person): CurrentUser) -> Json<IntegrationsView> {
    let items = integrations::ALL.into_iter().map(|known| IntegrationView {
        source: known.slug.to_owned(),
        title: known.title.to_owned(),
        default_url: known.default_url.to_owned(),
        url_variable: known.url_variable.to_owned(),
        token_variable: known.token_variable.to_owned(),
        token_url: known.token_url.to_owned(),
        token_hint: known.token_hint.to_owned(),
    });
    Json(IntegrationsView { items: items.collect() })
}

/// Return a source with its actions.
#[utoipa::path(
    get, path = "/v1/sources/{source}", tag = "sources", params(("source" = String, Path), SpaceQuery),
    responses((status = 200, body = SourceDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_source(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<SourceSlug>,
    Query(query): Query<SpaceQuery>,
) -> Result<Json<SourceDetail>, Answer> {
    let (found, mut usage) = app.oversight.source(person.org, &slug).await?;
    let space = app.tenancy.named_space(person.org, query.space.as_deref()).await?;
    let outlook = app.oversight.outlook(person.org, space.id, None, &[]).await?;
    let states = match found.kind {
        oversight::SourceKind::BuiltIn { .. } => HashMap::new(),
        oversight::SourceKind::Connector { .. } => {
            states(app.oversight.connector(person.org, &slug).await?.1)
        }
    };
    let own = outlook.actions.into_iter().filter(|seen| seen.action.definition.address.source == slug);
    let actions = own.map(|seen| {
        let name = seen.action.definition.address.action.to_string();
        action(seen, states.get(&name).copied(), usage.remove(&name).unwrap_or_default())
    });
    Ok(Json(SourceDetail { actions: actions.collect(), source: summary(found), space: outlook.space.slug }))
}

/// Review states of a connector's tools, by the second half of their addresses.
fn states(tools: Vec<connector::Tool>) -> HashMap<String, ToolState> {
    let state = |tool: &connector::Tool| Some((tool.action.as_ref().ok()?.to_string(), state(tool)));
    tools.iter().filter_map(state).collect()
}

fn summary(found: Source) -> SourceSummary {
    let (kind, connector, enabled) = match &found.kind {
        oversight::SourceKind::BuiltIn { needs_connection: false } => (SourceKind::Native, None, true),
        oversight::SourceKind::BuiltIn { needs_connection: true } => (SourceKind::Integration, None, true),
        oversight::SourceKind::Connector { id, kind, enabled } => {
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
        Some(_) => {
            "its secret is not set, or may not be sent to this address: ask an admin to run `countersign secrets set` or \
             `countersign secrets allow`"
        }
    };
    let problem = match (enabled, found.has_credential) {
        (false, _) => Some("disabled".to_owned()),
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

fn action(seen: PredictedDecision, state: Option<ToolState>, usage: Usage) -> SourceAction {
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
