//! `spaces`: areas of the org, and how careful each is.

use api::{SpacePatch, SpaceRequest, SpaceView};
use clap::{Args, Subcommand};
use model::{RiskBand, SpaceId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
};

/// Areas of the org, and how careful each is.
#[derive(Debug, Subcommand)]
pub enum Spaces {
    /// List the spaces
    #[command(after_help = "Examples:
  countersign spaces list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Add a space
    #[command(after_help = "Examples:
  countersign spaces create production --name Production --band amber

Bands: green leaves it to the rules, amber asks for every write, red also denies what is hard to undo, black only
reads.")]
    Create {
        /// Its short name, for example production
        slug: String,
        /// Its name for people; the slug when not given
        #[arg(long)]
        name: Option<String>,
        /// How careful it is
        #[arg(long, value_parser = input::band())]
        band: RiskBand,
    },
    /// Change a space
    #[command(after_help = "Examples:
  countersign spaces set spc_0199… --band red
  countersign spaces set spc_0199… --name 'Production EU' --outbound-redaction true")]
    Set {
        id: SpaceId,
        #[command(flatten)]
        change: Change,
    },
}

/// What to change.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct Change {
    /// Its name for people
    #[arg(long)]
    name: Option<String>,
    /// How careful it is
    #[arg(long, value_parser = input::band())]
    band: Option<RiskBand>,
    /// Whether secrets and personal data are taken out of what leaves it
    #[arg(long, value_name = "BOOL")]
    outbound_redaction: Option<bool>,
}

pub(crate) async fn run(command: Spaces, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Spaces::List { page } => {
            let header = &["ID", "SLUG", "NAME", "BAND", "OUTBOUND REDACTION"];
            let list = List { path: &["v1", "spaces"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Spaces::Create { slug, name, band } => {
            let name = name.unwrap_or_else(|| slug.clone());
            let request = SpaceRequest { slug, name, risk_band: band };
            let answer = cx.client()?.send_body(Method::POST, &["v1", "spaces"], &request)?.send().await?;
            cx.show(&answer, details)
        }
        Spaces::Set { id, change } => {
            let Change { name, band, outbound_redaction } = change;
            let request = SpacePatch { name, risk_band: band, outbound_redaction };
            let path = ["v1", "spaces", &id.to_string()];
            let answer = cx.client()?.send_body(Method::PATCH, &path, &request)?.send().await?;
            cx.done(&answer, &format!("changed {id}"))
        }
    }
}

fn row(space: SpaceView) -> Vec<String> {
    let redaction = if space.outbound_redaction { "on" } else { "off" };
    vec![
        space.id.to_string(),
        space.slug,
        space.name,
        space.risk_band.as_str().to_owned(),
        redaction.to_owned(),
    ]
}

fn details(space: SpaceView, wide: bool) -> String {
    let pairs = vec![
        ("space", Some(space.id.to_string())),
        ("slug", Some(space.slug)),
        ("name", Some(space.name)),
        ("band", Some(space.risk_band.as_str().to_owned())),
    ];
    table::pairs(pairs, wide)
}
