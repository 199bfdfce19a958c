//! `sessions`: open and end sessions of agents.

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

/// Open and end sessions of agents
#[derive(Debug, Subcommand)]
pub enum Sessions {
    /// Open a session and print its token, which is shown only once
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

#[derive(Debug, Args)]
pub struct Create {
    /// Name of the agent, for example triage-bot
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// Space [default: the first space of the organization]
    #[arg(long, value_name = "ID")]
    space: Option<SpaceId>,
    /// Kind: approvals of unattended sessions expire later, after a day
    #[arg(long, default_value = "interactive", value_parser = input::session_kind())]
    kind: SessionKind,
    /// Capability, for example linear:read or linear:*; can be repeated [default: the sources listed now]
    #[arg(long = "capability", value_name = "CAPABILITY")]
    capabilities: Vec<String>,
    /// Title, for people
    #[arg(long, default_value = "", hide_default_value = true)]
    title: String,
    /// Lifetime, for example 8h, at most 30d [default: 1d]
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
        // No list means the sources that are listed; an empty list would mean none.
        capabilities: Some(arguments.capabilities).filter(|capabilities| !capabilities.is_empty()),
        lifetime_s: arguments.lifetime,
    };
    let answer = cx.client()?.send_body(Method::POST, &["v1", "sessions"], &request)?.send().await?;
    if !cx.json() {
        let NewSessionView { session, .. } = answer.parse()?;
        let until = table::moment(session.expires_at);
        cx.console.note(&format!(
            "opened {} for {}, expires {until}; token, shown only once:",
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
