//! Flows of data: those of an automation, and what was observed of all.

use api::{FlowConsent, FlowReport, FlowReportItem, FlowView, FlowsView, Problem, ReportQuery};
use automation::FoundFlow;
use axum::{Json, extract::State};
use model::{AutomationId, Mode};
use platform::period::Period;

use super::policies::days;
use crate::{
    App,
    extract::{CurrentUser, Id, Query},
    problem::Answer,
};

/// Return the flows of an automation: what its steps send where, and whether somebody is asked.
#[utoipa::path(
    get, path = "/v1/automations/{automation}/flows", tag = "automations", params(("automation" = String, Path)),
    responses((status = 200, body = FlowsView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_flows(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(automation): Id<AutomationId>,
) -> Result<Json<FlowsView>, Answer> {
    let (holds, flows) = app.automations.flows_of(person.org, automation).await?;
    let flows = flows.into_iter().map(|flow| view(automation, flow));
    Ok(Json(FlowsView { holds, flows: flows.collect() }))
}

fn view(automation: AutomationId, found: FoundFlow) -> FlowView {
    let from: Vec<String> = found.sources().into_iter().map(ToOwned::to_owned).collect();
    let is_open = found.can_consent && !found.flow.consented;
    let places = match found.to.as_slice() {
        [] => vec![policy::EVERYWHERE.to_owned()],
        to => to.to_vec(),
    };
    // What a template makes is known when it runs: the consent is for whatever that is.
    let place = |place: String| {
        if catalog::template::has_marks(&place) { policy::EVERYWHERE.to_owned() } else { place }
    };
    let consents = places.into_iter().filter(|_| is_open).map(|to| FlowConsent {
        automation: automation.to_string(),
        from: from.clone(),
        action: found.action.clone(),
        destination: place(to),
    });
    FlowView {
        consents: consents.collect(),
        step_id: found.step_id,
        action: found.action,
        to: found.to,
        audience: found.flow.audience.as_str().to_owned(),
        chosen_by: found.flow.chosen_by.as_str().to_owned(),
        private: found.flow.private,
        untrusted: found.flow.untrusted,
        mode: found.flow.mode.as_str().to_owned(),
        why: found.flow.why,
        consented: found.flow.consented,
    }
}

/// Report what was held because of the flow of data, or would have been.
#[utoipa::path(
    get, path = "/v1/flow/report", tag = "policy", params(ReportQuery),
    responses((status = 200, body = FlowReport), (status = "4XX", body = Problem))
)]
pub(crate) async fn report_flows(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ReportQuery>,
) -> Result<Json<FlowReport>, Answer> {
    let days = days(query.days.unwrap_or(14))?;
    let (since, found) = app.oversight.flow_report(person.org, days).await?;
    let now = app.world.clock.now();
    let period =
        Period::new(since, now).ok_or_else(|| Answer::invalid("/days", "must be between 1 and 30"))?;
    let runs = app.automations.tally(person.org, None, period).await?;
    let total = |number: i64| u64::try_from(number).unwrap_or_default();
    // What is denied is no question.
    let asked = || found.iter().filter(|flow| flow.mode == Mode::RequireApproval.as_str());
    Ok(Json(FlowReport {
        since,
        runs: total(runs.iter().map(|(_, tally)| tally.succeeded + tally.failed).sum()),
        questions: total(asked().map(|flow| flow.alone).sum()),
        questions_of_runs: total(asked().map(|flow| flow.alone_in_runs).sum()),
        denied: total(asked().map(|flow| flow.denied).sum()),
        items: found
            .into_iter()
            .map(|flow| FlowReportItem {
                action: flow.action,
                audience: flow.audience,
                chosen_by: flow.chosen_by,
                mode: flow.mode,
                observing: flow.observing,
                count: total(flow.count),
                alone: total(flow.alone),
                examples: flow.examples,
            })
            .collect(),
    }))
}
