//! `actions`: what a session can ask for, how, and asking for it.

use std::time::Duration;

use api::{ActionView, CatalogView, GrantAsk, GrantRequestView, InvocationView, InvokeRequest, SourceView};
use clap::{Args, Subcommand};
use model::{ActionAddress, IdempotencyKey, SessionId, SourceSlug};
use reqwest::Method;
use serde_json::Value;

use super::{grants, invocation};
use crate::{
    Context,
    client::{Answer, Client, INVOKE_TIMEOUT},
    error::Error,
    exit::Exit,
    inbox::{Key, key},
    input,
    list::{List, PageArgs},
    table,
    visible::{inline, visible},
    wait::{Patience, Poll},
};

/// What to do when nobody can tell whether an action happened.
const LOOK_FIRST: &str = "hint:  look with `countersign actions history` before you repeat it; the same request with \
                          the same --key is executed at most once\n";

/// Find out what can be done, and do it.
#[derive(Debug, Subcommand)]
pub enum Actions {
    /// List what the session could ask for, and what would be decided
    #[command(after_help = "Examples:
  countersign actions list
  countersign actions list --source linear --json
  countersign actions list --session ses_0199…   (with a person's token)")]
    List {
        #[command(flatten)]
        session: SessionArg,
        /// Only the actions of this source (with --json too)
        #[arg(long)]
        source: Option<SourceSlug>,
    },
    /// Print how the actions of a source are used, as Markdown
    #[command(after_help = "Examples:
  countersign actions guide linear")]
    Guide {
        /// The source, for example linear
        source: SourceSlug,
        #[command(flatten)]
        session: SessionArg,
    },
    /// Ask for an action and print what came of it
    #[command(after_help = "Examples:
  countersign actions run linear.list_issues --param team=ENG --param limit:=5
  countersign actions run linear.create_issue --params @issue.json --key issue-42
  echo '{\"title\":\"x\"}' | countersign actions run linear.create_issue --params - --dry-run
  countersign actions run slack.post --param text=hi --wait 600   (at most ten minutes)
  countersign actions run slack.post --param text=hi --no-wait    (only ask; ends with 4 while it is pending)

Where a person must say yes first, it waits for their answer and says so on stderr. The result goes to stdout. The
exit code says how it went: 3 denied or expired, 4 pending, 8 failed, 9 unknown (`countersign help exit-codes`).")]
    Run(Run),
    /// Ask a person for a standing permission, for so many calls or so long
    #[command(after_help = "Examples:
  countersign actions request linear.add_comment --calls 10 --for 2h --reason 'triage of the release issues'
  countersign actions request 'linear.*' --reason 'moving the board' --json

It only asks: somebody answers it in their inbox (`countersign inbox`). Ends with 4 while nobody has;
`countersign actions status grq_…` tells what became of it: 0 given, 3 refused or expired.")]
    Request(Request),
    /// Say where an invocation, or a request for a grant, stands; ends with the code `run` would have ended with
    #[command(after_help = "Examples:
  countersign actions status inv_0199…
  countersign actions status inv_0199… --wait 60
  countersign actions status grq_0199…")]
    Status {
        /// inv_… or grq_…
        #[arg(value_name = "ID", value_parser = key)]
        of: Key,
        #[command(flatten)]
        session: SessionArg,
        /// Wait up to this many seconds for it to end
        #[arg(long, value_name = "SECONDS", default_value_t = 0)]
        wait: u64,
    },
    /// List what the session asked for so far
    #[command(after_help = "Examples:
  countersign actions history
  countersign actions history --all --json")]
    History {
        #[command(flatten)]
        session: SessionArg,
        #[command(flatten)]
        page: PageArgs,
    },
}

/// Which session.
#[derive(Debug, Args)]
pub struct SessionArg {
    /// The session; needed with a person's token, known from a session's own
    #[arg(long, env = "COUNTERSIGN_SESSION", value_name = "ID")]
    session: Option<SessionId>,
}

/// Ask for an action.
#[derive(Debug, Args)]
pub struct Run {
    /// source.action, for example `linear.create_issue`
    action: ActionAddress,
    /// All parameters as one JSON object: the text itself, @FILE, or - for stdin
    #[arg(long, value_name = "JSON")]
    params: Option<String>,
    /// One parameter: name=text, or name:=json for numbers, true, lists …
    #[arg(long = "param", value_name = "NAME=VALUE")]
    param: Vec<String>,
    /// The same request with the same key is executed at most once
    #[arg(long, value_name = "IDEMPOTENCY_KEY")]
    key: Option<IdempotencyKey>,
    /// Only say what would happen
    #[arg(long)]
    dry_run: bool,
    /// If a person must answer first, wait for it up to this many seconds; without end when not given
    #[arg(long, value_name = "SECONDS", conflicts_with = "no_wait")]
    wait: Option<u64>,
    /// Do not wait for a person: end with 4 when one must answer first
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    session: SessionArg,
}

/// Ask for a standing permission.
#[derive(Debug, Args)]
pub struct Request {
    /// source.action or source.*
    action: String,
    /// What for; a person decides by it
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    bounds: grants::Bounds,
    #[command(flatten)]
    session: SessionArg,
}

pub(crate) async fn run(command: Actions, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Actions::List { session, source } => list(cx, session.session, source).await,
        Actions::Guide { source, session } => {
            let client = cx.client()?;
            let session = client.session(session.session).await?;
            let path = ["v1", "sessions", &session, "actions", "guide", source.as_str()];
            let answer = client.get(&path)?.send().await?;
            if cx.json() {
                cx.console.json_value(&serde_json::json!({ "source": source, "guide": answer.text }))?;
            } else {
                cx.console.data(&visible(&answer.text))?;
            }
            Ok(Exit::Done)
        }
        Actions::Run(arguments) => invoke(cx, &arguments).await,
        Actions::Request(arguments) => request(cx, arguments).await,
        Actions::Status { of, session, wait } => {
            let client = cx.client()?;
            let session = client.session(session.session).await?;
            let wait = Duration::from_secs(wait);
            match of {
                Key::Invocation(_) => status(cx, (&client, &session), &of.to_string(), wait).await,
                Key::Request(_) => requested(cx, (&client, &session), &of.to_string(), wait).await,
            }
        }
        Actions::History { session, page } => {
            let session = cx.client()?.session(session.session).await?;
            let path = ["v1", "sessions", &session, "invocations"];
            let header = &["INVOCATION", "ACTION", "STATUS", "MODE", "REQUESTED", "RECEIPT"];
            let list = List { path: &path, query: vec![], page: &page, header };
            list.print(cx, invocation::row).await
        }
    }
}

async fn list(
    cx: &mut Context<'_>,
    session: Option<SessionId>,
    source: Option<SourceSlug>,
) -> Result<Exit, Error> {
    let client = cx.client()?;
    let session = client.session(session).await?;
    let mut answer = client.get(&["v1", "sessions", &session, "actions", "available"])?.send().await?;
    if let Some(source) = &source {
        answer.text = only(&answer, source)?;
    }
    if !cx.json() {
        for source in answer.parse::<CatalogView>()?.sources {
            if let Some(problem) = problem(&source) {
                cx.console.note(&problem)?;
            }
        }
    }
    cx.show(&answer, |catalog: CatalogView, wide| {
        let header = &["ACTION", "RISK", "MODE", "EFFECT", "DESCRIPTION"];
        table::rows(header, catalog.actions.into_iter().map(row).collect(), wide)
    })
}

/// The catalog with one source only. On the document itself, so that fields this version does not know stay.
fn only(answer: &Answer, source: &SourceSlug) -> Result<String, Error> {
    let mut catalog: Value = answer.parse()?;
    let prefix = format!("{source}.");
    let of_source = |field: &'static str, is: &dyn Fn(&str) -> bool, item: &Value| {
        item.get(field).and_then(Value::as_str).is_some_and(is)
    };
    if let Some(actions) = catalog.get_mut("actions").and_then(Value::as_array_mut) {
        actions.retain(|item| of_source("action", &|text| text.starts_with(&prefix), item));
    }
    if let Some(sources) = catalog.get_mut("sources").and_then(Value::as_array_mut) {
        sources.retain(|item| of_source("source", &|text| text == source.as_str(), item));
    }
    Ok(catalog.to_string())
}

fn problem(source: &SourceView) -> Option<String> {
    let why = match (&source.problem, source.connected) {
        (Some(problem), _) => inline(problem),
        (None, false) => "not connected".to_owned(),
        (None, true) => return None,
    };
    Some(format!("note: {} cannot be used now: {why}", inline(&source.source)))
}

fn row(action: ActionView) -> Vec<String> {
    vec![
        action.action,
        action.risk.as_str().to_owned(),
        action.mode.as_str().to_owned(),
        action.effect.as_str().to_owned(),
        // The first sentence is what a list has room for; the guide has the rest.
        action.description.lines().next().unwrap_or_default().to_owned(),
    ]
}

async fn invoke(cx: &mut Context<'_>, arguments: &Run) -> Result<Exit, Error> {
    let params = input::PARAMS.read(arguments.params.as_deref(), &arguments.param, cx.console)?;
    let params = Value::Object(params);
    let client = cx.client()?;
    let session = client.session(arguments.session.session).await?;
    let request = InvokeRequest { action: arguments.action.to_string(), params, dry_run: arguments.dry_run };
    let path = ["v1", "sessions", &session, "actions", "invoke"];
    let call = client
        .send_body(Method::POST, &path, &request)?
        .key(arguments.key.as_ref().map(IdempotencyKey::as_str))
        .timeout(INVOKE_TIMEOUT);
    let sent = call.send().await.and_then(|answer| {
        answer.parse::<InvocationView>()?;
        Ok(answer)
    });
    // A dry run has no effect, so there is nothing to be in doubt about.
    let answer = sent.map_err(|error| if arguments.dry_run { error } else { error.in_doubt(LOOK_FIRST) })?;
    let patience = match (arguments.no_wait, arguments.wait) {
        (true, _) => Patience::For(Duration::ZERO),
        (false, Some(seconds)) => Patience::For(Duration::from_secs(seconds)),
        (false, None) => Patience::UntilItEnds,
    };
    let path = ["v1", "sessions", &session, "invocations"];
    let poll = Poll { client: &client, path: &path, patience };
    let (answer, view) = poll.settle(cx, answer).await?;
    if cx.json() {
        cx.console.json_text(&answer.text)?;
    } else {
        invocation::print(cx.console, &view)?;
    }
    Ok(Exit::of_status(view.status))
}

async fn status(
    cx: &mut Context<'_>,
    (client, session): (&Client, &str),
    invocation: &str,
    wait: Duration,
) -> Result<Exit, Error> {
    let path = ["v1", "sessions", session, "invocations"];
    let poll = Poll { client, path: &path, patience: Patience::For(wait) };
    let answer = poll.ask(invocation, Duration::ZERO).await?;
    let (answer, view) = poll.settle(cx, answer).await?;
    if cx.json() {
        cx.console.json_text(&answer.text)?;
    } else {
        cx.console.data(&invocation::details(&view, cx.console.out_is_terminal))?;
    }
    Ok(Exit::of_status(view.status))
}

async fn request(cx: &mut Context<'_>, arguments: Request) -> Result<Exit, Error> {
    let client = cx.client()?;
    let session = client.session(arguments.session.session).await?;
    let (max_calls, lifetime_s) = arguments.bounds.or_default();
    let ask = GrantAsk { action: arguments.action, max_calls, lifetime_s, reason: arguments.reason };
    let path = ["v1", "sessions", &session, "grants", "request"];
    let answer = client.send_body(Method::POST, &path, &ask)?.send().await?;
    let view: GrantRequestView = answer.parse()?;
    cx.show(&answer, grants::request_details)?;
    if !cx.json() {
        cx.console
            .note(&format!("a person answers it; follow it with `countersign actions status {}`", view.id))?;
    }
    Ok(grants::exit_of_request(&view))
}

/// What became of a request for a grant.
async fn requested(
    cx: &mut Context<'_>,
    (client, session): (&Client, &str),
    request: &str,
    wait: Duration,
) -> Result<Exit, Error> {
    let begun = tokio::time::Instant::now();
    let path = ["v1", "sessions", session, "grants", "requests", request];
    loop {
        let answer = client.get(&path)?.send().await?;
        let view: GrantRequestView = answer.parse()?;
        let remaining = wait.saturating_sub(begun.elapsed());
        if view.status != "pending" || remaining.is_zero() {
            cx.show(&answer, grants::request_details)?;
            return Ok(grants::exit_of_request(&view));
        }
        tokio::time::sleep(Duration::from_secs(1).min(remaining)).await;
    }
}
