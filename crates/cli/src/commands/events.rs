//! `events`: what happened, as it happens; publishing; groups of consumers with their dead letters.

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

/// How much of an event's data stands in a line.
const LINE: usize = 120;

/// What happened, as it happens.
#[derive(Debug, Subcommand)]
pub enum Events {
    /// Print the newest events, then every one as it happens
    #[command(after_help = "Examples:
  countersign events tail
  countersign events tail --type 'action.*' --type grant.requested
  countersign events tail --after evt_0199… --json | jq .data     (nothing is missed between two runs)
  countersign events tail -n 100 --no-follow

With --json each event is one line: a CloudEvent. Ends with Ctrl-C.")]
    Tail {
        /// Only these types; `action.*` is every type that begins so
        #[arg(long = "type", value_name = "TYPE")]
        types: Vec<String>,
        /// Begin after this event instead of with the newest
        #[arg(long, value_name = "EVENT")]
        after: Option<EventId>,
        /// How many of the newest to begin with (1 to 100)
        #[arg(short = 'n', long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
        newest: u32,
        /// Print what there is and end
        #[arg(long)]
        no_follow: bool,
    },
    /// Publish an event, or a list of them, as CloudEvents in JSON
    #[command(after_help = "Examples:
  countersign events publish event.json
  echo '{\"specversion\":\"1.0\",\"id\":\"42\",\"source\":\"/drive\",\"type\":\"drive.file_added\",\"data\":{}}' \\
    | countersign events publish -

Publishing the same source and id again is publishing once.")]
    Publish {
        /// A file, or - for standard input
        file: PathBuf,
    },
    /// List the groups of consumers, with what each has before it
    #[command(after_help = "Examples:
  countersign events groups
  countersign events groups --json")]
    Groups {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Make a group, or change one
    #[command(after_help = "Examples:
  countersign events group indexer
  countersign events group indexer --filter '{\"type\": {\"starts_with\": \"drive.\"}}' --from start")]
    Group {
        name: String,
        /// Which events, as JSON (schemas/filter.schema.json); all without it
        #[arg(long, value_name = "JSON")]
        filter: Option<String>,
        /// How long a consumer may take
        #[arg(long, value_name = "SECONDS")]
        ack_timeout: Option<u64>,
        /// How often an event is handed out before it is a dead letter
        #[arg(long, value_name = "N")]
        max_attempts: Option<u8>,
        /// Where a new group begins: start, end, a moment or an event
        #[arg(long)]
        from: Option<String>,
    },
    /// Remove a group with all it holds
    #[command(
        name = "remove-group",
        after_help = "Examples:
  countersign events remove-group indexer"
    )]
    RemoveGroup { name: String },
    /// List a group's dead letters, or hand them out again
    #[command(after_help = "Examples:
  countersign events dlq indexer
  countersign events dlq indexer --revive evt_0199…
  countersign events dlq indexer --revive-all")]
    Dlq {
        group: String,
        /// Hand these out again
        #[arg(long, value_name = "EVENT", conflicts_with = "revive_all")]
        revive: Vec<EventId>,
        /// Hand all of them out again
        #[arg(long)]
        revive_all: bool,
    },
    /// Hand a group everything from somewhere on, again
    #[command(after_help = "Examples:
  countersign events replay indexer --from evt_0199…
  countersign events replay indexer --from 2026-11-15T09:00:00Z
  countersign events replay indexer --from start")]
    Replay {
        group: String,
        /// start, end, a moment or an event
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
            let filter = filter.map_err(|error| Error::usage(format!("--filter is not JSON: {error}")))?;
            let request = GroupRequest { filter, ack_timeout_s: ack_timeout, max_attempts, from };
            let path = ["v1", "event-groups", &name];
            let answer = cx.client()?.send_body(Method::PUT, &path, &request)?.send().await?;
            cx.done(&answer, &format!("set: group {name}"))
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
                &format!("{group} is handed {} events again, or what it means of them", view.ahead),
            )
        }
    }
}

/// What is followed.
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
                        // Nothing ever happened here: there is no event to begin after yet.
                        tokio::time::sleep(AGAIN).await;
                    }
                }
                // Whoever follows wants to go on following when the gateway is back.
                Err(Error::Unreachable { .. } | Error::Lost(_)) if self.follow && after.is_some() => {
                    cx.console.progress("the gateway is away; going on when it is back")?;
                    tokio::time::sleep(AGAIN).await;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Prints one event: as it is, or in a line.
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
            let what = if one.duplicate { "published before" } else { "published" };
            vec![one.eventid.to_string(), what.to_owned()]
        });
        table::rows(&["EVENT", ""], rows.collect(), wide)
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
    cx.done(&answer, &format!("{} dead letters are handed out again", count.count))
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
    let kind = letter.event.as_ref().and_then(|event| event.0["type"].as_str()).unwrap_or("no longer kept");
    vec![
        letter.eventid.to_string(),
        kind.to_owned(),
        letter.attempts.to_string(),
        table::moment(letter.dead_at),
        letter.error.unwrap_or_default(),
    ]
}
