//! Activity: every invocation of the org with filters and search, and the tries of one that failed.

use api::{ActivityItem, ActivityPage, ActivityQuery, AttemptView, Page, PageQuery, Problem};
use axum::{Json, extract::State};
use model::{ActionAddress, ActionName, InvocationId, OrgId, Risk, RunId, SessionId, SourceSlug, Status};
use pipeline::{Activity, ActivityFilter, FailedTry};

use crate::{
    App,
    extract::{Asked, Id, Someone, bounded, page, read},
    problem::Answer,
    view,
};

/// Every invocation of the org, newest first. A page looks at a bounded number of invocations: one that found few, or none,
/// still says where the next page begins, and how far back it looked.
#[utoipa::path(
    get, path = "/v1/invocations", tag = "activity", params(ActivityQuery),
    responses((status = 200, body = ActivityPage), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_activity(
    State(app): State<App>,
    Someone(person): Someone,
    Asked(query): Asked<ActivityQuery>,
) -> Result<Json<ActivityPage>, Answer> {
    let (before, limit) = page(&PageQuery { cursor: query.cursor.clone(), limit: query.limit })?;
    let nothing = ActivityPage { items: vec![], next_cursor: None, searched_until: None };
    let Some(filter) = filter(&app, person.org, query).await? else { return Ok(Json(nothing)) };
    let before = before.map(InvocationId::from_uuid);
    let found = app.pipeline.activity(person.org, &filter, before, limit).await?;
    Ok(Json(ActivityPage {
        items: found.items.into_iter().map(item).collect(),
        next_cursor: found.next.map(|next| next.uuid().simple().to_string()),
        searched_until: found.until,
    }))
}

/// What was asked for; `None` where it names something that is not there, so that nothing can be found.
async fn filter(app: &App, org: OrgId, query: ActivityQuery) -> Result<Option<ActivityFilter>, Answer> {
    let wrong = |what: &str| Answer::invalid("", what);
    bounded("", query.q.as_deref().unwrap_or_default(), 200)?;
    let session: Option<SessionId> = read(query.session.as_deref(), "`session` is the id of a session")?;
    let run: Option<RunId> = read(query.run.as_deref(), "`run` is the id of a run")?;
    let mut source: Option<SourceSlug> = read(query.source.as_deref(), "`source` is the slug of a source")?;
    let mut action: Option<ActionName> = None;
    match query.action.as_deref() {
        None => {}
        Some(text) if text.contains('.') => {
            let address: ActionAddress = text.parse().map_err(|_| wrong("`action` is `source.action`"))?;
            if source.as_ref().is_some_and(|source| *source != address.source) {
                return Ok(None);
            }
            (source, action) = (Some(address.source), Some(address.action));
        }
        text => action = read(text, "`action` is `source.action` or the name of an action")?,
    }
    let status = several(query.status.as_deref(), Status::parse, "`status` names states of an invocation")?;
    let risk = several(query.risk.as_deref(), Risk::parse, "`risk` names risks, R0 to R4")?;
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
            // A run that was refused has no session, and no invocation.
            Ok(None) => return Ok(None),
            Ok(of_run) if session.is_none() || session == of_run => of_run,
            Ok(_) | Err(automation::Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        },
    };
    Ok(Some(ActivityFilter {
        session,
        space,
        source: source.map(|source| source.to_string()),
        action: action.map(|action| action.to_string()),
        status,
        risk,
        text: query.q.filter(|text| !text.is_empty()),
        since: query.since,
        until: query.until,
    }))
}

/// Words that are separated by commas.
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
    }
}

/// The tries of an invocation that failed, in order. The one that succeeded is the invocation itself.
#[utoipa::path(
    get, path = "/v1/invocations/{invocation}/attempts", tag = "activity", params(("invocation" = String, Path)),
    responses((status = 200, body = Page<AttemptView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_attempts(
    State(app): State<App>,
    Someone(person): Someone,
    Id(invocation): Id<InvocationId>,
) -> Result<Json<Page<AttemptView>>, Answer> {
    let tries = app.pipeline.attempts(person.org, invocation).await?;
    // An invocation is tried a few times, so there is one page.
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
