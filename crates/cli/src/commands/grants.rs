//! `grants`: permissions for a number of calls within a time.

use api::{GrantBounds, GrantCreate, GrantRequestView, GrantView};
use clap::{Args, Subcommand};
use model::{AutomationId, GrantId, SessionId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    inbox::span,
    input,
    list::{List, PageArgs},
    table,
};

/// List, give and revoke grants
#[derive(Debug, Subcommand)]
pub enum Grants {
    /// List the grants, newest first
    #[command(after_help = "Examples:
  countersign grants list
  countersign grants list --all --json")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Give a grant: allow an action without approval, within bounds
    #[command(after_help = "Examples:
  countersign grants give linear.add_comment --session ses_0199… --calls 10 --for 2h
  countersign grants give linear.create_issue --org --reason 'the release week'
  countersign grants give 'linear.*' --session ses_0199…   # a wildcard; owners only

A grant never overrides a deny rule, a capability, a risk band or a drifted tool.")]
    Give(Give),
    /// Revoke a grant, with effect from the next invocation
    #[command(after_help = "Examples:
  countersign grants revoke grt_0199…")]
    Revoke { id: GrantId },
}

#[derive(Debug, Args)]
pub struct Give {
    /// Action as source.action, source.* or *
    action: String,
    #[command(flatten)]
    only: input::Where,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    bounds: Bounds,
    /// Reason, for later readers
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
}

/// Who gets the grant. There is no default, because it would have to be the widest one.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Scope {
    /// Only this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// Only runs of this automation
    #[arg(long, value_name = "ID")]
    automation: Option<AutomationId>,
    /// Every session of the organization
    #[arg(long)]
    org: bool,
}

#[derive(Debug, Default, Args)]
pub(crate) struct Bounds {
    /// Number of calls, 1 to 10000 [default: 25]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) calls: Option<u32>,
    /// Duration, for example 8h, at most 30d [default: 24h]
    #[arg(long = "for", value_name = "DURATION", value_parser = input::lifetime)]
    pub(crate) lifetime_s: Option<u64>,
}

impl Bounds {
    /// Calls and seconds, with the defaults of a grant.
    pub(crate) fn or_default(&self) -> (u32, u64) {
        let default = GrantBounds::default();
        (self.calls.unwrap_or(default.max_calls), self.lifetime_s.unwrap_or(default.lifetime_s))
    }

    pub(crate) fn is_given(&self) -> bool {
        self.calls.is_some() || self.lifetime_s.is_some()
    }
}

pub(crate) async fn run(command: Grants, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Grants::List { page } => {
            let header =
                &["ID", "ACTION", "WHERE", "SCOPE", "USED", "STATE", "EXPIRES", "GIVEN BY", "REASON"];
            let list = List { path: &["v1", "grants"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Grants::Give(arguments) => {
            let (max_calls, lifetime_s) = arguments.bounds.or_default();
            let Scope { session, automation, org: _ } = arguments.scope;
            let Give { action, reason, only, .. } = arguments;
            let condition = only.filter()?;
            let request =
                GrantCreate { action, session, automation, max_calls, lifetime_s, condition, reason };
            let answer = cx.client()?.send_body(Method::POST, &["v1", "grants"], &request)?.send().await?;
            cx.show(&answer, details)
        }
        Grants::Revoke { id } => {
            let answer = cx.client()?.delete(&["v1", "grants", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("revoked {id}"))
        }
    }
}

fn scope(grant: &GrantView) -> String {
    match (&grant.session, &grant.automation) {
        (Some(session), _) => session.to_string(),
        (None, Some(automation)) => format!("automation {automation}"),
        (None, None) => "organization".to_owned(),
    }
}

fn row(grant: GrantView) -> Vec<String> {
    vec![
        grant.id.to_string(),
        grant.action.clone(),
        grant.where_words.clone().unwrap_or_default(),
        scope(&grant),
        format!("{} of {}", grant.used_calls, grant.max_calls),
        grant.state,
        table::moment(grant.expires_at),
        grant.created_by.to_string(),
        grant.reason,
    ]
}

fn details(grant: GrantView, wide: bool) -> String {
    let pairs = vec![
        ("grant", Some(grant.id.to_string())),
        ("action", Some(grant.action.clone())),
        ("where", grant.where_words.clone()),
        ("scope", Some(scope(&grant))),
        ("used", Some(format!("{} of {} calls", grant.used_calls, grant.max_calls))),
        ("expires", Some(table::moment(grant.expires_at))),
        ("state", Some(grant.state)),
        ("given", Some(format!("{} by {}", table::moment(grant.created_at), grant.created_by))),
        ("approval of", grant.from_invocation.map(|invocation| invocation.to_string())),
        ("reason", Some(grant.reason).filter(|reason| !reason.is_empty())),
    ];
    table::pairs(pairs, wide)
}

/// A grant request and its answer.
pub(crate) fn request_details(request: GrantRequestView, wide: bool) -> String {
    let lifetime = span(i64::try_from(request.lifetime_s).unwrap_or(i64::MAX));
    let pairs = vec![
        ("request", Some(request.id.to_string())),
        ("action", Some(request.action)),
        ("bounds", Some(format!("{} calls within {lifetime}", request.max_calls))),
        ("agent", Some(format!("{} in {}", request.agent, request.session))),
        ("reason", Some(request.reason)),
        ("status", Some(request.status)),
        ("answer", request.note.filter(|note| !note.is_empty())),
        ("grant", request.grant.map(|grant| grant.to_string())),
        ("requested", Some(table::moment(request.requested_at))),
        ("expires", Some(table::moment(request.expires_at))),
    ];
    table::pairs(pairs, wide)
}

/// The exit code of a command that shows a grant request.
pub(crate) fn exit_of_request(request: &GrantRequestView) -> Exit {
    match request.status.as_str() {
        "granted" => Exit::Done,
        "pending" => Exit::Pending,
        _ => Exit::Denied,
    }
}
