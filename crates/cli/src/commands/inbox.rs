//! `inbox`: what waits for a person, read and answered without a screen; on a terminal, with one.

use std::time::Duration;

use api::{
    ApproveRequest, Channel, DenyRequest, Extent, GrantAnswer, GrantBounds, GrantReach, GrantRequestView,
    InboxItem, InvocationView, Page, ReconcileRequest, Reconciled,
};
use clap::{Args, Subcommand};
use model::{GrantRequestId, InvocationId};
use serde_json::value::RawValue;

use super::{
    grants::{self, Bounds},
    invocation,
};
use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    inbox::{
        Key, key, key_of, now,
        reply::{LONGEST_WAIT, Reply},
        sheet::{IN_FULL, Sheet},
    },
    input,
    list::{List, PageArgs},
    screen, table,
    wait::{Patience, Poll},
};

/// A request for a grant is looked for on so many pages of a hundred.
const MOST_PAGES: usize = 20;

/// What waits for a person.
#[derive(Debug, Args)]
pub struct Inbox {
    #[command(subcommand)]
    command: Option<Verb>,
}

/// What to do with it.
#[derive(Debug, Subcommand)]
enum Verb {
    /// List what waits, newest first
    #[command(after_help = "Examples:
  countersign inbox list
  countersign inbox list --all --json")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show everything about one item: what it would do, why a person is asked, what was answered before
    #[command(after_help = "Examples:
  countersign inbox show inv_0199…
  countersign inbox show grq_0199… --json

Ends with 5 when there is no such item or it expired, with 6 when it was answered.")]
    Show {
        /// inv_… or grq_…
        #[arg(value_name = "ID", value_parser = key)]
        id: Key,
    },
    /// Say yes to exactly what is shown, and print what came of it
    #[command(after_help = "Examples:
  countersign inbox approve inv_0199…
  countersign inbox approve inv_0199… --digest sha256:1f0c… --note 'as agreed in the review'
  countersign inbox approve inv_0199… --grant --calls 10 --for 2h     (and the like of it, for this session)
  countersign inbox approve inv_0199… --always                        (and a rule: allow it from now on)

Without --digest the item is fetched and shown on stderr, and the yes is bound to that. Exit codes: 0 it succeeded,
4 others must say yes too or it is still under way, 8 it failed, 9 unknown, 3 you may not, 5 expired, 6 answered
already or no longer what was shown.")]
    Approve(Approve),
    /// Say no; the agent can read the reason
    #[command(after_help = "Examples:
  countersign inbox deny inv_0199… --reason 'not before the release'

Exit codes: 0 it is denied, 3 you may not, 5 expired, 6 answered already or no longer what was shown.")]
    Deny(Deny),
    /// Say what became of an invocation whose outcome nobody knew
    #[command(after_help = "Examples:
  countersign inbox reconcile inv_0199… succeeded --evidence 'the issue is there: ENG-42'
  countersign inbox reconcile inv_0199… failed --evidence 'searched the channel, no such message'

Exit codes: 0 it is recorded, with a second receipt; 6 its outcome is known.")]
    Reconcile {
        id: InvocationId,
        /// Whether it happened
        #[arg(value_parser = ["succeeded", "failed"])]
        outcome: String,
        /// How you know: a link, a number, what you saw; it stands in the receipt
        #[arg(long)]
        evidence: String,
    },
    /// Answer what an agent asked to be granted
    #[command(after_help = "Examples:
  countersign inbox answer grq_0199… --give
  countersign inbox answer grq_0199… --give --calls 5 --for 1h     (less than it asked for)
  countersign inbox answer grq_0199… --refuse --note 'ask for each one'

Exit codes: 0 it is answered, 3 you may not, 5 expired, 6 answered already.")]
    Answer(GrantReply),
}

/// Say yes.
#[derive(Debug, Args)]
struct Approve {
    id: InvocationId,
    /// Also allow the like of it, within bounds
    #[arg(long, conflicts_with = "always")]
    grant: bool,
    #[command(flatten)]
    bounds: Bounds,
    /// With --grant: for every session of the org instead of this one
    #[arg(long, requires = "grant")]
    org: bool,
    /// Also write a rule that allows the action from now on
    #[arg(long)]
    always: bool,
    /// For whoever reads the receipt
    #[arg(long, default_value = "", hide_default_value = true)]
    note: String,
    /// What you were shown; a yes to anything else is refused
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
    /// How long to wait for the result
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = input::wait)]
    wait: Duration,
}

/// Say no.
#[derive(Debug, Args)]
struct Deny {
    id: InvocationId,
    /// Why; the agent can read it
    #[arg(long)]
    reason: String,
    /// What you were shown; a no to anything else is refused
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
}

/// Answer a request for a grant.
#[derive(Debug, Args)]
struct GrantReply {
    id: GrantRequestId,
    /// Give it
    #[arg(long, required_unless_present = "refuse", conflicts_with = "refuse")]
    give: bool,
    /// Do not
    #[arg(long)]
    refuse: bool,
    #[command(flatten)]
    bounds: Bounds,
    /// For the agent
    #[arg(long, default_value = "", hide_default_value = true)]
    note: String,
}

pub(crate) async fn run(inbox: Inbox, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match inbox.command {
        None if !cx.json() && cx.console.input_is_terminal && cx.console.out_is_terminal => {
            screen::run(cx).await
        }
        None => list(cx, &PageArgs::default()).await,
        Some(Verb::List { page }) => list(cx, &page).await,
        Some(Verb::Show { id }) => {
            let answer = find(&cx.client()?, id).await?;
            cx.show(&answer, |item: InboxItem, wide| Sheet::of(&item, now(), IN_FULL).text(wide))
        }
        Some(Verb::Approve(arguments)) => approve(cx, arguments).await,
        Some(Verb::Deny(arguments)) => deny(cx, arguments).await,
        Some(Verb::Reconcile { id, outcome, evidence }) => {
            let outcome = if outcome == "succeeded" { Reconciled::Succeeded } else { Reconciled::Failed };
            let reply = Reply::Reconcile { id, request: ReconcileRequest { outcome, evidence } };
            let answer = reply.send(&cx.client()?).await?;
            cx.show(&answer, |view: InvocationView, wide| invocation::details(&view, wide))
        }
        Some(Verb::Answer(arguments)) => answer_request(cx, arguments).await,
    }
}

async fn list(cx: &mut Context<'_>, page: &PageArgs) -> Result<Exit, Error> {
    let header = &["ID", "WAITS FOR", "ACTION", "RISK", "AGENT", "VOTES", "ASKED", "ANSWER BY"];
    List { path: &["v1", "inbox"], query: vec![], page, header }.print(cx, row).await
}

fn row(item: InboxItem) -> Vec<String> {
    let invocation = |view: &InvocationView, what: &str, votes: String| {
        vec![
            view.id.to_string(),
            what.to_owned(),
            view.action.clone(),
            view.risk.as_str().to_owned(),
            view.agent.clone(),
            votes,
            table::moment(view.requested_at),
            table::maybe(view.expires_at),
        ]
    };
    match item {
        InboxItem::Approval(item) => {
            let votes = format!("{} of {}", item.votes.len(), item.votes_needed);
            invocation(&item.invocation, "a yes", votes)
        }
        InboxItem::Unknown(item) => invocation(&item.invocation, "what happened", String::new()),
        InboxItem::GrantRequest(item) => vec![
            item.id.to_string(),
            "a grant".to_owned(),
            item.action,
            String::new(),
            item.agent,
            String::new(),
            table::moment(item.requested_at),
            table::moment(item.expires_at),
        ],
    }
}

/// One item. There is no route for a single request for a grant, so it is looked for in the list.
async fn find(client: &Client, id: Key) -> Result<Answer, Error> {
    let wanted = id.to_string();
    if let Key::Invocation(_) = id {
        return client.get(&["v1", "inbox", &wanted])?.send().await;
    }
    let mut cursor: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let mut call = client.get(&["v1", "inbox"])?.query("limit", "100");
        if let Some(cursor) = &cursor {
            call = call.query("cursor", cursor);
        }
        let answer = call.send().await?;
        let page: Page<Box<RawValue>> = answer.parse()?;
        for item in page.items {
            let found = Answer { status: answer.status, text: item.get().to_owned() };
            if key_of(&found.parse()?) == id {
                return Ok(found);
            }
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Err(Error::Absent(format!("{wanted} does not wait for a person")))
}

/// What the answer is bound to: what the person was shown before, or what is shown to them now.
async fn digest(
    cx: &mut Context<'_>,
    client: &Client,
    id: InvocationId,
    given: Option<String>,
) -> Result<String, Error> {
    if let Some(digest) = given {
        return Ok(digest);
    }
    let item: InboxItem = find(client, Key::Invocation(id)).await?.parse()?;
    // To stderr: what the command is for is the answer, and that alone goes to stdout.
    let text = Sheet::of(&item, now(), IN_FULL).text(cx.console.err_is_terminal);
    cx.console.note(&format!("{text}\n"))?;
    match item {
        InboxItem::Approval(item) => Ok(item.invocation.shown_digest),
        // It no longer waits for a yes or a no; the gateway says so in its own words.
        InboxItem::Unknown(item) => Ok(item.invocation.shown_digest),
        InboxItem::GrantRequest(_) => Err(Error::usage("this is a request for a grant: use `inbox answer`")),
    }
}

async fn approve(cx: &mut Context<'_>, arguments: Approve) -> Result<Exit, Error> {
    if arguments.bounds.is_given() && !arguments.grant {
        return Err(Error::usage("--calls and --for are bounds of a grant: add --grant"));
    }
    let client = cx.client()?;
    let shown_digest = digest(cx, &client, arguments.id, arguments.digest).await?;
    let (max_calls, lifetime_s) = arguments.bounds.or_default();
    let scope = if arguments.org { GrantReach::Org } else { GrantReach::Session };
    let (extent, grant) = match (arguments.grant, arguments.always) {
        (true, _) => (Extent::Grant, Some(GrantBounds { scope, max_calls, lifetime_s })),
        (false, true) => (Extent::Always, None),
        (false, false) => (Extent::Once, None),
    };
    let request = ApproveRequest {
        shown_digest,
        extent,
        grant,
        note: arguments.note,
        channel: Channel::Cli,
        assertion: None,
    };
    let reply = Reply::Approve { id: arguments.id, request, wait: arguments.wait };
    let answer = reply.send(&client).await?;
    let patience = arguments.wait.saturating_sub(LONGEST_WAIT);
    let path = ["v1", "invocations"];
    let poll = Poll { client: &client, path: &path, patience: Patience::For(patience) };
    let (answer, view) = poll.settle(cx, answer).await?;
    if cx.json() {
        cx.console.json_text(&answer.text)?;
    } else {
        invocation::print_answered(cx.console, &view)?;
    }
    Ok(Exit::of_status(view.status))
}

async fn deny(cx: &mut Context<'_>, arguments: Deny) -> Result<Exit, Error> {
    let client = cx.client()?;
    let shown_digest = digest(cx, &client, arguments.id, arguments.digest).await?;
    let request =
        DenyRequest { shown_digest, reason: arguments.reason, channel: Channel::Cli, assertion: None };
    let answer = Reply::Deny { id: arguments.id, request }.send(&client).await?;
    cx.show(&answer, |view: InvocationView, wide| invocation::details(&view, wide))
}

async fn answer_request(cx: &mut Context<'_>, arguments: GrantReply) -> Result<Exit, Error> {
    if arguments.refuse && arguments.bounds.is_given() {
        return Err(Error::usage("--calls and --for say how much is given; they do not go with --refuse"));
    }
    let request = GrantAnswer {
        give: arguments.give,
        max_calls: arguments.bounds.calls,
        lifetime_s: arguments.bounds.lifetime_s,
        note: arguments.note,
    };
    let answer = Reply::Grant { id: arguments.id, request }.send(&cx.client()?).await?;
    cx.show(&answer, |view: GrantRequestView, wide| grants::request_details(view, wide))
}
