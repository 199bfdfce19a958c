//! `inbox`: pending approvals, unknown outcomes and grant requests, as plain commands; without a subcommand on a
//! terminal, as a full-screen program.

use std::time::Duration;

use api::{
    ApproveRequest, Channel, DenyRequest, Extent, GrantAnswer, GrantBounds, GrantReach, GrantRequestView,
    InboxItem, InvocationView, LengthPace, PaceView, Page, ReconcileRequest, Reconciled, RevealedValue,
    RevealedView, RulingRequest,
};
use clap::{Args, Subcommand};
use model::{GrantRequestId, InvocationId};
use serde_json::value::RawValue;

use super::{
    flows,
    grants::{self, Bounds},
    invocation,
};
use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    inbox::{
        Key,
        details::{Details, IN_FULL, shown_digest},
        edit, key, key_of, now,
        reply::{LONGEST_WAIT, Reply},
    },
    input,
    list::{List, PageArgs},
    screen, table,
    visible::visible_json,
    wait::{Patience, Poll},
};

/// Pages of a hundred that are searched for a grant request.
const MOST_PAGES: usize = 20;

#[derive(Debug, Args)]
pub struct Inbox {
    #[command(subcommand)]
    command: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// List pending items, newest first
    #[command(after_help = "Examples:
  countersign inbox list
  countersign inbox list --all --json")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show one item: parameters, preview, reasons, votes and earlier answers
    #[command(after_help = "Examples:
  countersign inbox show inv_0199…
  countersign inbox show grq_0199… --json

Exit codes: 5 no such item or expired, 6 already answered.")]
    Show {
        /// Id of the invocation (inv_…) or of the grant request (grq_…)
        #[arg(value_name = "ID", value_parser = key)]
        id: Key,
    },
    /// Approve an invocation exactly as shown, and print its result
    #[command(after_help = "Examples:
  countersign inbox approve inv_0199…
  countersign inbox approve inv_0199… --digest sha256:1f0c… --note 'as agreed in the review'
  countersign inbox approve inv_0199… --grant --calls 10 --for 2h     # also gives the session a grant
  countersign inbox approve inv_0199… --always                        # also creates an allow rule
  countersign inbox approve inv_0199… --always --where channel=C0GENERAL     # only for this channel

Without --digest, the item is fetched and shown on stderr, and the approval applies to that version. Exit codes:
0 succeeded, 3 permission denied, 4 more approvals are required or still executing, 5 expired, 6 already answered or
changed since it was shown, 8 failed, 9 outcome unknown.")]
    Approve(Approve),
    /// Reveal the hidden values of an invocation; it is recorded that you saw them
    #[command(after_help = "Examples:
  countersign inbox reveal inv_0199…

An approval is refused until you have seen every value that redaction hides. Exit codes: 0 revealed or nothing is hidden,
3 permission denied, 5 expired, 6 already answered.")]
    Reveal {
        /// Id of the invocation
        id: InvocationId,
    },
    /// Trust what a session had read when it asked, for the rest of that session
    #[command(after_help = "Examples:
  countersign inbox endorse inv_0199… --note 'I read the issue, it is by Ada'

Nothing is approved by this. Later requests of the session are no longer held because of what it had read until then; what
it reads afterwards is not covered. Exit codes: 0 trusted, 3 permission denied, 5 expired, 6 already answered, changed
since it was shown, or there is nothing to trust.")]
    Endorse {
        /// Id of the invocation
        id: InvocationId,
        /// Why it can be trusted
        #[arg(long, default_value = "", hide_default_value = true)]
        note: String,
    },
    /// Correct the parameters of an invocation before you approve it; the agent can read what changed
    #[command(after_help = "Examples:
  countersign inbox edit inv_0199… --param text='Sign-in works again' --note 'the text was misleading'

Without --params and --param, the parameters are opened in $VISUAL or $EDITOR. Nothing is approved by this: the
corrected invocation is shown, and is approved with `countersign inbox approve`. A hidden value that is left as it is
shown keeps its value. Exit codes: 0 corrected, 2 the parameters are not valid, 3 permission denied, 5 expired,
6 already answered, changed since it was shown, or not allowed with these parameters.")]
    Edit(edit::Edit),
    /// Deny an invocation; the agent can read the reason
    #[command(after_help = "Examples:
  countersign inbox deny inv_0199… --reason 'not before the release'

Exit codes: 0 denied, 3 permission denied, 5 expired, 6 already answered or changed since it was shown.")]
    Deny(Deny),
    /// Record the outcome of an invocation whose outcome is unknown
    #[command(after_help = "Examples:
  countersign inbox reconcile inv_0199… succeeded --evidence 'the issue exists: ENG-42'
  countersign inbox reconcile inv_0199… failed --evidence 'searched the channel, no such message'

Exit codes: 0 recorded, with a second receipt; 6 the outcome is already known.")]
    Reconcile {
        /// Id of the invocation
        id: InvocationId,
        /// Outcome at the target
        #[arg(value_parser = ["succeeded", "failed"])]
        outcome: String,
        /// Evidence, such as a link or an id; it becomes part of the receipt
        #[arg(long)]
        evidence: String,
    },
    /// Release as text an invocation that was quarantined; it is proposed again and needs approval
    #[command(after_help = "Examples:
  countersign inbox release inv_0199… --reason 'an example key from the documentation'

Exit codes: 0 released, 3 permission denied, 5 no such item, 6 not quarantined, no longer held, or the session has ended.")]
    Release {
        /// Id of the invocation
        id: InvocationId,
        /// Why this is only text; those who approve it are shown the reason
        #[arg(long)]
        reason: String,
    },
    /// Discard an invocation that was quarantined
    #[command(after_help = "Examples:
  countersign inbox discard inv_0199… --reason 'a real key; it was revoked'

Exit codes: 0 discarded, 3 permission denied, 5 no such item, 6 not quarantined, or no longer held.")]
    Discard {
        /// Id of the invocation
        id: InvocationId,
        /// Why
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Show how fast you approve, by the length of what you were shown
    #[command(after_help = "Examples:
  countersign inbox pace")]
    Pace,
    /// Answer a grant request
    #[command(after_help = "Examples:
  countersign inbox answer grq_0199… --give
  countersign inbox answer grq_0199… --give --calls 5 --for 1h     # less than requested
  countersign inbox answer grq_0199… --refuse --note 'ask for each one'

Exit codes: 0 answered, 3 permission denied, 5 expired, 6 already answered.")]
    Answer(GrantReply),
}

#[derive(Debug, Args)]
struct Approve {
    /// Id of the invocation
    id: InvocationId,
    /// Also give a grant for the action
    #[arg(long, conflicts_with = "always")]
    grant: bool,
    #[command(flatten)]
    bounds: Bounds,
    /// With --grant: for every session of the organization instead of this one
    #[arg(long, requires = "grant")]
    org: bool,
    /// Also create a rule that always allows the action
    #[arg(long)]
    always: bool,
    #[command(flatten)]
    only: input::Where,
    /// Note for readers of the receipt
    #[arg(long, default_value = "", hide_default_value = true)]
    note: String,
    /// Digest of the document you saw (`inbox show` prints it); approving any other version is refused
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
    /// Time to wait for the result
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = input::wait)]
    wait: Duration,
}

#[derive(Debug, Args)]
struct Deny {
    /// Id of the invocation
    id: InvocationId,
    /// Reason; the agent can read it
    #[arg(long)]
    reason: String,
    /// Digest of the document you saw (`inbox show` prints it); denying any other version is refused
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
}

#[derive(Debug, Args)]
struct GrantReply {
    /// Id of the grant request
    id: GrantRequestId,
    /// Give the grant
    #[arg(long, required_unless_present = "refuse", conflicts_with = "refuse")]
    give: bool,
    /// Refuse the grant
    #[arg(long)]
    refuse: bool,
    #[command(flatten)]
    bounds: Bounds,
    /// Note for the agent
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
            cx.show(&answer, |item: InboxItem, wide| Details::of(&item, now(), IN_FULL).text(wide))
        }
        Some(Verb::Approve(arguments)) => approve(cx, arguments).await,
        Some(Verb::Reveal { id }) => reveal(cx, id).await,
        Some(Verb::Endorse { id, note }) => flows::endorse(cx, id, note).await,
        Some(Verb::Edit(arguments)) => edit::run(cx, arguments).await,
        Some(Verb::Deny(arguments)) => deny(cx, arguments).await,
        Some(Verb::Reconcile { id, outcome, evidence }) => {
            let outcome = if outcome == "succeeded" { Reconciled::Succeeded } else { Reconciled::Failed };
            rule(cx, &Reply::Reconcile { id, request: ReconcileRequest { outcome, evidence } }).await
        }
        Some(Verb::Release { id, reason }) => {
            rule(cx, &Reply::Release { id, request: RulingRequest { reason } }).await
        }
        Some(Verb::Discard { id, reason }) => {
            rule(cx, &Reply::Discard { id, request: RulingRequest { reason } }).await
        }
        Some(Verb::Pace) => {
            let answer = cx.client()?.get(&["v1", "inbox", "pace"])?.send().await?;
            cx.show(&answer, pace)
        }
        Some(Verb::Answer(arguments)) => answer_request(cx, arguments).await,
    }
}

async fn list(cx: &mut Context<'_>, page: &PageArgs) -> Result<Exit, Error> {
    let header = &["ID", "WAITS FOR", "ACTION", "RISK", "AGENT", "VOTES", "REQUESTED", "EXPIRES"];
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
            invocation(&item.invocation, "approval", votes)
        }
        InboxItem::Unknown(item) => invocation(&item.invocation, "outcome", String::new()),
        InboxItem::Quarantined(item) => invocation(&item.invocation, "release", String::new()),
        InboxItem::GrantRequest(item) => vec![
            item.id.to_string(),
            "grant".to_owned(),
            item.action,
            String::new(),
            item.agent,
            String::new(),
            table::moment(item.requested_at),
            table::moment(item.expires_at),
        ],
    }
}

/// One item. No route returns a single grant request, so the list is searched.
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
    Err(Error::Absent(format!("{wanted} is not pending. List pending items with `countersign inbox list`")))
}

/// The digest that the answer applies to: of the version the person saw before, or of the one shown now.
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
    // To stderr, because stdout is for the result alone.
    let text = Details::of(&item, now(), IN_FULL).text(cx.console.err_is_terminal);
    cx.console.note(&format!("{text}\n"))?;
    match item {
        InboxItem::Approval(item) => shown_digest(&item).map_err(Error::usage),
        // The gateway reports that it is no longer pending.
        InboxItem::Unknown(item) => Ok(item.invocation.subject_digest),
        InboxItem::GrantRequest(_) => {
            Err(Error::usage("this is a grant request. Answer it with `countersign inbox answer`"))
        }
        InboxItem::Quarantined(_) => Err(Error::usage(
            "this was quarantined. Use `countersign inbox release` or `countersign inbox discard`",
        )),
    }
}

async fn approve(cx: &mut Context<'_>, arguments: Approve) -> Result<Exit, Error> {
    if arguments.bounds.is_given() && !arguments.grant {
        return Err(Error::usage("--calls and --for require --grant"));
    }
    if arguments.only.is_given() && !arguments.grant && !arguments.always {
        return Err(Error::usage("--where requires --grant or --always"));
    }
    let condition = arguments.only.filter()?;
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
        condition,
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

/// Sends what a person decided, and prints the invocation.
async fn rule(cx: &mut Context<'_>, reply: &Reply) -> Result<Exit, Error> {
    let answer = reply.send(&cx.client()?).await?;
    cx.show(&answer, |view: InvocationView, wide| invocation::details(&view, wide))
}

fn pace(view: PaceView, wide: bool) -> String {
    if view.lengths.is_empty() {
        return format!("no approvals in the last {} days", view.days);
    }
    let row = |found: &LengthPace| {
        let remark = if found.too_fast { "faster than it can be read" } else { "" };
        vec![
            found.length.clone(),
            found.answers.to_string(),
            format!("{:.1} s", found.median_s),
            format!("{:.1} s", found.reading_s),
            remark.to_owned(),
        ]
    };
    let header = ["LENGTH", "APPROVALS", "MEDIAN TIME", "A QUICK READER NEEDS", ""];
    table::rows(&header, view.lengths.iter().map(row).collect(), wide)
}

async fn reveal(cx: &mut Context<'_>, id: InvocationId) -> Result<Exit, Error> {
    let answer = cx.client()?.post(&["v1", "invocations", &id.to_string(), "reveal"])?.send().await?;
    cx.show(&answer, |revealed: RevealedView, wide| {
        if revealed.values.is_empty() {
            return "nothing is hidden".to_owned();
        }
        let value = |found: &RevealedValue| Some(visible_json(&found.value.to_string()));
        let pairs = revealed.values.iter().map(|found| (found.pointer.as_str(), value(found)));
        table::pairs(pairs.collect(), wide)
    })
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
        return Err(Error::usage("--calls and --for cannot be used with --refuse"));
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
