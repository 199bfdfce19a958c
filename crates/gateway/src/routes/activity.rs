//! Activity: all invocations of the organization with filters and search, and the failed attempts of one.

use api::{ActivityItem, ActivityPage, ActivityQuery, AttemptView, Page, PageQuery, Problem};
use axum::{Json, extract::State};
use model::{ActionAddress, ActionName, InvocationId, OrgId, Risk, RunId, SessionId, SourceSlug, Status};
use pipeline::read::{Activity, ActivityFilter, FailedTry};

use crate::{
    App,
    extract::{CurrentUser, Id, Query, bounded, page, read},
    problem::Answer,
    view,
};

/// List all invocations of the organization, newest first.
///
/// A request examines a limited number of invocations. A page with few or no results still has `next_cursor` and
/// `searched_until`.
#[utoipa::path(
    get, path = "/v1/invocations", tag = "activity", params(ActivityQuery),
    responses((status = 200, body = ActivityPage), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_activity(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ActivityQuery>,
) -> Result<Json<ActivityPage>, Answer> {
    let (before, limit) = page(&PageQuery { cursor: query.cursor.clone(), limit: query.limit })?;
    let nothing = ActivityPage { items: vec![], next_cursor: None, searched_until: None };
    let Some(filter) = filter(&app, person.org, query).await? else { return Ok(Json(nothing)) };
    let before = before.map(InvocationId::from_uuid);
    let found = app.oversight.activity(person.org, &filter, before, limit).await?;
    Ok(Json(ActivityPage {
        items: found.items.into_iter().map(item).collect(),
        next_cursor: found.next.map(|next| next.uuid().simple().to_string()),
        searched_until: found.until,
    }))
}

/// The filter; `None` if it names something that does not exist, so that nothing can match.
async fn filter(app: &App, org: OrgId, query: ActivityQuery) -> Result<Option<ActivityFilter>, Answer> {
    let wrong = |what: &str| Answer::invalid("", what);
    bounded("", query.q.as_deref().unwrap_or_default(), 200)?;
    bounded("", query.agent.as_deref().unwrap_or_default(), 100)?;
    let session: Option<SessionId> = read(query.session.as_deref(), "`session` must be the ID of a session")?;
    let run: Option<RunId> = read(query.run.as_deref(), "`run` must be the ID of a run")?;
    let mut source: Option<SourceSlug> =
        read(query.source.as_deref(), "`source` must be the slug of a source")?;
    let mut action: Option<ActionName> = None;
    match query.action.as_deref() {
        None => {}
        Some(text) if text.contains('.') => {
            let address: ActionAddress =
                text.parse().map_err(|_| wrong("`action` must be `source.action`"))?;
            if source.as_ref().is_some_and(|source| *source != address.source) {
                return Ok(None);
            }
            (source, action) = (Some(address.source), Some(address.action));
        }
        text => action = read(text, "`action` must be `source.action` or the name of an action")?,
    }
    let status =
        several(query.status.as_deref(), Status::parse, "`status` must be a list of invocation statuses")?;
    let risk = several(query.risk.as_deref(), Risk::parse, "`risk` must be a list of risk levels, R0 to R4")?;
    let space = match query.space.as_deref() {
        None => None,
        Some(name) => match app.tenancy.named_space(org, Some(name)).await {
            Ok(space) => Some(space.id),
            Err(tenancy::Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        },
    };
    let session = match run {
        None => session,
        Some(run) => match app.automations.session_of(org, run).await {
            // A refused run has no session and no invocation.
            Ok(None) => return Ok(None),
            Ok(of_run) if session.is_none() || session == of_run => of_run,
            Ok(_) | Err(automation::Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        },
    };
    Ok(Some(ActivityFilter {
        session,
        space,
        agent: query.agent,
        source: source.map(|source| source.to_string()),
        action: action.map(|action| action.to_string()),
        status,
        risk,
        text: query.q.filter(|text| !text.is_empty()),
        since: query.since,
        until: query.until,
    }))
}

/// Parses a list of words separated by commas.
fn several<T>(text: Option<&str>, parse: impl Fn(&str) -> Option<T>, rule: &str) -> Result<Vec<T>, Answer> {
    let words = text.unwrap_or_default().split(',').filter(|word| !word.is_empty());
    words.map(|word| parse(word).ok_or_else(|| Answer::invalid("", rule))).collect()
}

fn item(found: Activity) -> ActivityItem {
    ActivityItem {
        id: found.id,
        session: found.session,
        space: found.space,
        agent: found.agent,
        run: found.run.as_ref().map(|run| run.run),
        automation: found.run.as_ref().map(|run| run.automation),
        action: found.address.to_string(),
        risk: found.risk,
        status: found.status,
        mode: found.mode,
        mode_source: found.mode_source,
        dry_run: found.dry_run,
        attempts: found.attempts,
        params_line: found.params_line,
        error: found.failure.map(view::failure),
        receipt: found.receipt,
        requested_at: found.requested_at,
        started_at: found.started_at,
        finished_at: found.finished_at,
        erased_at: found.erased_at,
    }
}

/// List the failed attempts of an invocation, in order.
///
/// A successful attempt is not listed: it is the invocation itself.
#[utoipa::path(
    get, path = "/v1/invocations/{invocation}/attempts", tag = "activity", params(("invocation" = String, Path)),
    responses((status = 200, body = Page<AttemptView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_attempts(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(invocation): Id<InvocationId>,
) -> Result<Json<Page<AttemptView>>, Answer> {
    let tries = app.oversight.attempts(person.org, invocation).await?;
    // An invocation has few attempts, so one page is enough.
    let items = (1..).zip(tries).map(|(number, tried)| attempt(number, tried)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

fn attempt(number: i32, tried: FailedTry) -> AttemptView {
    AttemptView {
        number,
        started_at: tried.started_at,
        ended_at: tried.ended_at,
        class: tried.failure.class,
        message: tried.failure.message,
        sent: tried.failure.sent,
        retried: tried.retried,
    }
}
