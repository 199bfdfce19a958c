//! Groups of consumers: handing events out, and what becomes of them.

use std::time::Duration;

use api::{
    ClaimRequest, CountView, DeadLetterView, EventIds, EventView, GroupDeliveryView, GroupRequest, GroupView,
    NackRequest, Page, PageQuery, Problem, ReadRequest, ReplayRequest, WaitQuery,
};
use axum::{Json, extract::State, http::StatusCode};
use events::{DeadLetter, Delivery, Group, GroupSettings, Nack, Replay};
use model::OrgId;

use crate::{
    App,
    extract::{Asked, Body, Id, Someone, bounded, page, patience},
    problem::Answer,
};

const MOST_AT_ONCE: usize = 100;
const LONGEST_ACK_TIMEOUT_S: u64 = 12 * 60 * 60;
const LONGEST_DELAY_S: u64 = 24 * 60 * 60;

/// The org's groups, with what each has before it.
#[utoipa::path(
    get, path = "/v1/event-groups", tag = "events",
    responses((status = 200, body = Page<GroupView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_groups(
    State(app): State<App>,
    Someone(person): Someone,
) -> Result<Json<Page<GroupView>>, Answer> {
    let mut items = Vec::new();
    for group in app.groups.list(person.org).await? {
        items.push(view(&app, person.org, group).await?);
    }
    // There are few of them, so there is one page.
    Ok(Json(Page { items, next_cursor: None }))
}

/// Make a group, or change one.
#[utoipa::path(
    put, path = "/v1/event-groups/{group}", tag = "events", request_body = GroupRequest,
    params(("group" = String, Path)),
    responses(
        (status = 200, body = GroupView, description = "It was changed; where it stands is not"),
        (status = 201, body = GroupView),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn put_group(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<GroupRequest>,
) -> Result<(StatusCode, Json<GroupView>), Answer> {
    let is_name = (1..=63).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_name {
        return Err(Answer::invalid("", "a group's name is lower-case letters, digits and `-`, at most 63"));
    }
    let ack_timeout_s = request.ack_timeout_s.unwrap_or(60);
    if !(1..=LONGEST_ACK_TIMEOUT_S).contains(&ack_timeout_s) {
        return Err(Answer::invalid("/ack_timeout_s", format!("1 to {LONGEST_ACK_TIMEOUT_S}")));
    }
    let max_attempts = request.max_attempts.unwrap_or(10);
    if !(1..=100).contains(&max_attempts) {
        return Err(Answer::invalid("/max_attempts", "1 to 100"));
    }
    let settings = GroupSettings {
        filter: request.filter,
        ack_timeout: Duration::from_secs(ack_timeout_s),
        max_attempts,
    };
    let from = request.from.as_deref().map_or(Ok(Replay::End), place)?;
    let (group, is_new) = app.groups.put(person.org, &name, settings, from).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(view(&app, person.org, group).await?)))
}

/// One group.
#[utoipa::path(
    get, path = "/v1/event-groups/{group}", tag = "events", params(("group" = String, Path)),
    responses((status = 200, body = GroupView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_group(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
) -> Result<Json<GroupView>, Answer> {
    let group = app.groups.find(person.org, &name).await?;
    Ok(Json(view(&app, person.org, group).await?))
}

/// Remove a group with all it holds.
#[utoipa::path(
    delete, path = "/v1/event-groups/{group}", tag = "events", params(("group" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_group(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
) -> Result<StatusCode, Answer> {
    app.groups.remove(person.org, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take events: what is due again first, then what is new; with `wait` as soon as there is one.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/read", tag = "events", request_body = ReadRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = Page<GroupDeliveryView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn read_group(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<ReadRequest>,
) -> Result<Json<Page<GroupDeliveryView>>, Answer> {
    let most = most(request.max)?;
    consumer("/consumer", &request.consumer)?;
    let patience = patience(&WaitQuery { wait: request.wait }, Duration::ZERO)?;
    let read = app.groups.read((person.org, &name), &request.consumer, most, patience).await?;
    Ok(Json(deliveries(read)))
}

/// Say that events were seen to. Saying it again does no harm.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/ack", tag = "events", request_body = EventIds,
    params(("group" = String, Path)),
    responses((status = 200, body = CountView), (status = "4XX", body = Problem))
)]
pub(crate) async fn ack_events(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<EventIds>,
) -> Result<Json<CountView>, Answer> {
    few(request.events.len())?;
    Ok(Json(CountView { count: app.groups.ack(person.org, &name, &request.events).await? }))
}

/// Hand events back: they are handed out again after a delay or, handed out too often, become dead letters.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/nack", tag = "events", request_body = NackRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = CountView), (status = "4XX", body = Problem))
)]
pub(crate) async fn nack_events(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<NackRequest>,
) -> Result<Json<CountView>, Answer> {
    few(request.events.len())?;
    bounded("/error", request.error.as_deref().unwrap_or_default(), 2_000)?;
    if request.delay_s > LONGEST_DELAY_S {
        return Err(Answer::invalid("/delay_s", format!("at most {LONGEST_DELAY_S}")));
    }
    let nack =
        Nack { events: request.events, delay: Duration::from_secs(request.delay_s), error: request.error };
    Ok(Json(CountView { count: app.groups.nack(person.org, &name, nack).await? }))
}

/// Take over what a consumer holds that you know to be dead, before its time is over.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/claim", tag = "events", request_body = ClaimRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = Page<GroupDeliveryView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn claim_events(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<ClaimRequest>,
) -> Result<Json<Page<GroupDeliveryView>>, Answer> {
    let most = most(request.max)?;
    consumer("/consumer", &request.consumer)?;
    let idle = Duration::from_secs(request.idle_s.min(LONGEST_ACK_TIMEOUT_S));
    let who = (request.consumer.as_str(), request.from.as_deref());
    Ok(Json(deliveries(app.groups.claim((person.org, &name), who, idle, most).await?)))
}

/// Events that nobody could do anything with, the oldest first.
#[utoipa::path(
    get, path = "/v1/event-groups/{group}/dead-letters", tag = "events",
    params(("group" = String, Path), PageQuery),
    responses((status = 200, body = Page<DeadLetterView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_dead_letters(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Asked(query): Asked<PageQuery>,
) -> Result<Json<Page<DeadLetterView>>, Answer> {
    let (_, limit) = page(&query)?;
    let most = usize::try_from(limit).unwrap_or(MOST_AT_ONCE);
    let found = app.groups.dead_letters(person.org, &name, most).await?;
    Ok(Json(Page { items: found.into_iter().map(letter).collect(), next_cursor: None }))
}

/// Hand dead letters out again; all of them when none is named.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/dead-letters/revive", tag = "events", request_body = EventIds,
    params(("group" = String, Path)),
    responses((status = 200, body = CountView), (status = "4XX", body = Problem))
)]
pub(crate) async fn revive_dead_letters(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<EventIds>,
) -> Result<Json<CountView>, Answer> {
    if request.events.len() > MOST_AT_ONCE {
        return Err(Answer::invalid("/events", format!("at most {MOST_AT_ONCE}")));
    }
    Ok(Json(CountView { count: app.groups.revive(person.org, &name, &request.events).await? }))
}

/// Hand a group everything from somewhere on, again.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/replay", tag = "events", request_body = ReplayRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = GroupView), (status = "4XX", body = Problem))
)]
pub(crate) async fn replay_group(
    State(app): State<App>,
    Someone(person): Someone,
    Id(name): Id<String>,
    Body(request): Body<ReplayRequest>,
) -> Result<Json<GroupView>, Answer> {
    let group = app.groups.replay(person.org, &name, place(&request.from)?).await?;
    Ok(Json(view(&app, person.org, group).await?))
}

async fn view(app: &App, org: OrgId, group: Group) -> Result<GroupView, Answer> {
    let backlog = app.groups.backlog(org, &group).await?;
    Ok(GroupView {
        name: group.name,
        filter: group.settings.filter,
        ack_timeout_s: group.settings.ack_timeout.as_secs(),
        max_attempts: group.settings.max_attempts,
        ahead: backlog.ahead,
        in_flight: backlog.in_flight,
        dead_letters: backlog.dead,
        created_at: group.created_at,
    })
}

fn deliveries(found: Vec<Delivery>) -> Page<GroupDeliveryView> {
    let view = |delivery: Delivery| GroupDeliveryView {
        event: EventView(delivery.event.to_cloud_event()),
        attempt: delivery.attempt,
    };
    Page { items: found.into_iter().map(view).collect(), next_cursor: None }
}

fn letter(letter: DeadLetter) -> DeadLetterView {
    DeadLetterView {
        eventid: letter.id,
        event: letter.event.map(|event| EventView(event.to_cloud_event())),
        attempts: letter.attempts,
        error: letter.error,
        dead_at: letter.dead_at,
    }
}

/// `start`, `end`, an event or a moment.
fn place(text: &str) -> Result<Replay, Answer> {
    match text {
        "start" => Ok(Replay::Start),
        "end" => Ok(Replay::End),
        text => {
            let event = text.parse().map(Replay::From).ok();
            let place = event.or_else(|| text.parse().map(Replay::At).ok());
            place.ok_or_else(|| {
                Answer::invalid(
                    "/from",
                    "`start`, `end`, an `eventid`, or a moment such as 2026-11-15T09:00:00Z",
                )
            })
        }
    }
}

fn most(asked: Option<usize>) -> Result<usize, Answer> {
    let most = asked.unwrap_or(10);
    if !(1..=MOST_AT_ONCE).contains(&most) {
        return Err(Answer::invalid("/max", format!("1 to {MOST_AT_ONCE}")));
    }
    Ok(most)
}

fn few(count: usize) -> Result<(), Answer> {
    if !(1..=MOST_AT_ONCE).contains(&count) {
        return Err(Answer::invalid("/events", format!("1 to {MOST_AT_ONCE}")));
    }
    Ok(())
}

fn consumer(pointer: &str, name: &str) -> Result<(), Answer> {
    if name.is_empty() {
        return Err(Answer::invalid(
            pointer,
            "say who you are within the group, for example the host's name",
        ));
    }
    bounded(pointer, name, 100)
}
