//! Rules.

use api::{Page, PageQuery, Problem, RuleRequest, RuleView};
use axum::{Json, extract::State, http::StatusCode};
use model::{AutomationId, Digest, Mode, OrgId, RuleId};
use policy::{Rule, RuleScope};

use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, bounded, page, paged},
    problem::Answer,
    view,
};

/// List rules.
#[utoipa::path(
    get, path = "/v1/rules", tag = "policy", params(PageQuery),
    responses((status = 200, body = Page<RuleView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_rules(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<RuleView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.rules.list(person.org, after, limit).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view::rule)))
}

/// Set a rule, replacing an existing one for the same action and condition.
///
/// It applies from the next decision on.
#[utoipa::path(
    put, path = "/v1/rules", tag = "policy", request_body = RuleRequest,
    responses((status = 200, body = RuleView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_rule(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<RuleRequest>,
) -> Result<Json<RuleView>, Answer> {
    let rule = rule_of(&app, person.org, request).await?;
    let stored = app.rules.put(&person.author(), rule).await?;
    Ok(Json(view::rule(stored)))
}

/// The rule that a request describes.
pub(super) async fn rule_of(app: &App, org: OrgId, request: RuleRequest) -> Result<Rule, Answer> {
    bounded("/reason", &request.reason, 500)?;
    let scope = request.automation.map_or(RuleScope::Org, RuleScope::Automation);
    let (source, action) = match request.action.as_str() {
        "*" => ("*", "*"),
        key => key
            .split_once('.')
            .ok_or_else(|| Answer::invalid("/action", "must be `source.action`, `source.*` or `*`"))?,
    };
    let reader = app.pipeline.reader();
    let condition = request.condition.as_ref().map(|found| reader.condition(found)).transpose()?;
    let rule = Rule::new(scope, source, action, request.mode)?.limited_to(condition)?;
    let step = match (request.automation, request.mode) {
        (Some(automation), Mode::Allow) => Some(only_step(app, org, automation, &request.action).await?),
        _ => None,
    };
    Ok(Rule { reason: request.reason, step, ..rule })
}

/// What is allowed for an automation is allowed for the step as it is now: after an edit of the step, a person is asked
/// again.
pub(super) async fn only_step(
    app: &App,
    org: OrgId,
    automation: AutomationId,
    action: &str,
) -> Result<Digest, Answer> {
    let found = app.automations.find(org, automation).await?.automation;
    let message = "must be an action that exactly one step of the automation has; for another step, allow it when you \
                   approve its call";
    found.only_step(action)?.ok_or_else(|| Answer::invalid("/action", message))
}

/// Delete a rule.
#[utoipa::path(
    delete, path = "/v1/rules/{rule}", tag = "policy", params(("rule" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_rule(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(rule): Id<RuleId>,
) -> Result<StatusCode, Answer> {
    app.rules.delete(&person.author(), rule).await?;
    Ok(StatusCode::NO_CONTENT)
}
