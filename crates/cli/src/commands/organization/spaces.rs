//! `spaces`: list and change spaces and their risk bands.

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

/// List, create and change spaces
#[derive(Debug, Subcommand)]
pub enum Spaces {
    /// List the spaces
    #[command(after_help = "Examples:
  countersign spaces list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Create a space
    #[command(after_help = "Examples:
  countersign spaces create production --name Production --band amber

Risk bands: green follows the rules, amber requires approval for every write, red also denies R3 and R4, black allows
only reads.")]
    Create {
        /// Slug, for example production
        slug: String,
        /// Name [default: the slug]
        #[arg(long)]
        name: Option<String>,
        /// Risk band
        #[arg(long, value_parser = input::band())]
        band: RiskBand,
    },
    /// Change a space
    #[command(after_help = "Examples:
  countersign spaces set spc_0199… --band red
  countersign spaces set spc_0199… --name 'Production EU' --outbound-redaction true")]
    Set {
        /// Id of the space
        id: SpaceId,
        #[command(flatten)]
        change: Change,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct Change {
    /// Name
    #[arg(long)]
    name: Option<String>,
    /// Risk band
    #[arg(long, value_parser = input::band())]
    band: Option<RiskBand>,
    /// Remove secrets and personal data from outgoing parameters
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
            cx.done(&answer, &format!("saved {id}"))
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
