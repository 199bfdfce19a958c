//! Runs of automations.

use std::time::Duration;

use api::{
    AgentCallView, AgentTurnView, Page, PageQuery, PlannedStep, Problem, RerunRequest, RunDetail, RunError,
    RunStepView, RunView, RunsQuery, TranscriptCall, TranscriptQuery, TranscriptTurn, TranscriptView,
    WaitQuery, WatchQuery,
};
use automation::{AgentCall, AgentTurn, Run, RunFilter, Watched};
use axum::{Json, extract::State, http::HeaderMap, response::Response};
use model::{Actor, RunId};
use tokio::time::Instant;

use crate::{
    App,
    access::check_again,
    extract::{Body, CurrentUser, Id, Ids, Query, page, paged, patience},
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
    let Watched { run, steps, agents, definition } = watched;
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
        turns: agents
            .iter()
            .find(|agent| (agent.ordinal, agent.attempt) == (step.ordinal, step.attempt))
            .map(|agent| agent.turns.iter().map(|turn| agent_turn(turn, &agent.calls)).collect()),
    });
    RunDetail { inputs: run.inputs.clone(), steps: steps.collect(), plan, run: view(run) }
}

fn agent_turn(turn: &AgentTurn, calls: &[AgentCall]) -> AgentTurnView {
    // Nothing is done that a reply wants which was cut off.
    let is_used = turn.reply.is_some() && turn.stop.map(|stop| stop.as_str()) != Some("length");
    let calls = calls.iter().filter(|call| call.turn == turn.turn && is_used);
    let calls = calls.map(|call| AgentCallView {
        name: call.name.clone(),
        action: call.action.as_ref().map(ToString::to_string),
        status: call.status.as_str().to_owned(),
        invocation: call.invocation,
        class: call.class.clone(),
    });
    let nano = turn.usage.nano_usd.map(|nano| i64::try_from(nano).unwrap_or(i64::MAX));
    AgentTurnView {
        turn: turn.turn,
        ask: turn.ask,
        invocation: turn.invocation,
        stop: turn.stop.map(|stop| stop.as_str().to_owned()),
        input_tokens: turn.usage.input_tokens,
        output_tokens: turn.usage.output_tokens,
        cost_usd: nano.map(crate::view::usd),
        problems: turn.problems.clone().unwrap_or_default(),
        error: turn.error.clone().map(error),
        retry_at: turn.retry_at,
        calls: calls.collect(),
        started_at: turn.started_at,
        finished_at: turn.finished_at,
    }
}

/// Return what was said in a step that a model performs, redacted.
///
/// It is deleted 31 days after it was last used, or earlier with the bodies of receipts.
#[utoipa::path(
    get, path = "/v1/runs/{run}/steps/{step}/transcript", tag = "automations",
    params(("run" = String, Path), ("step" = String, Path), TranscriptQuery),
    responses((status = 200, body = TranscriptView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_transcript(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Ids(run, step): Ids<RunId, String>,
    Query(query): Query<TranscriptQuery>,
) -> Result<Json<TranscriptView>, Answer> {
    let found = app.automations.transcript(person.org, run, (&step, query.attempt)).await?;
    let turns = found.turns.into_iter().map(|turn| TranscriptTurn {
        turn: turn.turn,
        text: turn.text,
        calls: turn
            .calls
            .into_iter()
            .map(|call| TranscriptCall { name: call.name, params: call.params, result: call.result })
            .collect(),
        problems: turn.problems,
    });
    Ok(Json(TranscriptView {
        system: found.system,
        context: found.context,
        turns: turns.collect(),
        is_whole: found.is_whole,
    }))
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
