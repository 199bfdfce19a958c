//! `activity`: every invocation of the org, with filters and search.

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

/// Which invocations.
#[derive(Debug, clap::Args)]
pub struct Activity {
    /// In which these words stand: id, action, agent, parameters, error
    #[arg(value_name = "TEXT")]
    search: Option<String>,
    /// Of one session only
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// In one space only
    #[arg(long, value_name = "SLUG|ID")]
    space: Option<String>,
    /// Of one run only
    #[arg(long, value_name = "ID")]
    run: Option<RunId>,
    /// Of one source only
    #[arg(long)]
    source: Option<String>,
    /// Of one action only, such as `linear.create_issue`
    #[arg(long)]
    action: Option<String>,
    /// With one of these states: `failed,unknown`
    #[arg(long)]
    status: Option<String>,
    /// With one of these risks: `R3,R4`
    #[arg(long)]
    risk: Option<String>,
    /// Asked for at this moment or later
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Asked for before this moment
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
        ("source", wanted.source),
        ("action", wanted.action),
        ("status", wanted.status),
        ("risk", wanted.risk),
        ("q", wanted.search),
        ("since", wanted.since.map(|at| at.to_string())),
        ("until", wanted.until.map(|at| at.to_string())),
    ];
    let query = query.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    let header = &["ID", "ASKED", "SPACE", "AGENT", "ACTION", "RISK", "STATUS", "PARAMETERS", "ERROR"];
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
