//! Policies as text, with the facts that they read and their cases.

use api::{
    BacktestLine, BacktestProgress, BacktestRequest, CompareRequest, Comparison, FactRequest, FactView, Page,
    PolicyCase, PolicyCaseView, PolicyCheck, PolicyCheckResult, PolicyReport, PolicyRequest, PolicyStarter,
    PolicySuggestion, PolicyView, PolicyVocabulary, Problem, ReportQuery,
};
use axum::{
    Json,
    body::{Body as Bytes, Bytes as Line},
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use model::OrgId;
use oversight::policies::{BacktestChange, BacktestOf, BacktestStep, Draft, NewPolicy, declared_action};
use policy::{Case, NewFact, cedar};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;

use super::{rules::rule_of, view};
use crate::{
    App,
    extract::{Body, CurrentUser, Query},
    problem::Answer,
};

/// The most bytes of a text in a check.
const LONGEST_TEXT: usize = 200 << 10;
/// How many steps of a backtest wait for a slow reader.
const STEPS: usize = 4;

/// The same data in the form of another crate. Their fields are the same; what is wrong with a value is told.
pub(super) fn convert<T: DeserializeOwned>(pointer: &str, value: impl Serialize) -> Result<T, Answer> {
    let value = serde_json::to_value(value).map_err(|error| Answer::invalid(pointer, error.to_string()))?;
    serde_json::from_value(value).map_err(|error| Answer::invalid(pointer, error.to_string()))
}

/// List policies by name.
#[utoipa::path(
    get, path = "/v1/policies", tag = "policy",
    responses((status = 200, body = Page<PolicyView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_policies(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<PolicyView>>, Answer> {
    let found = app.policies.list(person.org).await?;
    let users: Vec<_> = found.iter().map(|one| one.set_by).collect();
    let names = app.tenancy.names(person.org, &users).await?;
    let items = found.into_iter().map(|one| view::policy(one, &names)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Set a policy, replacing the one with the same name.
///
/// It applies from the next decision on. One that is applied is saved only if every case comes out as expected.
#[utoipa::path(
    put, path = "/v1/policies/{policy}", tag = "policy", params(("policy" = String, Path)),
    request_body = PolicyRequest,
    responses((status = 200, body = PolicyView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_policy(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Path(name): Path<String>,
    Body(request): Body<PolicyRequest>,
) -> Result<Json<PolicyView>, Answer> {
    let is_observing = match request.state.as_str() {
        "enforced" => false,
        "observing" => true,
        _ => return Err(Answer::invalid("/state", "must be `enforced` or `observing`")),
    };
    let PolicyRequest { text, version, .. } = &request;
    let new = NewPolicy { name: &name, text, is_observing, version: *version };
    let stored = app.oversight.put_policy(&person.author(), new).await?;
    let names = app.tenancy.names(person.org, &[stored.set_by]).await?;
    Ok(Json(view::policy(stored, &names)))
}

/// Delete a policy.
#[utoipa::path(
    delete, path = "/v1/policies/{policy}", tag = "policy", params(("policy" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_policy(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Path(name): Path<String>,
) -> Result<StatusCode, Answer> {
    app.policies.delete(&person.author(), &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Check policies, facts and cases without saving them.
#[utoipa::path(
    post, path = "/v1/policies/check", tag = "policy", request_body = PolicyCheck,
    responses((status = 200, body = PolicyCheckResult), (status = "4XX", body = Problem))
)]
pub(crate) async fn check_policies(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<PolicyCheck>,
) -> Result<Json<PolicyCheckResult>, Answer> {
    let mut draft = Draft { is_alone: request.alone, ..Draft::default() };
    for (number, text) in request.policies.into_iter().enumerate() {
        check_length(&format!("/policies/{number}/text"), &text.text)?;
        draft.texts.push(text.text);
    }
    if draft.texts.len() > policy::limits::policies::MOST {
        return Err(Answer::invalid("/policies", "at most 200"));
    }
    draft.facts = convert("/facts", request.facts)?;
    draft.cases = convert("/cases", request.cases)?;
    for (number, action) in request.actions.into_iter().enumerate() {
        let pointer = format!("/actions/{number}");
        let labels = action.labels.map(|labels| labels_of(&labels)).unwrap_or_default();
        let known = (action.risk.as_deref(), action.effect.as_deref(), labels);
        let declared = declared_action(&action.address, action.input_schema, known);
        draft.actions.push(declared.ok_or_else(|| {
            Answer::invalid(&pointer, "must have an address, and a risk and an effect that exist")
        })?);
    }
    let checked = app.oversight.check_policies(person.org, draft).await?;
    Ok(Json(view::checked(checked)))
}

fn check_length(pointer: &str, text: &str) -> Result<(), Answer> {
    if text.len() > LONGEST_TEXT {
        return Err(Answer::invalid(pointer, format!("at most {LONGEST_TEXT} bytes")));
    }
    Ok(())
}

fn labels_of(labels: &serde_json::Value) -> model::Labels {
    let has = |name: &str| labels.get(name).and_then(serde_json::Value::as_bool).unwrap_or(false);
    model::Labels {
        reads_untrusted: has("reads_untrusted"),
        reads_private: has("reads_private"),
        sends_out: has("sends_out"),
    }
}

/// Return what policies may name, for editors.
#[utoipa::path(
    get, path = "/v1/policies/schema", tag = "policy",
    responses((status = 200, body = PolicyVocabulary), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_policy_schema(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<PolicyVocabulary>, Answer> {
    Ok(Json(view::vocabulary(app.oversight.vocabulary(person.org).await?)))
}

/// Report what policies that observe would have done.
#[utoipa::path(
    get, path = "/v1/policies/reports", tag = "policy", params(ReportQuery),
    responses((status = 200, body = Page<PolicyReport>), (status = "4XX", body = Problem))
)]
pub(crate) async fn report_policies(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ReportQuery>,
) -> Result<Json<Page<PolicyReport>>, Answer> {
    let days = days(query.days.unwrap_or(7))?;
    let (since, mut reports) = app.oversight.policy_reports(person.org, days).await?;
    let observing = app.policies.list(person.org).await?;
    let observing = observing.into_iter().filter_map(|one| Some((one.observing_since?, one.statement.name)));
    let items = observing.map(|(began, name)| {
        let report = reports.remove(&name).unwrap_or_default();
        view::report(name, since.max(began), report)
    });
    Ok(Json(Page { items: items.collect(), next_cursor: None }))
}

pub(super) fn days(days: u32) -> Result<u32, Answer> {
    (1..=30)
        .contains(&days)
        .then_some(days)
        .ok_or_else(|| Answer::invalid("/days", "must be between 1 and 30"))
}

/// List the policies that the program brings, to begin with.
#[utoipa::path(
    get, path = "/v1/policy-starters", tag = "policy",
    responses((status = 200, body = Page<PolicyStarter>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_policy_starters(_: CurrentUser) -> Result<Json<Page<PolicyStarter>>, Answer> {
    let items = oversight::policies::starters().into_iter().map(|starter| {
        Ok(PolicyStarter {
            name: starter.name.to_owned(),
            title: starter.file.title,
            about: starter.about.to_owned(),
            needs: starter.file.needs.into_iter().map(view::need).collect(),
            text: starter.text.to_owned(),
            facts: convert("/facts", starter.file.facts)?,
            cases: convert("/cases", starter.file.cases)?,
            actions: convert("/actions", starter.file.actions)?,
        })
    });
    Ok(Json(Page { items: items.collect::<Result<_, Answer>>()?, next_cursor: None }))
}

/// Try a change of policy on what was asked in the last days.
///
/// The answer is a stream of JSON objects, one a line: how far it is, and at last the result. Nothing is changed.
#[utoipa::path(
    post, path = "/v1/policies/backtest", tag = "policy", request_body = BacktestRequest,
    responses(
        (status = 200, body = BacktestLine, content_type = "application/x-ndjson"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn backtest_policies(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<BacktestRequest>,
) -> Result<Response, Answer> {
    let of = BacktestOf { days: days(request.days)?, change: change_of(&app, person.org, request).await? };
    let (steps, received) = mpsc::channel(STEPS);
    let oversight = app.oversight.clone();
    app.shutdown.spawn(async move { oversight.backtest(person.org, of, steps).await });
    let lines = futures::stream::unfold(received, async |mut received| {
        let line = match received.recv().await? {
            BacktestStep::Progress { done, of } => BacktestLine::Progress(BacktestProgress { done, of }),
            BacktestStep::Done(outcome) => BacktestLine::Result(view::outcome(*outcome)),
            BacktestStep::Failed(error) => BacktestLine::Problem(Answer::from(*error).into_parts().0),
        };
        let mut line = serde_json::to_vec(&line).unwrap_or_default();
        line.push(b'\n');
        Some((Ok::<_, std::convert::Infallible>(Line::from(line)), received))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Bytes::from_stream(lines)).into_response())
}

async fn change_of(app: &App, org: OrgId, request: BacktestRequest) -> Result<BacktestChange, Answer> {
    let mut change = BacktestChange {
        remove: request.remove,
        facts: convert("/facts", request.facts)?,
        band: request.band.map(|band| (band.space, band.band)),
        remove_rule: request.remove_rule,
        ..BacktestChange::default()
    };
    if let Some(grant) = request.grant {
        let address = grant
            .action
            .parse()
            .map_err(|error: model::SlugError| Answer::invalid("/grant/action", error.to_string()))?;
        let reader = app.pipeline.reader();
        let condition = grant.condition.as_ref().map(|found| reader.condition(found)).transpose()?;
        change.grant = Some(policy::backtest::grant_for(&address, condition));
    }
    for (number, text) in request.policies.iter().enumerate() {
        let pointer = format!("/policies/{number}/text");
        check_length(&pointer, &text.text)?;
        for part in cedar::split(&text.text) {
            let statement = cedar::Statement::parse(part);
            change.set.push(statement.map_err(|problems| {
                let first = problems.into_iter().next();
                Answer::invalid(&pointer, first.map(|problem| problem.message).unwrap_or_default())
            })?);
        }
    }
    if let Some(rule) = request.rule {
        change.rule = Some(rule_of(app, org, rule).await?);
    }
    Ok(change)
}

/// Compare a changed policy with what is saved.
///
/// A solver searches all requests, also those that nobody has made, for one that is treated less strictly. Nothing is
/// changed.
#[utoipa::path(
    post, path = "/v1/policies/compare", tag = "policy", request_body = CompareRequest,
    responses((status = 200, body = Comparison), (status = "4XX", body = Problem))
)]
pub(crate) async fn compare_policies(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<CompareRequest>,
) -> Result<Json<Comparison>, Answer> {
    let text = Some(request.text.trim()).filter(|text| !text.is_empty());
    match (text, &request.remove) {
        (Some(text), None) => check_length("/text", text)?,
        (None, Some(_)) => {}
        _ => return Err(Answer::invalid("/text", "either a text, or the name of a policy in `remove`")),
    }
    let compared = app.oversight.compare_policies(person.org, text, request.remove.as_deref()).await?;
    Ok(Json(view::comparison(compared)))
}

/// Suggest changes of policy.
///
/// Grants for what people always approved, rules that nothing used, and denials of what people always denied.
#[utoipa::path(
    get, path = "/v1/policy-suggestions", tag = "policy", params(ReportQuery),
    responses((status = 200, body = Page<PolicySuggestion>), (status = "4XX", body = Problem))
)]
pub(crate) async fn suggest_policies(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ReportQuery>,
) -> Result<Json<Page<PolicySuggestion>>, Answer> {
    let days = days(query.days.unwrap_or(30))?;
    let found = app.oversight.policy_suggestions(person.org, days).await?;
    let items = found.into_iter().map(|one| view::suggestion(one, days)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// List facts by name.
#[utoipa::path(
    get, path = "/v1/facts", tag = "policy",
    responses((status = 200, body = Page<FactView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_facts(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<FactView>>, Answer> {
    let policies = app.policies.list(person.org).await?;
    let facts = app.policies.facts(person.org).await?;
    let items = facts.into_iter().map(|fact| {
        let used_by =
            policies.iter().filter(|one| one.statement.reads.facts.contains(fact.definition.name()));
        let used_by = used_by.map(|one| one.statement.name.clone()).collect();
        Ok(view::fact(convert("", &fact.definition.source)?, fact, used_by))
    });
    Ok(Json(Page { items: items.collect::<Result<_, Answer>>()?, next_cursor: None }))
}

/// Set a fact, replacing the one with the same name.
///
/// It is filled with what happened before, as far as that can be read.
#[utoipa::path(
    put, path = "/v1/facts/{fact}", tag = "policy", params(("fact" = String, Path)), request_body = FactRequest,
    responses((status = 200, body = FactView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_fact(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Path(name): Path<String>,
    Body(mut request): Body<FactRequest>,
) -> Result<Json<FactView>, Answer> {
    request.name = name;
    let fact: NewFact = convert("", &request)?;
    let stored = app.oversight.put_fact(&person.author(), fact).await?;
    // What is older follows in the background; a little is there at once.
    let (pipeline, org, id) = (app.pipeline.clone(), person.org, stored.definition.id);
    app.shutdown.spawn(async move {
        if let Err(error) = pipeline.fill_fact(org, id).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "filling a fact failed; it is tried again"
            );
        }
    });
    Ok(Json(view::fact(convert("", &stored.definition.source)?, stored, vec![])))
}

/// Delete a fact that no policy reads.
#[utoipa::path(
    delete, path = "/v1/facts/{fact}", tag = "policy", params(("fact" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_fact(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Path(name): Path<String>,
) -> Result<StatusCode, Answer> {
    app.policies.delete_fact(&person.author(), &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List cases by name.
#[utoipa::path(
    get, path = "/v1/policy-cases", tag = "policy",
    responses((status = 200, body = Page<PolicyCaseView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_policy_cases(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<PolicyCaseView>>, Answer> {
    let found = app.policies.cases(person.org).await?;
    let items = found
        .into_iter()
        .map(|stored| Ok(PolicyCaseView { case: convert("", stored.case)?, updated_at: stored.updated_at }));
    Ok(Json(Page { items: items.collect::<Result<_, Answer>>()?, next_cursor: None }))
}

/// Set a case, replacing the one with the same name.
#[utoipa::path(
    put, path = "/v1/policy-cases/{case}", tag = "policy", params(("case" = String, Path)),
    request_body = PolicyCase,
    responses((status = 200, body = PolicyCaseView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_policy_case(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Path(name): Path<String>,
    Body(mut request): Body<PolicyCase>,
) -> Result<Json<PolicyCaseView>, Answer> {
    request.name = name;
    let case: Case = convert("", &request)?;
    let stored = app.policies.put_case(person.org, case).await?;
    Ok(Json(PolicyCaseView { case: request, updated_at: stored.updated_at }))
}

/// Delete a case.
#[utoipa::path(
    delete, path = "/v1/policy-cases/{case}", tag = "policy", params(("case" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn delete_policy_case(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Path(name): Path<String>,
) -> Result<StatusCode, Answer> {
    app.policies.delete_case(person.org, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
