//! `events`: follow and publish events; consumer groups and their dead letters.

use std::{path::PathBuf, time::Duration};

use api::{
    CountView, DeadLetterView, EventIds, EventView, GroupRequest, GroupView, Page, PublishedView,
    ReplayRequest,
};
use clap::Subcommand;
use model::EventId;
use reqwest::Method;
use serde_json::Value;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    feed::{AGAIN, Feed},
    input,
    list::{List, PageArgs},
    table,
    visible::inline,
    wait::LONG_POLL,
};

/// Characters of an event's data per line.
const LINE: usize = 120;

/// Follow, publish and replay events
#[derive(Debug, Subcommand)]
pub enum Events {
    /// Print the newest events, then follow new ones
    #[command(after_help = "Examples:
  countersign events tail
  countersign events tail --type 'action.*' --type grant.requested
  countersign events tail --after evt_0199… --json     # continues where an earlier command stopped
  countersign events tail -n 100 --no-follow

With --json, each line is one CloudEvent. Ctrl-C ends the command.")]
    Tail {
        /// Only these types; action.* is every type that begins with action.
        #[arg(long = "type", value_name = "TYPE")]
        types: Vec<String>,
        /// Start after this event instead of with the newest ones
        #[arg(long, value_name = "EVENT")]
        after: Option<EventId>,
        /// Number of events to start with (1 to 100)
        #[arg(short = 'n', long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
        newest: u32,
        /// Print existing events, then exit
        #[arg(long)]
        no_follow: bool,
    },
    /// Publish one event or a list of events, as CloudEvents in JSON
    #[command(after_help = "Examples:
  countersign events publish event.json
  echo '{\"specversion\":\"1.0\",\"id\":\"42\",\"source\":\"/drive\",\"type\":\"drive.file_added\",\"data\":{}}' \\
    | countersign events publish -

An event with the same source and id is published only once.")]
    Publish {
        /// File with the events; - for stdin
        file: PathBuf,
    },
    /// List the consumer groups with the number of events ahead of each
    #[command(after_help = "Examples:
  countersign events groups
  countersign events groups --json")]
    Groups {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Create or change a consumer group
    #[command(after_help = "Examples:
  countersign events group indexer
  countersign events group indexer --filter '{\"type\": {\"starts_with\": \"drive.\"}}' --from start")]
    Group {
        /// Name of the group
        name: String,
        /// Filter as JSON (schemas/filter.schema.json) [default: all events]
        #[arg(long, value_name = "JSON")]
        filter: Option<String>,
        /// Seconds a consumer has to acknowledge an event
        #[arg(long, value_name = "SECONDS")]
        ack_timeout: Option<u64>,
        /// Deliveries of an event before it becomes a dead letter
        #[arg(long, value_name = "N")]
        max_attempts: Option<u8>,
        /// Where a new group starts: start, end, a time or an event id
        #[arg(long)]
        from: Option<String>,
    },
    /// Delete a consumer group with its dead letters
    #[command(
        name = "remove-group",
        after_help = "Examples:
  countersign events remove-group indexer"
    )]
    RemoveGroup { name: String },
    /// List the dead letters of a group, or deliver them again
    #[command(after_help = "Examples:
  countersign events dlq indexer
  countersign events dlq indexer --revive evt_0199…
  countersign events dlq indexer --revive-all")]
    Dlq {
        group: String,
        /// Deliver these events again
        #[arg(long, value_name = "EVENT", conflicts_with = "revive_all")]
        revive: Vec<EventId>,
        /// Deliver all dead letters again
        #[arg(long)]
        revive_all: bool,
    },
    /// Deliver events to a group again, from a given point on
    #[command(after_help = "Examples:
  countersign events replay indexer --from evt_0199…
  countersign events replay indexer --from 2026-11-15T09:00:00Z
  countersign events replay indexer --from start")]
    Replay {
        group: String,
        /// start, end, a time (RFC 3339) or an event id
        #[arg(long)]
        from: String,
    },
}

pub(crate) async fn run(command: Events, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Events::Tail { types, after, newest, no_follow } => {
            let tail = Tail { feed: Feed { types: types.join(","), newest }, follow: !no_follow };
            tail.run(cx, after.map(|after| after.to_string())).await
        }
        Events::Publish { file } => publish(cx, &file).await,
        Events::Groups { page } => {
            let header = &["GROUP", "AHEAD", "IN FLIGHT", "DEAD", "ATTEMPTS", "TIMEOUT", "FILTER"];
            List { path: &["v1", "event-groups"], query: vec![], page: &page, header }.print(cx, row).await
        }
        Events::Group { name, filter, ack_timeout, max_attempts, from } => {
            let filter = filter.map(|text| serde_json::from_str::<Value>(&text)).transpose();
            let filter =
                filter.map_err(|error| Error::usage(format!("--filter is not valid JSON: {error}")))?;
            let request = GroupRequest { filter, ack_timeout_s: ack_timeout, max_attempts, from };
            let path = ["v1", "event-groups", &name];
            let answer = cx.client()?.send_body(Method::PUT, &path, &request)?.send().await?;
            cx.done(&answer, &format!("saved group {name}"))
        }
        Events::RemoveGroup { name } => {
            let answer = cx.client()?.delete(&["v1", "event-groups", &name])?.send().await?;
            cx.done(&answer, &format!("removed {name}"))
        }
        Events::Dlq { group, revive, revive_all } => dead_letters(cx, &group, revive, revive_all).await,
        Events::Replay { group, from } => {
            let path = ["v1", "event-groups", &group, "replay"];
            let answer = cx.client()?.send_body(Method::POST, &path, &ReplayRequest { from })?.send().await?;
            let view: GroupView = answer.parse()?;
            cx.done(
                &answer,
                &format!(
                    "{group} is {} events behind; those that match its filter are delivered again",
                    view.ahead
                ),
            )
        }
    }
}

struct Tail {
    feed: Feed,
    follow: bool,
}

impl Tail {
    async fn run(&self, cx: &mut Context<'_>, mut after: Option<String>) -> Result<Exit, Error> {
        let client = cx.client()?;
        loop {
            let wait = if self.follow && after.is_some() { LONG_POLL } else { Duration::ZERO };
            match self.feed.fetch(&client, after.as_deref(), wait).await {
                Ok(found) => {
                    for event in &found.items {
                        print(cx, event)?;
                    }
                    after = found.last.or(after);
                    if !self.follow && (found.items.is_empty() || wait.is_zero()) {
                        return Ok(Exit::Done);
                    }
                    if after.is_none() {
                        // No event exists yet, so there is none to start after.
                        tokio::time::sleep(AGAIN).await;
                    }
                }
                // Following continues when the gateway is available again.
                Err(Error::Unreachable { .. } | Error::Lost(_)) if self.follow && after.is_some() => {
                    cx.console.progress("gateway unavailable; reconnecting")?;
                    tokio::time::sleep(AGAIN).await;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

fn print(cx: &mut Context<'_>, event: &EventView) -> Result<(), Error> {
    let event = &event.0;
    if cx.json() {
        return cx.console.json_text(&event.to_string());
    }
    let text = |name: &str| inline(event[name].as_str().unwrap_or_default());
    let data: String = inline(&event["data"].to_string()).chars().take(LINE).collect();
    cx.console.data(&format!("{}  {}  {}  {data}", text("time"), text("eventid"), text("type")))
}

async fn publish(cx: &mut Context<'_>, file: &std::path::Path) -> Result<Exit, Error> {
    let events = input::document(file, cx.console)?;
    let answer = cx.client()?.send_body(Method::POST, &["v1", "events"], &events)?.send().await?;
    cx.show(&answer, |page: Page<PublishedView>, wide| {
        let rows = page.items.into_iter().map(|one| {
            let what = if one.duplicate { "already published" } else { "published" };
            vec![one.eventid.to_string(), what.to_owned()]
        });
        table::rows(&["EVENT", "RESULT"], rows.collect(), wide)
    })
}

async fn dead_letters(
    cx: &mut Context<'_>,
    group: &str,
    revive: Vec<EventId>,
    revive_all: bool,
) -> Result<Exit, Error> {
    if revive.is_empty() && !revive_all {
        let (page, path) = (PageArgs::default(), ["v1", "event-groups", group, "dead-letters"]);
        let header = &["EVENT", "TYPE", "ATTEMPTS", "SINCE", "ERROR"];
        return List { path: &path, query: vec![], page: &page, header }.print(cx, letter).await;
    }
    let path = ["v1", "event-groups", group, "dead-letters", "revive"];
    let answer = cx.client()?.send_body(Method::POST, &path, &EventIds { events: revive })?.send().await?;
    let count: CountView = answer.parse()?;
    cx.done(&answer, &format!("{} dead letters are delivered again", count.count))
}

fn row(group: GroupView) -> Vec<String> {
    vec![
        group.name,
        if group.ahead >= 10_000 { "10000+".to_owned() } else { group.ahead.to_string() },
        group.in_flight.to_string(),
        group.dead_letters.to_string(),
        group.max_attempts.to_string(),
        format!("{}s", group.ack_timeout_s),
        group.filter.map(|filter| filter.to_string()).unwrap_or_default(),
    ]
}

fn letter(letter: DeadLetterView) -> Vec<String> {
    let kind = letter.event.as_ref().and_then(|event| event.0["type"].as_str()).unwrap_or("deleted");
    vec![
        letter.eventid.to_string(),
        kind.to_owned(),
        letter.attempts.to_string(),
        table::moment(letter.dead_at),
        letter.error.unwrap_or_default(),
    ]
}
