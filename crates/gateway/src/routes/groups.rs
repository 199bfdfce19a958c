//! Consumer groups: delivering events, acknowledgements and dead letters.

use std::time::Duration;

use api::{
    ClaimRequest, CountView, DeadLetterView, EventIds, EventView, GroupDeliveryView, GroupRequest, GroupView,
    NackRequest, Page, PageQuery, Problem, ReadRequest, ReplayRequest, WaitQuery,
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use events::{DeadLetter, Delivery, Group, GroupSettings, Nack, Replay, Takeover};
use model::{InOrg, OrgId};
use tokio::time::Instant;

use crate::{
    App,
    access::check_again,
    extract::{Body, CurrentUser, Id, Query, bounded, page, patience},
    problem::Answer,
};

const MOST_AT_ONCE: usize = 100;
const LONGEST_ACK_TIMEOUT_S: u64 = 12 * 60 * 60;
const LONGEST_DELAY_S: u64 = 24 * 60 * 60;

/// List consumer groups, with the number of events ahead of each.
#[utoipa::path(
    get, path = "/v1/event-groups", tag = "events",
    responses((status = 200, body = Page<GroupView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_groups(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<GroupView>>, Answer> {
    let mut items = Vec::new();
    for group in app.groups.list(person.org).await? {
        items.push(view(&app, person.org, group).await?);
    }
    // There are few groups, so one page is enough.
    Ok(Json(Page { items, next_cursor: None }))
}

/// Create or change a consumer group.
#[utoipa::path(
    put, path = "/v1/event-groups/{group}", tag = "events", request_body = GroupRequest,
    params(("group" = String, Path)),
    responses(
        (status = 200, body = GroupView, description = "The group was changed; its position is the same"),
        (status = 201, body = GroupView),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn put_group(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    Body(request): Body<GroupRequest>,
) -> Result<(StatusCode, Json<GroupView>), Answer> {
    let is_name = (1..=63).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_name {
        return Err(Answer::invalid(
            "",
            "a group name must have 1 to 63 lowercase letters, digits and `-`, and start with a letter",
        ));
    }
    let ack_timeout_s = request.ack_timeout_s.unwrap_or(60);
    if !(1..=LONGEST_ACK_TIMEOUT_S).contains(&ack_timeout_s) {
        return Err(Answer::invalid(
            "/ack_timeout_s",
            format!("must be between 1 and {LONGEST_ACK_TIMEOUT_S}"),
        ));
    }
    let max_attempts = request.max_attempts.unwrap_or(10);
    if !(1..=100).contains(&max_attempts) {
        return Err(Answer::invalid("/max_attempts", "must be between 1 and 100"));
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

/// Return a consumer group.
#[utoipa::path(
    get, path = "/v1/event-groups/{group}", tag = "events", params(("group" = String, Path)),
    responses((status = 200, body = GroupView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_group(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
) -> Result<Json<GroupView>, Answer> {
    let group = app.groups.find(person.org, &name).await?;
    Ok(Json(view(&app, person.org, group).await?))
}

/// Delete a consumer group and its dead letters.
#[utoipa::path(
    delete, path = "/v1/event-groups/{group}", tag = "events", params(("group" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_group(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
) -> Result<StatusCode, Answer> {
    app.groups.remove(person.org, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Read events: first those that are due again, then new ones.
///
/// With `wait`, the response is sent as soon as there is an event.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/read", tag = "events", request_body = ReadRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = Page<GroupDeliveryView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn read_group(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    headers: HeaderMap,
    Body(request): Body<ReadRequest>,
) -> Result<Json<Page<GroupDeliveryView>>, Answer> {
    let most = most(request.max)?;
    consumer("/consumer", &request.consumer)?;
    let patience = patience(&WaitQuery { wait: request.wait }, Duration::ZERO)?;
    let group = InOrg { org: person.org, id: name.as_str() };
    let since = Instant::now();
    let read = app.groups.read(group, &request.consumer, most, patience).await?;
    check_again(&app, &headers, since).await?;
    Ok(Json(deliveries(read)))
}

/// Acknowledge events.
///
/// Repeating an acknowledgement is harmless.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/ack", tag = "events", request_body = EventIds,
    params(("group" = String, Path)),
    responses((status = 200, body = CountView), (status = "4XX", body = Problem))
)]
pub(crate) async fn ack_events(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    Body(request): Body<EventIds>,
) -> Result<Json<CountView>, Answer> {
    few(request.events.len())?;
    Ok(Json(CountView { count: app.groups.ack(person.org, &name, &request.events).await? }))
}

/// Reject events.
///
/// They are delivered again after a delay, or become dead letters after too many deliveries.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/nack", tag = "events", request_body = NackRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = CountView), (status = "4XX", body = Problem))
)]
pub(crate) async fn nack_events(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    Body(request): Body<NackRequest>,
) -> Result<Json<CountView>, Answer> {
    few(request.events.len())?;
    bounded("/error", request.error.as_deref().unwrap_or_default(), 2_000)?;
    if request.delay_s > LONGEST_DELAY_S {
        return Err(Answer::invalid("/delay_s", format!("must be at most {LONGEST_DELAY_S}")));
    }
    let nack =
        Nack { events: request.events, delay: Duration::from_secs(request.delay_s), error: request.error };
    Ok(Json(CountView { count: app.groups.nack(person.org, &name, nack).await? }))
}

/// Take over the events of a consumer that has stopped, before their timeout.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/claim", tag = "events", request_body = ClaimRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = Page<GroupDeliveryView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn claim_events(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    Body(request): Body<ClaimRequest>,
) -> Result<Json<Page<GroupDeliveryView>>, Answer> {
    let most = most(request.max)?;
    consumer("/consumer", &request.consumer)?;
    let idle = Duration::from_secs(request.idle_s.min(LONGEST_ACK_TIMEOUT_S));
    let takeover = Takeover { consumer: &request.consumer, from: request.from.as_deref(), idle, most };
    let group = InOrg { org: person.org, id: name.as_str() };
    Ok(Json(deliveries(app.groups.claim(group, takeover).await?)))
}

/// List dead letters, oldest first.
#[utoipa::path(
    get, path = "/v1/event-groups/{group}/dead-letters", tag = "events",
    params(("group" = String, Path), PageQuery),
    responses((status = 200, body = Page<DeadLetterView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_dead_letters(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<DeadLetterView>>, Answer> {
    let (_, limit) = page(&query)?;
    let most = usize::try_from(limit).unwrap_or(MOST_AT_ONCE);
    let found = app.groups.dead_letters(person.org, &name, most).await?;
    Ok(Json(Page { items: found.into_iter().map(letter).collect(), next_cursor: None }))
}

/// Deliver dead letters again: the given ones, or all if none are given.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/dead-letters/revive", tag = "events", request_body = EventIds,
    params(("group" = String, Path)),
    responses((status = 200, body = CountView), (status = "4XX", body = Problem))
)]
pub(crate) async fn revive_dead_letters(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(name): Id<String>,
    Body(request): Body<EventIds>,
) -> Result<Json<CountView>, Answer> {
    if request.events.len() > MOST_AT_ONCE {
        return Err(Answer::invalid("/events", format!("at most {MOST_AT_ONCE} events")));
    }
    Ok(Json(CountView { count: app.groups.revive(person.org, &name, &request.events).await? }))
}

/// Restart a consumer group from an earlier or later position.
#[utoipa::path(
    post, path = "/v1/event-groups/{group}/replay", tag = "events", request_body = ReplayRequest,
    params(("group" = String, Path)),
    responses((status = 200, body = GroupView), (status = "4XX", body = Problem))
)]
pub(crate) async fn replay_group(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
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

/// Parses `start`, `end`, an event or a time.
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
                    "must be `start`, `end`, an `eventid`, or a time such as 2026-11-15T09:00:00Z",
                )
            })
        }
    }
}

fn most(asked: Option<usize>) -> Result<usize, Answer> {
    let most = asked.unwrap_or(10);
    if !(1..=MOST_AT_ONCE).contains(&most) {
        return Err(Answer::invalid("/max", format!("must be between 1 and {MOST_AT_ONCE}")));
    }
    Ok(most)
}

fn few(count: usize) -> Result<(), Answer> {
    if !(1..=MOST_AT_ONCE).contains(&count) {
        return Err(Answer::invalid("/events", format!("must be 1 to {MOST_AT_ONCE} events")));
    }
    Ok(())
}

fn consumer(pointer: &str, name: &str) -> Result<(), Answer> {
    if name.is_empty() {
        return Err(Answer::invalid(pointer, "required: a name of this consumer, for example the host name"));
    }
    bounded(pointer, name, 100)
}
