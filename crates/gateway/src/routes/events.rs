//! Events: reading, waiting, streaming and publishing.

use std::{collections::VecDeque, convert::Infallible, sync::Arc, time::Duration};

use api::{
    EventRequest, EventView, EventsQuery, EventsRequest, EventsView, Page, Problem, PublishedView, WaitQuery,
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::sse::{Event as Message, KeepAlive, Sse},
};
use events::{
    Entry, News, Publishing,
    types::{is_among, is_wanted},
};
use futures::Stream;
use model::{EventId, OrgId};
use tenancy::Caller;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{
    App,
    access::{Presented, check_again},
    extract::{Body, CurrentUser, Query, patience},
    problem::Answer,
};

const MOST_PUBLISHED: usize = 100;
const MOST_TYPES: usize = 20;
/// Number of events that a stream reads at a time.
const AT_ONCE: usize = 100;
/// How often a stream checks its authentication: it must not outlive a token or a sign-in.
const ASK_AGAIN: Duration = Duration::from_secs(10);
/// How old that check may be when a stream tells something: a revocation is in force within a second.
const TELL_WITHIN: Duration = Duration::from_millis(500);
/// Maximum number of concurrent streams of one process.
const MOST_STREAMS: usize = 2_000;

/// Publish an event or a list of events.
///
/// Publishing the same `source` and `id` again has no effect.
#[utoipa::path(
    post, path = "/v1/events", tag = "events", request_body = EventsRequest,
    responses(
        (status = 200, body = Page<PublishedView>),
        (status = 409, body = Problem, description = "The same `source` and `id` were used for another event"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn publish_events(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<serde_json::Value>,
) -> Result<Json<Page<PublishedView>>, Answer> {
    // Not with serde's untagged enum, whose error would only say that neither variant matches.
    let requests = match request {
        serde_json::Value::Array(many) => many,
        one => vec![one],
    };
    if !(1..=MOST_PUBLISHED).contains(&requests.len()) {
        return Err(Answer::invalid("", format!("must be 1 to {MOST_PUBLISHED} events")));
    }
    let many = requests.len() > 1;
    let read = requests.into_iter().enumerate().map(|(index, request)| {
        let at = if many { format!("/{index}") } else { String::new() };
        publishing(request, &at)
    });
    let published = app.events.publish(person.actor(), read.collect::<Result<_, _>>()?).await?;
    let view = |one: events::Published| PublishedView { eventid: one.event, duplicate: one.duplicate };
    Ok(Json(Page { items: published.into_iter().map(view).collect(), next_cursor: None }))
}

fn publishing(request: serde_json::Value, at: &str) -> Result<Publishing, Answer> {
    let request: EventRequest =
        serde_json::from_value(request).map_err(|error| Answer::invalid(at, error.to_string()))?;
    if request.specversion != "1.0" {
        return Err(Answer::invalid(&format!("{at}/specversion"), "must be `1.0`"));
    }
    if request.datacontenttype.is_some_and(|kind| kind != "application/json") {
        return Err(Answer::invalid(&format!("{at}/datacontenttype"), "must be `application/json`"));
    }
    Ok(Publishing {
        id: request.id,
        source: request.source,
        event_type: request.event_type,
        subject: request.subject.unwrap_or_default(),
        at: request.time,
        data: request.data,
        caused_by: request.causedby,
    })
}

/// List the newest events, or those after a given one.
///
/// With `wait`, the response is sent as soon as there is an event.
#[utoipa::path(
    get, path = "/v1/events", tag = "events", params(EventsQuery),
    responses((status = 200, body = EventsView), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_events(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    headers: HeaderMap,
    Query(query): Query<EventsQuery>,
) -> Result<Json<EventsView>, Answer> {
    let types = types(query.types.as_deref())?;
    let limit = usize::try_from(query.limit.unwrap_or(50)).unwrap_or(usize::MAX);
    if !(1..=100).contains(&limit) {
        return Err(Answer::invalid("", "`limit` must be between 1 and 100"));
    }
    let until = Instant::now() + patience(&WaitQuery { wait: query.wait }, Duration::ZERO)?;
    let (org, mut news) = (person.org, app.events.news(person.org).await);
    let Some(after) = query.after else {
        let mut found = app.events.newest(org, AT_ONCE).await?;
        let last = found.last().map(|entry| entry.event.id.to_string());
        found.retain(|entry| is_among(&types, &entry.event.event_type));
        let skipped = found.len().saturating_sub(limit);
        let items = found.iter().skip(skipped).map(view).collect();
        return Ok(Json(EventsView { items, last }));
    };
    let mut position = position(&app, org, &after).await?;
    let (mut last, mut items, since) = (after, Vec::new(), Instant::now());
    loop {
        let found = app.events.after(org, position, AT_ONCE).await?;
        let is_end = found.is_empty();
        for entry in found {
            let is_meant = is_among(&types, &entry.event.event_type);
            if is_meant && items.len() == limit {
                break;
            }
            (position, last) = (entry.position, entry.event.id.to_string());
            items.extend(is_meant.then(|| view(&entry)));
        }
        if !items.is_empty() {
            check_again(&app, &headers, since).await?;
        }
        if !items.is_empty() || (is_end && !news.wait(until).await) {
            return Ok(Json(EventsView { items, last: Some(last) }));
        }
    }
}

/// Stream events as they happen (`text/event-stream`).
///
/// `id` is the `eventid`, `event` the type, and `data` the whole event. After a disconnect, continue with
/// `Last-Event-ID` or `after`: no event is lost or repeated.
#[utoipa::path(
    get, path = "/v1/events/stream", tag = "events", params(EventsQuery),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = "4XX", body = Problem))
)]
pub(crate) async fn stream_events(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    headers: HeaderMap,
    Query(query): Query<EventsQuery>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Answer> {
    if query.limit.is_some() || query.wait.is_some() {
        return Err(Answer::invalid("", "a stream does not accept `limit` and `wait`; use GET /v1/events"));
    }
    let busy =
        || Answer::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "too many open streams on this gateway");
    let place = STREAMS.clone().try_acquire_owned().map_err(|_| busy())?;
    let news = app.events.news(person.org).await;
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(ToOwned::to_owned);
    let position = match resumed.or(query.after) {
        Some(after) => position(&app, person.org, &after).await?,
        None => app.events.end().await?,
    };
    let following = Following {
        types: types(query.types.as_deref())?,
        presented: Presented::by(&app, &headers)?,
        org: person.org,
        asked_at: Instant::now(),
        ready: VecDeque::new(),
        app,
        news,
        position,
        _place: place,
    };
    let messages = futures::stream::unfold(following, |mut following| async move {
        let message = following.next().await?;
        Some((Ok(message), following))
    });
    Ok(Sse::new(messages).keep_alive(KeepAlive::default()))
}

static STREAMS: std::sync::LazyLock<Arc<Semaphore>> =
    std::sync::LazyLock::new(|| Arc::new(Semaphore::new(MOST_STREAMS)));

/// A reader of a stream.
struct Following {
    app: App,
    news: News,
    presented: Presented,
    org: OrgId,
    position: i64,
    types: Vec<String>,
    ready: VecDeque<Entry>,
    asked_at: Instant,
    _place: OwnedSemaphorePermit,
}

impl Following {
    /// The next message; `None` if the process stops, the database is unavailable, or the token is no longer valid.
    async fn next(&mut self) -> Option<Message> {
        loop {
            let is_old = if self.ready.is_empty() { ASK_AGAIN } else { TELL_WITHIN };
            if self.asked_at.elapsed() >= is_old {
                let caller = self.presented.caller(&self.app.tenancy).await.ok()?;
                matches!(caller, Caller::Person(person) if person.org == self.org).then_some(())?;
                self.asked_at = Instant::now();
            }
            if let Some(entry) = self.ready.pop_front() {
                self.position = entry.position;
                if is_among(&self.types, &entry.event.event_type) {
                    return message(&entry);
                }
                continue;
            }
            self.ready.extend(self.app.events.after(self.org, self.position, AT_ONCE).await.ok()?);
            let is_stopping = self.ready.is_empty()
                && !self.news.wait(Instant::now() + ASK_AGAIN).await
                && self.app.shutdown.has_begun();
            if is_stopping {
                return None;
            }
        }
    }
}

fn message(entry: &Entry) -> Option<Message> {
    let event = &entry.event;
    let message = Message::default().id(event.id.to_string()).event(event.event_type.as_ref());
    message.json_data(event.to_cloud_event()).ok()
}

/// The requested types. An empty list means all types.
fn types(text: Option<&str>) -> Result<Vec<String>, Answer> {
    let types: Vec<String> =
        text.into_iter().flat_map(|text| text.split(',')).map(ToOwned::to_owned).collect();
    if types.len() > MOST_TYPES || !types.iter().all(|wanted| is_wanted(wanted)) {
        let message = format!(
            "`type` must be at most {MOST_TYPES} types, separated by commas: `action.*,grant.requested`"
        );
        return Err(Answer::invalid("", message));
    }
    Ok(types)
}

async fn position(app: &App, org: OrgId, after: &str) -> Result<i64, Answer> {
    let event: EventId = after.parse().map_err(|_| events::Error::NotFound("event"))?;
    Ok(app.events.position(org, event).await?)
}

fn view(entry: &Entry) -> EventView {
    EventView(entry.event.to_cloud_event())
}
