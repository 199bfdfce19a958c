//! `stop`, `resume` and `stopped`: an organization, a space, a source, an agent or an automation.

use api::{ConductRequest, ConductView};
use clap::Args;
use model::{AutomationId, Conduct, SpaceId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
    visible::inline,
};

/// What to stop or resume. Without one of them, the whole organization.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct Scope {
    /// Only this space
    #[arg(long, value_name = "ID")]
    space: Option<SpaceId>,
    /// Only this source
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Only sessions of the agent with this name
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only this automation
    #[arg(long, value_name = "ID")]
    automation: Option<AutomationId>,
}

impl Scope {
    fn named(self) -> (&'static str, String) {
        match (self.space, self.source, self.agent, self.automation) {
            (Some(space), ..) => ("space", space.to_string()),
            (_, Some(source), ..) => ("source", source),
            (_, _, Some(agent), _) => ("agent", agent),
            (.., Some(automation)) => ("automation", automation.to_string()),
            _ => ("org", String::new()),
        }
    }
}

#[derive(Debug, Args)]
pub struct Stop {
    #[command(flatten)]
    scope: Scope,
    /// Do not stop, but only read, and tell for everything else what would be done
    #[arg(long)]
    dry_run: bool,
    /// Reason, which those who are stopped read
    #[arg(long, default_value = "stopped by hand")]
    reason: String,
}

#[derive(Debug, Args)]
pub struct Resume {
    #[command(flatten)]
    scope: Scope,
    /// Reason, for the record
    #[arg(long)]
    reason: String,
}

pub(crate) async fn stop(arguments: Stop, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let conduct = if arguments.dry_run { Conduct::DryRun } else { Conduct::Halted };
    set(arguments.scope, conduct, arguments.reason, cx).await
}

pub(crate) async fn resume(arguments: Resume, cx: &mut Context<'_>) -> Result<Exit, Error> {
    set(arguments.scope, Conduct::Normal, arguments.reason, cx).await
}

pub(crate) async fn stopped(cx: &mut Context<'_>) -> Result<Exit, Error> {
    let header = &["SCOPE", "NAME", "STATE", "REASON", "BY", "SINCE"];
    let page = PageArgs::default();
    List { path: &["v1", "conduct"], query: vec![], page: &page, header }.print(cx, row).await
}

fn row(set: ConductView) -> Vec<String> {
    vec![
        set.scope,
        set.name,
        state(set.conduct).to_owned(),
        set.reason,
        set.set_by_name.unwrap_or_default(),
        table::moment(set.set_at),
    ]
}

/// A conduct in a word.
pub(super) const fn state(conduct: Conduct) -> &'static str {
    match conduct {
        Conduct::Normal => "normal",
        Conduct::DryRun => "dry run",
        Conduct::Halted => "stopped",
    }
}

async fn set(scope: Scope, conduct: Conduct, reason: String, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let (scope, subject) = scope.named();
    let request = ConductRequest { scope: scope.to_owned(), subject, conduct, reason };
    let answer = cx.client()?.send_body(Method::PUT, &["v1", "conduct"], &request)?.send().await?;
    cx.show(&answer, |set: ConductView, wide| {
        let pairs = vec![
            (set.scope.as_str(), Some(inline(&set.name))),
            ("state", Some(state(set.conduct).to_owned())),
            ("reason", Some(inline(&set.reason))),
            ("since", Some(table::moment(set.set_at))),
        ];
        table::pairs(pairs, wide)
    })
}
