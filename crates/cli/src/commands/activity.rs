//! `activity`: all invocations of the organization, with filters and search.

use api::ActivityItem;
use jiff::Timestamp;
use model::{RunId, SessionId};

use crate::{
    Context,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
};

#[derive(Debug, clap::Args)]
pub struct Activity {
    /// Text to search for in ids, actions, agents, parameters and errors
    #[arg(value_name = "TEXT")]
    search: Option<String>,
    /// Only this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// Only this space
    #[arg(long, value_name = "SLUG|ID")]
    space: Option<String>,
    /// Only this run
    #[arg(long, value_name = "ID")]
    run: Option<RunId>,
    /// Only the agent with this name
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only this source
    #[arg(long)]
    source: Option<String>,
    /// Only this action, for example `linear.create_issue`
    #[arg(long)]
    action: Option<String>,
    /// Only these statuses, separated by commas, for example failed,unknown
    #[arg(long)]
    status: Option<String>,
    /// Only these risk levels, separated by commas, for example R3,R4
    #[arg(long)]
    risk: Option<String>,
    /// Only requests at or after this time (RFC 3339)
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Only requests before this time (RFC 3339)
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    #[command(flatten)]
    page: PageArgs,
}

pub(crate) async fn run(wanted: Activity, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let query = [
        ("session", wanted.session.map(|id| id.to_string())),
        ("space", wanted.space),
        ("run", wanted.run.map(|id| id.to_string())),
        ("agent", wanted.agent),
        ("source", wanted.source),
        ("action", wanted.action),
        ("status", wanted.status),
        ("risk", wanted.risk),
        ("q", wanted.search),
        ("since", wanted.since.map(|at| at.to_string())),
        ("until", wanted.until.map(|at| at.to_string())),
    ];
    let query = query.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    let header = &["ID", "REQUESTED", "SPACE", "AGENT", "ACTION", "RISK", "STATUS", "PARAMETERS", "ERROR"];
    List { path: &["v1", "invocations"], query, page: &wanted.page, header }.print(cx, row).await
}

fn row(item: ActivityItem) -> Vec<String> {
    vec![
        item.id.to_string(),
        table::moment(item.requested_at),
        item.space,
        item.agent,
        item.action,
        item.risk.as_str().to_owned(),
        item.status.as_str().to_owned(),
        item.params_line,
        item.error.map(|error| error.message).unwrap_or_default(),
    ]
}
