//! The matrix: what policy would decide now about every action, and why.

use api::{MatrixQuery, MatrixRow, MatrixView, Problem};
use axum::{Json, extract::State};
use oversight::PredictedDecision;

use crate::{
    App,
    extract::{CurrentUser, Query},
    problem::Answer,
    view,
};

/// Return the effective mode of every action in a space, and where it comes from.
///
/// The mode is computed as for a real invocation, except for checks that depend on parameters.
#[utoipa::path(
    get, path = "/v1/policy/matrix", tag = "policy", params(MatrixQuery),
    responses((status = 200, body = MatrixView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_matrix(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<MatrixQuery>,
) -> Result<Json<MatrixView>, Answer> {
    let own = app.automations.own_space(person.org, query.automation).await?;
    let space = match (query.space.as_deref(), own) {
        (None, Some(own)) => own,
        (name, _) => app.tenancy.named_space(person.org, name).await?.id,
    };
    let outlook = app.oversight.outlook(person.org, space, query.automation, &[]).await?;
    let mut rows: Vec<MatrixRow> = outlook.actions.into_iter().map(row).collect();
    rows.sort_by(|one, other| one.action.cmp(&other.action));
    Ok(Json(MatrixView {
        space: outlook.space.slug,
        band: outlook.space.risk_band,
        automation: query.automation,
        rows,
    }))
}

fn row(seen: PredictedDecision) -> MatrixRow {
    let definition = &seen.action.definition;
    MatrixRow {
        source: definition.address.source.to_string(),
        action: definition.address.to_string(),
        risk: definition.risk,
        effect: definition.effect,
        mode: seen.decision.mode,
        mode_source: seen.decision.mode_source,
        rule: seen.rule,
        guardrails: seen
            .decision
            .guardrails
            .iter()
            .map(|change| change.guardrail.as_str().to_owned())
            .collect(),
        depends: seen.decision.depends.clone(),
        reason: view::reason(&seen.decision),
        steps: view::steps(&seen.decision),
    }
}
