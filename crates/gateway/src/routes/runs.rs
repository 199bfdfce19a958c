//! Runs of automations.

use std::time::Duration;

use api::{
    Page, PageQuery, PlannedStep, Problem, RerunRequest, RunDetail, RunError, RunStepView, RunView,
    RunsQuery, WaitQuery, WatchQuery,
};
use automation::{Run, RunFilter, Watched};
use axum::{Json, extract::State, http::HeaderMap, response::Response};
use model::{Actor, RunId};
use tokio::time::Instant;

use crate::{
    App,
    access::check_again,
    extract::{Body, CurrentUser, Id, Query, page, paged, patience},
    problem::Answer,
};

fn error(found: automation::RunError) -> RunError {
    RunError { class: found.class, message: found.message, step_id: found.step_id }
}

pub(super) fn view(found: Run) -> RunView {
    RunView {
        id: found.id,
        automation: found.automation,
        automation_name: found.automation_name,
        number: found.number,
        version: found.version,
        status: found.status,
        trigger_type: found.trigger_type,
        trigger: found.trigger,
        cause: found.cause,
        lane: found.lane,
        depth: found.depth,
        session: found.session,
        rerun_of: found.rerun_of,
        awaits: found.awaits,
        error: found.error.map(error),
        cost_usd: found.cost_usd,
        revision: found.revision,
        created_at: found.created_at,
        started_at: found.started_at,
        finished_at: found.finished_at,
        erased_at: found.erased_at,
    }
}

fn detail(watched: Watched) -> RunDetail {
    let Watched { run, steps, definition } = watched;
    let planned = |on_failure: bool| {
        move |step: &automation::Step| PlannedStep {
            step_id: step.step_id.clone(),
            action: step.kind.as_str().to_owned(),
            on_failure,
        }
    };
    let plan = definition.plan.iter().map(planned(false));
    let plan = plan.chain(definition.execution.on_failure.iter().map(planned(true))).collect();
    let steps = steps.into_iter().map(|step| RunStepView {
        step_id: step.step_id,
        action: step.action,
        attempt: step.attempt,
        status: step.status,
        invocation: step.invocation,
        error: step.error.map(error),
        started_at: step.started_at,
        finished_at: step.finished_at,
    });
    RunDetail { inputs: run.inputs.clone(), steps: steps.collect(), plan, run: view(run) }
}

/// The response to a request that started a run, with the address of the run.
pub(super) fn accepted(run: Run) -> Response {
    let place = format!("/v1/runs/{}", run.id);
    crate::view::accepted(&place, view(run))
}

/// List runs, newest first.
#[utoipa::path(
    get, path = "/v1/runs", tag = "automations", params(RunsQuery),
    responses((status = 200, body = Page<RunView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_runs(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<RunsQuery>,
) -> Result<Json<Page<RunView>>, Answer> {
    let RunsQuery { automation, status, cursor, limit } = query;
    let (before, limit) = page(&PageQuery { cursor, limit })?;
    let found = app.automations.runs(person.org, RunFilter { automation, status }, before, limit).await?;
    Ok(Json(paged(found, limit, |found| found.id.uuid(), view)))
}

/// Return a run with its steps; with `wait`, after it has changed.
#[utoipa::path(
    get, path = "/v1/runs/{run}", tag = "automations", params(("run" = String, Path), WatchQuery),
    responses((status = 200, body = RunDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_run(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(run): Id<RunId>,
    headers: HeaderMap,
    Query(query): Query<WatchQuery>,
) -> Result<Json<RunDetail>, Answer> {
    let patience = patience(&WaitQuery { wait: query.wait }, Duration::ZERO)?;
    let since = Instant::now();
    let watched = app.automations.watch(person.org, run, query.seen, patience).await?;
    check_again(&app, &headers, since).await?;
    Ok(Json(detail(watched)))
}

/// Cancel a run.
///
/// A step in progress is finished first. A pending approval is withdrawn.
#[utoipa::path(
    post, path = "/v1/runs/{run}/cancel", tag = "automations", params(("run" = String, Path)),
    responses((status = 200, body = RunView), (status = "4XX", body = Problem))
)]
pub(crate) async fn cancel_run(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(run): Id<RunId>,
) -> Result<Json<RunView>, Answer> {
    Ok(Json(view(app.automations.cancel(Actor { org: person.org, user: person.user }, run).await?)))
}

/// Repeat a run that did not succeed, from the failed step or from the start.
#[utoipa::path(
    post, path = "/v1/runs/{run}/rerun", tag = "automations", params(("run" = String, Path)),
    request_body = RerunRequest,
    responses((status = 202, body = RunView), (status = "4XX", body = Problem))
)]
pub(crate) async fn repeat_run(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(run): Id<RunId>,
    Body(request): Body<RerunRequest>,
) -> Result<Response, Answer> {
    let started =
        app.automations.rerun(Actor { org: person.org, user: person.user }, run, request.from_start).await?;
    Ok(accepted(started.run))
}
