//! `sessions`: agents' working periods.

use api::{NewSessionView, SessionRequest, SessionView};
use clap::{Args, Subcommand};
use model::{SessionId, SessionKind, SpaceId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
    visible::inline,
};

/// Open and end agents' working periods.
#[derive(Debug, Subcommand)]
pub enum Sessions {
    /// Open a session; its token goes to stdout, this once
    #[command(after_help = "Examples:
  export COUNTERSIGN_TOKEN=$(countersign sessions create --agent triage-bot)
  countersign sessions create --agent nightly --kind unattended --lifetime 8h --capability linear:read
  countersign sessions create --agent triage-bot --json")]
    Create(Create),
    /// List the sessions
    #[command(after_help = "Examples:
  countersign sessions list --limit 20")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a session
    #[command(after_help = "Examples:
  countersign sessions show ses_0199…")]
    Show { id: SessionId },
    /// End a session; its token stops working at once
    #[command(after_help = "Examples:
  countersign sessions end ses_0199…")]
    End { id: SessionId },
}

/// Open a session.
#[derive(Debug, Args)]
pub struct Create {
    /// Who will work in it, for example triage-bot
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// Where it works; the org's first space when not given
    #[arg(long, value_name = "ID")]
    space: Option<SpaceId>,
    /// Whether a person is near: approvals of unattended sessions may take a day
    #[arg(long, default_value = "interactive", value_parser = input::session_kind())]
    kind: SessionKind,
    /// What it may do at most, for example linear:read or linear:*; repeat it; everything when not given
    #[arg(long = "capability", value_name = "CAPABILITY")]
    capabilities: Vec<String>,
    /// What it is about, for people
    #[arg(long, default_value = "", hide_default_value = true)]
    title: String,
    /// How long it lasts, for example 8h; a day when not given, 30 days at most
    #[arg(long, value_name = "DURATION", value_parser = input::lifetime)]
    lifetime: Option<u64>,
}

pub(crate) async fn run(command: Sessions, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Sessions::Create(arguments) => create(arguments, cx).await,
        Sessions::List { page } => {
            let header = &["ID", "AGENT", "KIND", "SPACE", "TITLE", "EXPIRES", "ENDED"];
            let list = List { path: &["v1", "sessions"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Sessions::Show { id } => {
            let answer = cx.client()?.get(&["v1", "sessions", &id.to_string()])?.send().await?;
            cx.show(&answer, details)
        }
        Sessions::End { id } => {
            let answer = cx.client()?.delete(&["v1", "sessions", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("ended {id}"))
        }
    }
}

async fn create(arguments: Create, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let request = SessionRequest {
        agent: arguments.agent,
        title: arguments.title,
        space: arguments.space,
        kind: arguments.kind,
        // No list is everything; an empty one would be nothing.
        capabilities: Some(arguments.capabilities).filter(|capabilities| !capabilities.is_empty()),
        lifetime_s: arguments.lifetime,
    };
    let answer = cx.client()?.send_body(Method::POST, &["v1", "sessions"], &request)?.send().await?;
    if !cx.json() {
        let NewSessionView { session, .. } = answer.parse()?;
        let until = table::moment(session.expires_at);
        cx.console.note(&format!(
            "{} for {}, until {until}; its token:",
            session.id,
            inline(&session.agent)
        ))?;
    }
    cx.show(&answer, |new: NewSessionView, _| inline(&new.token.0))
}

fn row(session: SessionView) -> Vec<String> {
    vec![
        session.id.to_string(),
        session.agent,
        session.kind.as_str().to_owned(),
        session.space.to_string(),
        session.title,
        table::moment(session.expires_at),
        table::maybe(session.ended_at),
    ]
}

fn details(session: SessionView, wide: bool) -> String {
    let pairs = vec![
        ("session", Some(session.id.to_string())),
        ("agent", Some(session.agent)),
        ("title", Some(session.title).filter(|title| !title.is_empty())),
        ("kind", Some(session.kind.as_str().to_owned())),
        ("space", Some(session.space.to_string())),
        ("capabilities", Some(session.capabilities.join(" "))),
        ("created", Some(format!("{} by {}", table::moment(session.created_at), session.created_by))),
        ("expires", Some(table::moment(session.expires_at))),
        ("ended", session.ended_at.map(table::moment)),
    ];
    table::pairs(pairs, wide)
}
