//! `agents`: who acts, by name, and what they did lately.

use api::{AgentDetail, AgentView, ConductView};
use clap::Subcommand;
use model::Conduct;

use crate::{
    Context,
    commands::conduct,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
    visible::inline,
};

/// List agents and what they did lately
#[derive(Debug, Subcommand)]
pub enum Agents {
    /// List the agents of the last 30 days; counts are of the last seven days
    #[command(after_help = "Examples:
  countersign agents list
  countersign agents list --json")]
    List,
    /// Show an agent with its open sessions
    #[command(after_help = "Examples:
  countersign agents show support-triage")]
    Show { agent: String },
}

pub(crate) async fn run(command: Agents, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Agents::List => {
            let header =
                &["AGENT", "STATE", "SESSIONS", "LAST SEEN", "CALLS", "ASKED", "WAITING", "DENIED", "FAILED"];
            let page = PageArgs::default();
            List { path: &["v1", "agents"], query: vec![], page: &page, header }.print(cx, row).await
        }
        Agents::Show { agent } => {
            let answer = cx.client()?.get(&["v1", "agents", &agent])?.send().await?;
            cx.show(&answer, details)
        }
    }
}

fn state(set: Option<&ConductView>) -> &'static str {
    conduct::state(set.map_or(Conduct::Normal, |set| set.conduct))
}

fn row(agent: AgentView) -> Vec<String> {
    vec![
        agent.agent,
        state(agent.conduct.as_ref()).to_owned(),
        agent.open_sessions.to_string(),
        table::moment(agent.last_seen),
        agent.calls.to_string(),
        agent.asked.to_string(),
        agent.waiting.to_string(),
        agent.denied.to_string(),
        agent.failed.to_string(),
    ]
}

fn details(found: AgentDetail, wide: bool) -> String {
    let AgentDetail { agent, sessions, capabilities, sources } = found;
    let set = agent.conduct.as_ref();
    let reason = set.map(|set| match &set.set_by_name {
        Some(name) => format!("{} ({}, {})", inline(&set.reason), inline(name), table::moment(set.set_at)),
        None => format!("{} ({})", inline(&set.reason), table::moment(set.set_at)),
    });
    let sources = sources.iter().map(|used| format!("{} {}", inline(&used.source), used.calls));
    let sessions = sessions.iter().map(|open| {
        let by = open.created_by_name.as_deref().unwrap_or("a former member");
        format!("{} by {}, until {}", open.session.id, inline(by), table::moment(open.session.expires_at))
    });
    let pairs = vec![
        ("agent", Some(inline(&agent.agent))),
        ("state", Some(state(set).to_owned())),
        ("reason", reason),
        ("last seen", Some(table::moment(agent.last_seen))),
        ("calls in 7 days", Some(agent.calls.to_string())),
        ("succeeded", Some(agent.succeeded.to_string())),
        ("failed", Some(agent.failed.to_string())),
        ("denied", Some(agent.denied.to_string())),
        ("asked", Some(agent.asked.to_string())),
        ("waiting now", Some(agent.waiting.to_string())),
        ("sources", Some(sources.collect::<Vec<_>>().join(", "))),
        ("may use", Some(inline(&capabilities.join(", ")))),
        ("open sessions", Some(sessions.collect::<Vec<_>>().join("\n"))),
    ];
    table::pairs(pairs, wide)
}
