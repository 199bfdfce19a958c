//! `actions`: list, describe and run the actions of a session.

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

/// Printed when the outcome of a request is unknown.
const CHECK_FIRST: &str = "hint:  check `countersign actions history` before you repeat it; the same request with the \
                           same --key is executed at most once\n";

/// List, describe and run actions
#[derive(Debug, Subcommand)]
pub enum Actions {
    /// List the actions of the session, with what policy would decide
    #[command(after_help = "Examples:
  countersign actions list
  countersign actions list --source linear --json
  countersign actions list --session ses_0199…   # with a person's token")]
    List {
        #[command(flatten)]
        session: SessionArg,
        /// Only actions of this source
        #[arg(long)]
        source: Option<SourceSlug>,
    },
    /// Print the guide to the actions of a source, as Markdown
    #[command(after_help = "Examples:
  countersign actions guide linear")]
    Guide {
        /// Source, for example linear
        source: SourceSlug,
        #[command(flatten)]
        session: SessionArg,
    },
    /// Run an action and print its result
    #[command(after_help = "Examples:
  countersign actions run linear.list_issues --param team_key=ENG --param first:=5
  countersign actions run linear.create_issue --params @issue.json --key issue-42
  echo '{\"team_id\":\"team-1\",\"title\":\"x\"}' | countersign actions run linear.create_issue --params - --dry-run
  countersign actions run slack.send_message --param channel=C0GENERAL --param text=hi --wait 600   # at most ten minutes
  countersign actions run slack.send_message --param channel=C0GENERAL --param text=hi --no-wait    # exit code 4 while pending

If the action requires an approval, the command waits for the answer and says so on stderr. The result goes to stdout.
Exit codes: 0 succeeded, 3 denied or expired, 4 pending, 8 failed, 9 outcome unknown (`countersign help exit-codes`).")]
    Run(Run),
    /// Request a grant: permission for a number of calls within a time
    #[command(after_help = "Examples:
  countersign actions request linear.add_comment --calls 10 --for 2h --reason 'triage of the release issues'
  countersign actions request 'linear.*' --reason 'moving the board' --json

A person answers the request in the inbox (`countersign inbox`). The exit code is 4 while the request is pending.
`countersign actions status grq_…` shows the answer: exit code 0 if granted, 3 if refused or expired.")]
    Request(Request),
    /// Show the status of an invocation or of a grant request; the exit code is that of `actions run`
    #[command(after_help = "Examples:
  countersign actions status inv_0199…
  countersign actions status inv_0199… --wait 60
  countersign actions status grq_0199…")]
    Status {
        /// Id of the invocation (inv_…) or of the grant request (grq_…)
        #[arg(value_name = "ID", value_parser = key)]
        of: Key,
        #[command(flatten)]
        session: SessionArg,
        /// Seconds to wait for the end
        #[arg(long, value_name = "SECONDS", default_value_t = 0)]
        wait: u64,
    },
    /// List the invocations of the session
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

#[derive(Debug, Args)]
pub struct SessionArg {
    /// Session; required with the token of a person, because a session token implies its session
    #[arg(long, env = "COUNTERSIGN_SESSION", value_name = "ID")]
    session: Option<SessionId>,
}

#[derive(Debug, Args)]
pub struct Run {
    /// Action as source.action, for example `linear.create_issue`
    action: ActionAddress,
    /// All parameters as one JSON object: the JSON itself, @FILE, or - for stdin
    #[arg(long, value_name = "JSON")]
    params: Option<String>,
    /// One parameter: name=text, or name:=json for numbers, booleans, lists and objects
    #[arg(long = "param", value_name = "NAME=VALUE")]
    param: Vec<String>,
    /// Idempotency key: the same request with the same key is executed at most once
    #[arg(long, value_name = "IDEMPOTENCY_KEY")]
    key: Option<IdempotencyKey>,
    /// Show what would happen, without executing it
    #[arg(long)]
    dry_run: bool,
    /// Why you want it, for the person who approves it
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
    /// Seconds to wait for an approval [default: until it is answered or expires]
    #[arg(long, value_name = "SECONDS", conflicts_with = "no_wait")]
    wait: Option<u64>,
    /// Do not wait for an approval; the exit code is 4 while it is pending
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    session: SessionArg,
}

#[derive(Debug, Args)]
pub struct Request {
    /// Action as source.action or source.*
    action: String,
    /// Purpose, for the person who decides
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
                Key::Invocation(_) => status(cx, &client, &session, &of.to_string(), wait).await,
                Key::Request(_) => grant_request_status(cx, &client, &session, &of.to_string(), wait).await,
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

/// The catalog with one source only. Works on the document itself, so that fields unknown to this version stay.
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
    Some(format!("note: source {} is unavailable: {why}", inline(&source.source)))
}

fn row(action: ActionView) -> Vec<String> {
    vec![
        action.action,
        action.risk.as_str().to_owned(),
        action.mode.as_str().to_owned(),
        action.effect.as_str().to_owned(),
        // A list has room for the first line; the guide has the rest.
        action.description.lines().next().unwrap_or_default().to_owned(),
    ]
}

async fn invoke(cx: &mut Context<'_>, arguments: &Run) -> Result<Exit, Error> {
    let params = input::PARAMS.read(arguments.params.as_deref(), &arguments.param, cx.console)?;
    let params = Value::Object(params);
    let client = cx.client()?;
    let session = client.session(arguments.session.session).await?;
    let request = InvokeRequest {
        action: arguments.action.to_string(),
        params,
        dry_run: arguments.dry_run,
        reason: arguments.reason.clone(),
    };
    let path = ["v1", "sessions", &session, "actions", "invoke"];
    let call = client
        .send_body(Method::POST, &path, &request)?
        .key(arguments.key.as_ref().map(IdempotencyKey::as_str))
        .timeout(INVOKE_TIMEOUT);
    let sent = call.send().await.and_then(|answer| {
        answer.parse::<InvocationView>()?;
        Ok(answer)
    });
    // A dry run has no effect, so its outcome is never in doubt.
    let answer = sent.map_err(|error| if arguments.dry_run { error } else { error.in_doubt(CHECK_FIRST) })?;
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
    client: &Client,
    session: &str,
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
            .note(&format!("waiting for a person; check it with `countersign actions status {}`", view.id))?;
    }
    Ok(grants::exit_of_request(&view))
}

async fn grant_request_status(
    cx: &mut Context<'_>,
    client: &Client,
    session: &str,
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
