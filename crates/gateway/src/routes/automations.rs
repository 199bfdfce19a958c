//! Automations, their versions and triggers.

use api::{
    AutomationDetail, AutomationPatch, AutomationRequest, AutomationView, DefinitionProblem, EndedPermission,
    NewHookTokenView, Page, PageQuery, Plain, Problem, ProposeRequest, ProposedAutomation, RecentRun,
    RunRequest, RunView, ScheduleOutlook, StepOutlook, TriggerView, ValidateRequest, ValidationView,
    VersionView, WorthChecking,
};
use automation::{Automation, Change, Hooked, Listed, NewToken, Recent, TriggerRow, Wish};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
};
use model::{Actor, AutomationId, Digest, OrgId, TriggerId, TriggerType};
use policy::{Condition, GrantScope, RuleScope};
use secrecy::ExposeSecret as _;
use serde_json::Value;

use super::{
    actions::idempotency_key,
    runs::{accepted, view as run_view},
};
use crate::{
    App, access,
    extract::{Body, CurrentUser, Id, Query, Raw, bounded, page, paged},
    problem::Answer,
    view as views,
};

fn trigger(found: TriggerRow) -> TriggerView {
    let is_hook = found.trigger_type == TriggerType::Webhook;
    TriggerView {
        id: found.id,
        trigger_type: found.trigger_type,
        config: found.config,
        enabled: found.enabled,
        path: is_hook.then(|| hook_path(found.id)),
        has_token: is_hook.then_some(found.has_token),
        next_at: found.next_at,
        last_fired_at: found.last_fired_at,
    }
}

fn hook_path(trigger: TriggerId) -> String {
    format!("/v1/hooks/{trigger}")
}

fn view(found: Listed) -> AutomationView {
    let Listed { automation, triggers, last_run, recent } = found;
    AutomationView {
        id: automation.id,
        name: automation.name,
        goal: automation.definition["goal"].as_str().unwrap_or_default().to_owned(),
        status: automation.status,
        space: automation.space,
        version: automation.version,
        runs: automation.runs,
        triggers: triggers.into_iter().map(trigger).collect(),
        last_run: last_run.map(run_view),
        recent: recent.into_iter().map(recent_run).collect(),
        created_by: automation.created_by,
        created_at: automation.created_at,
        updated_at: automation.updated_at,
    }
}

fn recent_run(found: Recent) -> RecentRun {
    RecentRun { run: found.run, status: found.status, created_at: found.created_at, took_ms: found.took_ms }
}

fn detail(listed: Listed, tokens: Vec<NewToken>) -> AutomationDetail {
    let definition = listed.automation.definition.clone();
    AutomationDetail {
        automation: view(listed),
        definition,
        new_tokens: tokens.into_iter().map(new_token).collect(),
        ended_permissions: vec![],
    }
}

/// The permissions that were given for steps which an automation no longer has.
async fn ended(app: &App, org: OrgId, automation: &Automation) -> Result<Vec<EndedPermission>, Answer> {
    let steps = automation.step_hashes()?;
    let is_gone = |step: Option<Digest>| step.is_some_and(|step| !steps.contains(&step));
    let rules = app.rules.list(org, None, i64::MAX).await?.into_iter();
    let rules = rules.filter(|found| found.rule.scope == RuleScope::Automation(automation.id));
    let rules = rules.filter(|found| is_gone(found.rule.step)).map(|found| EndedPermission {
        id: found.id.to_string(),
        action: found.rule.key(),
        where_words: found.rule.condition.as_ref().map(Condition::words),
    });
    let now = app.world.clock.now();
    let grants = app.grants.list(org, None, i64::MAX).await?.into_iter();
    let grants = grants.filter(|grant| grant.scope == GrantScope::Automation(automation.id));
    let grants = grants.filter(|grant| grant.state(now) == "active" && is_gone(grant.step));
    let grants = grants.map(|grant| EndedPermission {
        id: grant.id.to_string(),
        action: grant.key(),
        where_words: grant.condition.as_ref().map(Condition::words),
    });
    Ok(rules.chain(grants).collect())
}

fn new_token(made: NewToken) -> NewHookTokenView {
    let plain = |secret: &secrecy::SecretString| Plain(secret.expose_secret().to_owned());
    NewHookTokenView {
        trigger: made.trigger,
        path: hook_path(made.trigger),
        token: plain(&made.token),
        signing_secret: made.signing_secret.as_ref().map(plain),
    }
}

/// List automations, oldest first, without archived ones.
#[utoipa::path(
    get, path = "/v1/automations", tag = "automations", params(PageQuery),
    responses((status = 200, body = Page<AutomationView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_automations(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<AutomationView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.automations.list(person.org, after, limit).await?;
    Ok(Json(paged(found, limit, |found| found.automation.id.uuid(), view)))
}

/// Save an automation.
///
/// The response contains the tokens of its webhook triggers. They are shown only once.
#[utoipa::path(
    post, path = "/v1/automations", tag = "automations", request_body = AutomationRequest,
    responses((status = 201, body = AutomationDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn create_automation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<AutomationRequest>,
) -> Result<(StatusCode, Json<AutomationDetail>), Answer> {
    let (listed, tokens) =
        app.automations.create(&person.author(), request.definition, request.space).await?;
    Ok((StatusCode::CREATED, Json(detail(listed, tokens))))
}

/// Validate a definition without saving it: return all problems, and what policy would decide about its steps.
#[utoipa::path(
    post, path = "/v1/automations/validate", tag = "automations", request_body = ValidateRequest,
    responses((status = 200, body = ValidationView), (status = "4XX", body = Problem))
)]
pub(crate) async fn validate_automation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<ValidateRequest>,
) -> Result<Json<ValidationView>, Answer> {
    let checked = app.automations.validate(person.org, &request.definition).await?;
    let worth = match &checked {
        Ok(definition) => app.automations.worth_checking(person.org, definition, request.automation).await?,
        Err(_) => vec![],
    };
    let problems = checked.err().unwrap_or_default();
    let upcoming = app.automations.upcoming(&request.definition, &problems).into_iter();
    let schedules = upcoming.map(|seen| ScheduleOutlook {
        trigger: seen.trigger,
        description: seen.description,
        next: seen.next,
    });
    let problems: Vec<DefinitionProblem> = problems.into_iter().map(problem).collect();
    let (definition, space) = (&request.definition, request.space);
    let outlook = app.automations.outlook(person.org, definition, space, request.automation).await?;
    let steps = outlook.into_iter().map(|seen| StepOutlook {
        step_id: seen.step_id,
        action: seen.action,
        mode: seen.decision.mode.as_str().to_owned(),
        reason: views::reason(&seen.decision),
    });
    Ok(Json(ValidationView {
        valid: problems.is_empty(),
        problems,
        steps: steps.collect(),
        schedules: schedules.collect(),
        worth_checking: worth.into_iter().map(worth_checking).collect(),
    }))
}

/// Propose an automation, or changes of one, from words.
///
/// A language model of the organization writes the definition, with tools that only look and check. Nothing is saved: a person
/// reads the proposal and saves it. It takes up to some minutes and costs at most 0.25 USD.
#[utoipa::path(
    post, path = "/v1/automations/propose", tag = "automations", request_body = ProposeRequest,
    responses(
        (status = 200, body = ProposedAutomation),
        (status = 409, body = Problem, description = "There is no model to ask"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn propose_automation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<ProposeRequest>,
) -> Result<Json<ProposedAutomation>, Answer> {
    let ProposeRequest { words, mut definition, automation, mut space, provider, model, time_zone } = request;
    bounded("/words", &words, 4_000)?;
    if words.trim().is_empty() {
        return Err(Answer::invalid("/words", "say what is wanted"));
    }
    let mut from_version = None;
    if let Some(id) = automation {
        let found = app.automations.find(person.org, id).await?.automation;
        from_version = Some(found.version);
        space = Some(found.space);
        definition.get_or_insert(found.definition);
    }
    let provider = provider.map(|name| name.parse()).transpose();
    let provider = provider.map_err(|_| Answer::invalid("/provider", "is no name of a provider"))?;
    let zone = match time_zone {
        Some(zone) if jiff::tz::TimeZone::get(&zone).is_ok() => zone,
        Some(_) => return Err(Answer::invalid("/time_zone", "is no IANA name of a time zone")),
        None => app.tenancy.org(person.org).await?.time_zone,
    };
    let wish = Wish { words, base: definition, space, provider, model, zone };
    let proposed = Box::pin(app.automations.propose(&person.author(), wish)).await?;
    Ok(Json(ProposedAutomation {
        definition: proposed.definition,
        from_version,
        notes: proposed.notes,
        questions: proposed.questions,
        gaps: proposed.gaps,
        problems: proposed.problems.into_iter().map(problem).collect(),
        failure: proposed.failure,
        turns: proposed.turns,
        refused: proposed.refused,
        cost_usd: proposed.nano_usd.map(|nano| views::usd(i64::try_from(nano).unwrap_or(i64::MAX))),
    }))
}

fn problem(found: automation::Problem) -> DefinitionProblem {
    let automation::Problem { pointer, message, suggestion } = found;
    DefinitionProblem { pointer, message, suggestion }
}

fn worth_checking(found: automation::Worth) -> WorthChecking {
    WorthChecking { kind: found.kind.as_str().to_owned(), pointer: found.pointer, message: found.message }
}

/// Return an automation with its definition.
#[utoipa::path(
    get, path = "/v1/automations/{automation}", tag = "automations", params(("automation" = String, Path)),
    responses((status = 200, body = AutomationDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_automation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(automation): Id<AutomationId>,
) -> Result<Json<AutomationDetail>, Answer> {
    Ok(Json(detail(app.automations.find(person.org, automation).await?, vec![])))
}

/// Save the next version of an automation, pause it, resume it, or archive it.
#[utoipa::path(
    patch, path = "/v1/automations/{automation}", tag = "automations", params(("automation" = String, Path)),
    request_body = AutomationPatch,
    responses((status = 200, body = AutomationDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_automation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(automation): Id<AutomationId>,
    Body(patch): Body<AutomationPatch>,
) -> Result<Json<AutomationDetail>, Answer> {
    let AutomationPatch { definition, from_version, status } = patch;
    let change = Change { definition, from_version, status };
    let is_new_version = change.definition.is_some();
    let (listed, tokens) = app.automations.change(&person.author(), automation, change).await?;
    let ended_permissions =
        if is_new_version { ended(&app, person.org, &listed.automation).await? } else { vec![] };
    Ok(Json(AutomationDetail { ended_permissions, ..detail(listed, tokens) }))
}

/// List versions of an automation, newest first, each with its changes.
#[utoipa::path(
    get, path = "/v1/automations/{automation}/versions", tag = "automations",
    params(("automation" = String, Path), PageQuery),
    responses((status = 200, body = Page<VersionView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_versions(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(automation): Id<AutomationId>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<VersionView>>, Answer> {
    let limit = i64::from(query.limit.unwrap_or(50).clamp(1, 100));
    let before =
        match &query.cursor {
            None => None,
            Some(cursor) => Some(cursor.parse().map_err(|_| {
                Answer::invalid("", "`cursor` must be the `next_cursor` of the previous page")
            })?),
        };
    let found = app.automations.versions(person.org, automation, before, limit).await?;
    let full = i64::try_from(found.len()).is_ok_and(|length| length >= limit);
    let next_cursor = found.last().filter(|_| full).map(|(last, _)| last.version.to_string());
    let items = found.into_iter().map(|(version, changes)| VersionView {
        version: version.version,
        saved_by: version.saved_by,
        saved_at: version.saved_at,
        definition: version.definition,
        changes,
    });
    Ok(Json(Page { items: items.collect(), next_cursor }))
}

/// Start a run now.
#[utoipa::path(
    post, path = "/v1/automations/{automation}/runs", tag = "automations", request_body = RunRequest,
    params(
        ("automation" = String, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
    ),
    responses((status = 202, body = RunView), (status = "4XX", body = Problem))
)]
pub(crate) async fn run_automation(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(automation): Id<AutomationId>,
    headers: HeaderMap,
    Body(request): Body<RunRequest>,
) -> Result<Response, Answer> {
    let key = idempotency_key(&headers)?;
    let whose = Actor { org: person.org, user: person.user };
    let started = app.automations.run_now(whose, automation, request.inputs, key.as_ref()).await?;
    Ok(accepted(started.run))
}

/// Create a new token for a webhook trigger, which is shown only once.
///
/// The previous token becomes invalid immediately.
#[utoipa::path(
    post, path = "/v1/triggers/{trigger}/rotate", tag = "automations", params(("trigger" = String, Path)),
    responses((status = 200, body = NewHookTokenView), (status = "4XX", body = Problem))
)]
pub(crate) async fn rotate_trigger(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(trigger): Id<TriggerId>,
) -> Result<Json<NewHookTokenView>, Answer> {
    Ok(Json(new_token(app.automations.rotate_token(&person.author(), trigger).await?)))
}

/// Revoke the token of a webhook trigger.
#[utoipa::path(
    delete, path = "/v1/triggers/{trigger}/token", tag = "automations", params(("trigger" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn revoke_trigger(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(trigger): Id<TriggerId>,
) -> Result<StatusCode, Answer> {
    app.automations.revoke_token(&person.author(), trigger).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Start a run with a webhook trigger.
///
/// The request is authenticated by the token of the trigger.
#[utoipa::path(
    post, path = "/v1/hooks/{trigger}", tag = "automations", request_body = Object, security(()),
    params(
        ("trigger" = String, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
        ("webhook-id" = Option<String>, Header, description = "If requests must be signed (Standard Webhooks)"),
        ("webhook-timestamp" = Option<String>, Header),
        ("webhook-signature" = Option<String>, Header),
    ),
    responses((status = 202, body = RunView), (status = "4XX", body = Problem))
)]
pub(crate) async fn take_hook(
    State(app): State<App>,
    Id(trigger): Id<TriggerId>,
    headers: HeaderMap,
    Raw(body): Raw,
) -> Result<Response, Answer> {
    let key = idempotency_key(&headers)?;
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let signature = said("webhook-id").zip(said("webhook-timestamp")).zip(said("webhook-signature"));
    let hooked = Hooked {
        trigger,
        token: access::token(&headers)?,
        key: key.as_ref(),
        signature: signature.map(|((id, timestamp), signature)| [id, timestamp, signature]),
        body: &body,
    };
    Ok(accepted(app.automations.hook(hooked).await?.run))
}

/// Return the JSON Schema of definitions.
#[utoipa::path(
    get, path = "/v1/schemas/automation/1.0", tag = "automations", security(()),
    responses((status = 200, body = Object, content_type = "application/schema+json"))
)]
pub(crate) async fn get_automation_schema() -> Response {
    let written: Value = automation::schema();
    (
        [(axum::http::header::CONTENT_TYPE, "application/schema+json")],
        Json(written).into_response().into_body(),
    )
        .into_response()
}
