//! `grants`: bounded standing permissions.

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

/// Bounded standing permissions.
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
    /// Give a grant: what would be asked is allowed, within bounds
    #[command(after_help = "Examples:
  countersign grants give linear.add_comment --session ses_0199… --calls 10 --for 2h
  countersign grants give linear.create_issue --org --reason 'the release week'
  countersign grants give 'linear.*' --session ses_0199…   (a wildcard; owners only)

25 calls and 24 hours when not given. A grant never lifts a deny, a ceiling, a band or a drift.")]
    Give(Give),
    /// Take a grant back; the next invocation is decided without it
    #[command(after_help = "Examples:
  countersign grants revoke grt_0199…")]
    Revoke { id: GrantId },
}

/// Give a grant.
#[derive(Debug, Args)]
pub struct Give {
    /// source.action, source.* or *
    action: String,
    #[command(flatten)]
    whom: Whom,
    #[command(flatten)]
    bounds: Bounds,
    /// Why, for whoever reads it later
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
}

/// For whom. One must be named: the widest reach is nobody's default.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Whom {
    /// For one session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// For the runs of one automation
    #[arg(long, value_name = "ID")]
    automation: Option<AutomationId>,
    /// For every session of the org
    #[arg(long)]
    org: bool,
}

/// How often, and for how long.
#[derive(Debug, Default, Args)]
pub(crate) struct Bounds {
    /// How often at most (1 to 10000); 25 when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) calls: Option<u32>,
    /// For how long, for example 8h; 24h when not given, 30d at most
    #[arg(long = "for", value_name = "DURATION", value_parser = input::lifetime)]
    pub(crate) lifetime_s: Option<u64>,
}

impl Bounds {
    /// The calls and the seconds, where a grant has some anyway.
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
            let header = &["ID", "ACTION", "FOR", "USED", "STATE", "UNTIL", "BY", "REASON"];
            let list = List { path: &["v1", "grants"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Grants::Give(arguments) => {
            let (max_calls, lifetime_s) = arguments.bounds.or_default();
            let Whom { session, automation, org: _ } = arguments.whom;
            let Give { action, reason, .. } = arguments;
            let request = GrantCreate { action, session, automation, max_calls, lifetime_s, reason };
            let answer = cx.client()?.send_body(Method::POST, &["v1", "grants"], &request)?.send().await?;
            cx.show(&answer, details)
        }
        Grants::Revoke { id } => {
            let answer = cx.client()?.delete(&["v1", "grants", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("revoked {id}"))
        }
    }
}

fn whom(grant: &GrantView) -> String {
    match (&grant.session, &grant.automation) {
        (Some(session), _) => session.to_string(),
        (None, Some(automation)) => format!("automation {automation}"),
        (None, None) => "the org".to_owned(),
    }
}

fn row(grant: GrantView) -> Vec<String> {
    vec![
        grant.id.to_string(),
        grant.action.clone(),
        whom(&grant),
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
        ("for", Some(whom(&grant))),
        ("used", Some(format!("{} of {} calls", grant.used_calls, grant.max_calls))),
        ("until", Some(table::moment(grant.expires_at))),
        ("state", Some(grant.state)),
        ("given", Some(format!("{} by {}", table::moment(grant.created_at), grant.created_by))),
        ("with", grant.from_invocation.map(|invocation| format!("the approval of {invocation}"))),
        ("reason", Some(grant.reason).filter(|reason| !reason.is_empty())),
    ];
    table::pairs(pairs, wide)
}

/// What an agent asked to be granted, and what came of it.
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
        ("asked", Some(table::moment(request.requested_at))),
        ("answer by", Some(table::moment(request.expires_at))),
    ];
    table::pairs(pairs, wide)
}

/// How a command ends that tells the agent of its request.
pub(crate) fn exit_of_request(request: &GrantRequestView) -> Exit {
    match request.status.as_str() {
        "granted" => Exit::Done,
        "pending" => Exit::Pending,
        _ => Exit::Denied,
    }
}
